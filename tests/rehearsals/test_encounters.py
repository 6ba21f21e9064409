"""What nobody plans happens together: each of two features does what it promises while the other works."""

from __future__ import annotations

import json
from asyncio import Task
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import pytest
from aiohttp.web import WebSocketResponse
from msgspec.structs import replace
from tests.core import colours
from tests.rehearsals.family import NAMES
from tests.rehearsals.laptops import Laptop
from tests.rehearsals.people import Json, Page, Person, Phone, Ways
from tests.rehearsals.plan import Deed, Face, Lie, Plan, Seat
from tests.rehearsals.scenes import (
    ANN,
    BID,
    BOB,
    CY,
    DOT,
    HOST,
    SOMEBODY,
    THREE,
    TWO,
    Scene,
    agreed,
    played,
)
from tests.rehearsals.test_liars import MOVED
from tests.rehearsals.test_moderation import LINES, OUT, Lobby
from typing_extensions import override

from tavolata._cli.resume import _throw_away, waiting_matches
from tavolata._engine.network.joining import TableAccess
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.storage import match_file
from tavolata._engine.table.log_bodies import Light
from tavolata._web.seats import BEAT, BrowserPage

pytestmark = pytest.mark.battery

EVE = NAMES[5]
PHONE = f"{HOST}'s 0"
"""Who sits at the phone of the host's laptop."""
HOST_DEALS = replace(THREE, dealer="host")
PHONE_AND_ANN = Plan(5, "tricks", (replace(SOMEBODY, phones=1), SOMEBODY))
THINKS = Ways((900.0, 900.0), {})
TAPS = Path(__file__).with_name("late_taps.py")
CHOOSE = "Do you take it"
HEIR, HOST_BACK = "Ann is the host now", "Host is the host now"


def seats_of(table: Scene, name: str = ANN) -> tuple[str, ...]:
    """Return who sits in the last match, as somebody's machine has it."""
    last = table._sessions[name].state.matches.last
    assert last is not None
    return tuple(map(str, last.header.names))


def play(table: Scene, *names: str) -> bool:
    """Return True if a match runs on all of these machines."""
    return all(name in table._sessions and table._plays(name) for name in names)


def phone_of(table: Scene) -> Phone:
    phone = table._people[HOST][1]
    assert isinstance(phone, Phone)
    return phone


def page_of(table: Scene) -> Json:
    """Return the newest state that the page at the host's laptop got; an empty one before the first."""
    states = (one for line in reversed(table.lines[PHONE]) if (one := json.loads(line))["type"] == "state")
    return next(states, {"question": "", "window": None})


def question_of(table: Scene) -> str:
    """Return the number of the game's question that the page shows; "" without one."""
    page = page_of(table)
    decision = page["scene"].get("decision") if page["question"] else None
    return page["question"] if decision is not None and not decision.get("own") else ""


# -- hosts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_killed", [False, True], ids=["asleep", "killed"])
def test_a_host_that_was_voted_away_deals_on_when_it_is_back(is_killed: bool) -> None:
    """In the match that it deals: nobody can deal or answer for it, and its first word gives it the table."""

    async def scene(table: Scene) -> None:
        await table.bids()
        (table.kill if is_killed else table.sleep)(HOST)
        await table.read(HEIR, ANN, BOB, within=25)
        table.type(ANN, "0", "blind Host")
        await table.read("No one else can deal", ANN)
        table.type(BOB, "0")
        await table.wait(5.0)
        if is_killed:
            table.join(HOST, door=ANN)
        else:
            table.wake(HOST)
        await table.read(HOST_BACK, ANN, BOB)
        await table.play_out(HOST, ANN, BOB)

    agreed(Scene(HOST_DEALS, scene))


def test_a_host_that_returns_to_a_match_of_another_leaves_it_the_cards() -> None:
    """It has its table again, and watches: the machine that began the match deals it to the end."""

    async def scene(table: Scene) -> None:
        table.sleep(HOST)
        await table.read(HEIR, ANN, BOB, within=25)
        table.type(ANN, "start")
        await table.read(BID, ANN, BOB)
        table.wake(HOST)
        await table.read(HOST_BACK, ANN, BOB)
        assert seats_of(table) == (ANN, BOB)
        await table.play_out(ANN, BOB)
        table.type(HOST, "lock")
        await table.read("The host has locked the table", ANN)

    agreed(Scene(replace(HOST_DEALS, options={"hands": 2}), scene, at_once=False))


class Renaming(Scene):
    """An evening at which people don't keep their names.

    Attributes:
        called: what somebody is called who joins from now on, by machine.
    """

    def __init__(self, plan: Plan, script: Callable[[Any], Awaitable[None]], *, at_once: bool = True) -> None:
        super().__init__(plan, script, at_once=at_once)
        self._keeps_names = False
        self.called: dict[int, str] = {}

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.name = self.called.get(index, settings.name)
        return settings


def test_a_removed_host_is_a_guest_when_it_returns_under_another_name() -> None:
    """Voted away and removed while it slept, it hosts nothing, whatever it says and is called."""

    async def scene(table: Renaming) -> None:
        table.sleep(HOST)
        await table.read(HEIR, ANN, BOB, within=25)
        table.type(ANN, "kick Host")
        await table.read("Ann has removed Host", BOB)
        table.wake(HOST)
        assert await table.ended(HOST) == OUT
        table.called[0] = "Zoe"
        table.join(HOST, door=ANN)
        await table.read("Zoe sits down", ANN, BOB, within=20)
        table.type(HOST, "say here I am", "option hands=3")
        await table.read("Zoe says: here I am", ANN, BOB)
        await table.read("Only the host can do that", "Zoe")
        table.type(ANN, "option hands=2")
        await table.read("hands=2", BOB)
        table.type(ANN, "start")
        await table.read(BID, "Zoe", ANN, BOB)
        table.play_on(HOST, ANN, BOB)
        await table.read("It took 2 turns", "Zoe", ANN, BOB, within=120)
        assert not table.has(BOB, "(Host|Zoe) is the host now")

    agreed(Renaming(THREE, scene, at_once=False))


def test_who_was_muted_speaks_as_the_host_and_not_after_that() -> None:
    """Nobody else could lift it; whoever has the table next can."""

    async def scene(table: Scene) -> None:
        table.type(HOST, "mute Ann")
        await table.read("Ann is muted", ANN)
        table.type(ANN, "say one")
        await table.read("The host has muted you", ANN)
        table.type(HOST, "quit")
        await table.ended(HOST)
        await table.read(HEIR, BOB)
        table.type(ANN, "say two", "to Bob three")
        await table.read("Ann says: two", BOB)
        await table.read("Ann to Bob: three", BOB)
        table.type(ANN, "host Bob")
        await table.read("Bob is the host now", ANN)
        table.type(ANN, "say four")
        await table.read("The host has muted you", ANN)
        table.type(BOB, "unmute Ann")
        await table.read("Ann may speak again", ANN)
        table.type(ANN, "say five")
        await table.read("Ann says: five", BOB)
        assert not table.has(BOB, "Ann says: (one|four)")
        table.type(BOB, "start")
        await table.read(BID, ANN, BOB)
        await table.play_out(ANN, BOB)

    agreed(Scene(THREE, scene, at_once=False), 2)


class Teams(Scene):
    """Four in two teams, whose host deals.

    Attributes:
        partners: by match, the teams.
        dealers: by match, the machine that deals.
    """

    file = TAPS

    def __init__(self, plan: Plan, script: Callable[[Any], Awaitable[None]]) -> None:
        super().__init__(plan, script, at_once=False)
        self.partners: list[set[frozenset[str]]] = []
        self.dealers: list[str] = []

    def note(self) -> None:
        last = self._sessions[ANN].state.matches.last
        assert last is not None
        of = defaultdict[int, set[str]](set)
        for name, team in zip(last.header.names, last.header.teams, strict=True):
            of[team].add(str(name))
        self.partners.append(set(map(frozenset, of.values())))
        machines = {one.state.me: name for name, one in self._sessions.items()}
        self.dealers.append(machines[self._sessions[ANN].state.matches.dealer])


def test_teams_stay_together_when_the_table_is_handed_over_in_their_match() -> None:
    """The old host deals to the end; the next match has the same teams, and its host deals and sets them."""

    async def scene(table: Teams) -> None:
        for name, team in ((HOST, "blue"), (ANN, "red"), (BOB, "red"), (CY, "blue")):
            table.type(name, f"team {team}")
        await table.wait(2.0)
        table.type(HOST, "start")
        await table.until(lambda: play(table, *table.names))
        table.type(HOST, "host Ann")
        await table.read(HEIR, *table.names)
        await table.play_out(*table.names)
        table.note()
        table.type(HOST, "teams 0")
        await table.read("Only the host can do that", HOST)
        table.type(ANN, "start")
        await table.until(lambda: play(table, *table.names))
        await table.play_out(*table.names)
        table.note()
        table.type(ANN, "teams 0")
        await table.until(lambda: table._sessions[HOST].state.lobby.teams == 0, 5.0)

    evening = played(Teams(Plan(5, "taps", (SOMEBODY,) * 4, teams=2, dealer="host"), scene))
    together = {frozenset((HOST, CY)), frozenset((ANN, BOB))}
    assert evening.partners == [together, together]
    assert evening.dealers == [HOST, ANN]
    assert len(evening.ends) == 8


# -- names and words --------------------------------------------------------------------------------


def test_a_whisper_follows_its_person_through_new_names_and_departures() -> None:
    """A name that was given up is nobody's until somebody takes it; words for who has left reach no one."""

    async def scene(lobby: Lobby) -> None:
        hears = {"melon": "", "plum": ANN, "pear": CY, "fig": "", "lime": CY}

        async def whisper(to: str, fruit: str) -> None:
            lobby.type(BOB, f"to {to} the {fruit} is ripe")
            if hears[fruit]:
                await lobby.read(f"Bob to {to}: the {fruit} is ripe", hears[fruit])
            else:
                await lobby.read(f"{to} isn't seated here any more", BOB)

        lobby.type(ANN, "name Zoe")
        await lobby.read("Ann is now Zoe", HOST, BOB, CY)
        await whisper(ANN, "melon")
        await whisper("Zoe", "plum")
        lobby.type(CY, "name Ann")
        await lobby.read("Cy is now Ann", BOB)
        await whisper(ANN, "pear")
        lobby.type(ANN, "quit")
        await lobby.ended(ANN)
        await lobby.read("Zoe has left the table", BOB)
        await whisper("Zoe", "fig")
        await whisper(ANN, "lime")
        for fruit, hearer in hears.items():
            assert not [name for name in (HOST, ANN, CY) if name != hearer and lobby.has(name, fruit)]
            stored = [lobby.stored(name) for name in (HOST, CY) if name != hearer]
            assert not any(fruit.encode() in one for one in stored)

    evening = Lobby(scene)
    evening.plan = replace(evening.plan, seats=(LINES,) * 4)
    played(evening)


# -- answers that are taken back --------------------------------------------------------------------


class Painting(Scene):
    """A match in which only one is asked, again and again."""

    file = Path(colours.__file__)

    def undone(self) -> set[int]:
        """Return how many answers were taken back, by the machines in the match."""
        matches = (one.state.matches.match for name, one in self._sessions.items() if self._is_there(name))
        return {match.undone for match in matches if match is not None}


def test_an_answer_is_undone_once_the_last_who_has_not_agreed_leaves_for_good() -> None:
    """A break changes nothing: whoever resumes is still waited for, until they give up their seat."""

    async def scene(table: Painting) -> None:
        await table.until(lambda: play(table, *table.names))
        match = table._sessions[HOST].state.matches.match
        assert match is not None
        await table.until(lambda: bool(match.source.open))
        [asked] = match.source.open
        first = str(match.terms.names[asked.seat])
        leaver = next(name for name in (BOB, ANN) if name != first)
        [stays] = {HOST, ANN, BOB} - {first, leaver}
        table.type(first, "1")
        await table.until(lambda: [one.id for one in match.source.open] not in ([], [asked.id]))
        table.type(first, "undo")
        await table.read("wants to undo an answer: 1 of 3 agree", *table.names)
        table.type(stays, "undo")
        await table.read("agrees to undo an answer: that makes 2 of 3", *table.names)
        table.kill(leaver)
        table.resume(leaver)
        await table.read("The match continues", leaver, within=20)
        await table.wait(5.0)
        assert table.undone() == {0}
        table.type(leaver, "leave", "leave")
        assert await table.ended(leaver) == "You have left the match for good."
        await table.read(f"{first} undoes an answer", first, stays)
        assert table.undone() == {1}
        table.type(stays, "do 1")
        await table.read(f"{stays} takes red", first)
        table.type(first, "2")
        await table.read(r"It took \d+ turn", first, stays)

    agreed(Painting(replace(THREE, game="colours"), scene), 2)


# -- phones -----------------------------------------------------------------------------------------


def test_a_held_tap_counts_neither_in_a_window_nor_for_a_later_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Time runs out while a finger is down: choice and press are for what has been, and do nothing."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)

    async def scene(table: Scene) -> None:
        host = table.world.computers[HOST]
        await table.until(lambda: len(table._people.get(HOST, ())) == 2)
        phone = phone_of(table)
        phone.ways = THINKS

        def tap(**said: Any) -> None:
            assert phone._page is not None
            host.within(phone._page.tap, said)

        async def choose_until_the_window(late: Json) -> tuple[str, int]:
            """Let the phone's time run out, with a `late` tap; tap on its question in the window, too."""
            await table.read(CHOOSE, HOST, within=30)
            table.type(HOST, "1")
            await table.until(lambda: bool(question_of(table)))
            question = question_of(table)
            if late:
                tap(**late)
            await table.read(f"{PHONE} leaves it", ANN, within=15)
            await table.read(CHOOSE, ANN)
            table.type(ANN, "1")
            await table.until(lambda: page_of(table)["window"] is not None, 10.0)
            tap(do="send", question=question, at=0)
            return question, page_of(table)["window"]["id"]

        question, window = await choose_until_the_window({})
        await table.read("Nobody was first", HOST, ANN)
        _, newer = await choose_until_the_window({"do": "send", "question": question, "at": 0})
        assert newer != window
        tap(do="react", at=0, ms=300, window=window)
        await table.read("Nobody was first", HOST, ANN)
        await table.read(CHOOSE, HOST)
        table.type(HOST, "1")
        await table.until(lambda: bool(question_of(table)))
        tap(do="send", question=question_of(table), at=0)
        await table.read(f"{PHONE} takes it", ANN)
        await table.read(CHOOSE, ANN)
        table.type(ANN, "1")
        await table.until(lambda: page_of(table)["window"] is not None, 10.0)
        await table.wait(1.0)
        tap(do="react", at=0, ms=500, window=page_of(table)["window"]["id"])
        await table.read(f"{PHONE} was first", HOST, ANN)
        await table.read("It took 3 turns", HOST, ANN)

    plan = Plan(5, "taps", (Seat(Face.PLAIN, phones=1), Seat(Face.PLAIN)), {"rounds": 3})
    evening = Scene(plan, scene)
    evening.file = TAPS
    agreed(evening)


def test_a_phone_that_wakes_after_the_next_match_began_plays_that_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its machine keeps sending beats; the page shows the new match's question, and no bot answers it."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)

    async def scene(table: Scene) -> None:
        ann, host = table.world.computers[ANN], table.world.computers[HOST]

        def light() -> Light:
            facts = ann.within(table._sessions[ANN].table)
            return next(one.light for one in facts.taken if one.name == PHONE)

        await table.bids()
        await table.play_out(HOST, ANN)
        phone = phone_of(table)
        before = len(table.lines[PHONE])
        host.within(lambda: phone.stop(stopped=True))
        await table.wait(25.0)
        assert json.loads(BEAT) in [json.loads(line) for line in table.lines[PHONE][before:]]
        table.type(HOST, "start")
        await table.read(BID, HOST, ANN)
        await table.wait(15.0)
        assert light() is Light.ASLEEP
        assert len(table.has(ANN, f"{PHONE} bids")) == 1
        host.within(lambda: phone.stop(stopped=False))
        await table.until(lambda: light() is Light.HERE, 2.0)
        await table.read(f"{PHONE} bids", HOST, ANN)
        await table.play_out(HOST, ANN)
        assert seats_of(table) == (HOST, PHONE, ANN)
        assert not table.has(ANN, r"isn't here\. A bot|takes over")

    evening = played(Scene(PHONE_AND_ANN, scene))
    assert len(evening.ends) == 4


def opens_again(table: Scene, phone: Phone) -> list[Task[None]]:
    """Open the page of somebody who has left, and tap on the button that it shows; return what runs then."""

    def hear(said: Json) -> None:
        if said["type"] == "over":
            page.tap({"do": "here"})
        else:
            phone._hear(said)

    async def shows() -> None:
        await phone.seat.show(BrowserPage(cast("WebSocketResponse", page), "tab", page.hang_up))

    page = phone._page = Page(hear)
    return [table.world.computers[HOST].run(task) for task in (shows(), phone._show())]


@pytest.mark.parametrize("how", ["leaves and is soon back", "leaves", "sleeps"])
def test_who_was_gone_from_a_phone_gets_the_seat_back_that_a_bot_has_played(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """In the same match at once; in the next, which began without them, they watch and play the third."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    matches: list[tuple[str, ...]] = []
    is_soon = how == "leaves and is soon back"

    async def scene(table: Scene) -> None:
        async def play_out() -> None:
            await table.play_out(HOST, ANN)
            matches.append(seats_of(table))

        def comes_back() -> None:
            if how == "sleeps":
                host.within(lambda: phone.stop(stopped=False))
            else:
                opens_again(table, phone)

        await table.bids()
        phone, host = phone_of(table), table.world.computers[HOST]
        if how == "sleeps":
            host.within(lambda: phone.stop(stopped=True))
            table.play_on(HOST, ANN)
            await table.read(rf"{PHONE} isn't here\. A bot will play", HOST, ANN, within=120)
        else:
            host.within(phone.do, Deed.PHONE_LEAVES)
            await table.read("a bot on the same computer takes over", HOST, ANN)
        if is_soon:
            comes_back()
            await table.read(f"{PHONE} is back", HOST, ANN)
        await play_out()
        table.type(HOST, "start")
        await table.read(BID, HOST, ANN)
        if not is_soon:
            comes_back()
            await table.read(f"{PHONE} is watching and will play as soon as a seat is free", HOST, ANN)
            await play_out()
            table.type(HOST, "start")
            await table.read(BID, HOST, ANN)
        answers = phone.answers
        await play_out()
        assert phone.answers > answers

    played(Scene(PHONE_AND_ANN, scene))
    whole = (HOST, PHONE, ANN)
    assert matches == ([whole, whole] if is_soon else [whole, (HOST, ANN), (HOST, ANN, PHONE)])


# -- quiet tables -----------------------------------------------------------------------------------


class Quiet(Renaming):
    """A table that its host doesn't announce.

    Attributes:
        quiet: by machine, whether each of its programs knew that.
    """

    def __init__(self, plan: Plan, script: Callable[[Any], Awaitable[None]]) -> None:
        super().__init__(plan, script)
        self.quiet = defaultdict[str, list[bool]](list)

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.quiet = index == 0
        return settings

    @override
    async def _sit(
        self, computer: Laptop, index: int, access: TableAccess, game: str, settings: PeerSettings
    ) -> str:
        self.quiet[computer.name].append(settings.quiet)
        return await super()._sit(computer, index, access, game, settings)


def test_a_quiet_table_is_quiet_for_all_who_come_by_an_heir_or_after_a_new_name() -> None:
    """A killed heir knows it from its own files, and says it to newcomers, as does a renamed host."""

    async def scene(table: Quiet) -> None:
        await table.read(BID, HOST, ANN, within=30)
        await table.wait(2.5)
        table.kill(ANN)
        table.resume(ANN)
        await table.read("The match continues", ANN, within=20)
        table.join(BOB, door=ANN)
        await table.until(lambda: BOB in table.quiet)
        await table.play_out(HOST, ANN)
        table.type(HOST, "name Zoe")
        await table.read("Host is now Zoe", ANN)
        table.join(CY)
        await table.until(lambda: CY in table.quiet)
        await table.wait(3.0)

    late = replace(SOMEBODY, joins_at=1.0)
    evening = played(Quiet(replace(TWO, seats=(*TWO.seats, late, late)), scene))
    assert evening.quiet == {HOST: [True], ANN: [True, True], BOB: [True], CY: [True]}


# -- two windows of one user ------------------------------------------------------------------------


class TwoWindows(Scene):
    """Bob's program runs in a second window on Ann's laptop: they have one home."""

    @override
    def _begin(self, name: str, program: Callable[[Laptop], Coroutine[Any, Any, str]]) -> None:
        if name == BOB:
            self.world.computers[BOB].disk = self.world.computers[ANN].disk
        super()._begin(name, program)


def test_deleting_the_match_of_one_window_leaves_the_other_its_own() -> None:
    """What is played can't be deleted; without Bob's copy and secret, Ann's window plays on and resumes."""

    async def scene(table: TwoWindows) -> None:
        ann = table.world.computers[ANN]
        await table.bids()
        table.type(BOB, "quit")
        assert await table.ended(BOB) == "`tt resume` brings you back to your seat."
        path = table._sessions[ANN]._machine.match_file
        assert path is not None
        mine = ann.within(match_file.read, path)
        with pytest.raises(match_file.StoreError, match="being played in another window"):
            ann.within(_throw_away, mine)
        [left] = ann.within(waiting_matches)
        assert left.path != path
        ann.within(_throw_away, left)
        assert not ann.within(waiting_matches)
        table._tasks[ANN].cancel()
        await table.wait(3.0)
        assert [one.path for one in ann.within(waiting_matches)] == [path]
        table.resume(ANN)
        await table.read("The match continues", ANN, within=20)
        await table.play_out(HOST, ANN)

    agreed(TwoWindows(THREE, scene))


# -- spectators -------------------------------------------------------------------------------------


def test_a_spectator_who_comes_late_reads_the_truth_while_another_one_lies() -> None:
    """Of three who watch one lies about everybody: the others, and who plays, see one match and its end."""
    honest = (HOST, ANN, BOB, CY, EVE)

    async def scene(table: Scene) -> None:
        await table.wait(8.0)
        table.join(EVE, door=ANN)
        await table.wait(12.0)
        for name in honest:
            assert play(table, name), name
            assert not table.has(name, MOVED), table.lines[name]
        await table.finish(HOST, ANN, BOB)

    watches = Seat(watches=True)
    seats = (*(Seat(Face.PLAIN),) * 3, watches, watches, replace(watches, joins_at=1.0))
    plan = Plan(5, "rockets", seats, {"goal": 3}, idle=60, lie=Lie.OF_OTHERS, liar=4, limit=300.0)
    evening = agreed(Scene(plan, scene))
    assert set(evening.kept) == {*honest, DOT}
