"""The session of somebody whom a machine serves, in real windows: it acts for its own seat alone."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.table.test_table_state import ANN, BOX, HOST, founded, put
from tests.core.ui.scene.moments import seat
from tests.core.ui.virtual_time import run

from tavolata._engine.match.updates import Asked, LobbyChanged, Notice, WindowOpened
from tavolata._engine.network.table_errors import TableLost, TableRefused
from tavolata._engine.peer.companions import SLOWEST, Companion, Company
from tavolata._engine.peer.table_news import NO_SEAT
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.table import log_bodies
from tavolata._engine.table.lobby import NO_MORE_WATCHERS
from tavolata._engine.table.log_bodies import TAG_SIZE
from tavolata._engine.table.moderation import LOCKED, SHOWN_OUT
from tavolata.errors import Refused
from tavolata.reaction_times import GOES
from tavolata.ring import SEATS
from tavolata.windows import Window


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def companion(whole: LocalSession, own: int) -> Companion:
    """Somebody who plays one seat of a machine whose people have several."""
    unused: Any = None
    company: Any = SimpleNamespace(
        machine=SimpleNamespace(state=unused), seats_of=lambda _: (own,),
        drawn_by=lambda window, _: whole.drawn(window),
    )  # fmt: skip
    return Companion(
        whole, company, bytes(32), "Nora", watch=False, facts=unused, keep_name=unused, still_open=tuple
    )


class Phone:
    """Nora's way back to a table at which her machine is the host's: what it says is final when `read`."""

    def __init__(self) -> None:
        self.state, self.said = founded(ANN), list[tuple[Any, ...]]()
        unused: Any = None
        company: Any = SimpleNamespace(
            machine=SimpleNamespace(state=self.state, whispers=SimpleNamespace(mailbox=BOX)),
            link=SimpleNamespace(propose=self._propose),
        )
        self.nora = Companion(
            unused, company, HOST + bytes(TAG_SIZE), "Nora", watch=False, facts=unused, keep_name=unused,
            still_open=tuple,
        )  # fmt: skip

    def _propose(self, *body: Any) -> bool:
        self.said.append(body)
        return True

    def read(self) -> None:
        """What was said is final now."""
        while self.said:
            put(self.state, HOST, *self.said.pop(0))

    def news(self) -> list[Any]:
        """What Nora reads."""
        self.nora.work()
        return [self.nora._news.get_nowait() for _ in range(self.nora._news.qsize())]


@pytest.mark.parametrize("verb", [(log_bodies.KICK, HOST + bytes(TAG_SIZE)), (log_bodies.LOCK, True)])
def test_who_was_shown_out_comes_back_and_is_not_told_so_again(verb: tuple[Any, ...]) -> None:
    """Until its new ENTER is final the table still has it as shown out: that was before."""
    phone = Phone()
    come = log_bodies.as_said_by(bytes(TAG_SIZE), (log_bodies.ENTER, b"first", "Nora", False, None, BOX))
    shut = verb[0] == log_bodies.LOCK
    for body in (verb, come) if shut else (come, verb):
        put(phone.state, HOST, *body)
    assert phone.state.moderation.shown_out == {phone.nora.person}
    put(phone.state, HOST, log_bodies.LOCK, False)
    assert phone.news() == phone.news() == []
    phone.read()
    assert phone.news() == [LobbyChanged(whole=True)]


def test_who_is_not_let_in_or_is_shown_out_reads_why() -> None:
    """A phone is refused at a locked table, and loses the table when the host removes it."""
    phone = Phone()
    put(phone.state, HOST, log_bodies.LOCK, True)
    assert phone.news() == []
    phone.read()
    [refused] = phone.news()
    assert (type(refused), refused.message) == (TableRefused, LOCKED)
    phone = Phone()
    assert phone.news() == []
    phone.read()
    assert phone.news() == [LobbyChanged(whole=True)]
    put(phone.state, HOST, log_bodies.KICK, phone.nora.person)
    [lost] = phone.news()
    assert (type(lost), lost.message) == (TableLost, SHOWN_OUT)


def test_a_companion_reacts_for_its_own_seat_alone() -> None:
    """In every window a reaction for the other seat of its machine is refused, and its own is taken."""
    own = []

    async def play() -> None:
        whole = seat("bang", humans=2)
        nora = companion(whole, 1)
        async for update in whole.updates():
            if isinstance(update, Asked) and update.mine:
                whole.answer(update.ask, update.ask.question.answer_at(0))
            if isinstance(update, WindowOpened):
                window = update.window
                nora.drawn(window.id)
                for at in {0, 1}.intersection(update.mine):
                    given = GOES if window.go == at else window.questions[SEATS[at]].answer_at(0)
                    if at == 0:
                        with pytest.raises(Refused, match="question is closed"):
                            nora.react(window.id, at, given, 800)
                        whole.react(window.id, at, given, 900)
                    else:
                        nora.react(window.id, at, given, 800)
                        own.append(window.id)
            if len(own) == 5:
                return

    run(play())
    assert len(set(own)) == 5


def test_one_onlooker_too_many_learns_why_there_is_no_table() -> None:
    """The refusal comes before the arrival, and ends the session; that of another person's doesn't."""

    async def play() -> None:
        whole = seat("bang", humans=2)
        whole._file.close()  # nobody plays
        nora = companion(whole, 1)
        nora._state = SimpleNamespace(roster=SimpleNamespace(name_of=str, person_at=bytes))  # type: ignore[assignment] # as far as it's read
        for to in (b"another", nora.person):
            nora.tell(Notice(NO_MORE_WATCHERS, wrong=True, to=to))
            nora.tell(Notice(NO_SEAT, wrong=True, to=to))
        nora.close()
        with pytest.raises(TableRefused, match="No more people can watch"):
            await anext(nora.updates())
        assert nora._news.qsize() == 1

    run(play())


def test_a_companion_says_nothing_before_it_comes() -> None:
    """Whoever comes counts as here, so a light that is said before that would be lost."""
    proposed: list[int] = []

    def propose(verb: int, *_: object) -> bool:
        proposed.append(verb)
        return True

    async def play() -> None:
        whole = seat("bang", humans=2)
        whole._file.close()  # nobody plays
        nora = companion(whole, 1)
        link: Any = SimpleNamespace(propose=propose)
        machine: Any = SimpleNamespace(whispers=SimpleNamespace(mailbox=b""))
        nora._company.link, nora._company.machine = link, machine
        nora.leave()
        assert not nora.propose(log_bodies.LIGHT, 1)
        nora.work()
        assert nora.propose(log_bodies.LIGHT, 1)
        nora.leave()

    run(play())
    assert proposed == [log_bodies.ENTER, log_bodies.LIGHT, log_bodies.LEAVE]


def test_a_window_of_an_earlier_match_starts_no_time() -> None:
    """In the next match a window has the same number: time starts once all screens have drawn that one."""
    clock, started = [0.0], list[Window]()

    def begin() -> Window:
        window = Window(1, {}, SEATS[0])
        source: Any = SimpleNamespace(window=window)
        machine.timing = SimpleNamespace(
            match=SimpleNamespace(source=source), drawn=lambda _: started.append(window)
        )
        return window

    machine: Any = SimpleNamespace(state=SimpleNamespace(me=b"me"), timing=None)
    link: Any = SimpleNamespace(now=lambda: clock[0], tick_in=lambda _: None)
    company = Company(machine, link, 60.0)
    company.people = [SimpleNamespace(person=b"nora", people=(1,))]  # type: ignore[list-item] # as far as it's read
    begin()
    company.drawn_by(1, b"me")
    clock[0] = 100.0
    second = begin()
    company.watch_drawn()
    company.drawn_by(1, b"me")
    company.drawn_by(2, b"nora")
    assert started == []
    company.drawn_by(1, b"nora")
    assert started == [second]
    third = begin()
    company.drawn_by(1, b"me")
    clock[0] += SLOWEST
    company.watch_drawn()
    assert started == [second, third]
