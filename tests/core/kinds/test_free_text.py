"""Texts in the player's own words: which are legal, how they are numbered, kept, sealed and asked."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterable
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.engine.dealing.world import World
from tests.core.kinds.test_new_kind import Typed
from tests.core.scribes import GUESSES, Motto, Scribes
from tests.core.ui.conversation import STRICT
from tests.core.ui.tui.playing import Played

from tavolata import Branch, Choice, Options, Refused, Table, form, free_text, one_of, same_words
from tavolata._engine.match.entries import INTERJECT, OPENED, SAY, SEALED, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.match import ROOM, Match
from tavolata._engine.match.state import Reader, Writer, pack, unpack
from tavolata._engine.sessions.local import LocalSession
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata._ui.tui.model.director import Feed
from tavolata._ui.tui.screens.frame import Looks
from tavolata._ui.tui.screens.table_app import TableApp
from tavolata._ui.words import Words
from tavolata._web.frontend import BrowserFrontend
from tavolata.bots import Bot, Chance, RandomBot
from tavolata.errors import GameError
from tavolata.kinds.question import beyond
from tavolata.testing import check_game, does, refuses, rehearse, says
from tavolata.texts import clean, is_clean, tidied

HOSTILE = (
    "\x1b[31mred",
    "\u202egnp.exe",
    "a\ud800",
    "a\nb",
    "a\u200bb",
    "e" + "\u0301" * 4,
    "a\ufdd0",
    "\x9bm",
)
"""Escape sequences, turned writing, half a sign, lines, invisible signs, towers, what is no sign."""


def texts(count: int = 10_000) -> list[str]:
    """Texts of all kinds of signs, the same on every Python."""
    chance = random.Random(4)
    pools = [
        range(0x20, 0x7F), range(0xA0, 0x250), range(0x300, 0x370), range(0x370, 0x530), range(0x5D0, 0x700),
        range(0xE00, 0xE5C), range(0x1100, 0x1200), range(0x2000, 0x2070), range(0x3040, 0x3100),
        range(0xD7F0, 0xE010), range(0xFDC0, 0xFE10), range(0xFFF0, 0x10010), range(0x1F300, 0x1F700),
        range(0x1FA70, 0x1FB00), range(0x10FFF0, 0x110000),
    ]  # fmt: skip

    def below(limit: int) -> int:  # only `random()` is the same in all versions of Python
        return int(chance.random() * limit)

    found = []
    for _ in range(count):
        mixed = [pools[below(len(pools))] for _ in range(1 + below(2))]
        signs = (mixed[below(len(mixed))] for _ in range(1 + below((3, 9, 60, 125)[below(4)])))
        found.append("".join(chr(pool[below(len(pool))]) for pool in signs))
    return found


def test_which_texts_are_legal_is_the_same_on_every_python() -> None:
    """10,000 texts are judged by lists of Tavolata: the verdicts are the same on each Python."""
    question = free_text(120, suggestions=GUESSES)
    verdicts = bytearray()
    written = texts()
    for text in written:
        try:
            assert question.check(text) == text
            verdicts.append(1)
        except Refused:
            verdicts.append(0)
    assert 500 < sum(verdicts) < 9500
    alike = [same_words(one, other) for one, other in pairwise(written)]
    cleaned = "\n".join(map(clean, written)).encode()
    assert blake2b(bytes([*verdicts, *alike]) + cleaned, digest_size=8).hexdigest() == "4fb3a49e4efccb76"


@given(st.text(max_size=130))
def test_every_text_has_its_number(text: str) -> None:
    """Suggestions come first; each other legal text has a number above `count()`, and no number two texts."""
    question = free_text(120, suggestions=GUESSES)
    assert [question.nth(0), question.nth(1), question.count()] == [*GUESSES, 2]
    try:
        number = question.index(text)
    except Refused:
        assert not (is_clean(text) and 1 <= len(text) <= 120 and len(text.encode()) <= 200)
    else:
        assert question.nth(number) == text
        assert (number < 2) == (text in GUESSES)
        with pytest.raises(IndexError):
            question.nth(number + (1 << 2000))


@given(st.sampled_from("ab"), st.sampled_from((*GUESSES, "mine", "é" * 30)), st.integers(0, 1))
def test_texts_in_forms_and_branches_are_numbered_too(choice: str, text: str, place: int) -> None:
    """What programs choose from is numbered without a gap; every other text above that."""
    words = free_text(60, suggestions=GUESSES)
    question: Any = form(dict, which=one_of("ab"), words=words)
    value = {"which": choice, "words": text}
    assert question.count() == 4
    assert question.nth(question.index(value)) == value
    assert (question.index(value) < 4) == (text in GUESSES)
    branch = Branch([Choice("say"), Choice("pass")], [words, None])
    said = ("say", text) if place == 0 else ("pass",)
    assert branch.count() == 3
    assert branch.nth(branch.index(said)) == said
    for number in (-1, 3, 1 << 99):
        with pytest.raises(IndexError):
            branch.nth(number)
    different: Any = form(dict, different="Two, please.", one=words, other=words)
    pair = {"one": text, "other": "mine too"}
    assert different.count() == 2
    assert different.nth(different.index(pair)) == pair
    assert [part.number for part in question.parts()] == [0, 1, 2, 3]


def test_200_bytes_are_sealed_and_201_refused() -> None:
    """So is what is longer in signs, shorter, of other signs, or several texts that are too long together."""
    question = free_text(120, shortest=2, suggestions=GUESSES)
    assert len(pack(question.check("é" * 100))) <= ROOM
    codes = free_text(4, shortest=4, signs="ABCDEF", suggestions=("ABCD", "FACE"))
    for asked, text, why in [
        (question, "é" * 100 + "a", "too long"), (question, "a" * 121, "too long"),
        (question, "a", "at least 2"), (codes, "ABCG", "characters only"),
        (question, " ab", "can't be shown"), (question, "a  b", "can't be shown"),
        *((question, text, "can't be shown") for text in HOSTILE),
    ]:  # fmt: skip
        with pytest.raises(Refused, match=why):
            asked.check(text)
    for wrong in (7, None, ["ab"], b"ab"):
        with pytest.raises(Refused, match="Write something"):
            question.check(wrong)
    both: Any = form(dict, one=question, other=question)
    with pytest.raises(Refused, match="answers are too long"):
        both.check(["é" * 60, "é" * 60])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"longest": 121}, "1 to 120"), ({"longest": 3, "shortest": 4}, "1 to 120"),
        ({"suggestions": ["one"]}, "2 to 512"), ({"suggestions": ["one", "one"]}, "2 to 512"),
        ({"suggestions": ["one", "a\x07"]}, "no legal text"), ({"signs": "a\u200b"}, "no text may have"),
    ],
)  # fmt: skip
def test_a_question_that_can_not_be_asked_is_refused_when_made(wrong: dict[str, Any], why: str) -> None:
    """Lengths, suggestions and signs are checked where they are written."""
    with pytest.raises(GameError, match=why):
        free_text(**{"longest": 10, "suggestions": GUESSES, **wrong})


def test_words_are_the_same_but_for_case_accents_and_spaces() -> None:
    """Latin, Greek and Cyrillic by a table; other scripts sign by sign."""
    for one, other in [
        ("Éclair noir", "eclairNOIR"), ("Straße", "STRASSE"), ("ΟΔΌΣ", "οδος"), ("Ёлка", "ёлка"),
        ("cafe\u0301", "CAFÉ"), ("Œuvre", "oeuvre"), ("Ø", "o"), ("寿司", "寿司"),
    ]:  # fmt: skip
        assert same_words(one, other)
    assert not same_words("寿司", "すし")
    assert not same_words("red", "reed")
    assert tidied("  cafe\u0301 \u200bx\u3000y\t❤\ufe0f ") == "café x y ❤"
    assert clean("a\x1b[31m  b\u202e") == "a [31m b"


def test_a_window_takes_no_text() -> None:
    """Typing speed decides nothing: `react` refuses a text, also inside a form."""

    class Quick(Scribes):
        name = "quick"

        async def turn(self, t: Table[Options]) -> Any:
            asked: Any = form(dict, words=free_text(30, suggestions=GUESSES))
            await t.react(dict.fromkeys(t.ring, asked), go=t.first_seat)

    with pytest.raises(GameError, match="takes no text"):
        rehearse(Quick, seats=2, answers=None)


def test_a_text_is_kept_as_words_and_comes_back_as_words() -> None:
    """State, log and interjections hold it; what comes back is shown as it was written, as before."""
    match = rehearse(
        Scribes,
        seats=2,
        answers=[
            refuses(does(0, "shout", "hello"), "characters only"),
            does(0, "shout", "OH OH!"),
            {0: "yes", 1: "Yés"},
            {"of": 1, "words": "one; two"},
        ],
    )
    game = match.game
    assert (game.shouts, game.written, game.alike) == (["OH OH!"], {0: "yes", 1: "Yés"}, 4)
    assert game.motto == Motto(game.motto.of, "one; two")
    written = unpack(pack(Writer(None).write(game.motto.words, "here")))
    back = Reader(None, "tests").read(written)
    words = Words(Translator("it"), "tavolata", ["Ann"])
    assert type(back) is type(game.motto.words)
    assert words.describe(back) == "one; two"
    assert (words.describe("yes"), words.describe(game.written[match.views(0).ring[0]])) == ("sì", "yes")


@pytest.mark.battery
def test_the_kit_passes_a_game_of_words() -> None:
    """Random bots choose suggestions, worlds are imagined, stale texts are void."""
    check_game(Scribes, matches=6).expect()


# -- faces --------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def session(made: type[LocalSession] = LocalSession) -> LocalSession:
    """A person, who goes first, and two bots."""
    header = Header(
        id="0123456789abcdef", game="scribes", version="1", rules_id=1, options={}, names=("Ann", "Bo", "Cy"),
        bots=(None, "random", "random"), seed=3,
    )  # fmt: skip
    return made(header, Scribes, "tests", [None, RandomBot(), RandomBot()])


def game_of(match: Match[Any]) -> Scribes:
    """The public state of a match."""
    assert isinstance(match.game, Scribes)
    return match.game


def test_plain_lines_take_a_line_as_it_is() -> None:
    """The line is the answer, even the name of a command or with a semicolon; a slash makes a command."""
    said: list[str] = []
    at = session()
    asked = asyncio.Event()

    def out(line: str) -> None:
        said.append(line)
        if line.endswith("60 characters."):
            asked.set()

    lines = Typed("x", "/ask", "  help   me ", "1", "/back", "1", "a; b", ready=asked)
    asyncio.run(asyncio.wait_for(Plain(at, Translator("en"), out, lines).run(), 60))
    game = game_of(at.match)
    assert game.written[at.match.table.ring[0]] == "help me"
    assert game.motto is not None
    assert game.motto.words == "a; b"
    assert "  In your own words, 2 to 60 characters." in said
    assert "Write at least 2 characters." in said
    assert sum(line.endswith("Write something.") for line in said) == 2


class Later:
    """Lines that are typed when their time has come."""

    on_terminal = False

    def __init__(self) -> None:
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    async def next(self) -> str | None:
        """The next line."""
        return await self.typed.get()


class Hides(LocalSession):
    """A session in which somebody doesn't see what the second player writes."""

    hidden = frozenset({1})


def test_texts_of_somebody_hidden_are_dots_and_stay_in_the_match() -> None:
    """Only this face shows dots: the rules have the text, and the others' texts are shown."""
    said: list[str] = []
    asked = asyncio.Event()
    at = session(Hides)

    def out(line: str) -> None:
        said.append(line)
        if line.endswith("60 characters."):
            asked.set()

    lines = Typed("my own words", "1", "onwards", ready=asked)
    asyncio.run(asyncio.wait_for(Plain(at, Translator("en"), out, lines).run(), 60))
    written = game_of(at.match).written
    texts = [written[at.match.table.ring[seat]] for seat in range(3)]
    assert "Bo writes: …" in said
    assert "Ann writes: my own words" in said
    assert texts[1] in GUESSES
    assert at.match.texts_of({1}) >= {texts[1]}


def test_texts_of_somebody_silenced_on_the_screen_are_dots() -> None:
    """As soon as the name is hidden there, and until it's heard again."""
    at = session()
    model = Feed(at, Translator("en"), 0.0).model
    asyncio.run(Plain(at, Translator("en"), lambda _: None, Typed("my words", "1", "onwards")).run())
    text = Verbatim(game_of(at.match).written[at.match.table.ring[1]])
    assert model.words().describe(text) == text
    model.hushed.add(1)
    assert model.words().describe(text) == "…"
    assert model.words().describe(Verbatim("my words")) == "my words"
    model.hushed.clear()
    assert model.words().describe(text) == text


def test_programs_answer_with_a_json_string() -> None:
    """The line has lengths, signs and suggestions; half a surrogate is refused, the rest is tidied."""
    said: list[dict[str, Any]] = []
    at = session()
    answers = {
        1: [
            '{"type":"do","name":"shout","answer":" AHA  AHA"}',
            '{"type":"answer","id":1,"answer":"a\\ud800"}',
            '{"type":"answer","id":1,"answer":"  cafe\\u0301 au lait"}',
        ],
        4: ['{"type":"answer","id":4,"answer":[0,"we; they"]}'],
    }
    lines = Later()

    def out(line: str) -> None:
        said.append(json.loads(line))
        for one in answers.pop(said[-1]["id"], []) if said[-1]["type"] == "ask" else ():
            lines.typed.put_nowait(one)

    asyncio.run(Ndjson(at, Translator("en"), out, lines).run())
    game = game_of(at.match)
    assert game.motto is not None
    assert (game.written[at.match.table.ring[0]], game.motto.words) == ("café au lait", "we; they")
    assert game.shouts[:1] == ["AHA AHA"]
    first = next(line for line in said if line["type"] == "ask")
    assert not list(STRICT.iter_errors(first))
    kind = {name: first[name] for name in ("kind", "low", "high", "signs", "suggestions")}
    assert kind == {"kind": "text", "low": 2, "high": 60, "signs": "", "suggestions": [*GUESSES]}
    (error,) = [line for line in said if line["type"] == "error"]
    assert error["message"] == "That isn't a JSON object on one line: {problem}"


@pytest.mark.battery
def test_on_the_screen_letters_are_text_until_escape() -> None:
    """The line for words opens by itself; Escape gives the keys back, Enter opens it again, then answers."""
    at = session()

    async def press() -> list[str]:
        app = TableApp(Feed(at, Translator("en"), 0.0), Translator("en"), Looks(), title="Scribes", rules=str)
        follower = asyncio.create_task(app.feed.follow())
        shown = []
        async with app.run_test(size=(80, 24)) as pilot:
            played = Played(app, pilot)
            await played.asked()
            await played.until(lambda: app.typing)
            await played.press("q", "enter")
            await played.until("Write at least 2 characters.")
            await played.press("space", "t")
            shown.append(played.text())
            await played.press("escape")
            assert not app.typing
            shown.append(played.text())
            await played.press("backspace", "enter")
            await played.until(lambda: app.typing)
            await played.press(*"quiz", "enter")
            await played.until(lambda: app.model.asks and app.model.asks[0].id == 4)
            await played.press("1", "enter")
            await played.until(lambda: app.typing)
            await played.press(*"rest", "enter")
            await played.until(lambda: app.model.ended)
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
        return shown

    typing, keys = asyncio.run(press())
    game = game_of(at.match)
    assert game.motto is not None
    assert (game.written[at.match.table.ring[0]], game.motto.words) == ("quiz", "rest")
    assert "q t" in typing
    assert "In your own words, 2 to 60 characters." in keys


@pytest.mark.battery
def test_on_a_phone_the_page_sends_what_was_typed() -> None:
    """The state says what may be written; the machine that serves the page tidies and refuses."""
    at = session()

    async def tap() -> list[Any]:
        changed, seen = asyncio.Event(), []
        face = BrowserFrontend(at, Translator("en"), lambda: "Game", lambda: "Ann", changed.set, lambda: True)
        face._director.pace = 0
        running = asyncio.create_task(face.run())
        texts = iter(["\x07", "  two   words ", "mine"])
        async with asyncio.timeout(20):
            while not running.done():
                state = json.loads(json.dumps(face.state()))
                decision = state["scene"].get("decision", {})
                if state["question"] and "writing" in decision:
                    seen.append((decision["writing"]["low"], decision["writing"]["high"], state["trouble"]))
                    face.hear({"do": "send", "question": state["question"], "text": next(texts)})
                elif state["question"] and not decision.get("own"):
                    face.hear({"do": "send", "question": state["question"]})
                changed.clear()
                waiter = asyncio.create_task(changed.wait())
                await asyncio.wait([waiter, running], timeout=1, return_when=asyncio.FIRST_COMPLETED)
                waiter.cancel()
                if at.match.over:
                    break
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return seen

    seen = asyncio.run(tap())
    game = game_of(at.match)
    assert game.motto is not None
    assert (game.written[at.match.table.ring[0]], game.motto.words) == ("two words", "mine")
    assert [(low, high) for low, high, _ in seen] == [(2, 60), (2, 60), (1, 20)]
    assert seen[1][2] == "Write at least 2 characters."


# -- peers --------------------------------------------------------------------------------------------


class Poet(Bot):
    """Writes its own words wherever it may."""

    level = "poet"

    def choose(self, view: Any, ask: Any, chance: Chance) -> Any:
        if ask.question.name == "text":
            return "é" * 60 if chance.percent(50) else "twice the same"
        return ask.question.any(chance)


def test_texts_are_sealed_and_opened_where_all_deal_together() -> None:
    """Three machines deal fairly: a text of any length has a seal of the same length; all end alike."""
    world = World(Scribes, (1, 2, 3), bot=Poet)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    game = game_of(world.peers[1].match)
    assert set(game.written.values()) <= {"é" * 60, "twice the same"}
    boxes = {len(entry[3]) for entry, _ in world.log if entry[0] == SEALED}
    assert len(boxes) == 1


@pytest.mark.parametrize("text", [*(one for one in HOSTILE if "\ud800" not in one), "é" * 101, 5, "", ("a",)])
def test_a_hostile_text_is_refused_by_all(text: object) -> None:
    """A seal that opens to a text that isn't legal is refused by every machine, and nobody shows it."""

    def bends(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        dealer = world.peers[2].dealer
        if party == 2 and entry[0] == SEALED and dealer is not None:
            (ask,) = [one for one in world.peers[2].source.open if one.id == entry[2]]
            box, opening = dealer.seal(ask, text)  # type: ignore[arg-type]  # it cheats
            world.peers[2].vault[ask.id] = (opening, text)
            return [(*entry[:3], box)]
        return [entry]

    world = World(Scribes, (1, 2), tamper=bends, bot=Poet)
    world.play()
    assert any(entry[0] == OPENED and entry[4] == text for entry, _ in world.log)
    for peer in world.peers.values():
        assert [str(why) for why in peer.source.voids.values()]
        assert not any(text in event.params.values() for event in peer.match.events)
        assert text not in game_of(peer.match).written.values()
    assert world.ended()


def test_words_said_to_all_are_the_same_on_all_machines() -> None:
    """Rules compare them: three peers end alike. Whispers, which not all can read, are None on each."""
    said = iter([
        (SAY, 0, (), " ábra\u200b  CADABRA\x1b"), (SAY, 1, (0,), (b"box", b"box")), (SAY, 2, (), "\ufdd0"),
    ])  # fmt: skip

    def speaks(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        return [entry, *([next(said)] if entry[0] == SEALED else [])]

    world = World(Scribes, (1, 2, 3), tamper=speaks)
    world.play()
    assert world.ended()
    assert len(world.digests) == 1
    for peer in world.peers.values():
        assert game_of(peer.match).said == ["ábra CADABRA", None, ""]
        assert (
            game_of(peer.match).alike
            == sum(
                same_words(one, other)
                for one in game_of(peer.match).written.values()
                for other in game_of(peer.match).written.values()
            )
            + 1
        )


def test_words_on_one_machine_are_those_of_a_table() -> None:
    """A whisper is None here, too: rules that play at home play at a table."""
    match = rehearse(Scribes, seats=3, answers=None)
    match.play(
        says(0, "  hello "), says(1, "psst", to=2), says(2, "\u202eolleh"), {0: "ab", 1: "ab", 2: "ab"}
    )
    assert match.game.said == ["hello", None, "olleh"]


@pytest.mark.parametrize(
    "name", sorted({"setup", "zones", "heard", "preview", "may_talk", "forfeit", "migrate"})
)
def test_what_can_not_wait_is_refused_as_a_coroutine(name: str) -> None:
    """`async def setup` would never run; the error has file and line, as has that of old parameters."""

    async def waits(self: Any, *given: Any) -> Any:
        return None

    with pytest.raises(GameError, match=rf"test_free_text.py, line \d+: `{name}` of Wrong can't wait"):
        type("Wrong", (Scribes,), {name: waits})

    def old(self: Any, t: Any, speaker: Any, to: Any) -> None:
        """As it was."""

    with pytest.raises(GameError, match="gets the words, too"):
        type("Older", (Scribes,), {"heard": old})


def test_an_interjection_with_a_hostile_text_is_void() -> None:
    """Nothing that a stranger sent is taken for words, unless it is legal where it takes effect."""
    match = rehearse(Scribes, seats=2, answers=None)
    for chosen in (
        ("words", "\x1b"),
        ("words", "hello"),
        "AHA!",
        ("words",),
        ("words", ("words", "AHA!")),
        3,
    ):
        with pytest.raises(Refused):
            match.match.apply_late((INTERJECT, 0, "shout", chosen), lambda _: None)
    match.match.apply_late((INTERJECT, 0, "shout", ("words", "AHA!")), lambda _: None)
    assert match.game.shouts == ["AHA!"]


def test_every_answer_that_has_a_number_is_legal() -> None:
    """A form has no number for equal texts where they must differ, nor for texts too long together."""
    words = free_text(120, suggestions=GUESSES)
    alike: Any = form(dict, different="Two, please.", one=words, other=words)
    long: Any = form(dict, one=words, other=words)
    same, longest = words.index("mine"), words.index("é" * 60)
    for question, number in [(alike, same), (long, longest)]:
        with pytest.raises(IndexError):
            question.nth(question.count() + beyond((number, number)))


def test_suggestions_too_long_together_are_refused_when_the_form_is_made() -> None:
    """They are the answers of programs and of silence, so each of them has to be legal."""
    words = free_text(120, suggestions=("é" * 60, "ö" * 60))
    inner: Any = form(dict, word=words)
    either = Branch([Choice("say"), Choice("pass")], [words, None])
    for other in (words, inner, either):
        with pytest.raises(GameError, match="at most 200 bytes"):
            form(dict, one=words, other=other)
    short = free_text(120, suggestions=GUESSES)
    fits: Any = form(dict, one=words, other=short, either=Branch([Choice("pass")], [None]))
    assert [fits.check(fits.answer_at(number)) for number in range(fits.count())]
