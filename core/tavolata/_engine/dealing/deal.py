"""The public state of a deal: a pure state machine over the steps in the log.

All machines that feed it the same entries are in the same state. What only one machine knows is in `dealer`.
A step that comes too late, or that nobody waits for, is refused and changes nothing. A step that no honest
peer can have sent convicts its author, and the dealing goes on without that peer.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final, Protocol

from typing_extensions import override

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys, KeyMaking
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid
from tavolata._engine.dealing.openings import Openings, most_of
from tavolata._engine.dealing.parcels import STRANGER, Parcels
from tavolata._engine.dealing.parties import Parties
from tavolata._engine.dealing.piles import Piles
from tavolata._engine.dealing.seals import Seals
from tavolata._engine.dealing.steps import Task
from tavolata._engine.dealing.witness import Witness
from tavolata._engine.match.entries import NUMBER, SHOWN, SHUFFLED, Entry
from tavolata._engine.match.header import STRICT, Header
from tavolata._engine.match.match import Match
from tavolata._engine.match.origin import Origin
from tavolata._engine.match.ports import Together
from tavolata._engine.match.source import Want
from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata_protocol.equivocation import read_equivocation
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.offences import Charge, Offence
from tavolata_protocol.identity import verify

LEAST: Final = 2
"""The fewest parties that can make keys."""


class Eye(Protocol):
    """The secrets of one machine, which may open something after a step."""

    def look(self) -> None:
        """Open what the seats of this machine may see now."""


class Deal(Together):
    """The dealing of one match.

    Args:
        header: the match.
        origin: its beginning in the log.
        me: the identity of this machine; empty or unknown to the match for a machine that only watches.

    Attributes:
        parties: the peers that deal.
        laid: the cards.
        rings: the keys.
        piles: the shuffles.
        openings: the cards and numbers that all open for all.
        parcels: the cards for single seats.
        seals: the sealed answers.
        me: the number of the own party, 0 without a seat.
        witness: told of every step that counted; set by an auditor.
        has_equivocation: whether a leader was convicted of having signed two logs.
        eye: told when there may be something to see; set by the `Dealer`.
    """

    def __init__(self, header: Header, origin: Origin, me: bytes = b"") -> None:
        self._header = header
        self._origin = origin
        self._key = me
        self.laid = Laid()
        self.eye: Eye | None = None
        self.witness: Witness | None = None
        self.has_equivocation = False
        self._complaints: dict[int, set[int]] = {}
        self._crew: tuple[int, ...] = ()
        self._steps: dict[int, Callable[..., bool]] = {
            steps.DECK: self._chain_step(steps.DECK),
            steps.PROOF: self._chain_step(steps.PROOF),
            steps.SEED: self._chain_step(steps.SEED),
            steps.FACES: self._take_faces,
            steps.LOT: self._take_lot,
            steps.CARDS: self._take_cards,
            steps.COMPLAINT: self._complaint,
            steps.FORCE: self._force,
            steps.WITHOUT: self._without,
            steps.EQUIVOCATION: self._equivocation,
        }
        for step in (steps.KEYS_HASH, steps.KEYS_PART, steps.KEYS_SHARES, steps.KEYS_AGREED):
            self._steps[step] = self._key_step(step)

    @override
    def attach(self, match: Match) -> None:
        header = self._header
        self.source = match.source
        self.parties = Parties(header.keys, lambda: match.status)
        self.me = self.parties.number_of(self._key) or 0
        self.rings = KeyRings(
            self._origin.id, lambda: self.source.stamp, self.parties, strict=header.dealer == STRICT
        )
        self.piles = Piles(self.laid, self.parties, self.rings, self.me)
        self.parcels = Parcels(self.laid, self.parties, self.rings, self._origin.mailboxes)
        self.openings = Openings(self.laid, self.rings, self.witness)
        self.seals = Seals(self.rings, self.parties, self.witness)

    @override
    def lay(self, cards: list[Card[Any]]) -> None:
        self.laid.lay(cards)

    # -- what the match wants -------------------------------------------------------------------

    @override
    def met(self, want: Want | None) -> Entry | None:
        """Before it answers, the deal goes on without those who have left and with those who have come."""
        self.rings.look()
        self.piles.look()
        self.openings.want = want
        if want is None:
            return None
        if want.kind == SHUFFLED:
            return self._shuffle(want.cards)
        if want.kind == SHOWN:
            return self._shown(want)
        return self.openings.met(want)

    def _shown(self, want: Want) -> Entry | None:
        pairs = list(zip(want.cards, want.seats, strict=True))
        for card, seat in pairs:
            self.parcels.allow(card, seat)
        if not all(self.parcels.is_sent(card, seat) for card, seat in pairs):
            return None
        if self.eye is not None:
            self.eye.look()
        # A face that only this machine sees is noted where it is opened. The entry holds public faces only.
        return (SHOWN, want.number, tuple(self.laid.shown.get(card, b"") for card, _ in pairs))

    def _shuffle(self, cards: tuple[int, ...]) -> Entry | None:
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
    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Nothing is left to do: the seats that may see a card were noted when the match wanted it shown."""

    # -- what is owed ------------------------------------------------------------------------------

    def owed(self, party: int) -> list[Task]:
        """The steps that a party has to send now; none for a convicted party."""
        if not party or party in self.parties.convicted:
            return []
        return [
            *self.rings.owed(party),
            *self.openings.owed(party),
            *self.parcels.owed(party),
            *self.seals.owed(party, self.source.open),
            *self.piles.owed(party),
        ]

    # -- what is said ------------------------------------------------------------------------------

    @override
    def take(self, entry: Entry) -> bool:
        if not steps.fits(entry):
            raise Refused(OUT_OF_PLACE)
        _, party, _, step, *parts = entry
        if not 0 < party <= len(self.parties) or party in self.parties.convicted:
            raise Refused(OUT_OF_PLACE)
        self._crew = ()
        try:
            opened = self._steps[step](party, *parts)
        except Cheat as cheat:
            self._convict(self._named(cheat.party, party), cheat.charge)
            return False
        self._complaints.pop(party, None)
        return opened

    def _named(self, number: int, author: int) -> int:
        """The party behind a number of the crew that the step was about."""
        if number > STRANGER:
            return number - STRANGER
        return self._crew[number - 1] if 0 < number <= len(self._crew) else author

    def _convict(self, party: int, charge: Charge) -> None:
        self.parties.convicted[party] = charge
        self.parcels.take_back(party)
        self._complaints.pop(party, None)

    def _key_step(self, step: int) -> Callable[..., bool]:
        def take(party: int, epoch: int, *parts: Any) -> bool:
            making = self._making(epoch)
            making.take(party, step, *parts)
            if self.witness is not None and step == steps.KEYS_SHARES:
                self.witness.key_shares(making, making.number_of(party), *parts)
            elif self.witness is not None and making.done:
                self.witness.keys(making)
            return False

        return take

    def _making(self, epoch: int) -> KeyMaking:
        making = self.rings.being_made(epoch)
        self._crew = making.crew
        return making

    def _chain_step(self, step: int) -> Callable[..., bool]:
        def take(party: int, number: int, round_: int, data: bytes) -> bool:
            pile = self.piles.being_made(number)
            if not pile.awaits(party, step, round_):
                raise Refused(OUT_OF_PLACE)
            self._crew = pile.keys.crew
            mine = pile.keys.number_of(party)
            if step == steps.DECK:
                pile.chain.take_deck(mine, round_, data)
            elif step == steps.PROOF:
                pile.chain.take_proof(mine, round_, data)
            else:
                pile.chain.take_seed(mine, round_, data)
            return False

        return take

    def _done(self, epoch: int, party: int) -> EpochKeys:
        keys = self.rings.done.get(epoch)
        if keys is None or party not in keys.crew:
            raise Refused(OUT_OF_PLACE)
        self._crew = keys.crew
        return keys

    def _take_faces(self, party: int, epoch: int, at: int, cards: tuple[int, ...], data: bytes) -> bool:
        self._done(epoch, party)
        self.openings.take_faces(party, epoch, at, cards, data)
        return False

    def _take_lot(self, party: int, epoch: int, at: int, data: bytes) -> bool:
        self._done(epoch, party)
        self.openings.take_lot(party, epoch, at, data)
        return False

    def _take_cards(self, party: int, epoch: int, parcels: tuple[Any, ...]) -> bool:
        self._done(epoch, party)
        self.parcels.take(party, epoch, parcels, self.witness)
        if self.eye is not None:
            self.eye.look()
        return False

    def _complaint(self, party: int, box: bytes, evidence: bytes) -> bool:
        """A party says that a box for it holds no shares that fit; who of the two lies is convicted."""
        making = self.rings.making
        if making is not None and making.has_box(box):
            self._crew = making.crew
            making.judge(party, box, evidence)
        else:
            self._crew = self.parcels.crew_of(box)
            self.parcels.judge(party, box, evidence)
        return False

    def _force(self, party: int, epoch: int, ask: int, data: bytes) -> bool:
        self._done(epoch, party)
        done = self.seals.take(party, epoch, ask, data, self.source.open)
        if done is None:
            return False
        if isinstance(done, Charge):
            seat = next(int(one.seat) for one in self.source.open if one.id == ask)
            self._convict(self.parties.owner_of(seat), done)
        return True

    # -- parties that do nothing ---------------------------------------------------------------------

    def _without(self, party: int, other: int) -> bool:
        """A party complains that another one does not do its part; two thirds of all convict it."""
        if other == party or not self.parties.is_here(other) or not self.owed(other):
            raise Refused(OUT_OF_PLACE)
        complaints = self._complaints.setdefault(other, set())
        complaints.add(party)
        everybody = sum(one not in self.parties.convicted for one in self.parties.all)
        if len(complaints) >= most_of(everybody):
            self._convict(other, Charge(Offence.OMISSION))
        return False

    # -- leaders that equivocated -----------------------------------------------------------------

    def _equivocation(self, party: int, proof: bytes) -> bool:
        """A leader is said to have signed two logs.

        If its signatures are genuine, the leader is convicted; else the author of the accusation.
        """
        try:
            shown = read_equivocation(proof)
        except MalformedMessage:
            raise Cheat(STRANGER + party, Offence.FALSE_ACCUSATION) from None
        liar = self.parties.number_of(shown.equivocator)
        if liar is None or liar in self.parties.convicted:
            raise Refused(OUT_OF_PLACE)
        if not shown.is_genuine(verify):
            raise Cheat(STRANGER + party, Offence.FALSE_ACCUSATION)
        self.has_equivocation = True
        self._convict(liar, Charge(Offence.EQUIVOCATION))
        return False

    @property
    def is_stuck(self) -> bool:
        """Whether the match waits for the dealing."""
        return self.openings.want is not None or self.rings.making is not None

    @property
    def progress(self) -> tuple[int, int]:
        """How many steps of the wanted keys or deck are done, and how many there are."""
        making = self.rings.making
        return self.piles.progress if making is None else making.progress

    # -- whether it can go on -------------------------------------------------------------------------

    @property
    def shortage(self) -> tuple[int, int] | None:
        """How many machines are present and how many the wanted step takes; None if there are enough."""
        wanted = self.rings.making or self._wanted_keys()
        here = len(self.parties.here)
        if wanted is None and self.openings.want is not None and here < LEAST:
            return here, LEAST  # keys themselves can't be made
        if wanted is None or self.rings.reaches(wanted):
            return None
        return sum(map(self.parties.is_here, wanted.crew)), wanted.threshold

    @property
    def needs_return(self) -> tuple[int, int] | None:
        """The shortage, if it ends only when somebody returns: a bot that stands in has no keys.

        None where a bot can help. Once the missing machines have been given up, two machines that are present
        can make new keys. But a step that was begun under some keys has to be finished under them.
        """
        want = self.openings.want
        anew = self.rings.making is not None or (want is not None and want.kind == NUMBER)
        return None if anew and len(self.parties.here) >= LEAST else self.shortage

    @property
    def is_lost(self) -> bool:
        """Whether hidden cards can never be opened again, because too many parties were convicted."""
        if len(self.parties) - len(self.parties.convicted) < LEAST:
            return True
        used = {slot.epoch for slot in self.laid.slots.values()}
        return not all(self.rings.can_return(self.rings.done[epoch]) for epoch in used)

    def _wanted_keys(self) -> EpochKeys | None:
        """The keys that the wanted step takes; None if nothing is wanted or the keys are not made yet."""
        want, slots = self.openings.want, self.laid.slots
        if want is None:
            return None
        if want.kind == SHUFFLED:
            return self.piles.wanted_keys
        if want.kind == NUMBER:
            return self.rings.current
        hidden = [
            card
            for card, seat in zip(want.cards, want.seats or want.cards, strict=True)
            if card in slots and (want.kind != SHOWN or not self.parcels.is_sent(card, seat))
        ]
        return self.rings.done[slots[hidden[0]].epoch] if hidden else None

    # -- seals ------------------------------------------------------------------------------------------

    @property
    @override
    def steward(self) -> bytes | None:
        steward = self.parties.steward
        return None if steward is None else self.parties.key_of(steward)

    @override
    def convicted(self) -> dict[bytes, Charge]:
        return {self.parties.key_of(party): charge for party, charge in self.parties.convicted.items()}

    @override
    def asked(self, asks: list[Ask]) -> None:
        self.seals.asked(asks)

    @override
    def is_seal(self, ask: Ask, box: bytes) -> bool:
        return self.seals.is_seal(ask, box)

    @override
    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        return self.seals.opens(ask, box, nonce, answer)
