"""The plain face for who hears it: whole matches by lines alone, every zone told, hints and rules at hand."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.games import Liars, Race, Tricks
from tests.core.ui.line_player import LinePlayer
from tests.core.ui.test_curtain import Keyboard
from tests.core.ui.tui.playing import session
from tests.network.table import Hall

from tavolata import N_, Ask, Choice, Event, Game, Outcome, Seat, Table, View, Zone, one_of, some_of
from tavolata._engine.match import updates
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata._engine.plugins.catalogue import Catalogue, LoadedGame
from tavolata._engine.sessions.guided import Guided
from tavolata._ui import plain
from tavolata._ui.answers import by_words
from tavolata._ui.curtain import Sights, watch
from tavolata._ui.i18n import Translator
from tavolata._ui.plain import Plain
from tavolata._ui.plain_commands import Commands
from tavolata._ui.scene.items import ZoneItem, how_many, item_of
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.text import description, find_item, items_of, lines_of, list_of_items, said_once
from tavolata._ui.standing import Standing
from tavolata._ui.tui.drawing.markdown import chapter, paragraphs, topics
from tavolata._ui.words import Words
from tavolata.bots import Bot, RandomBot
from tavolata.errors import Refused
from tavolata.ring import SEATS
from tavolata.testing.translations import mistakes
from tavolata.zones import counters_zone

BUNDLED = [name for name, one in Catalogue().games().items() if one.info.distribution == "tavolata"]

SLOW = {"bang"}
"""Games whose moves take time because people's reactions count: a match of theirs is a minute or more."""


@pytest.mark.battery
@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=pytest.mark.long) if name in SLOW else name for name in BUNDLED]
)
def test_a_script_that_reads_only_its_lines_plays_a_whole_match(game: str) -> None:
    """Every bundled game can be played to its end by who has nothing but labelled lines."""
    player = LinePlayer("play", game, "--guided", "--as", "Ann", "--seed", "3", "--pace", "off",
                        patience=1800 if game in SLOW else 60)  # fmt: skip
    code, errors = player.play()
    guides = Catalogue().game(game).game.has_hints()
    told = "" if guides else f"{game} has no hints yet. See `tt rules {game}`.\n"
    assert (code, errors) == (0, told), player.heard[-20:]
    assert player.heard[0].startswith("Tavolata in screen reader mode")
    assert player.heard[1:]
    assert all(re.match(r"[A-Z][a-z ]+: ", line) for line in player.heard[1:])
    assert not any(re.search(r"[│─┌┐└┘╭╮╰╯█▌]", line) for line in player.heard)
    assert re.search(r"won( together)?\.$", player.heard[-1])
    assert any(line.startswith("Hint: ") for line in player.heard) == guides


def words(names: tuple[str, ...] = ("Ann", "Bo", "Cy"), lang: str = "en") -> Words:
    return Words(Translator(lang), "", names)


def item(zone: Zone, view: View, lang: str = "en") -> ZoneItem:
    """A zone as a viewer has it told."""
    return item_of(zone, SceneWords(words(lang=lang), view))


def at_a_match(game: type[Game[Any]]) -> Match:
    """A match where the person at the first seat is asked something."""
    source = OpenSource(3, [None, RandomBot(), RandomBot()], lambda _: None)
    match = new_match(game, Terms(("Ann", "Bo", "Cy"), game.options()), source, lambda _: None)
    match.run()
    return match


def test_each_zone_is_told_in_full() -> None:
    """A hand card by card, another's as so many hidden cards, a track with all its squares."""
    match = at_a_match(Tricks)
    items = items_of(match.view(Seat(0)), words())
    assert list_of_items(items)[:2] == ["1. Deck", "2. Played"]
    mine = description(find_item("hand of ann", items))
    assert mine[0] == "Hand of Ann: 4 cards, from the top:"
    assert [line[:5] for line in mine[1:]] == ["  1. ", "  2. ", "  3. ", "  4. "]
    assert description(find_item("Bo", items))[1:] == ["  4 hidden cards"]
    assert description(find_item("2", items)) == ["Played: empty."]
    track = description(find_item("track", items_of(at_a_match(Race).view(None), words())))
    assert track[0] == "Track:"
    assert track[1].startswith("  Square 0: token 0")
    assert "  Square 3 (a bridge): empty" in track
    assert track[-1] == "  Squares 4 to 12: empty"
    with pytest.raises(Refused, match=r"Nothing called nonsense on the table\. Try: Deck, Played"):
        find_item("nonsense", items)


def test_a_row_of_cards_names_the_open_ones_and_counts_the_others() -> None:
    """Who hears a hand is told each known face, and then how many cards are hidden."""
    match = at_a_match(Tricks)
    mine = next(zone for zone in match.view(Seat(0)).zones().values() if zone.seat == 0)
    others = match.view(Seat(1))
    known, *rest = mine.content
    hidden = [replace(one, face=None) for one in rest]
    (line,) = lines_of(item(replace(mine, content=(known, *hidden)), others))
    assert line == f"Hand of Ann: {words().describe(known.face)}, 3 hidden cards"


def test_grids_tokens_counters_and_texts_are_told() -> None:
    """Each cell with its row and column, each row of tokens on a line of its own."""
    view = at_a_match(Tricks).view(None)
    grid = Zone("g", "grid", "Field", (((), ("a",), ()), ((), (), ())))
    assert description(item(grid, view)) == ["Field:", "  Row 1: column 2 a", "  Row 2: empty"]
    tokens = Zone("t", "tokens", "Coins", ((Seat(1), 3), (Seat(0), 0)))
    assert description(item(tokens, view)) == ["Coins:", "  Bo: 3", "  Ann: 0"]
    assert description(item(Zone("c", "counter", "Pot", 7), view)) == ["Pot: 7"]
    dealer = Zone("x", "text", "Dealer", "{seat}", None, {"seat": Seat(2)})
    assert description(item(dealer, view)) == ["Dealer: Cy"]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Processes of `tt`, all ended with the test."""
    place = Hall(tmp_path)
    yield place
    place.close()


@pytest.mark.battery
def test_commands_look_without_answering(hall: Hall) -> None:
    """Help, zones, board NAME, hint and rules are told while a question stays open; in Italian, too."""
    one = hall.run("play", "jumpy-jack", "--seats", "2", "--as", "Ann", typed=True)
    one.expect("Pick 3 in order")
    one.type("/help", "/zones", "/board track", "board nothing", "/hint", "/rules", "/rules hedges", "/dance")
    one.expect("  rules: list the chapters")
    one.expect("Ctrl.C quits; you can continue an unfinished match later")
    one.expect("1. Track")
    one.expect(r"  Square 5 \(STOP\): empty")
    one.expect("Nothing called nothing on the table. Try: Track, Podium")
    one.expect("No one owns a horse.")
    one.expect("  Hedges")
    one.expect("RESTART. The horse goes back behind the starting line")
    one.expect("No such command: dance .. for help")
    one.type("1 2 3")
    one.expect("begins. And they're off!")
    one.hang_up()
    assert one.done() == 7
    assert sum("Which three horses" in line for line in one.lines) == 1
    two = hall.run("play", "jumpy-jack", "--seats", "2", "--lang", "it", typed=True)
    two.expect("in ordine")
    two.type("/aiuto", "/zone", "/regole", "/consiglio")
    two.expect("consiglio: cosa fare qui")
    two.expect(r"^1\. ")
    two.expect("I cavalli non sono di nessuno.")
    two.hang_up()
    assert two.done() == 7


@pytest.mark.parametrize("labelled", [False, True])
def test_check_13_lines_tell_a_hint_before_its_question_and_again_when_asked(labelled: bool) -> None:
    """In plain lines and for a screen reader a hint stands above its question; `hint` says it once more."""
    said: list[str] = []

    async def play() -> None:
        keyboard, more = Keyboard(), asyncio.Event()

        def out(line: str) -> None:
            said.append(line)
            more.set()

        at = Guided(session("jumpy-jack", 2))
        face = Plain(at, Translator("en"), out, keyboard, labelled=labelled)
        running = asyncio.create_task(face.run())
        try:
            async with asyncio.timeout(20):
                while not any("Which three horses" in line for line in said):
                    more.clear()
                    await more.wait()
                more.clear()
                await keyboard.typed.put("hint")
                await more.wait()
            assert face._asks
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(play())
    told = [at for at, line in enumerate(said) if "No one owns a horse" in line]
    asked = next(at for at, line in enumerate(said) if "Which three horses" in line)
    assert len(told) == 2, said
    assert told[0] < asked < told[1], said
    assert said[told[0]].strip().startswith("Hint: " if labelled else "(Hint: ")


def test_several_people_are_not_told_each_others_hints(hall: Hall) -> None:
    """With two at one keyboard a guided match gives no hint by itself; who is asked can ask for one."""
    one = hall.run(
        "play", "jumpy-jack", "--humans", "2", "--seats", "2", "--guided", "--as", "Ann", typed=True
    )
    one.expect("Ann: Which three horses")
    one.type("hint")
    one.expect("^No one owns a horse")
    one.hang_up()
    assert one.done() == 7
    assert not one.has("Hint")


def test_rules_are_read_by_chapter() -> None:
    """A chapter ends where the next of its kind begins; what is not there names all that are."""
    text = "# Game\n\n## One\na\n### Part\nb\n## Two\nc\n"
    assert topics(text) == ["Game", "One", "Part", "Two"]
    assert chapter(text, "one") == "## One\na\n### Part\nb"
    assert chapter(text, "tw") == "## Two\nc"
    assert paragraphs("## Two\n\n**Bold** and\nmore.\n\n- a `b`\n  c\n- d\n") == [
        "Two", "Bold and more.", "- a b c", "- d",
    ]  # fmt: skip
    with pytest.raises(Refused, match="No chapter called three"):
        chapter(text, "three")


def test_a_chapter_called_like_the_game_is_listed_once_and_read() -> None:
    """Bang has a chapter "Bang": who asks for it reads that, and not the whole again."""
    text = "# Bang\n\nAll.\n## Setup\na\n## Bang\nb\n"
    assert topics(text) == ["Bang", "Setup"]
    assert chapter(text, "bang") == "## Bang\nb"
    assert chapter(text, "set") == "## Setup\na"


@pytest.mark.parametrize("game", ["zompa", "conto", "jumpy-jack"])
def test_hints_help_and_change_nothing(game: str) -> None:
    """In whole matches, from every seat, hints read nothing that is hidden and leave the state as it is."""
    loaded = Catalogue().game(game)
    bots = Catalogue().bots(game)
    given: set[str] = set()
    for seed in range(3):
        _guided(loaded, [bots["easy"]() for _ in range(3)], seed, given)
    assert len(given) >= 6, given
    assert mistakes(loaded.info.package, "it") == []


def _guided(loaded: LoadedGame, players: list[Bot], seed: int, given: set[str]) -> None:
    """Play a match and ask for hints wherever there can be any, from every seat."""
    told: list[Event] = []
    source = OpenSource(seed, players, lambda _: None, hold=True)
    options = loaded.game.options.parse(dict(loaded.game.first_match))
    match = new_match(loaded.game, Terms(("A", "B", "C"), options, 0), source, told.append)

    def look(about: Ask | Event) -> None:
        before = match.digest() if match.table._pieces.laid else b""
        seats = [about.seat] if isinstance(about, Ask) else [None, *map(Seat, range(3))]
        for seat in seats:
            given.update(one.message for one in match.game.hints(match.view(seat), about))
        assert (match.digest() if match.table._pieces.laid else b"") == before

    match.run()
    for _ in range(2000):
        for ask in list(source.open):
            look(ask)
            source.let_bot_answer(ask)
        while told:
            look(told.pop())
        match.run()
        if match.over:
            return
    raise AssertionError("the match has no end")


def test_players_are_spoken_to_by_name_or_as_a_team_and_news_are_told_again() -> None:
    """`to NAME WORDS` whispers, `team WORDS` speaks to mates; `what` tells the news since the last answer."""
    match = at_a_match(Tricks)
    match.table.teams = ((SEATS[0], SEATS[2]), (SEATS[1],))
    told: list[str] = []
    said: list[tuple[str, list[int]]] = []

    class Session:
        names, people, lately_gone = ("Ann", "Bo", "Cy"), (0,), ()

        def table(self) -> None:
            return None

        @property
        def commands(self) -> None:
            return None

        def say(self, line: str, to: list[int], seat: int | None) -> None:
            said.append((line, to))

    class Desk:
        def __init__(self) -> None:
            self.match, self.lines = match, ["Bo leads."]

        def seat(self) -> int:
            return 0

        def words(self) -> Words:
            return words()

        def open_question(self) -> None:
            return None

        def news(self) -> list[str]:
            return self.lines

    desk = Desk()
    commands = Commands(desk, Session(), Translator("en"), told.append)  # type: ignore[arg-type]  # what they need
    assert commands.do("to bo hello there")
    assert commands.do("/to cy, Bo: hello there")
    assert commands.do("team hello")
    assert said == [("hello there", [1]), ("hello there", [2, 1]), ("hello", (2,))]
    match.table.teams = tuple((seat,) for seat in SEATS[:3])
    with pytest.raises(Refused, match="no teammates"):
        commands.do("team hello")
    assert commands.do("what")
    desk.lines = []
    assert commands.do("what")
    assert told == ["Bo leads.", "Nothing has happened since your last answer."]


def test_the_number_of_an_offer_is_what_was_told_last() -> None:
    """Who falls away moves nobody; when somebody comes, all whose number is another are told again."""
    match, told = at_a_match(Tricks), list[str]()
    done: list[Any] = []
    at = SimpleNamespace(
        people=(0,), names=("Ann", "Bo", "Cy"), table=lambda: None, commands=None,
        interject=lambda seat, name, value: done.append(value),
    )  # fmt: skip
    desk = SimpleNamespace(match=match, seat=lambda: 0, words=words)
    commands = Commands(desk, at, Translator("en"), told.append)

    def offers(*names: str) -> list[str]:
        told.clear()
        rows = [
            Standing(f"Speak to {name}", 0, "speak", one_of(names), place) for place, name in enumerate(names)
        ]
        commands._standing = lambda: rows  # type: ignore[method-assign]
        commands.tell_offers()
        return list(told)

    assert len(offers("Bo", "Cy", "Dan")) == 3
    assert offers("Bo", "Dan") == []
    commands.do("do 3")
    assert offers("Bo", "Dan", "Eve") == [
        "At any time: do 2 = Speak to Dan", "At any time: do 3 = Speak to Eve",
    ]  # fmt: skip
    commands.do("do 3")
    assert done == ["Dan", "Eve"]


def test_hidden_dice_are_called_dice() -> None:
    """A cup is no hand of cards: its owner hears faces, the others how many dice there are."""
    match = at_a_match(Liars)
    view, of_another = match.view(None), match.view(Seat(1))
    cup = view.zones()["cup.0"]
    assert lines_of(item(cup, view)) == ["Cup of Ann: 2 dice"]
    assert lines_of(item(cup, view, "it"))[0].endswith(": 2 dadi")
    assert description(item(cup, view)) == ["Cup of Ann: 2 dice, from the top:", "  2 hidden dice"]
    game: Any = match.game
    die = next(iter(game.cups[0]))
    assert words().describe(die, of_another) == words().describe(cup.content[0], of_another) == "a hidden die"
    assert how_many(cup.content[:1], SceneWords(words(), view), 1) == "1 hidden die"


def test_a_line_that_was_typed_too_much_keeps_nobody_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a match it waits for a question for a while, and is then refused, if the input has ended."""

    class Pipe:
        on_terminal, ended = False, True

        async def next(self) -> str | None:
            return None

    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(plain, "SURPLUS", 0.01)
    at, said = session("conto", 2), list[str]()
    at._file.close()  # nobody plays
    face = Plain(at, Translator("en"), said.append, Pipe())
    face._over = True
    asyncio.run(face.hear("1"))
    assert said == ["There's no question for you right now. Type ? for help."]


def test_the_table_is_told_part_by_part() -> None:
    """`look` tells where the match is, players, board, one's own things and the question; or one of these."""
    match, told, asked = at_a_match(Tricks), list[str](), list[Ask]()

    class Desk:
        def __init__(self) -> None:
            self.match = match

        def seat(self) -> int:
            return 0

        def words(self) -> Words:
            return words()

        def open_question(self) -> Ask:
            return match.source.open[0]

        def show_question(self, ask: Ask) -> None:
            asked.append(ask)

        def reasons(self) -> list[str]:
            return []

    at = SimpleNamespace(people=(0,), table=lambda: None, commands=None)
    commands = Commands(Desk(), at, Translator("en"), told.append)  # type: ignore[arg-type]  # what they need
    assert commands.do("look")
    assert told[0] == "Turn 1, Ann to act."
    places = [next(at for at, line in enumerate(told) if line.startswith(part)) for part in
              ("Hand of Bo: 4 cards", "Deck: ", "Hand of Ann: ")]  # fmt: skip
    assert places == sorted(places)
    assert len(asked) == 1
    told.clear()
    assert commands.do("look you")
    assert [line[:12] for line in told] == ["Hand of Ann:"]
    assert commands.do("x")
    assert told[-1] == "No choices are ruled out here."
    with pytest.raises(Refused, match="No part called sky"):
        commands.do("look sky")


def test_numbers_that_no_sentence_says_are_told_after_their_moment() -> None:
    """After a moment comes what each number is then; while hands are quick, only leaps are told."""
    match, said = at_a_match(Tricks), list[str]()
    at = SimpleNamespace(match=match, package="", people=(0,), names=("Ann", "Bo", "Cy"), hidden=frozenset())
    face = Plain(at, Translator("en"), said.append, None, labelled=True)

    def told(moment: int, ann: int, bo: int) -> None:
        face._count(updates.Told(Event("", {}), Sights([(face, (moment, {"deck": {0: ann, 1: bo}}))])))

    told(1, 5, 5)
    told(2, 4, 5)
    told(2, 3, 6)
    face._count(updates.Told(Event("", {}), None))  # nobody looked
    face._count(updates.Hinted("Berto is slow."))  # a hint on an event, which has another one after it
    told(2, 3, 6)
    assert said == ["Table: Ann: Deck 3, down 2", "Table: Bo: Deck 6, up 1"]
    face._count(updates.Told(Event("", {}), object()))  # a page of the same machine has its own picture
    told(2, 3, 6)
    face._count(updates.WindowOpened(SimpleNamespace(), ()))  # type: ignore[arg-type]  # only that it opened
    assert said == ["Table: Ann: Deck 3, down 2", "Table: Bo: Deck 6, up 1"]
    said.clear()
    told(3, 2, 6)
    told(4, 1, 6)
    told(5, 1, 9)
    assert said == []
    told(6, 1, 9)
    assert said == ["Table: Ann: Deck 1, down 2", "Table: Bo: Deck 9, up 3"]
    said.clear()
    told(7, 0, 9)
    face.caught_up()
    assert said == []
    face._count(updates.Ended(None, b""))
    told(8, 0, 9)
    face._commands.tell_offers = list  # type: ignore[method-assign,assignment]  # there is nothing to offer
    face.caught_up()
    assert said == ["Table: Ann: Deck 0, down 1"]


class Late(Game[Any]):
    """Each turn tells who pays, and counts only then."""

    name, title, seats = "late", "Late", (2, 2)

    def setup(self, t: Table[Any]) -> None:
        self.bank, self.paid = t.bank("bank"), t.counters("paid")

    async def turn(self, t: Table[Any]) -> Outcome | None:
        t.tell(N_("{seat} pays."), seat=t.ring[t.turn])
        self.bank.pay(1, self.paid[t.ring[t.turn]])
        return Outcome((t.ring[0],)) if t.turn else None

    def zones(self, t: Table[Any], viewer: Seat | None) -> Iterator[Zone]:
        yield counters_zone(self.paid, N_("Paid"))


def test_what_rules_count_after_they_told_it_is_heard_before_the_next_turn() -> None:
    """The numbers of a turn come before the events of the next one, however late in it they change."""
    said, told = list[str](), list[updates.Told]()
    match = new_match(
        Late,
        Terms(("Ann", "Bo"), Late.options()),
        OpenSource(3, [None, None], lambda _: None),
        lambda event: told.append(updates.Told(event, match.glance())),
    )
    at = SimpleNamespace(match=match, package="", people=(0,), names=("Ann", "Bo"), hidden=frozenset())
    face = Plain(at, Translator("en"), said.append, None, labelled=True)
    face._numbers = {"paid": {0: 0, 1: 0}}
    watch(match, face)
    match.run()
    for one in told:
        face.show(one)
    face._count(updates.Ended(None, b""))
    assert said == [
        "Event: Ann pays.", "Table: Ann: Paid 1, up 1", "Event: Bo pays.", "Table: Bo: Paid 1, up 1"
    ]  # fmt: skip


def test_what_a_notice_has_said_of_the_lobby_is_not_said_again() -> None:
    """Who begins to watch was told twice in a row; who asks for the whole lobby hears it."""
    said, watching = list[str](), N_("{name} is watching.")
    at = SimpleNamespace(
        match=None, package="", people=(), names=(), lobby=lambda: [(watching, {"name": "Carla"})],
        table=lambda: None, commands=None, key_change=None,
    )  # fmt: skip
    face = Plain(at, Translator("en"), said.append, None, labelled=True)
    face._tell(updates.Notice(watching, {"name": "Carla"}).saying())
    face.show_lobby(whole=False)
    assert said == ["Notice: Carla is watching."]
    face.show_lobby()
    assert said[1:] == ["Table: Carla is watching."]


def test_cards_before_a_player_that_lie_in_the_hand_too_are_said_once() -> None:
    """What another has shown is named in that hand; of one's own it is told what the others see."""
    match = at_a_match(Tricks)
    view = match.view(Seat(0))
    hand = next(zone for zone in view.zones().values() if zone.seat == 1)
    items = [item(hand, view), item(replace(hand, id="shown", content=hand.content[:1]), view)]
    assert [one.zone.id for one in said_once(items, 0)] == [hand.id]
    assert [one.zone.id for one in said_once(items, 1)] == [hand.id, "shown"]


def test_of_many_choices_the_first_and_the_last_are_told_and_each_can_be_typed_in_words() -> None:
    """At a terminal twelve lines are enough, `all` gives the others; words that begin one choice take it."""
    match, said = at_a_match(Tricks), list[str]()
    ask = match.source.open[0]
    ask.question = one_of([Choice(n, N_("{n} times"), params={"n": n}) for n in range(1, 31)])
    taken: list[Any] = []
    at = SimpleNamespace(
        match=match, package="", people=(0,), names=("Ann", "Bo", "Cy"), table=lambda: None, commands=None,
        hidden=frozenset(), answer=lambda ask, answer: taken.append(answer),
    )  # fmt: skip
    face = Plain(at, Translator("en"), said.append, Keyboard(), labelled=True)
    face._asks = [ask]
    face.show_question(ask)
    lines = [line for line in said if line.startswith("Choice")]
    assert [lines[0], lines[10], *lines[11:]] == [
        "Choice: 1. 1 times", "Choice: 11. 11 times",
        "Choice: 18 more choices: type one in words, or type all to list them.", "Choice: 30. 30 times",
    ]  # fmt: skip
    said.clear()
    asyncio.run(face.hear("all"))
    assert len(said) == 30
    said.clear()
    ask.question = one_of([Choice(n, N_("{n} times"), params={"n": n}) for n in range(1, 14)])
    face.show_question(ask)
    assert sum(line.startswith("Choice") for line in said) == 13  # a hand of thirteen cards is heard whole
    ask.question = one_of([Choice(n, N_("{n} times"), params={"n": n}) for n in range(1, 31)])
    for typed, answer in (("29 TIMES", 28), ("4 t", 3), ("30", 29)):
        face._asks = [ask]
        asyncio.run(face.hear(typed))
        assert taken.pop() == answer
    face._asks = [ask]
    asyncio.run(face.hear("times"))
    assert (taken, said[-1]) == ([], "Error: Choose a number from 1 to 30.")


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [("red, black (K)", "1 2"), ("blue red", "3 1"), ("b", "b"), ("Blue", "3"), ("red 3", "1 3"),
     ("red, pink", "red, pink"), ("3 1", "3 1"), ("", "")],
)  # fmt: skip
def test_several_choices_are_typed_in_words_without_what_stands_in_brackets(typed: str, numbers: str) -> None:
    """Words or numbers with spaces or commas between; what names none or two of them stays as it is."""
    view = at_a_match(Tricks).view(Seat(0))
    horses = [Choice(n, name) for n, name in enumerate(("red (R)", "black (K)", "blue (B)"))]
    assert by_words(some_of(horses, 1, 2, ordered=True), typed, words(), view) == numbers


def test_a_pipe_gets_the_table_before_a_question_where_it_changed() -> None:
    """Who reads lines from a pipe sees what a question is about, and nothing twice that stayed as it was."""

    class Pipe:
        on_terminal = False

        async def next(self) -> str | None:
            return None

    match, said = at_a_match(Tricks), list[str]()
    at = SimpleNamespace(match=match, package="", people=(0,), names=("Ann", "Bo", "Cy"), hidden=frozenset())
    face = Plain(at, Translator("en"), said.append, Pipe())
    ask = match.source.open[0]
    face._asks = [ask]
    face.show_question(ask)
    hand = next(line for line in said if line.startswith("Hand of Ann: "))
    asks = next(line for line in said if line.startswith("Ann: "))
    assert said.index(hand) < said.index(asks)
    said.clear()
    face.show_question(ask)
    assert said[0] == asks
    assert hand not in said
