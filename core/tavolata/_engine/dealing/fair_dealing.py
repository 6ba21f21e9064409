"""The public state of a deal: a pure state machine over the steps in the log.

All machines that feed it the same entries are in the same state. What only one machine knows is in `dealer`.
A step that comes too late, or that nobody waits for, is refused and changes nothing. A step that no honest
peer can have sent convicts its author, and the dealing continues without that peer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import (
    PATIENCE,
    VOID,
    Authority,
    AuthorityEvent,
    Motion,
    VoteKind,
)
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, STRANGER, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid
from tavolata._engine.dealing.lots import Lots
from tavolata._engine.dealing.notices import Notices
from tavolata._engine.dealing.openings import Openings, Part, read
from tavolata._engine.dealing.parcels import Parcels
from tavolata._engine.dealing.piles import Piles
from tavolata._engine.dealing.seals import Seals
from tavolata._engine.dealing.steps import Task
from tavolata._engine.match.dealing import Dealing
from tavolata._engine.match.entries import DEAL, NUMBER, SHAKEN, SHOWN, SHUFFLED, MatchEntry
from tavolata._engine.match.header import BLIND, STRICT, Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import ConvictionRecord
from tavolata._engine.match.source import InputRequest, Origin
from tavolata._engine.match.updates import Notice
from tavolata.asks import Ask
from tavolata.assertions import Declaration
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.windows import Window
from tavolata_protocol.equivocation import read_equivocation
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.fair.boxes import Box
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.offences import Charge, Offence
from tavolata_protocol.identity import verify

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness


class FairDealing(Dealing):
    """The dealing of a single match.

    Without a seat, `me` is 0: the machine only watches. An auditor sets `witness`, which is told of every
    step that counted; the `Dealer` sets `eye`, which opens what its seats may see by now; a review
    sets `chronicle`, which is told of everything that is decided about people. `spoke` has the parties whose
    entries came since it was last emptied.
    """

    is_fair = True

    def __init__(self, header: Header, origin: Origin, me: bytes = b"") -> None:
        self.header = header
        self._origin = origin
        strict = header.dealer == STRICT
        self.authority = Authority(
            header.keys, header.policy, strict=strict, fixed=header.fixed, absent=header.absent
        )
        self.me = self.authority.number_of(me) or 0
        self._notices = Notices(header, self.authority)
        self.laid = Laid()
        self.eye: Callable[[], object] | None = None
        self.witness: Witness | None = None
        self.chronicle: Callable[[AuthorityEvent], object] | None = None
        self.spoke: set[int] = set()
        self._holders: tuple[int, ...] = ()
        self._shakes = 0
        self._shakes_of = (0, -1)
        self._waits_no_more: set[int] = set()
        self._judged: list[ConvictionRecord] = []
        self._said_at: dict[bytes, bytes] = {}
        self._steps: dict[int, Callable[..., None]] = {
            **{step: partial(self._key_step, step) for step in steps.OF_KEYS},
            **{step: partial(self._chain_step, step) for step in steps.OF_PILES},
            **{step: partial(self._share_step, step) for step in steps.OF_OPENINGS},
            steps.CARDS: self._take_cards,
            steps.COMPLAINT: self._complaint,
            steps.FORCE: self._force,
            steps.EQUIVOCATION: self._equivocation,
            steps.SELF: self._self,
            steps.VOTE: self._vote,
            steps.DONE: self._stop_waiting,
        }

    @override
    def attach(self, match: Match) -> None:
        self._match = match
        self.source = match.source
        self.rings = KeyRings(self._origin.id, lambda: self.source.stamp, self.authority)
        self.rings.look()
        self.piles = Piles(self.laid, self.authority, self.rings, self.me)
        self.parcels = Parcels(self.laid, self.authority, self.rings, self._origin.mailboxes)
        self.openings = Openings(self.laid, self.rings, self.witness)
        self.lots = Lots(self.rings, self.witness)
        self.seals = Seals(self.rings, self.authority, self.witness)

    @override
    def lay(self, cards: list[Card[Any]]) -> None:
        self.laid.lay(cards)

    @override
    def lie_as(self, faces: Mapping[int, int]) -> None:
        for card, face in faces.items():
            self.laid.turned_up(card, face)

    @override
    def seen(self) -> frozenset[int]:
        return self.parcels.seen()

    # -- what the match wants -------------------------------------------------------------------

    @override
    def met(self, want: InputRequest) -> MatchEntry | None:
        self.openings.want = want
        self._settle()
        if (made := self._made(want)) is not None:
            self.openings.want = None
        return made

    def _made(self, want: InputRequest) -> MatchEntry | None:
        if want.kind == NUMBER:
            value = self.lots.value(want, self._match.table.turn)
            return None if value is None else (NUMBER, want.number, value)
        if want.kind == SHUFFLED:
            return self._shuffle(want.cards)
        if want.kind == SHOWN:
            return self._shown(want)
        if want.kind == SHAKEN:
            return None if self.rings.coin() is None else (SHAKEN, len(want.cards))
        return self.openings.met(want)

    def _shown(self, want: InputRequest) -> MatchEntry | None:
        pairs = list(zip(want.cards, want.seats, strict=True))
        for card, seat in pairs:
            self.parcels.allow(card, seat)
        if not all(self.parcels.is_sent(card, seat) for card, seat in pairs):
            return None
        if self.eye is not None:
            self.eye()
        # A face that only this machine sees is noted where it is opened. The entry holds public faces only.
        return (SHOWN, want.number, tuple(self.laid.shown.get(card, b"") for card, _ in pairs))

    def _shuffle(self, cards: tuple[int, ...]) -> MatchEntry | None:
        if not cards:
            return (SHUFFLED, 0, b"")
        pile = self.piles.ready(cards)
        if pile is None:
            return None
        points = b"".join(thing.point + thing.mask for thing in pile.chain.slots)
        return (SHUFFLED, len(cards), blake2b(points, digest_size=16).digest())

    @override
    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        if cards:
            self.parcels.forget(cards)
            self.openings.forget(cards)
            self.piles.shuffled(cards, self.witness)

    @override
    def shaken(self, dice: Sequence[Card[Any]]) -> None:
        keys, numbers = self.rings.coin(), [die.id for die in dice]
        assert keys is not None  # else the match would still wait for them
        self.parcels.forget(numbers)
        self.openings.forget(numbers)
        turn = self._match.table.turn
        self._shakes += 1
        self._shakes_of = (turn, self._shakes_of[1] + 1 if self._shakes_of[0] == turn else 0)
        name = f"shake {self._shakes_of[1]} of turn {turn}"
        self.laid.shaken(dice, keys.epoch, keys.public, self._shakes, name)

    @override
    def keep(self, cards: Mapping[int, int]) -> None:
        self.laid.keep(cards)

    # -- what follows from every entry ---------------------------------------------------------------

    @override
    def heard(self, author: bytes) -> None:
        party = self.authority.number_of(author)
        if party is not None:
            self.authority.heard(party)
            self.spoke.add(party)
        self._settle()

    def _settle(self) -> None:
        authority, match = self.authority, self._match
        authority.settle(self._is_owed, self._asked())
        self.rings.look()
        self.piles.look()
        for seat in range(len(match.status)):
            match.status[seat] = authority.status_of(seat)

    @property
    def unanswered(self) -> dict[int, Ask | Declaration]:
        """The open questions and declarations that somebody has to answer, by number."""
        asks = {ask.id: ask for ask in self.source.open if ask.box is None and ask.answer is None}
        return asks | {one.id: one for one in self.source.declaring if not one.is_said}

    def _asked(self) -> set[tuple[int, int]]:
        """Return what is unanswered, each with who has to answer, and the open window."""
        asked = {(self.authority.owner_of(int(one.seat)), one.id) for one in self.unanswered.values()}
        window = self.source.window
        timed = window is not None and (window.claims or window.seconds is not None)
        return {*asked, (0, -window.id)} if window is not None and timed else asked

    def _is_given_up(self, one: Ask | Declaration) -> bool:
        """Return True if no one waits for an answer any more."""
        owner = self.authority.owner_of(int(one.seat))
        return self.authority.is_blind(owner) or self.authority.is_time_up(owner, one.id)

    @override
    def speaker(self, match: Match, seat: int) -> int:
        return self.authority.seat_of(self.authority.owner_of(seat))

    def sees_hand(self, seat: int) -> bool:
        """Return True if all hidden cards that a seat may see are open on this machine."""
        known = self.source.known[seat]
        return all(card in known for card in self.parcels.seen_from(seat))

    def _is_owed(self, party: int, task: int) -> bool:
        return any(one.number == task for one in self.owed(party))

    @override
    def times_out(self, match: Match, asks: list[Ask]) -> bool:
        late = [ask for ask in asks if ask.box is None and self._is_given_up(ask)]
        for ask in late:
            ask.answer = ask.late
        return bool(late)

    @override
    def nobody_declares(self, match: Match, what: list[Declaration]) -> list[Declaration]:
        self._settle()
        return [one for one in what if self._is_given_up(one)]

    @override
    def is_left(self, match: Match, seat: int) -> bool:
        owner, authority = self.authority.owner_of(seat), self.authority
        return authority.is_blind(owner) or (self.header.policy == BLIND and authority.is_away(owner))

    @override
    def is_window_over(self, window: Window) -> bool:
        return self.authority.is_time_up(0, -window.id)

    # -- what is owed ------------------------------------------------------------------------------

    def owed(self, party: int) -> list[Task]:
        """Return the steps that a party may send now; none for a party that is gone."""
        if not party or self.authority.is_gone(party):
            return []
        return [
            *self.rings.owed(party),
            *self.openings.owed(party),
            *self.lots.owed(party),
            *self.parcels.owed(party),
            *self.piles.owed(party),
        ]

    # -- what is said ------------------------------------------------------------------------------

    @override
    def take(self, entry: MatchEntry) -> None:
        if not steps.fits(entry):
            raise Refused(OUT_OF_PLACE)
        _, party, _, step, *parts = entry
        if self._match.over and step != steps.PROOFS:
            raise Refused(OUT_OF_PLACE)  # it is over, and only what would judge it still counts
        if party not in self.authority.all or self.authority.is_gone(party):
            raise Refused(OUT_OF_PLACE)
        self._holders = ()
        try:
            self._steps[step](party, *parts)
        except Cheat as cheat:
            boxed = [self._said_at[parts[0]]] if step == steps.COMPLAINT and parts[0] in self._said_at else []
            evidence = parts[-1] if step in (steps.COMPLAINT, steps.EQUIVOCATION) else b""
            self._convict(self._named(cheat.party, party), cheat.charge, boxed, evidence)

    @override
    def prepare(self, entry: MatchEntry) -> None:
        author = self.authority.number_of(self.source.stamp.author)
        if entry[:2] != (DEAL, author) or not steps.fits(entry) or entry[3] not in steps.BEGINNING:
            raise Refused(OUT_OF_PLACE)
        self.take(entry)
        self.heard(self.source.stamp.author)

    @property
    @override
    def owing(self) -> tuple[bytes, ...]:
        """The parties that haven't done their part for the first keys, first those that won't."""
        authority = self.authority
        if self.rings.current is not None:
            return ()
        here = [one for one in authority.all if authority.key_of(one) not in self.header.absent]
        gone = [one for one in here if not authority.is_present(one)]
        return tuple(map(authority.key_of, gone or [one for one in here if any(self.rings.owed(one))]))

    @property
    @override
    def is_refused(self) -> bool:
        return self.rings.current is None and len(self.authority.present) < len(self.header.parties)

    def _named(self, number: int, author: int) -> int:
        """Return the party behind a number of the holders that the step was about."""
        if number > STRANGER:
            return number - STRANGER
        return self._holders[number - 1] if 0 < number <= len(self._holders) else author

    def _convict(
        self, party: int, charge: Charge, earlier: Sequence[bytes] = (), evidence: bytes = b""
    ) -> None:
        entries = (*earlier, self.source.stamp.chain)
        self._judged.append(ConvictionRecord(self.authority.key_of(party), charge, entries, evidence))
        with self._perhaps_gone(party):
            self.authority.convict(party, charge)
        self.parcels.take_back(party)

    def _key_step(self, step: int, party: int, epoch: int, *parts: Any) -> None:
        making = self.rings.being_made(epoch)
        self._holders = making.holders
        making.take(party, step, *parts)
        if step == steps.KEYS_SHARES:
            self._note_boxes(making.boxes[making.number_of(party)])
        if self.witness is not None and step == steps.KEYS_SHARES:
            self.witness.key_shares(making, making.number_of(party), *parts)
        elif self.witness is not None and making.done:
            self.witness.keys(making)

    def _chain_step(self, step: int, party: int, number: int, *parts: Any) -> None:
        pile = self.piles.being_made(number)
        self._holders = pile.keys.holders
        pile.take(party, step, *parts)

    def part(self, task: Task, party: int) -> Part:
        """Return what a party opens for all with a step that it owes, and the context in which it does."""
        if task.step == steps.LOT:
            return self.lots.part(party)
        if task.step == steps.FORCE:
            return self.seals.part(party, next(ask for ask in self.source.open if ask.id == task.what[0]))
        return self.openings.part(task, party)

    def _share_step(self, step: int, party: int, epoch: int, *parts: Any) -> None:
        """Take a party's shares that open something for all; raise `Refused` if no one waits for them."""
        *about, data = parts
        said = step, epoch, tuple(about)
        for task in (*self.openings.owed(party), *self.lots.owed(party)):
            if (task.step, task.of, task.about) == said:
                context, found = self.part(task, party)
                self._holders = found[0].keys.holders
                read((context, found), data, self.witness)
                return
        raise Refused(OUT_OF_PLACE)

    def may_stop_waiting(self, party: int) -> bool:
        """Return True if a party has opened what is its own to judge the match, and waits for others.

        It says so about itself alone, and decides nothing about them: what they open later still counts.
        """
        waits = self._match.is_judging and self.authority.is_present(party)
        return waits and party not in self._withholding | self._waits_no_more

    @property
    def awaited(self) -> int:
        """The number of what the match waits for, as a party that stops waiting names it; 0 for a seal."""
        return 0 if self.openings.proof is None else self.openings.proof.at

    @property
    def _withholding(self) -> set[int]:
        """Return the parties that owe what judges the match, shares or seals, also those that have gone.

        Once too few are left to give the shares, only those that have gone owe them.
        """
        proof, authority = self.openings.proof, self.authority
        if not self._match.is_judging:
            return set()
        if proof is None:
            return {authority.owner_of(int(ask.seat)) for ask in self.source.open}
        lost, owing = self.openings.is_lost(proof), filter(self.openings.missing, authority.all)
        return {party for party in owing if authority.is_gone(party) or not lost}

    @property
    @override
    def withholding(self) -> tuple[int, ...]:
        return tuple(sorted(map(self.authority.seat_of, self._withholding)))

    @property
    @override
    def is_waiting_over(self) -> bool:
        asks, present = self.source.open, self.authority.present
        silent = {party for party in present if any(any(self.seals.forcing(party, ask)) for ask in asks)}
        waiting = set(present) - self._withholding - silent
        return bool(waiting) and waiting <= self._waits_no_more

    def _stop_waiting(self, party: int, at: int) -> None:
        if at != self.awaited or not self.may_stop_waiting(party):
            raise Refused(OUT_OF_PLACE)
        self._waits_no_more.add(party)

    def _take_cards(self, party: int, epoch: int, parcels: tuple[Any, ...]) -> None:
        keys = self.rings.done.get(epoch)
        if keys is None or party not in keys.holders:
            raise Refused(OUT_OF_PLACE)
        self._holders = keys.holders
        found = self.parcels.take(party, keys, parcels, self.witness)
        self._note_boxes(parcel.box for parcel in found)
        if self.eye is not None:
            self.eye()

    def _note_boxes(self, boxes: Iterable[Box | None]) -> None:
        """Note the entry that these boxes came with, which a complaint about one of them leads back to."""
        self._said_at |= {box.hash: self.source.stamp.chain for box in boxes if box is not None}

    def _complaint(self, party: int, box: bytes, evidence: bytes) -> None:
        """Take the complaint that a box for a party holds no shares that fit; convict whichever lies."""
        making, parcel = self.rings.making, self.parcels.boxed(box)
        if parcel is not None:
            self._holders = parcel.keys.holders
            parcel.judge(party, evidence)
        if making is None:
            raise Refused(OUT_OF_PLACE)
        self._holders = making.holders
        making.judge(party, box, evidence)

    def _force(self, party: int, epoch: int, number: int, data: bytes) -> None:
        ask = next((one for one in self.source.open if one.id == number), None)
        if ask is None or Task(steps.FORCE, epoch, (number,)) not in self.seals.forcing(party, ask):
            raise Refused(OUT_OF_PLACE)
        self._holders = self.rings.done[epoch].holders
        charge, owner = self.seals.take(party, ask, data), self.authority.owner_of(int(ask.seat))
        if charge is not None and owner not in self.authority.convicted:
            self._convict(owner, charge, [self.seals.entry_of(ask)])

    # -- people -----------------------------------------------------------------------------------

    def _self(self, party: int, word: int, absence: int) -> None:
        with self._perhaps_gone(party):
            self.authority.say(party, word, absence)

    @contextmanager
    def _perhaps_gone(self, party: int) -> Iterator[None]:
        """Note what a party owed if it is gone for good after this.

        It flees if that judges the match. Of a lot that it owed a share of, perhaps it knew the number and
        didn't like it.
        """
        flees, owes = self._match.is_judging and party in self._withholding, any(self.lots.owed(party))
        yield
        if self.authority.is_gone(party):
            self.openings.fled |= flees
            if owes:
                self.authority.news.append(AuthorityEvent("owed", party, (party,)))

    def _vote(self, party: int, kind: int, target: int, about: int, yes: bool, seconds: int) -> None:
        if kind not in set(VoteKind):
            raise Refused(VOID)
        motion = Motion(VoteKind(kind), target, about)
        is_open = motion.kind is not VoteKind.STALL or self._is_owed(target, about)
        if motion.kind is VoteKind.TIME:
            is_open = (target, about) in self._asked()
        if yes and not is_open:
            raise Refused(VOID)
        self.authority.cast(
            party, motion, seconds, self.least_seconds(motion), self.least_silence(target), yes=yes
        )

    def least_silence(self, party: int) -> int:
        """Return the seconds of silence after which an open question of an absent party may be closed.

        They are measured at each question, so a hand that is dealt later gets its full wait.
        """
        hides = self.hides_anything(party)
        return PATIENCE.silence + self.header.stand_after if hides else PATIENCE.empty

    def least_seconds(self, motion: Motion) -> int:
        """Return the seconds of own observation that a vote takes."""
        kind, target, about = motion
        if kind is VoteKind.AWAY:
            return PATIENCE.silence
        if kind is VoteKind.STALL:
            return PATIENCE.stall
        if kind is VoteKind.TIME and target:
            ask = next((one for one in self.source.open if one.id == about), None)
            if ask is not None:
                limit = ask.seconds
                return self.header.idle + PATIENCE.nudged if limit is None else int(limit) + PATIENCE.answer
            return PATIENCE.stall  # a machine declares on its own
        return 0

    def hides_anything(self, party: int) -> bool:
        """Return True if a seat of a party holds a hidden card or an open seal."""
        seats = [seat for seat in range(len(self.header.keys)) if self.authority.owner_of(seat) == party]
        return any(self.seals.is_closed(seat) or [*self.parcels.seen_from(seat)] for seat in seats)

    # -- peers that equivocated --------------------------------------------------------------------

    def _equivocation(self, party: int, proof: bytes) -> None:
        """Take the charge that a peer has signed two logs, or two votes of one election, at this table.

        If its signatures are genuine, it is convicted; otherwise the author of the accusation.
        """
        try:
            shown = read_equivocation(proof)
        except MalformedMessage:
            raise Cheat(STRANGER + party, Offence.FALSE_ACCUSATION) from None
        liar = self.authority.number_of(shown.equivocator)
        is_of_log = shown.first.lineage == self.source.stamp.lineage
        if liar is None or not is_of_log or self.authority.is_gone(liar):
            raise Refused(OUT_OF_PLACE)
        if not shown.is_genuine(verify):
            raise Cheat(STRANGER + party, Offence.FALSE_ACCUSATION)
        self.has_equivocation = True
        self._convict(liar, Charge(Offence.EQUIVOCATION), evidence=proof)

    @property
    def is_stuck(self) -> bool:
        return self.openings.want is not None or self.rings.is_waiting

    @property
    def progress(self) -> tuple[int, int]:
        """The steps of the wanted keys or deck: how many are done, and how many there are."""
        making = self.rings.making
        return self.piles.progress if making is None else making.progress

    # -- whether it can go on -------------------------------------------------------------------------

    @property
    def needed(self) -> tuple[tuple[int, ...], int] | None:
        """Return the parties that can do what the match waits for, and how many must; None if it doesn't."""
        if self.rings.is_waiting:
            return self.rings.able, self.authority.threshold
        keys = self._wanted_keys() or next(self._forcing_keys(), None)
        return None if keys is None else (keys.holders, keys.threshold)

    @property
    @override
    def is_lost(self) -> bool:
        authority = self.authority
        if authority.remaining < authority.threshold or self.rings.is_lost:
            return True
        if any(map(self.seals.is_lost, self.source.open)):
            return True
        used = dict.fromkeys(slot.epoch for slot in self.laid.slots.values())
        keys = [self.rings.done[epoch] for epoch in used]
        keys += [] if self.lots.open is None else [self.lots.open.opening.keys]
        return not all(map(self.rings.can_return, keys))

    @property
    @override
    def refusing(self) -> tuple[bytes, ...]:
        authority = self.authority
        if not self.rings.is_lost:
            return ()
        return tuple(map(authority.key_of, filter(authority.is_barred, authority.rest)))

    @property
    @override
    def is_ended(self) -> bool:
        return self.authority.is_ended

    @property
    @override
    def remaining(self) -> tuple[bytes, ...]:
        return tuple(map(self.authority.key_of, self.authority.rest))

    @property
    @override
    def present(self) -> tuple[bytes, ...]:
        return tuple(map(self.authority.key_of, self.authority.present))

    @override
    def has_part(self, peer: bytes) -> bool:
        party = self.authority.number_of(peer)
        return party is not None and not self.authority.is_gone(party)

    def _wanted_keys(self) -> EpochKeys | None:
        """Return the keys that the wanted step takes; None without one, or if they are not made yet."""
        want, slots = self.openings.want, self.laid.slots
        if want is None:
            return None
        if want.kind == SHUFFLED:
            return None if self.piles.wanted is None else self.piles.wanted.keys
        if want.kind == NUMBER:
            return None if self.lots.open is None else self.lots.open.opening.keys
        hidden = [slot for _, slot in self.openings.wanted()]
        if want.kind == SHOWN:
            shown = zip(want.cards, want.seats, strict=True)
            hidden = [slots[card] for card, seat in shown if not self.parcels.is_sent(card, seat)]
        return self.rings.done[hidden[0].epoch] if hidden else None

    # -- seals ------------------------------------------------------------------------------------------

    def _forcing_keys(self) -> Iterator[EpochKeys]:
        """Yield the keys of seals that the match waits for, and whose authors can't open them now."""
        for ask in self.source.open:
            if ask.box is not None and not self.authority.is_present(self.authority.owner_of(int(ask.seat))):
                keys = self.seals.keys_of(ask)
                if keys is not None:
                    yield keys

    @override
    def player_of(self, match: Match, seat: int) -> bytes | None:
        party = self.authority.player_of(seat)
        return None if party is None else self.authority.key_of(party)

    @override
    def news(self, me: bytes) -> list[Notice]:
        mine = self.authority.number_of(me) or 0
        events = self.authority.told()
        if self.chronicle is not None:
            for event in events:
                self.chronicle(event)
        told = (self._notices.of(event, mine) for event in events)
        return [*(notice for notice in told if notice is not None), *self._notices.lower()]

    @override
    def convicted(self) -> dict[bytes, Charge]:
        return {self.authority.key_of(party): charge for party, charge in self.authority.convicted.items()}

    @property
    @override
    def judged(self) -> list[ConvictionRecord]:
        return self._judged

    @override
    def asked(self, asks: list[Ask]) -> None:
        self.seals.asked(asks)

    @override
    def go_back(self, closed: Mapping[int, Ask]) -> None:
        self.seals.go_back(closed)

    @override
    def is_seal(self, ask: Ask, box: bytes) -> bool:
        if not self.seals.is_seal(ask, box):
            return False
        self.seals.note(ask, self.source.stamp.chain)
        return True

    @override
    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        return self.seals.opens(ask, box, nonce, answer)
