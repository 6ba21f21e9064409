"""What a machine has promised or shown, which must still be so later: after an entry, a crash, or the end."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, cast

from tests.rehearsals.bounds import beyond
from tests.rehearsals.laptops import here
from tests.rehearsals.loop import Hung
from tests.rehearsals.plan import BREAKS_THE_LOG, Deed, Lie, Plan
from typing_extensions import override

from tavolata import _dirs
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.lots import OpenLot
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer.participation import LOST_SECRET, TWO_STORIES
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.storage import match_file
from tavolata._engine.storage.record_framing import records
from tavolata._engine.table.log_bodies import LEFT
from tavolata._machine import disk
from tavolata_protocol.admission import Entrance
from tavolata_protocol.entries import read_proposal
from tavolata_protocol.equivocation import sign_commit
from tavolata_protocol.grouplog import GroupLog, State
from tavolata_protocol.grouplog.storage import Recovered, Storage, recover
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import SignedVote, read_vote

Break = Callable[[str, str, str], object]
"""Takes a property that doesn't hold, whose machine it is, and what was seen."""
SPOIL_DISKS = frozenset({Deed.FULL_DISK, Deed.BAD_SYNC, Deed.FLIPPED_BIT})
"""With these deeds a disk keeps less, and says so: then nothing was promised."""
MOST_RETURNS = 100
"""Far more often than any machine is away in one match."""


class Vows:
    """The promises of all machines of an evening."""

    def __init__(self, plan: Plan, break_: Break, now: Callable[[], float]) -> None:
        self._plan = plan
        self._break = break_
        self._now = now
        deeds = {act.what for act in plan.acts}
        self._flips = Deed.FLIPPED_BIT in deeds
        self._disks_keep = not deeds & SPOIL_DISKS and not plan.lying_sync
        self._knows_what_it_signed = not self._flips and not plan.lying_sync
        """Whether no machine forgets what it has signed without knowing that."""
        self.when_sent: Callable[[str, wire.LogMessage], object] = lambda name, message: None
        self._has_one_leader = plan.lie not in BREAKS_THE_LOG
        """Whether no leader tells two logs: else one of them is given up, with what was final in it."""
        self._keeps_lineage = Deed.ALONE not in deeds and self._has_one_leader
        self._keeps_final = self._keeps_lineage and self._disks_keep and Deed.CLEARED not in deeds
        self._logs: dict[str, LogDriver] = {}
        self.liar = ""
        self.lied: set[str] = set()
        """The machines that have signed two ends of one log, and had led it."""
        self._votes: dict[tuple[str, bytes, bytes, int], bytes] = {}
        self._last_votes: dict[tuple[str, bytes], tuple[bytes, int, bytes]] = {}
        """By machine and copy of the log, its last vote: the lineage, the term, and the candidate."""
        self._bodies: dict[tuple[str, bytes, int], bytes] = {}
        """By machine, lineage and count, what its present session has proposed or found on its disk."""
        self._final: dict[bytes, dict[int, bytes]] = {}
        """By table, the chain hashes behind what was final on any machine, in order of their numbers."""
        self._led: set[tuple[str, bytes, int]] = set()
        self._returns: dict[tuple[str, str, int], int] = {}
        """By machine, match and party, how often that has come back."""
        self._proposed: dict[str, tuple[int, set[int]]] = {}
        """By machine, the term and the counts of what it has proposed in it."""
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
        self._look_for_vote(name, driver)
        self._bodies = {about: body for about, body in self._bodies.items() if about[0] != name}
        self._look_at_bodies(name, driver)
        self._proposed.pop(name, None)
        usual = driver.driver.endpoint.send

        def watched(peer: PeerId, message: bytes, *, reliable: bool = True) -> None:
            said = wire.decode(message)
            self._sent(name, said)
            self._look_at_bodies(name, driver)
            self.when_sent(name, said)
            usual(peer, message, reliable=reliable)

        driver.driver.endpoint.send = watched  # type: ignore[method-assign] # what leaves is what was promised

    def _look_for_vote(self, name: str, driver: LogDriver) -> None:
        """Who forgets how it voted can be asked again, and vote for another."""
        replica = driver.log._replica
        lineage, term, candidate = self._last_votes.get((name, replica.birth), (None, 0, b""))
        knows = replica.term > term or (replica.term, replica.voted_for) == (term, candidate)
        if lineage == replica.lineage and not knows and not self._flips:
            self._break("a machine knows how it voted", name, f"its vote of term {term} is gone")

    def _look_at_bodies(self, name: str, driver: LogDriver) -> None:
        """What waits to be in the log isn't replaced by something else, whatever run it comes from."""
        replica = driver.log._replica
        for count, one in replica.proposals.items() if self._keeps_lineage else ():
            if self._bodies.setdefault((name, replica.lineage, count), one.body) != one.body:
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

    def lies(self, name: str) -> None:
        """A machine is about to sign two ends of the log: that is evidence if it has led."""
        if any(name == who for who, _, _ in self._led):
            self.lied.add(name)

    def _sent(self, name: str, message: wire.LogMessage) -> None:
        if name == self.liar and self._plan.lie is Lie.ANYTHING:
            return
        match message:
            case wire.Vote(own=said) | wire.Voted(vote=said) if said is not None:
                self._look_at_vote(name, read_vote(said))
            case wire.Append():
                self._look_at_leader(name, message.term)
            case wire.Propose(signed=signed, signature=signature):
                self._proposals(name)[1].add(read_proposal(signed, signature).count)
            case wire.Appended(number=number, term=term):
                self._look_at_answer(name, number)
                replica = self._logs[name].log._replica
                if replica.leader is not None and term == replica.term:  # else it doesn't follow the sender
                    self._look_at_proposals(name)
            case _:
                pass

    def _look_at_vote(self, name: str, vote: SignedVote) -> None:
        """A machine votes once in a term, and has noted it before anybody hears of it: it may crash then."""
        first = self._votes.setdefault((name, vote.birth, vote.lineage, vote.term), vote.candidate)
        self._last_votes[name, vote.birth] = vote.lineage, vote.term, vote.candidate
        if first != vote.candidate:
            self._break("nobody votes twice in one term", name, f"in term {vote.term}")
        kept = _kept(self._logs[name].log.table) if self._disks_keep else None
        if kept is not None and kept.term <= vote.term and kept.voted_for != vote.candidate:
            self._break("who votes has noted it", name, f"in term {vote.term}")

    def _look_at_leader(self, name: str, term: int) -> None:
        """Whoever begins to lead has all that was final anywhere."""
        log = self._logs[name].log
        final = self._final.get(log.table)
        if (name, log.table, term) in self._led:
            return
        self._led.add((name, log.table, term))
        number = next(reversed(final), 0) if final else 0
        if final and self._keeps_final and not _has(log, number, final[number]):
            self._break("who leads has all that is final", name, f"not entry {number}, in term {term}")

    def _look_at_answer(self, name: str, number: int) -> None:
        """What a machine says that it shares with its leader, it shares, whether it takes an entry or not."""
        replica = self._logs[name].log._replica
        found = (one.log._replica for one in self._logs.values() if one.log._replica.me == replica.leader)
        leader = next((one for one in found if one.state is State.LEADER and one.term == replica.term), None)
        if leader is None or not self._keeps_final or number <= leader.journal.base.number:
            return
        if leader.journal.chain_at(number) != replica.journal.chain_at(number):
            self._break("a machine claims only what is so", name, f"entry {number}, in term {replica.term}")

    def _proposals(self, name: str) -> tuple[int, set[int]]:
        """Return the term of a machine, and the counts of what it has proposed in it."""
        term = self._logs[name].log._replica.term
        if self._proposed.get(name, (-1,))[0] != term:
            self._proposed[name] = term, set()
        return self._proposed[name]

    def _look_at_proposals(self, name: str) -> None:
        """Every new leader gets at once what a machine has said and doesn't find in its log."""
        waiting = self._logs[name].log._leadership.proposer.waiting()
        if waiting and waiting[0].count not in self._proposals(name)[1]:
            seen = f"not proposal {waiting[0].count} in term {self._proposals(name)[0]}"
            self._break("every new leader hears what was said", name, seen)

    def offers_nothing(self, name: str) -> None:
        """This machine came back after a crash, and `tt resume` offers no match."""
        if self._disks_keep and self._now() - self._played.get(name, self._now()) > 1.0:
            self._break("after a crash the match is offered", name, "nothing to resume")

    def shows(self, name: str, text: str) -> None:
        if self._disks_keep and LOST_SECRET in text:
            self._break("a machine keeps its secret of a match", name, text[:200])
        if self._disks_keep and self._keeps_lineage and TWO_STORIES in text:
            self._break("a machine and its table tell one story", name, text[:200])

    # -- an entry -------------------------------------------------------------------------------------

    def entry(self, name: str, session: PeerSession) -> None:
        log = self._logs[name].log
        first = self._lineages.setdefault(log.table, log.lineage or b"")
        if self._keeps_lineage and first != log.lineage:
            self._break("one story while nobody begins another", name, "another lineage")
        if self._keeps_final:
            self._look_at_what_is_final(name, log)
        if log._replica.convicted and self._knows_what_it_signed:
            self._look_at_convicted(name, log)
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
        self._look_at_the_missing(name, session)
        self._look_at_mates(name, session)
        if not running and session._machine.match_file is not None:
            self._over.setdefault(name, set()).add(session._machine.match_file)
        deal = matches.last.match.source.dealing
        if not running or not isinstance(deal, FairDealing):
            return
        self._look_at_seats(name, deal, matches.last.match.status)
        if self._lots_go_on and deal.lots.open is not None:
            self._look_at_lot(name, matches.last.header.id, deal.lots.open)

    def _look_at_convicted(self, name: str, log: GroupLog) -> None:
        """Nobody is convicted but who lied; what is signed by a machine that never led proves nothing."""
        for who, driver in self._logs.items():
            if who not in self.lied and who != self.liar and driver.log._replica.me in log._replica.convicted:
                self._break("only liars are convicted", name, who)

    def _look_at_seats(self, name: str, deal: FairDealing, shown: Sequence[str]) -> None:
        """A seat is shown as away while its machine is; whoever has come back is shown as here."""
        for party in deal.authority.rest:
            is_here = shown[deal.authority.seat_of(party)] == "here"
            about, count = (name, deal.header.id, party), deal.authority.absence_of(party)
            comes_back = count > self._returns.get(about, count)
            self._returns[about] = count
            if is_here is deal.authority.is_away(party) or (comes_back and not is_here):
                self._break("who is away is shown as away", name, f"{party}, who is here: {is_here}")
            if count > MOST_RETURNS:
                self._break("nothing goes round in a circle", name, f"{party} came back {count} times")
                raise Hung  # out of the callback that never ends

    def _look_at_what_is_final(self, name: str, log: GroupLog) -> None:
        """What was final on one machine is final on all, whoever may be elected next."""
        journal, final = log._replica.journal, self._final.setdefault(log.table, {})
        number, chain = journal.commit_index, journal.chain_at(journal.commit_index)
        assert chain is not None
        if number <= next(reversed(final), 0):
            if final.get(number, chain) != chain:
                self._break("what is final stays final", name, f"another entry {number}")
            return
        final[number] = chain
        if journal.configuration_number > number:
            return
        copies = [one.log for one in self._logs.values()]
        voters = [
            one for one in copies if journal.configuration.is_voter(one._replica.me, one._replica.birth)
        ]
        for one in voters:
            votes = sum(other._leadership.elections._end <= one._replica.last for other in voters)
            is_short = one._replica.may_lead and not _has(one, number, chain)
            if is_short and 2 * votes > len(journal.configuration.voters):
                self._break("what is final survives each election", name, f"entry {number}")

    def _look_at_the_missing(self, name: str, session: PeerSession) -> None:
        """Those without whom a match goes on have left it, and no match that continues it asks them in."""
        matches, roster = session.state.matches, session.state.roster
        if matches.running is None:
            return
        header, barrier = matches.running.header, matches.barrier
        absent = [place for place in roster.places if place.peer in header.absent]
        if seated := [place.name for place in absent if place.status != LEFT]:
            self._break("who is left behind has left", name, repr(seated))
        if barrier is not None and barrier.header.before is not None:
            asked = [header.name_of(key) for key in barrier.parties if key in header.absent]
            if asked:
                self._break("nobody who was left behind is asked in", name, repr(asked))

    def _look_at_mates(self, name: str, session: PeerSession) -> None:
        """Whoever may look at a sealed answer of somebody honest can, also where others of them are gone."""
        running, part = session.state.matches.running, session._machine.part
        if running is None or part is None or part._secret.keys is None:
            return
        keys, names, source = running.header.keys, running.header.names, running.match.source
        liar = self._logs[self.liar].log._replica.me if self.liar in self._logs else b""
        for ask in source.open:
            if ask.box is None or keys[ask.seat] == liar:
                continue
            for mate in ask.shown_to:
                if keys[mate] == session.state.me and ask.id not in source.sealed[mate]:
                    seen = f"{names[mate]} can't read what {names[ask.seat]} has written"
                    self._break("mates see each other's sealed answers", name, seen)

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


def _has(log: GroupLog, number: int, chain: bytes) -> bool:
    """Return True if a machine has an entry, or something that stands for more than that."""
    journal = log._replica.journal
    return journal.base.number > number or journal.chain_at(number) == chain


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
    if not replica.lineage:
        return  # it isn't at the table yet
    for chain in (bytes(32), bytes([1]) * 32):
        final = replica.journal.commit_index
        said = sign_commit(replica.signer, replica.lineage, replica.term, final, chain).statement
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
