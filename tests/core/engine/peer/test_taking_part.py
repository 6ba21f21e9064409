"""How a peer takes part in a match: fresh secrets each time, stored before they are used, erased in time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import header_of, key_of
from tests.core.engine.peer.links import LooseLink
from typing_extensions import override

from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Notice, Update
from tavolata._engine.peer.taking_part import TakingPart
from tavolata._engine.storage import secret_files
from tavolata._engine.table import log_bodies
from tavolata._engine.table.start_barrier import PATIENCE, StartBarrier

HOST, ME = key_of(1), key_of(2)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the secrets."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    return tmp_path


class Machine(LooseLink):
    """A peer that is asked to take part."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Update] = []
        self.accepts: Iterator[bool] = repeat(True)
        self.part = TakingPart(ME, self)

    @override
    def propose(self, *body: Any) -> bool:
        return super().propose(*body) and next(self.accepts)

    def work(self, barrier: StartBarrier | None) -> None:
        self.part.work(barrier, self.told)


def gathered() -> StartBarrier:
    """A START that stands; a host that cheats sends the very same one again."""
    header = header_of(Peek, (1, 2))
    return StartBarrier(Peek, header, pack(header.plain()), Stamp(HOST, b"c" * 32, b"l" * 16), b"table")


def completed(barrier: StartBarrier, mine: tuple[Any, ...], hosts: tuple[Any, ...]) -> Origin:
    """The origin when both have said IN."""
    barrier.take(Stamp(HOST, b"d" * 32, b"l" * 16), *hosts[1:])
    origin = barrier.take(Stamp(ME, b"e" * 32, b"l" * 16), *mine[1:])
    assert origin is not None
    return origin


def hosts_in(barrier: StartBarrier) -> tuple[Any, ...]:
    """What the host says, the same each time."""
    nonce = b"n" * 32
    mailbox = MatchSecret(b"s" * 32, barrier.header_hash).named_mailbox(b"l" * 16, 1, nonce, bytes)
    return (log_bodies.IN, barrier.header_hash, nonce, mailbox)


def test_a_repeated_start_leads_to_another_match() -> None:
    """The host repeats log, header and nonce: id, nonce, mailbox and secret of the other party are new."""
    machine = Machine()
    origins = []
    for _ in range(3):
        again = gathered()
        machine.work(again)
        origins.append(completed(again, machine.proposed[-1], hosts_in(again)))
    assert len({origin.id for origin in origins}) == 3
    assert len({origin.nonces[ME] for origin in origins}) == 3
    assert len({origin.mailboxes[ME] for origin in origins}) == 3
    assert len({origin.mailboxes[HOST] for origin in origins}) == 1
    assert len({secret_files.load(origin.nonces[ME]) for origin in origins}) == 3


def test_the_secret_is_on_disk_before_in_is_said(data: Path) -> None:
    """When IN is proposed, its secret can be read from a file that nobody else may read."""
    machine = Machine()
    machine.work(gathered())
    ((verb, _, nonce, _),) = machine.proposed
    assert verb == log_bodies.IN
    assert secret_files.load(nonce) is not None
    (path,) = (data / "secrets").iterdir()
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


def test_in_is_said_once_and_again_only_if_it_could_not_be_proposed() -> None:
    """One START, one secret, however often the peer looks; a proposal that was not taken is repeated."""
    machine, start = Machine(), gathered()
    machine.accepts = iter((False, True))
    for _ in range(4):
        machine.work(start)
    assert len(machine.proposed) == 2
    assert machine.proposed[0] == machine.proposed[1]


def test_who_can_not_store_a_secret_says_why_and_not_in(data: Path) -> None:
    """A folder that can't be written: no IN, and a sentence."""
    (data / "secrets").write_bytes(b"in the way")
    machine = Machine()
    machine.work(gathered())
    assert not machine.proposed
    assert [type(one) for one in machine.told] == [Notice]


def test_a_start_that_falls_takes_its_secret_with_it(data: Path) -> None:
    """After half a minute a party says that START falls; then the secret that was drawn for it is erased."""
    machine, start = Machine(), gathered()
    machine.work(start)
    machine.time = PATIENCE + 1
    machine.work(start)
    assert machine.proposed[-1] == (log_bodies.FALL, start.header_hash)
    machine.work(None)
    assert not list((data / "secrets").iterdir())


def test_the_secret_of_a_match_that_began_stays() -> None:
    """START does not stand any more because all are in: the secret is needed to the end."""
    machine, start = Machine(), gathered()
    machine.work(start)
    completed(start, machine.proposed[-1], hosts_in(start))
    machine.work(None)
    assert secret_files.load(machine.proposed[-1][2]) is not None


def test_who_only_watches_says_nothing() -> None:
    """A peer without a seat draws nothing."""
    machine = Machine()
    machine.part._me = key_of(7)
    machine.time = 0.0
    machine.work(gathered())
    machine.time = PATIENCE + 1
    machine.work(gathered())
    assert not machine.proposed
