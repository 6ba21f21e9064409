"""The table as a browser shows it: the state as data, and whole matches by the acts of a page."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.commit import a_part
from tests.core.ui import rooms
from tests.core.ui.scene.moments import GAMES, UNDECLARED, seat
from tests.core.ui.virtual_time import run

from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Began, Said, Told, Update, WindowOpened
from tavolata._engine.review.replay import Replay
from tavolata._engine.sessions.guided import Guided
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.sessions.session import ForwardingSession, TableSession
from tavolata._engine.sessions.shared import Lead, Share
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._engine.storage.match_file import match_files, read
from tavolata._engine.table.log_bodies import Light
from tavolata._text import Verbatim
from tavolata._ui.curtain import watch
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.director import PACES
from tavolata._ui.tui.model.table_model import Glance
from tavolata._web.frontend import BrowserFrontend
from tavolata.messages import Event
from tavolata.reaction_times import GOES
from tavolata.ring import Seat
from tavolata.windows import Window
from tavolata.zones import Zone, tokens_zone

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


class Thumb:
    """Somebody at a page: looks at every state, and taps on what the page would offer for it.

    Args:
        session: the session.
        look: sees every state.
        most: the number of questions after which it leaves.
        pace: the factor of its pace; 0 shows everything at once.
        lang: its language.
    """

    def __init__(
        self, session: TableSession, look: Callable[[BrowserFrontend, Json], None], most: int, pace: float,
        lang: str = "en",
    ) -> None:  # fmt: skip
        self.frontend = BrowserFrontend(
            session, Translator(lang), lambda: "Game", lambda: "Ann", self.changed, lambda: True
        )
        self.frontend._director.pace = pace
        self.look = look
        self.most = most
        self.answered = 0
        self.chance = random.Random(5)
        self.wake = asyncio.Event()
        self.windows: set[tuple[int, bool]] = set()

    def changed(self) -> None:
        self.wake.set()

    async def play(self) -> Json:
        """Tap until the match is over, or often enough; the last state."""
        running = asyncio.create_task(self.frontend.run())
        state: Json = {}
        try:
            async with asyncio.timeout(36_000):  # of virtual time, in which a match of Bang takes an hour
                while not running.done() and self.answered < self.most:
                    self.wake.clear()
                    state = json.loads(json.dumps(self.frontend.state()))
                    self.look(self.frontend, state)
                    self.tap(state)
                    waiter = asyncio.create_task(self.wake.wait())
                    await asyncio.wait([waiter, running], return_when=asyncio.FIRST_COMPLETED)
                    waiter.cancel()
                return self.frontend.state() if running.done() else state
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    def tap(self, state: Json) -> None:
        if "card" in state["scene"]:
            self.frontend.hear({"do": "begun"})
        if state["window"] is not None:
            seen = (state["window"]["id"], state["window"]["go"])
            if seen in self.windows:
                return  # every tap brings a new state: who tapped at each would leave the clock no time
            self.answered += seen[0] not in {number for number, _ in self.windows}
            self.windows.add(seen)
            window = {"window": state["window"]["id"]}
            self.frontend.hear({"do": "drawn", **window})
            if state["window"]["go"]:
                self.frontend.hear({"do": "react", "at": "go", "ms": 800, **window})
        elif state["question"]:
            self.answered += 1
            said: Json = {"question": state["question"]}
            decision, kind = state["scene"]["decision"], state["kind"]
            places = [one["number"] - 1 for one in decision.get("options", []) if one.get("can")]
            if decision["kind"] == "several":
                marked = [one for one in decision["options"] if one["order"]]
                if len(marked) < kind["low"]:
                    free = [one["number"] - 1 for one in decision["options"] if not one["order"]]
                    self.frontend.hear({"do": "point", "at": self.chance.choice(free), **said})
                    return
            elif places:
                self.frontend.hear({"do": "point", "at": self.chance.choice(places), **said})
            number = {"number": decision["amount"]["low"]} if "amount" in decision else {}
            self.frontend.hear({"do": "send", **said, **number})


def nothing(frontend: BrowserFrontend, state: Json) -> None:
    """Look at nothing."""


def play(
    session: TableSession, look: Callable[[BrowserFrontend, Json], None] = nothing, most: int = 40,
    pace: float = 0.0,
) -> Json:  # fmt: skip
    async def scene() -> Json:
        return await Thumb(session, look, most, pace).play()

    return run(scene())


def parts(value: Any) -> Iterator[Json]:
    """Every object in some JSON data."""
    if isinstance(value, dict):
        yield value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inside:
        yield from parts(one)


def test_check_13_a_page_shows_a_hint_until_it_is_folded_or_answered() -> None:
    """Each state of a question of a guided match has its hint; a tap folds it, an answer takes it away."""
    folded: dict[str, str] = {}
    answered = 0

    def look(frontend: BrowserFrontend, state: Json) -> None:
        nonlocal answered
        guide = state["scene"].get("guide")
        answered += bool(folded) and guide is None
        if not state["question"] or guide is None or guide["text"] in folded.values():
            return
        for _ in range(3):
            assert frontend.state()["scene"]["guide"] == guide
        assert guide["text"]
        assert not guide.get("folded")
        for _ in frontend.model.hints:
            frontend.hear({"do": "next"})
        now = frontend.state()["scene"]["guide"]
        assert now["folded"]
        folded[state["question"]] = now["text"]
        assert frontend.state()["question"] == state["question"]

    play(Guided(seat("conto", 3)), look, most=15)
    assert folded
    assert answered


@pytest.mark.battery
@pytest.mark.parametrize("game", a_part([*GAMES, *UNDECLARED], 2))
def test_check_18_no_state_tells_more_than_its_seat_may_know(game: str) -> None:
    """Every card that a page gets a face of is one that this seat may see, marks included; states stay small.

    A change is a number, and what goes from seat to seat is one, too, whatever was hidden there.
    """
    faces, marks = 0, set()

    def look(frontend: BrowserFrontend, state: Json) -> None:
        nonlocal faces
        match = frontend.model.match
        if match is None:
            return
        view = match.view(frontend.model.seat())
        known = {
            card.id
            for zone in [*view.zones().values(), *frontend.model.zones().values()]
            for card in getattr(zone.shape(), "cards", ())
            if card.face is not None or view.face_of(card.id) is not None
        }
        for one in parts(state["scene"]):
            marks.update({"delta", "new", "counted", "was"}.intersection(one))
            assert isinstance(one.get("delta", 0), int), one
            if "card" in one and one.get("text"):
                faces += 1
                assert one["card"] in known, one
        assert [one for one in parts(state["cast"]) if one.get("card", -1) != -1] == []  # of no real card
        for flow in state["scene"].get("flows", []):
            marks.add("flow")
            assert set(flow) <= {"seat", "to", "n", "over"}, flow
            assert isinstance(flow["n"], int)
        assert len(json.dumps(state)) < 40_000

    play(seat(game), look, pace=PACES["normal"])
    assert faces or game not in ("conto", "tricks")
    assert marks


@pytest.mark.battery
@pytest.mark.parametrize("game", ["bang", "jumpy-jack", "horse-fever", "conto", "race"])
def test_a_whole_match_is_played_by_what_a_page_can_send(game: str) -> None:
    """From the first question to the order of all seats at the end; what lays out a terminal isn't sent."""

    def look(frontend: BrowserFrontend, state: Json) -> None:
        assert "cast" not in state["scene"]

    state = play(seat(game, 3), look, most=5000)
    assert state["scene"]["phase"] == "end"
    assert len(state["scene"]["end"]["order"]) == 3


@pytest.mark.parametrize("game", ["conto", pytest.param("bang", marks=pytest.mark.battery)])
def test_a_page_is_laid_out_the_same_all_along_and_after_a_return(game: str) -> None:
    """What it measures is that of the rehearsal, for every moment and for a page that comes in the middle."""
    told: list[Json] = []

    def look(frontend: BrowserFrontend, state: Json) -> None:
        if frontend.model.match is None:
            return
        fresh = BrowserFrontend(frontend.session, Translator("en"), lambda: "Game", str, str, lambda: True)
        told.extend([state["cast"], json.loads(json.dumps(fresh.state()["cast"]))])

    play(seat(game, 3), look, most=6)
    assert [one for one in told if one != told[0]] == []
    assert "hero" in {one["role"] for one in told[0]["parts"]}
    assert told[0]["asks" if game == "conto" else "windows"]


class Past(ForwardingSession):
    """A session that is over, at a step of its replay."""

    def __init__(self, whole: LocalSession, replay: Replay) -> None:
        super().__init__(whole)
        self.replay = replay

    @property
    def match(self) -> Match[Any]:
        """The match at the step that the replay has gone to."""
        return self.replay.match


@pytest.mark.battery
@pytest.mark.parametrize("game", a_part(GAMES, 2))
def test_check_17_the_replay_shows_a_page_what_was_shown_live(game: str) -> None:
    """At every question and window the board and what is one's own are the same again, places and all."""
    shown: list[tuple[int, Json]] = []

    def told(state: Json) -> Json:
        scene = state["scene"]
        panels = [{part: one.get(part) for part in ("seat", "name", "mark", "hue", "main")}
                  for one in scene["panels"]]  # fmt: skip
        return {"panels": panels, **{part: scene.get(part) for part in ("board", "yours", "seat", "turn")}}

    def look(frontend: BrowserFrontend, state: Json) -> None:
        match = frontend.session.match
        if match is not None and (state["question"] or state["window"]) and not match.over:
            shown.append((len(read(match_files()[0]).entries), _unmarked(told(state))))

    whole = seat(game, 3)
    play(whole, look, 40)
    [path] = match_files()
    kept = read(path)
    replay = Replay(kept, Header.of(kept.header), type(whole.match.game))
    frontend = BrowserFrontend(Past(whole, replay), Translator("en"), lambda: "Game", str, str, lambda: True)
    steps = {one.entries: at for at, one in enumerate(replay.steps)}
    again = [(entries, then) for entries, then in shown if entries in steps]
    for entries, then in again:
        replay.go(steps[entries])
        assert _unmarked(told(frontend.state())) == then, entries
    assert len(again) > 4


def _unmarked(part: Any) -> Any:
    """A part of a scene without what depends on the question and on what was shown before."""
    if isinstance(part, dict):
        passing = ("about", "new", "delta", "was")
        return {name: _unmarked(one) for name, one in part.items() if name not in passing}
    return [_unmarked(one) for one in part] if isinstance(part, list) else part


def test_an_act_for_a_question_that_is_gone_answers_nothing() -> None:
    """A tap that comes late names its question, so it never answers the one after it."""
    seen: list[str] = []

    def look(frontend: BrowserFrontend, state: Json) -> None:
        if state["question"] and not state["window"]:
            for number in seen:
                if number != state["question"]:
                    frontend.hear({"do": "send", "question": number})
                    assert frontend.state()["question"] == state["question"]
            seen.append(state["question"])

    play(seat("jumpy-jack"), look)
    assert len(set(seen)) > 3


def test_an_act_for_a_question_of_an_earlier_run_answers_nothing() -> None:
    """A page stays open while the host starts again; what it was asked then isn't what it's asked now."""
    before, now = set[str](), set[str]()
    for asked in (before, now):
        play(seat("jumpy-jack"), lambda _, state: asked.add(state["question"]), most=3)  # noqa: B023 - at once
        asked.discard("")  # while nothing is asked
    assert before
    assert now
    assert not before & now


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=6,
)
ACTS = st.sampled_from(
    [
        "point",
        "number",
        "send",
        "undo",
        "react",
        "drawn",
        "offer",
        "say",
        "next",
        "skip",
        "pace",
        "name",
        "look",
        "x",
    ]
)
FIELDS = st.sampled_from(["question", "at", "number", "window", "ms", "label", "words", "by"])


@pytest.mark.battery
@given(st.lists(st.tuples(ACTS | JUNK, st.dictionaries(FIELDS, JUNK, max_size=4)), max_size=12))
def test_nothing_that_a_page_sends_breaks_its_table(said: list[tuple[Any, Json]]) -> None:
    """Any act with any fields is carried out, refused in words, or dropped; the question stays whole."""

    async def scene() -> None:
        frontend = BrowserFrontend(
            seat("jumpy-jack"), Translator("en"), lambda: "", lambda: "", lambda: None, lambda: True
        )
        frontend._director.pace = 0.0
        running = asyncio.create_task(frontend.run())
        for _ in range(10):
            await asyncio.sleep(0)
        number = frontend.state()["question"]
        for act, fields in said:
            frontend.hear({"question": number, **fields, "do": act})
            assert frontend.state()["type"] == "state"
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scene())


def test_a_reaction_takes_no_longer_than_it_was_waited_for() -> None:
    """The page measures from the painted frame; a time that is longer than the host waited is cut."""
    told: list[int] = []

    def look(frontend: BrowserFrontend, state: Json) -> None:
        if state["window"] and state["window"]["acts"] and not told:
            react = frontend.session.react

            def spy(window: int, seat: int, answer: Any, milliseconds: int) -> None:
                told.append(milliseconds)
                react(window, seat, answer, milliseconds)

            frontend.session.react = spy  # type: ignore[method-assign]  # to see what is said
            frontend.hear({"do": "react", "window": state["window"]["id"], "at": 0, "ms": 60_000})

    play(seat("bang"), look, most=3)
    assert told
    assert told[0] < 5_000


def test_a_window_with_the_number_of_an_earlier_one_is_another_one_for_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match counts its windows anew, as where it goes back; what was meant for the old one is gone."""
    session, told = seat("bang"), list[tuple[Any, ...]]()
    session._file.close()  # nobody plays
    frontend = BrowserFrontend(
        session, Translator("en"), lambda: "Game", lambda: "Ann", lambda: None, lambda: True
    )
    monkeypatch.setattr(session, "drawn", lambda *said: told.append(said))
    monkeypatch.setattr(session, "react", lambda *said: told.append(said))

    async def opened() -> Json:
        """Open a window on the page, for a minute; an act in it."""
        await frontend._show([WindowOpened(Window(3, {}, Seat(0)), (0,))])
        number = frontend.state()["window"]["id"]
        await asyncio.sleep(60.0)
        return {"window": number, "at": "go", "ms": 1_000_000}

    async def play() -> None:
        before, now = await opened(), await opened()
        for act in (before, now):
            frontend.hear({"do": "drawn", **act})
            frontend.hear({"do": "react", **act})
        assert told == [(3,), (3, 0, GOES, 60_000)]

    run(play())


def test_a_page_that_is_loaded_anew_in_a_window_gains_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It measures from its own picture of the card, but its person has seen the card before."""
    session, told = seat("bang"), list[int]()
    session._file.close()  # nobody plays
    frontend = BrowserFrontend(
        session, Translator("en"), lambda: "Game", lambda: "Ann", lambda: None, lambda: True
    )
    monkeypatch.setattr(session, "drawn", lambda _: None)
    monkeypatch.setattr(session, "react", lambda *said: told.append(said[-1]))

    async def play() -> None:
        for loads in (1, 2, 3):
            await frontend._show([WindowOpened(Window(3, {}, Seat(0)), (0,))])
            act = {"window": frontend.state()["window"]["id"]}
            for _ in range(loads):
                frontend.hear({"do": "drawn", **act})
                await asyncio.sleep(2.0)
            frontend.hear({"do": "react", "at": "go", "ms": 300, **act})

    run(play())
    assert told == [300, 2300, 4300]


def test_a_page_speaks_to_all_or_to_those_who_are_picked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whisper is for picked or named seats, never for all by mistake; the state says who may be picked."""
    session = seat("zompa")
    session._file.close()  # nobody plays
    frontend = BrowserFrontend(
        session, Translator("it"), lambda: "Game", lambda: "Ann", lambda: None, lambda: True
    )
    names = session.names
    assert frontend.state()["talk"] == {"to": [*names[1:]], "of": [], "team": []}
    said: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(session, "say", lambda text, to, seat: said.append((text, list(to))))
    more: list[Json] = [{"to": []}, {"to": [names[2], names[1]]}, {}]
    for one in more:
        frontend.hear({"do": "say", "words": "ciao", **one})
    frontend.hear({"do": "say", "words": f"/a {names[1]} ciao", "to": []})
    assert said == [("ciao", []), ("ciao", [2, 1]), ("ciao", []), ("ciao", [1])]
    assert not frontend.trouble
    frontend.hear({"do": "say", "words": "ciao", "to": [names[1], "Zoe"]})  # she has left meanwhile
    assert "Zoe" in frontend.trouble
    wrong: list[Any] = [[1], [-9], [None], 1]
    for words, to in (*(("ciao", one) for one in wrong), ("/a nessuno ciao", []), ("/squadra ciao", [])):
        frontend.hear({"do": "say", "words": words, "to": to})
    assert len(said) == 4
    assert "compagni" in frontend.trouble


class Between(ForwardingSession):
    """A match that is still on view while other people take other places."""

    def __init__(self, whole: TableSession, facts: TableFacts) -> None:
        super().__init__(whole)
        self._facts = facts

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self._facts.taken)

    def table(self) -> TableFacts:
        return self._facts


def test_words_for_a_name_that_has_changed_hands_reach_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who was picked has another name by now, and somebody else has the old one."""
    local, room = seat("zompa", 2), rooms.lobby(rooms.OLGA)
    local._file.close()  # nobody plays
    rooms.Deeds(room)
    facts = room.table()
    ann, mine = (replace(facts.taken[0], name=Verbatim(name), mine=name == "Me") for name in ("Ann", "Me"))
    session = Between(local, replace(facts, taken=(replace(ann, person=bytes(32)), mine)))
    frontend = BrowserFrontend(session, Translator("en"), str, lambda: "Ann", lambda: None, lambda: True)
    said: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(local, "say", lambda text, to, seat: said.append((text, list(to))))
    words = {"do": "say", "words": "ciao", "to": ["Ann"], "of": frontend.state()["talk"]["of"]}
    frontend.hear(words)
    assert said == [("ciao", [0])]
    session._facts = replace(facts, taken=(replace(ann, person=bytes([7] * 32)), mine))
    frontend.hear(words)
    assert said == [("ciao", [0])]
    assert "Ann" in frontend.trouble


def test_after_a_match_a_page_knows_people_by_their_places_at_the_table() -> None:
    """Whispers, nudges, lights and emotes are of people: two have left, and nobody has the seat of before."""
    local, room = seat("zompa", 4), rooms.lobby(rooms.OLGA)
    local._file.close()  # nobody plays
    rooms.Deeds(room)
    names, facts = local.names, room.table()
    asleep, mine = (replace(facts.taken[0], name=Verbatim(names[at]), mine=at == 0) for at in (2, 0))
    taken = (replace(asleep, light=Light.ASLEEP), mine)
    now = replace(facts, taken=taken, nudged=frozenset({1}))
    frontend = BrowserFrontend(
        Between(local, now), Translator("en"), lambda: "Game", lambda: "Ann", lambda: None, lambda: True
    )
    frontend.model.take(Said(Verbatim(names[2]), Verbatim("Ouch!")))
    state = frontend.state()
    assert state["talk"]["to"] == [names[2]]
    assert state["nudged"]
    assert state["lights"] == [0, 0, Light.ASLEEP, 0]
    assert [panel["seat"] for panel in state["scene"]["panels"] if "says" in panel] == [2]
    kinds = {panel["seat"]: panel["kind"] for panel in state["scene"]["panels"]}
    assert [kinds[at] for at in range(4)] == ["you", "bot", "bot", "bot"]
    room._machine.close()


class Spectator:
    """Somebody who has no seat, and writes down every card that ever lay open."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.open: set[int] = set()

    def look(self) -> None:
        """See `watch`."""
        for zone in self.match.view(None).zones().values():
            cards = getattr(zone.shape(), "cards", ())
            self.open.update(card.id for card in cards if card.face is not None)


def test_two_phones_of_one_machine_each_see_a_moment_with_their_own_eyes() -> None:
    """Each has the moment as its own seat may know it, and in its own language, whoever asked last."""
    at = seat("conto", seats=3, humans=2)
    shown: dict[int, set[int]] = {0: set(), 1: set()}
    public = Spectator(at.match)
    watch(at.match, public)
    story: dict[int, list[str]] = {}

    def look(frontend: BrowserFrontend, state: Json) -> None:
        (own,) = frontend.session.people
        for panel in state["scene"]["panels"]:
            shown[own].update(
                card["card"] for value in panel.get("more", []) for card in value.get("cards", [])
                if panel["seat"] != own
            )  # fmt: skip
        story[own] = [line["text"] for line in state["scene"]["story"] if line.get("seat") is not None]

    async def play() -> None:
        phone = Share(at, (1,))
        lead = Lead(at, (phone,), asyncio.get_running_loop().create_future())
        thumbs = [Thumb(lead, look, 5, 1.0, "en"), Thumb(phone, look, 5, 1.0, "it")]
        playing = [asyncio.create_task(thumb.play()) for thumb in thumbs]
        await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)

    run(play())
    assert shown[0]
    assert shown[0] | shown[1] <= public.open
    assert any("mostra" in line for line in story[1]), story
    assert not any("mostra" in line for line in story[0])
    assert not any("shows" in line for line in story[1])


class Emptied(ForwardingSession):
    """A table that its people have left by the time its last match is over."""

    @property
    def names(self) -> tuple[str, ...]:
        match = self._whole.match
        return () if match is not None and match.over else self._whole.names


def test_the_course_of_a_match_has_its_last_number_though_people_have_left() -> None:
    """Who leaves in a match is gone from the table at its end, and before a page has shown the end."""
    seen: list[BrowserFrontend] = []
    play(Emptied(seat("conto", 4)), lambda frontend, _: seen.append(frontend), most=1_000)
    panels = seen[-1].state()["scene"]["panels"]
    assert [panel["series"][-1] for panel in panels] == [panel["main"]["number"] for panel in panels]


def test_who_opens_a_hand_sees_no_call_of_the_hand_before() -> None:
    """The call of a bill stays with its verdict while cards are dealt, and no longer."""
    seen: list[str] = []

    def look(_: BrowserFrontend, state: Json) -> None:
        board = state["scene"].get("board", ())
        if state["scene"]["decision"].get("text", "").startswith("You open"):
            seen.extend(item["text"] for item in board if item["id"] == "call")

    play(seat("conto", 4), look, most=14, pace=1.0)
    assert set(seen) == {"no call yet"}


def test_while_a_page_tells_what_happened_it_names_nobody_who_thinks() -> None:
    """A bill is told card by card; that somebody thinks, or that the others play, isn't what happens then."""
    told = 0

    def look(frontend: BrowserFrontend, state: Json) -> None:
        nonlocal told
        if frontend._director.tells and not state["question"]:
            told += 1
            assert not state["scene"]["decision"].get("text"), state["scene"]["decision"]

    play(seat("conto", 3), look, most=6, pace=1.0)
    assert told > 10


def points(number: int) -> dict[str, Zone]:
    """A table on which the first seat has so many points."""
    return {"points": tokens_zone("points", "Points", [(Seat(0), number)])}


def scored(number: int) -> Told:
    """An event after which the first seat has so many points."""
    return Told(Event("x", {}), Glance(points(number), 0, f"{number} points"))


def test_a_rematch_marks_nothing_of_the_match_before() -> None:
    """Points that begin anew haven't fallen; and while its first event waits, no table is shown yet."""
    session, drawn = seat("zompa"), list[object]()
    session._file.close()  # nobody plays
    frontend = BrowserFrontend(
        session, Translator("en"), lambda: "Game", lambda: "Ann",
        lambda: drawn.append(frontend.model.seen), lambda: True,
    )  # fmt: skip

    async def shown(*updates: Update) -> list[object]:
        """Show updates as they come, all at once; the tables that the page was sent."""
        drawn.clear()
        for update in updates:
            frontend._director.add(update)
        while frontend._director.waiting:
            await frontend._show(frontend._director.take().updates)
        return [*drawn]

    async def play() -> None:
        await shown(Began(session.match), scored(0))
        await shown(scored(7))
        assert frontend.model.before == points(0)
        await asyncio.sleep(10.0)  # of virtual time: whatever was marked has been seen
        first = scored(0)
        assert await shown(Began(session.match), first) == [first.seen]
        assert frontend.model.before == points(0)

    run(play())


def test_an_emote_leaves_the_page_after_its_time() -> None:
    """It stands before what a panel says, so it goes, even if nothing else happens at the table."""
    session, drawn = seat("zompa"), list[list[str]]()
    session._file.close()  # nobody plays
    frontend = BrowserFrontend(
        session,
        Translator("it"),
        lambda: "Game",
        lambda: "Ann",
        lambda: drawn.append(bubbles()),
        lambda: True,
    )

    def bubbles() -> list[str]:
        return [panel["says"] for panel in frontend.state()["scene"]["panels"] if "says" in panel]

    async def play() -> None:
        await frontend._show([Said(Verbatim(session.names[1]), Verbatim("Ouch!"))])
        assert drawn == [["Ahi!"]]
        await asyncio.sleep(3.1)
        assert drawn == [["Ahi!"], []]

    run(play())
