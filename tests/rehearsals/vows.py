"""What a machine has promised or shown, which must still be so later: after an entry, a crash, or the end."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from tests.rehearsals.bounds import beyond
from tests.rehearsals.laptops import here
from tests.rehearsals.plan import BREAKS_THE_LOG, Deed, Lie, Plan
from typing_extensions import override

from tavolata import _dirs
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.lots import OpenLot
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.storage import match_file
from tavolata._engine.storage.record_framing import records
from tavolata._machine import disk
from tavolata_protocol.admission import Entrance
from tavolata_protocol.equivocation import sign_commit
from tavolata_protocol.grouplog.storage import Recovered, Storage, recover
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import read_vote

Break = Callable[[str, str, str], object]
"""Takes a property that doesn't hold, whose machine it is, and what was seen."""
SPOIL_DISKS = frozenset({Deed.FULL_DISK, Deed.BAD_SYNC, Deed.FLIPPED_BIT})
"""With these deeds a disk keeps less, and says so: then nothing was promised."""
SECRET_IS_LOST = "has lost its secret for this match"
ANOTHER_STORY = "record of a match differs from the table's"


class Vows:
    """The promises of all machines of an evening."""

    def __init__(self, plan: Plan, break_: Break, now: Callable[[], float]) -> None:
        self._plan = plan
        self._break = break_
        self._now = now
        deeds = {act.what for act in plan.acts}
        self._flips = Deed.FLIPPED_BIT in deeds
        self._disks_keep = not deeds & SPOIL_DISKS and not plan.lying_sync
        self.when_sent: Callable[[str, wire.LogMessage], object] = lambda name, message: None
        self._has_one_leader = plan.lie not in BREAKS_THE_LOG
        """Whether no leader tells two logs: else one of them is given up, with what was final in it."""
        self._keeps_lineage = Deed.ALONE not in deeds and self._has_one_leader
        self._logs: dict[str, LogDriver] = {}
        self.liar = ""
        self._votes: dict[tuple[str, bytes, bytes, int], bytes] = {}
        self._last_votes: dict[tuple[str, bytes], tuple[bytes, int, bytes]] = {}
        """By machine and copy of the log, its last vote: the lineage, the term, and the candidate."""
        self._proposed: dict[tuple[str, bytes, int], bytes] = {}
        """By machine, lineage and count, what its present session has proposed or found on its disk."""
        self._lineages: dict[bytes, bytes] = {}
        self._played: dict[str, float] = {}
        self._over: dict[str, set[Path]] = {}
        habits = {habit for seat in plan.seats for habit in seat.habits}
        self._lots_go_on = Deed.UNDO not in deeds | habits
        """Whether no lot is taken back."""
        self._lots: dict[tuple[str, str, str], tuple[int, int]] = {}
        """By machine, match and name, the last open lot: the number of its want, and its own."""

    # -- a session ------------------------------------------------------------------------------------

    def begins(self, name: str, driver: LogDriver) -> None:
        self._logs[name] = driver
        self._played.pop(name, None)
        self._look_at_vote(name, driver)
        self._proposed = {about: body for about, body in self._proposed.items() if about[0] != name}
        self._look_at_proposals(name, driver)
        usual = driver.driver.endpoint.send

        def watched(peer: PeerId, message: bytes, *, reliable: bool = True) -> None:
            said = wire.decode(message)
            self._sent(name, said)
            self._look_at_proposals(name, driver)
            self.when_sent(name, said)
            usual(peer, message, reliable=reliable)

        driver.driver.endpoint.send = watched  # type: ignore[method-assign] # what leaves is what was promised

    def _look_at_vote(self, name: str, driver: LogDriver) -> None:
        """Who forgets how it voted can be asked again, and vote for another."""
        replica = driver.log._replica
        lineage, term, candidate = self._last_votes.get((name, replica.birth), (None, 0, b""))
        knows = replica.term > term or (replica.term, replica.voted_for) == (term, candidate)
        if lineage == replica.lineage and not knows and not self._flips:
            self._break("a machine knows how it voted", name, f"its vote of term {term} is gone")

    def _look_at_proposals(self, name: str, driver: LogDriver) -> None:
        """What waits to be in the log isn't replaced by something else, whatever run it comes from."""
        replica = driver.log._replica
        for count, one in replica.proposals.items() if self._keeps_lineage else ():
            if self._proposed.setdefault((name, replica.lineage, count), one.body) != one.body:
                self._break("what was proposed isn't replaced", name, f"proposal {count}")

    def returns(self, name: str) -> None:
        """A machine is on again: what its copy of the log had synced counted for the others, and is there."""
        self._check_ends(name)
        driver = self._logs.get(name)
        if driver is None or driver.left or driver.apart or self._flips:
            return
        replica = driver.log._replica
        number, kept = min(replica.synced, driver.log.last_number), _kept(replica.table)
        if kept is None or kept.first + len(kept.entries) - 1 < number:
            seen = "nothing" if kept is None else f"{kept.first + len(kept.entries) - 1}"
            self._break("a machine keeps what it acknowledged", name, f"of {number} entries it has {seen}")

    def _sent(self, name: str, message: wire.LogMessage) -> None:
        if name == self.liar and self._plan.lie is Lie.ANYTHING:
            return
        said = message.own if isinstance(message, wire.Vote) else None
        if isinstance(message, wire.Voted):
            said = message.vote
        if said is None:
            return
        vote = read_vote(said)
        first = self._votes.setdefault((name, vote.birth, vote.lineage, vote.term), vote.candidate)
        self._last_votes[name, vote.birth] = vote.lineage, vote.term, vote.candidate
        if first != vote.candidate:
            self._break("nobody votes twice in one term", name, f"in term {vote.term}")

    def offers_nothing(self, name: str) -> None:
        """This machine came back after a crash, and `tt resume` offers no match."""
        if self._disks_keep and self._now() - self._played.get(name, self._now()) > 1.0:
            self._break("after a crash the match is offered", name, "nothing to resume")

    def shows(self, name: str, text: str) -> None:
        if self._disks_keep and SECRET_IS_LOST in text:
            self._break("a machine keeps its secret of a match", name, text[:200])
        if self._disks_keep and self._keeps_lineage and ANOTHER_STORY in text:
            self._break("a machine and its table tell one story", name, text[:200])

    # -- an entry -------------------------------------------------------------------------------------

    def entry(self, name: str, session: PeerSession) -> None:
        log = self._logs[name].log
        first = self._lineages.setdefault(log.table, log.lineage or b"")
        if self._keeps_lineage and first != log.lineage:
            self._break("one story while nobody begins another", name, "another lineage")
        matches, roster = session.state.matches, session.state.roster
        if matches.last is None:
            return
        running = matches.running is not None
        if running and matches.has_part:
            self._played.setdefault(name, self._now())
        else:
            self._played.pop(name, None)
        if seen := beyond(self._logs[name]):
            self._break("what waits stays within its bounds", name, seen)
        if running and [place.peer for place in roster.places] != [*matches.last.header.keys]:
            self._break("everybody keeps their place", name, repr([place.name for place in roster.places]))
        if not running and session._machine.match_file is not None:
            self._over.setdefault(name, set()).add(session._machine.match_file)
        deal = matches.last.match.source.dealing
        if self._lots_go_on and running and isinstance(deal, FairDealing) and deal.lots.open is not None:
            self._look_at_lot(name, matches.last.header.id, deal.lots.open)

    def _look_at_lot(self, name: str, match: str, lot: OpenLot) -> None:
        """The rules alone count the lots of a turn and a seat: no word of anybody moves a coin."""
        about, number = (name, match, lot.context.object), lot.context.number
        at, before = self._lots.get(about, (lot.at, number))
        self._lots[about] = lot.at, number
        if lot.at >= at and number - before != (lot.at > at):
            self._break(
                "no word moves a coin", name, f"{lot.context.object}: {before} is followed by {number}"
            )

    # -- the end --------------------------------------------------------------------------------------

    def check_files(self, name: str) -> None:
        """What a machine has told as over is over in its file; called on that machine."""
        self._check_ends(name)
        found = [path.stem for path in match_file.match_files()]
        twice = [one for one in found if any(one.startswith(f"{other}-") for other in found)]
        if twice and self._disks_keep and self._keeps_lineage:
            self._break("a machine has one file of a match", name, ", ".join(twice))

    def _check_ends(self, name: str) -> None:
        for path in sorted(self._over.get(name, ())) if self._disks_keep and self._has_one_leader else ():
            with suppress(match_file.StoreError):
                if match_file.read(path).end is not None:
                    continue
            self._break("what is over stays over", name, path.name)


class _Records(NamedTuple):
    """What `recover` reads: the whole records of a file."""

    file: Path

    def load(self) -> list[bytes]:
        return [record for _, record in records(disk().read(self.file, Entrance.RECORDS))]


def _kept(table: bytes) -> Recovered | None:
    """Return what this machine's copy of a table's log holds; None without one."""
    files = disk().find(Path(_dirs.data_dir()) / "identities", f"*/tables/{table.hex()}.log")
    return recover(cast("Storage", _Records(files[0]))) if files else None


def lie(session: PeerSession) -> None:
    """Sign two ends of one log, as a machine can that leads nothing, and send them to everybody."""
    driver = session._log_driver
    replica = driver.log._replica
    for chain in (bytes(32), bytes([1]) * 32):
        said = sign_commit(replica.signer, replica.lineage, replica.term, replica.journal.commit_index, chain)
        for peer in replica.configuration.peers:
            replica.send(peer, wire.CommitNotice(replica.lineage, said.signed, said.signature))
    driver.pump()


class Output(io.TextIOBase):
    """The output of a whole process: what a face shows doesn't go there, so nothing of a machine may.

    What listens to the evening writes on.
    """

    def __init__(self, usual: Any, break_: Break) -> None:
        self._usual = usual
        self._break = break_
        self.listens = False

    @override
    def write(self, text: str) -> int:
        computer = here()
        if computer is not None and not self.listens:
            self._break("nothing else reaches the output", computer.name, text[:80])
            return len(text)
        return int(self._usual.write(text))

    @override
    def flush(self) -> None:
        self._usual.flush()
