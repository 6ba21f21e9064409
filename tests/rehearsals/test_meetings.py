"""Features that seldom meet: what each of them promises holds while the other happens."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.commit import a_part
from tests.rehearsals.family import NAMES, Evening, _match_files, catalogue
from tests.rehearsals.laptops import Laptop, here
from tests.rehearsals.people import AtLines, AtScreen, Json, Person, Phone, Ways
from tests.rehearsals.plan import GAMES, Act, Deed, Face, Plan, Seat
from tests.rehearsals.test_chairs import Table
from tests.rehearsals.test_crossings import HANDS, SOMEBODY, THREE, Back
from typing_extensions import override

from tavolata._engine.match.header import Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Ended
from tavolata._engine.peer.companions import Companion
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.review import verify
from tavolata._engine.review.findings import Wrong
from tavolata._engine.review.verify import OTHER_CARDS
from tavolata._engine.table.log_bodies import Light
from tavolata._engine.table.matches import Matches
from tavolata._engine.table.moderation import SHOWN_OUT
from tavolata._engine.table.wishes import WAITS_LONGER
from tavolata._ui.endings import BROKEN_OFF
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.director import MOST_LATE
from tavolata_protocol.entries import Entry

pytestmark = pytest.mark.battery

HOST, ANN, BOB, CY = NAMES[:4]
WHO_IS_AWAY = "Who? Away: {names}"
PHONES = Plan(
    5, "zompa", (Seat(Face.JSON, phones=2), Seat(Face.PLAIN, phones=1), Seat(Face.JSON)), {"fiches": 1}
)
DIGEST = Matches.digest
UNTIL_ALL_IS_TOLD = (15.0, 20.0)
"""Seconds for which people stay after the end, where pages and screens are to tell it."""


class Heard(Evening):
    """An evening of which all is kept that people see.

    Attributes:
        pages: by telephone, the states that its page got.
        lines: by person at a laptop, the lines that they read.
        ends: what the machines stored of how the match ended.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.pages: dict[str, list[Json]] = {}
        self.lines: dict[str, list[str]] = {}
        self.ends: list[Any] = []

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        if who == computer:
            self.lines.setdefault(who, []).append(text)
        elif (state := json.loads(text))["type"] == "state":
            self.pages.setdefault(who, []).append(state)

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for computer in self.world.computers.values():
            self.ends += [kept.end for _, kept in computer.within(_match_files)]


class Drifting(Heard):
    """From some moment on, the state of the match is another one on Bob's machine."""

    @override
    def break_(self, name: str, who: str, seen: str) -> None:
        if name != "replicas agree":
            super().break_(name, who, seen)


@pytest.mark.parametrize("from_when", [lambda match: match.turns > 1, lambda match: match.over],
                         ids=["in the match", "after its end"])  # fmt: skip
def test_everybody_at_a_phone_reads_that_a_match_is_void(
    monkeypatch: pytest.MonkeyPatch, from_when: Callable[[Match[Any]], bool]
) -> None:
    """Each page says so and names no winner, as the lines do, even if the match seemed to be over."""

    def digest(matches: Matches) -> bytes:
        computer, found = here(), DIGEST(matches)
        drifts = matches.last is not None and from_when(matches.last.match)
        return bytes(len(found)) if drifts and computer is not None and computer.name == BOB else found

    monkeypatch.setattr(Matches, "digest", digest)
    monkeypatch.setattr(Person, "stays", UNTIL_ALL_IS_TOLD)
    evening = Drifting(PHONES)
    report = evening.play()
    assert not report.broken, report.broken
    assert [end["outcome"] for end in evening.ends] == [None] * 3
    for name in (f"{HOST}'s 0", f"{HOST}'s 1", f"{ANN}'s 0"):
        scene = evening.pages[name][-1]["scene"]
        assert scene["end"] == {"headline": BROKEN_OFF}, name
        assert any(line["text"].startswith("Void: ") for line in scene["story"]), name
    assert [line for line in evening.lines[ANN] if line == BROKEN_OFF or " wins" in line][-1] == BROKEN_OFF
    *_, last = (said for line in evening.lines[HOST] if (said := json.loads(line))["type"] == "end")
    assert last["outcome"] is None


DANI, OTHER = "Dani", "Dani 2"
TWO_DANIS = replace(
    PHONES,
    seats=(Seat(Face.JSON, phones=1), Seat(Face.PLAIN, phones=1), Seat(Face.JSON)),
    options={"fiches": 5},
)
THINKS = Ways((900.0, 900.0), {})
ANSWERS = Ways((0.2, 1.0), {})


class Danis(Heard, Table):
    """Two people at phones of two laptops are called Dani; others type commands about one of them.

    Attributes:
        asked: the one for whose answer the match waits while both are asleep.
    """

    most = 6

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self._keeps_names = False
        self.asked = ""

    @override
    def _phone_called(self, keeper: str, number: int) -> str:
        return DANI

    def _danis(self) -> dict[str, tuple[Laptop, Phone, Companion]]:
        """Return both by what they're called at the table, each with its laptop, phone and session."""
        found = {}
        for keeper in (HOST, ANN):
            phone = self._people[keeper][1]
            assert isinstance(phone, Phone)
            frontend = phone.seat._frontend
            assert frontend is not None
            assert isinstance(frontend.session, Companion)
            name = str(self._sessions[BOB].state.roster.name_of(frontend.session.person))
            found[name] = self.world.computers[keeper], phone, frontend.session
        return found

    def _say(self, name: str, word: str, rest: str = "") -> None:
        [person, *_] = self._people[name]
        assert isinstance(person, AtLines)
        self.world.computers[name].within(person._say_command, word, rest)

    def _asked(self) -> str:
        running = self._sessions[BOB].state.matches.running
        asked = (
            [] if running is None else [running.header.names[ask.seat] for ask in running.match.source.open]
        )
        return next((name for name in (DANI, OTHER) if name in asked), "")

    def _sleepers(self) -> int:
        return sum(seat.light is Light.ASLEEP for seat in self._facts(ANN).taken)

    @override
    async def _main(self) -> None:
        await self._open(1, 2)
        await self._until(lambda: len(self._sessions[BOB].names) == 5)
        danis = self._danis()
        assert set(danis) == {DANI, OTHER}
        for laptop, phone, session in danis.values():
            phone.ways = THINKS
            assert session.commands is not None
            laptop.within(session.commands.ready)
        self._ready(HOST, ANN, BOB)
        await self._until(lambda: bool(self._asked()))
        self.asked = self._asked()
        for laptop, phone, _ in danis.values():
            laptop.within(lambda phone=phone: phone.stop(stopped=True))
        await self._until(lambda: self._sleepers() == 2)
        for rest in ("", self.asked.upper()):
            self._say(ANN, "wait", rest)
            await asyncio.sleep(1.0)
        for laptop, phone, _ in danis.values():
            phone.ways = ANSWERS
            laptop.within(lambda phone=phone: phone.stop(stopped=False))
        await self._until(lambda: self._sleepers() == 0)
        self._say(ANN, "mute", "dani 2")
        await asyncio.sleep(1.0)
        for name, (laptop, phone, _) in danis.items():
            assert phone._page is not None
            laptop.within(phone._page.tap, {"do": "say", "words": f"this is {name}."})
        await asyncio.sleep(1.0)


class Removed(Danis):
    """The host removes the second of them before a match.

    Attributes:
        over: what each page says once it's over.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.over: dict[str, list[str]] = {}

    @override
    async def _main(self) -> None:
        await self._open(1, 2)
        await self._until(lambda: len(self._sessions[BOB].names) == 5)
        danis = self._danis()
        self._say(HOST, "kick", "DANI 2")
        await asyncio.sleep(5.0)
        self.over = {name: phone.told for name, (_, phone, _) in danis.items()}
        self._note()


def test_commands_name_one_of_two_people_of_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second has a number; what is typed about either of them is never done to the other."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    evening = Danis(TWO_DANIS)
    report = evening.play()
    assert not report.broken, report.broken
    read, english = evening.lines[ANN], Translator("en")
    assert english.text(WHO_IS_AWAY, {"names": f"{DANI}, {OTHER}"}) in " ".join(read)
    waited = [name for name in (DANI, OTHER)
              if english.text(WAITS_LONGER, {"name": ANN, "other": name}) in read]  # fmt: skip
    assert waited == [evening.asked]
    for name, read, heard in ((ANN, evening.lines[ANN], [DANI]), (BOB, evening.lines[BOB], [DANI, OTHER])):
        assert [one for one in (DANI, OTHER) if f"this is {one}." in " ".join(read)] == heard, name
    removed = Removed(TWO_DANIS)
    assert not removed.play().broken
    assert removed.over == {DANI: [], OTHER: [english.text(SHOWN_OUT, {})]}
    assert sorted(removed.seated[-1]) == sorted([HOST, DANI, ANN, BOB])


class HalfAnswered(Heard, Back):
    """Everyone goes back a turn while a form is half filled in at Ann's phone.

    Attributes:
        draft, fresh: what the page showed of its question then, and after everyone went back.
        still: what it shows after what was begun has been sent on.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.draft: Json = {}
        self.fresh: Json = {}
        self.still: Json = {}

    def _tap(self, **said: Any) -> None:
        phone = self._people[ANN][1]
        assert isinstance(phone, Phone)
        assert phone._page is not None
        self.world.computers[ANN].within(phone._page.tap, said)

    def _page(self) -> Json:
        return self.pages[f"{ANN}'s 0"][-1]

    def _question(self) -> str:
        """Return the question that the page shows, unless it only offers acts out of turn."""
        page = self._page()
        decision = page["scene"].get("decision")
        return page["question"] if decision is not None and not decision.get("own") else ""

    @override
    async def _main(self) -> None:
        await self._open(1, 2)
        await self._until(lambda: len(self._sessions[BOB].names) == 4)
        phone = self._people[ANN][1]
        assert isinstance(phone, Phone)
        session = phone.seat._frontend.session if phone.seat._frontend is not None else None
        assert session is not None
        assert session.commands is not None
        ann, commands = self.world.computers[ANN], session.commands
        ann.within(commands.ready)
        await self._play_until_a_turn_is_clean(HOST, ANN, BOB)
        phone.ways = THINKS
        while not (self._question() and self._page()["draft"]):
            if question := self._question():
                options = self._page()["scene"]["decision"].get("options", [])
                at = next((one["number"] - 1 for one in options if one.get("can")), 0)
                self._tap(do="send", question=question, at=at)
            await asyncio.sleep(1.0)
        self.draft = self._page()
        self._wish_back(HOST, ANN, BOB)
        ann.within(commands.go_back)
        await self._until(lambda: self._is_back(HOST, ANN, BOB))
        self.after = self._sitting()
        await self._until(lambda: self._question() not in ("", self.draft["question"]))
        self.fresh = self._page()
        self._tap(do="send", question=self.draft["question"], at=0)
        await asyncio.sleep(3.0)
        self.still = self._page()
        phone.ways = ANSWERS
        ann.within(phone._tap, self._question())
        await self._until(lambda: not self._plays(HOST))


def test_what_is_half_filled_in_on_a_phone_goes_when_everyone_goes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page asks anew with an empty form; what was begun before can't answer the new question."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    seats = (SOMEBODY, replace(SOMEBODY, phones=1), SOMEBODY)
    evening = HalfAnswered(replace(THREE, seats=seats, options={"turns": 4}))
    report = evening.play()
    assert not report.broken, report.broken
    assert evening.before == evening.after
    assert evening.draft["draft"]
    assert not evening.fresh["draft"]
    assert evening.still["question"] == evening.fresh["question"]
    assert not evening.still["draft"]


class Doubtful(Heard):
    """Bob's copy of the log is doubtful when it comes back, and Cy comes in that second.

    Attributes:
        doubted: whether that was so.
        together: how many peers keep the log together, at moments.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.doubted = False
        self.together: set[int] = set()

    @override
    def _compare(self, session: PeerSession, entry: Entry, is_play: bool) -> None:
        super()._compare(session, entry, is_play)
        log = session._log_driver.log
        self.doubted |= log._replica.is_doubtful
        self.together.add(len(log.configuration.peers))


@pytest.mark.parametrize("joins_at", a_part([9.0, 9.9, 10.1, 10.6, 11.5], 3))
def test_a_doubtful_copy_counts_again_though_the_table_grows_meanwhile(joins_at: float) -> None:
    """It lacks its witness, its leader dies, and somebody it doesn't know comes: nothing is lost."""
    acts = (Act(2.0, Deed.CLEARED, 2, 8.0), Act(10.3, Deed.KILL, 0, 4.0))
    seats = (SOMEBODY, SOMEBODY, SOMEBODY, Seat(joins_at=joins_at))
    evening = Doubtful(replace(THREE, seats=seats, acts=acts, options={"turns": 1}, limit=120.0))
    report = evening.play()
    assert not report.broken, report.broken
    assert evening.doubted
    assert 4 in evening.together
    assert report.finished == report.matches == 4


class Late(Heard):
    """Cy comes to watch at the full screen once the log has so many entries."""

    def __init__(self, plan: Plan, entries: int) -> None:
        super().__init__(plan)
        self._entries = entries

    @override
    def _compare(self, session: PeerSession, entry: Entry, is_play: bool) -> None:
        super()._compare(session, entry, is_play)
        computer = here()
        assert computer is not None
        if computer.name == HOST and entry.number >= self._entries:
            self.world.context.run(self._later, 0.0, self._join, 3)


WATCHED = replace(
    HANDS,
    seed=5,
    seats=(*HANDS.seats, Seat(Face.SCREEN, watches=True, joins_at=900.0)),
    options={"hands": 4},
    limit=240,
)


@pytest.mark.parametrize("entries", a_part([40, 80, 110], 3))
def test_who_comes_late_sees_the_end_in_time(entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of about 200: all that comes is shown in its order, and no line holds the end up for long."""
    monkeypatch.setattr(Person, "stays", UNTIL_ALL_IS_TOLD)
    evening = Late(WATCHED, entries)
    report = evening.play()
    assert not report.broken, report.broken
    [cy] = evening._people[CY]
    assert isinstance(cy, AtScreen)
    assert [update for _, update in cy.told] == [update for _, update in cy.came]
    late = [
        shown - came for (came, _), (shown, update) in zip(cy.came, cy.told, strict=True)
        if isinstance(update, Ended)
    ]  # fmt: skip
    assert len(late) == 1
    assert 0.8 < late[0] < MOST_LATE


class WithoutASeed(Evening):
    """An evening after which each lone dealer's file is read again with other seeds at its end.

    Attributes:
        read: how many such files were read; the sentences that `tt verify` ends with are in `told`.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.read, self.told = 0, Counter[str]()

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for computer in self.world.computers.values():
            computer.within(self._spoil)

    def _spoil(self) -> None:
        for _, kept in _match_files():
            header = Header.of(kept.header)
            rules = catalogue().game(header.game).game
            for bit in range(5, 256, 97) if kept.book is not None else ():
                self.read += 1
                seed = bytearray(kept.book or b"")
                seed[bit // 8] ^= 1 << bit % 8
                kept.book = bytes(seed)
                with pytest.raises(Wrong) as wrong:
                    verify.check(kept, header, rules)
                self.told[wrong.value.message] += 1


@pytest.mark.parametrize("game", ["zompa", "jumpy-jack"])
def test_the_seed_of_a_lone_dealer_gives_the_cards_that_were_dealt(game: str) -> None:
    """Its file has the seed at its end, with which all hands can be opened: `tt verify` tries it."""
    seats = tuple(Seat(Face.JSON) for _ in range(max(2, GAMES[game][1])))
    evening = WithoutASeed(Plan(5, game, seats, dict(GAMES[game][3]), dealer="host"))
    report = evening.play()
    assert not report.broken, report.broken
    assert evening.read
    assert evening.told == {OTHER_CARDS: evening.read}
