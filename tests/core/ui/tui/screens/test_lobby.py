"""The lobby on a full screen: what is never cut, and rows that don't move under a finger."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest
from tests.core.ui import rooms
from tests.core.ui.tui.playing import screen
from tests.core.ui.tui.screens.test_hosting import Called
from typing_extensions import override

from tavolata._engine.match.updates import LobbyChanged, Update
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.sessions.knocks import Knock
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_facts import (
    FULL_TABLE,
    SERVED,
    TRUST,
    SeatFacts,
    TableFacts,
    said_of_machines,
)
from tavolata._engine.table.invitations import Invitation
from tavolata._engine.table.trust_notice import ALL_DEAL, ONE_ADDRESS_REACHES, ONE_MACHINE
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.lobby import qr_lines
from tavolata._ui.tui.model.prompt import Rows, chosen, nothing
from tavolata._ui.tui.screens.table_app import TableApp
from tavolata._web.gate import web_link

NAMES = ("Emma", "Carlo", "Nonna Pina", "Alessandro", "Bea", "Giulia", "Zio Franco", "Maria Antonietta")
LETTERS = ("WXPD", "KRTB", "MNPQ")
DEALT: dict[str, dict[str, Any]] = {
    ALL_DEAL: {"t": 3, "n": 4},
    ONE_MACHINE: {"name": "Emma"},
    ONE_ADDRESS_REACHES: {"name": "Emma", "k": 3, "n": 5, "t": 3},
}
SIZES = ((60, 20), (80, 24), (120, 36))


def knocks(count: int) -> tuple[Knock, ...]:
    """A television, and phones of people with a long name."""
    return tuple(
        Knock(letters, Verbatim("Maria Antonietta" if at else ""), not at, letters, f"10.0.0.{at}", 1e9)
        for at, letters in enumerate(LETTERS[:count])
    )


def lobby(seats: int, **more: Any) -> TableFacts:
    """The lobby of a host with phones: every third person comes with a laptop."""
    rules = Catalogue().game("conto").game
    owners = [name if at % 3 == 1 else NAMES[0] for at, name in enumerate(NAMES[:seats])]
    taken = tuple(
        SeatFacts(
            Verbatim(name), "waits" if at % 2 == 0 else "ready", "", owners[at], at == 0,
            "fcf3w-6fhrv-h4z7a", "known", 4 if owners[at] == name and at else None, person=bytes([at]),
        )
        for at, name in enumerate(NAMES[:seats])
    )  # fmt: skip
    phones = tuple(name for name, owner in zip(NAMES, owners, strict=False) if owner != name)
    return replace(
        TableFacts(
            rules=rules, seats=8, taken=taken, watchers={}, options=rules.options().plain(),
            levels=("easy",), running=False, played=0, hosts=True, seated=True, ready=False, by_itself=False,
            dealt=(ALL_DEAL, DEALT[ALL_DEAL]), invitation=Invitation("192.168.1.9"), games=dict,
            web="http://192.168.1.9:8286/?k=abcdefghijklmnopqrstuv", host=NAMES[0],
            served={NAMES[0]: phones} if phones else {},
        ),
        **more,
    )  # fmt: skip


class Lobby(TableSession):
    """A table that stays in its lobby, with the facts that a test gives it."""

    game, package = "conto", "tavolata-conto"
    match = None
    people: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    def __init__(self, facts: TableFacts) -> None:
        self.facts = facts
        self.called = Called()

    @property
    @override
    def commands(self) -> Any:
        return self.called

    @override
    def table(self) -> TableFacts:
        return self.facts

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        await asyncio.Event().wait()
        yield LobbyChanged()

    @override
    def how_to_return(self) -> tuple[str, dict[str, Any]]:
        return "", {}


def opened(facts: TableFacts) -> Lobby:
    """Return a table whose people play no match."""
    return Lobby(facts)  # type: ignore[abstract]  # nothing of a match is ever asked


@pytest.mark.battery
@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("size", SIZES)
def test_whom_one_trusts_and_who_knocks_is_whole_at_every_size(size: tuple[int, int], lang: str) -> None:
    """However many sit and knock there: seats, address, every sentence of trust and all letters are read."""
    say = Translator(lang).text

    async def play() -> None:
        at = opened(lobby(2))
        async with screen(at, size, lang) as played:
            for seats in range(2, 9):
                for count in range(4) if seats in (2, 8) else (3,):
                    dealt = (*DEALT.items(),)[(seats + count) % len(DEALT)]
                    at.facts = lobby(seats, dealt=dealt, knocks=knocks(count), full=seats == 8)
                    for told in (
                        at.facts,
                        replace(at.facts, web="", hosts=False, taken=at.facts.taken[::-1]),
                    ):
                        at.facts = told
                        played.app.draw()
                        await played.pilot.pause()
                        board, head = _board(played.app), _head(played.app)
                        trust = [say(*dealt), *(say(*one) for one in said_of_machines({}, told.served))]
                        if told.web:
                            trust[1:] = [say(TRUST, {"host": NAMES[0]})]
                        shown = [*trust, *NAMES[:seats], "tt join 192.168.1.9"]
                        missing = [one for one in shown if _flat(one) not in board]
                        knocking = [f"{one.letters} ({one.name}" for one in told.knocks[1:]]
                        missing += [one for one in knocking if _flat(one) not in head]
                        assert not missing, (size, seats, count, played.text())

    asyncio.run(play())


def test_a_full_table_says_beside_its_address_that_newcomers_watch() -> None:
    """In the lobby and in the invitation, as long as no seat is free and no bot would give way."""
    said = _flat(Translator("en").text(FULL_TABLE))

    async def play() -> None:
        at = opened(lobby(3))
        async with screen(at, (120, 36)) as played:
            for full in (False, True):
                at.facts = lobby(3, full=full)
                played.app.draw()
                await played.pilot.pause()
                assert (said in _board(played.app)) is full
            played.app.offers.invite()
            played.app.draw()
            await played.pilot.pause()
            assert said in _board(played.app)

    asyncio.run(play())


def test_a_table_is_full_once_all_its_seats_are_taken() -> None:
    """The fourth who sits at a table for four makes it full, which lines say below the link."""
    room = rooms.Room(rooms.OLGA)
    rooms.Deeds(room.session)
    assert not room.session.table().full
    for comes, full in ((rooms.ANN, False), (rooms.BOB, False), (rooms.WIM, True)):
        room.enter(*([rooms.OLGA] if comes == rooms.ANN else []), comes)
        assert room.session.table().full is full
    lines = [message for message, _ in room.session.lobby()]
    assert FULL_TABLE not in lines  # there are no pages
    room.session._settings.web = "http://192.168.1.9:8286/?s=x"
    assert FULL_TABLE in [message for message, _ in room.session.lobby()]
    room.session._machine.close()


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_code_to_scan_is_on_view_in_a_small_terminal(lang: str) -> None:
    """At 80x24, with the longest address of a home network, up to seven people; three beside a knock, too."""
    link = web_link("192.168.178.200", 8288, "abcdefghijklmnopqrstuv")

    async def play() -> None:
        at = opened(lobby(2))
        async with screen(at, (80, 24), lang) as played:
            for seats, count in ((1, 0), (3, 1), (5, 0), (7, 0)):
                at.facts = lobby(seats, web=link, knocks=knocks(count))
                played.app.draw()
                await played.pilot.pause()
                shown = played.text().splitlines()
                for [(row, _)] in qr_lines(link, ascii_only=False, border=1):
                    assert any(row.rstrip() in line for line in shown), (seats, count, played.text())

    asyncio.run(play())


def _flat(text: str) -> str:
    return "".join(text.split())


def _board(app: TableApp) -> str:
    """Return what is read above the menu without scrolling, without blanks and without the QR code."""
    sheet = app.sheet("board")
    lines = sheet.block.lines[: sheet.size.height]
    return _flat(" ".join(text for row in lines for text, role in row if role != "qr"))


def _head(app: TableApp) -> str:
    """Return what stays above the rows of the menu, wherever the cursor is."""
    sheet = app.sheet("prompt")
    assert sheet._pinned < sheet.size.height
    return _flat(" ".join(text for row in sheet.block.lines[: sheet._pinned] for text, _ in row))


def test_a_knock_moves_no_row_and_enter_still_says_ready() -> None:
    """The rows above stay; the cursor stays on its own row, whatever comes and goes, and so does Enter."""

    async def play() -> None:
        at = opened(lobby(4))
        async with screen(at) as played:
            app = played.app
            await played.press("up")  # another key than Enter
            await played.press("down")
            before = app.model.idle
            assert before is not None
            at.facts = lobby(4, knocks=knocks(2))
            app.draw()
            after = app.model.idle
            assert after is not None
            assert after.labels[: len(before.labels)] == before.labels
            app.action_answer()
            assert at.called.calls == [("ready",)]  # although the frame is new
            at.called.calls.clear()

            place = after.labels.index("KRTB: turn away")
            await played.press(*str(place + 1), "enter")
            assert at.called.calls == [("reject", "KRTB")]
            at.called.calls.clear()
            at.facts = lobby(4, knocks=knocks(2)[1:])
            app.draw()
            pointed = app.model.idle
            assert pointed is not None
            assert pointed.labels[pointed.draft.cursor] == "KRTB: turn away"
            at.facts = lobby(4)
            app.draw()
            app.action_answer()  # its row has gone in this very moment
            assert at.called.calls == []

    asyncio.run(play())


def test_y_lets_in_the_first_one_that_knocks_and_nobody_else() -> None:
    """A press that was meant for one knock lets in no other one that has taken its place."""

    async def play() -> None:
        at = opened(lobby(3, knocks=knocks(2)))
        async with screen(at) as played:
            app = played.app
            assert "y. WXPD: let in the television" in played.text()
            at.facts = lobby(3, knocks=knocks(2)[1:])
            app.draw()
            played._skipped += 1.0
            at.facts = lobby(3, knocks=knocks(3)[2:])
            app.draw()
            await played.pilot.press("y")
            assert at.called.calls == []
            await played.press("y")
            assert at.called.calls == [("admit", "MNPQ")]

    asyncio.run(play())


@pytest.mark.parametrize("size", SIZES)
def test_a_knock_is_read_and_answered_while_the_host_invites(size: tuple[int, int]) -> None:
    """The invitation has the address, and the letters of all who knock meanwhile; `y` lets in one."""

    async def play() -> None:
        at = opened(lobby(3))
        async with screen(at, size) as played:
            played.app.offers.invite()
            played.app.draw()
            await played.pilot.pause()
            assert "Here's how others can join." in played.text()
            at.facts = lobby(3, knocks=knocks(3))
            played.app.draw()
            await played.pilot.pause()
            head = _head(played.app)
            assert [letters for letters in LETTERS if letters not in head] == [], played.text()
            assert size == (60, 20) or "http://192.168.1.9:8286" in played.text()
            await played.press("escape")
            assert "Here's how others can join." not in played.text()
            played.app.offers.invite()
            played.app.draw()
            await played.press("y")
            assert at.called.calls == [("admit", "WXPD")]

    asyncio.run(play())


def test_ready_and_begin_have_one_row_and_nothing_else_moves() -> None:
    """The host's first Enter says ready, the second begins; the rows below are the same ones."""

    async def play() -> None:
        at = opened(lobby(3))
        async with screen(at) as played:
            labels = []
            for ready in (False, True):
                at.facts = lobby(3, ready=ready)
                played.app.draw()
                assert played.app.model.idle is not None
                labels.append(played.app.model.idle.labels)
            waits, begins = labels
            assert (waits[0], begins[0]) == ("ready to play", "start the match")
            assert begins[1:] == (*waits[1:], "wait for me")

    asyncio.run(play())


def test_what_comes_later_is_below_what_was_there() -> None:
    """Acts out of turn are in the order in which they appeared, so the line and the menu begin alike."""

    async def play() -> None:
        async with screen(opened(lobby(2))) as played:
            steady = played.app.offers._steady
            rows: Rows = [(label, nothing) for label in ("wait", "stop")]
            assert [label for label, _ in steady(rows)] == ["wait", "stop"]
            later: Rows = [(label, nothing) for label in ("nudge", "wait", "end", "stop")]
            assert [label for label, _ in steady(later)] == ["wait", "stop", "nudge", "end"]
            assert [label for label, _ in steady(later[2:])] == ["stop", "end"]
            assert [label for label, _ in steady(later)] == ["stop", "end", "nudge", "wait"]

    asyncio.run(play())


def test_a_table_with_several_serving_laptops_names_them_all() -> None:
    """What is said of browsers here stands for its own people; others' laptops are named with theirs."""
    say = Translator("en").text
    served = {NAMES[0]: (NAMES[2],), NAMES[1]: (NAMES[3], NAMES[4])}

    async def play() -> None:
        async with screen(opened(lobby(5, served=served))) as played:
            board = _board(played.app)
            own, other = said_of_machines({}, served)
            assert _flat(say(*other)) in board
            assert _flat(say(*own)) not in board
            assert own[0] == other[0] == SERVED

    asyncio.run(play())


def test_the_menu_of_a_match_begins_on_no_knock() -> None:
    """Where nothing but knocks is on offer, `d` and Enter let nobody in."""

    async def play() -> None:
        at = opened(lobby(3, knocks=knocks(2), running=True))
        async with screen(at) as played:
            app = played.app
            app.offers.choose()
            assert app.model.own is not None
            labels = app.model.own.labels
            assert labels[0] == "WXPD: let in the television"
            assert labels[app.model.own.draft.cursor] == "nothing"

    asyncio.run(play())


@pytest.mark.parametrize("asked", [False, True])
def test_y_lets_in_who_knocks_during_a_match(asked: bool) -> None:
    """Whatever is asked; not if another knock has taken the place of the one that was on view."""

    async def play() -> None:
        at = opened(lobby(3, knocks=knocks(1), running=True))
        async with screen(at) as played:
            if asked:
                played.app.model.own = chosen("Which card?", [("this one", nothing)])
                played.app.draw()
            played._skipped += 1.0
            at.facts = lobby(3, knocks=knocks(2)[1:], running=True)
            await played.pilot.press("y")
            assert at.called.calls == []
            played.app.draw()
            await played.press("y")
            assert at.called.calls == [("admit", "KRTB")]
            assert not asked or played.app.model.own is not None

    asyncio.run(play())
