"""Dealing together, as everybody knows it: a pure state machine over the steps in the log.

All who feed it the same entries are in the same state; what only one machine knows is `dealer`. A step
that comes too late, or that nobody waits for, is refused and changes nothing; one that no honest peer can
have sent convicts its author, and the dealing goes on without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol

from tavolata._engine.entries import FACE, NUMBER, SHOWN, SHUFFLED, Entry
from tavolata._engine.fair import openings, steps
from tavolata._engine.fair.key_making import OUT_OF_PLACE, KeyMaking
from tavolata._engine.fair.key_rings import KeyRings
from tavolata._engine.fair.laid import Laid
from tavolata._engine.fair.openings import Opening
from tavolata._engine.fair.parcels import STRANGER, Parcels
from tavolata._engine.fair.parties import Parties
from tavolata._engine.fair.piles import Piles
from tavolata._engine.fair.seals import Seals
from tavolata._engine.fair.steps import Task
from tavolata._engine.header import STRICT, Header
from tavolata._engine.sources import Want
from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata_protocol.fair import dice
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import Reader
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import POINT_SIZE
from tavolata_protocol.fair.logs import PROOF_SIZE, Proof, check_knowledge

if TYPE_CHECKING:
    from tavolata._engine.fair.witness import Witness
    from tavolata._engine.log_source import LogSource
    from tavolata._engine.match import Match


class Eye(Protocol):
    """What one machine sees for itself."""

    def look(self) -> None:
        """Something was sent or allowed that its seats may see now."""
        ...


class Deal:
    """The dealing of one match.

    Args:
        header: the match.
        me: the identity of this machine; empty, or unknown to the match, for one that only looks on.

    Attributes:
        parties: who deals.
        laid, rings, piles, parcels, seals: the cards, the keys, the shuffles, cards for single seats,
            sealed answers.
        me: the own party's number, 0 without a seat.
        witness: told of everything that counted; set by whoever checks a match afterwards.
        eye: told when there may be something to see; set by whoever has secrets.
    """

    def __init__(self, header: Header, me: bytes = b"") -> None:
        self._header = header
        self._key = me
        self.laid = Laid()
        self.eye: Eye | None = None
        self.witness: Witness | None = None
        self._lots: dict[tuple[int, int], Opening] = {}
        self._lot_keys: dict[int, KeyMaking] = {}
        self._faces: dict[int, Opening] = {}
        self._votes: dict[int, set[int]] = {}
        self._crew: tuple[int, ...] = ()
        self._want: Want | None = None
        self._steps: dict[int, Callable[..., bool]] = {
            steps.HELLO: self._hello,
            steps.KEYS_COMPLAINT: self._key_complaint,
            steps.DECK: self._chain_step(steps.DECK),
            steps.PROOF: self._chain_step(steps.PROOF),
            steps.SEED: self._chain_step(steps.SEED),
            steps.FACES: self._take_faces,
            steps.LOT: self._take_lot,
            steps.CARDS: self._take_cards,
            steps.COMPLAINT: self._complaint,
            steps.FORCE: self._force,
            steps.WITHOUT: self._without,
        }
        for step in (steps.KEYS_HASH, steps.KEYS_PART, steps.KEYS_SHARES, steps.KEYS_AGREED):
            self._steps[step] = self._key_step(step)

    def attach(self, source: LogSource, match: Match) -> None:
        """See `log_source.Together`."""
        header = self._header
        self.source = source
        self.parties = Parties(header.keys, lambda: match.status)
        self.me = self.parties.number_of(self._key) or 0
        self.rings = KeyRings(header.id.encode(), self.parties, strict=header.dealer == STRICT)
        self.piles = Piles(self.laid, self.parties, self.rings, self.me)
        self.parcels = Parcels(self.laid, self.parties, self.rings)
        self.seals = Seals(self.rings, self.parties)
        self.seals.witness = self.witness

    def lay(self, cards: list[Card[Any]]) -> None:
        """See `log_source.Together`."""
        self.laid.lay(cards)

    # -- what the match wants -------------------------------------------------------------------

    def met(self, want: Want | None) -> Entry | None:
        """See `log_source.Together`; also goes on with what follows from who has come and gone."""
        self.rings.look()
        self.piles.look()
        self._want = want
        if want is None:
            return None
        if want.kind == FACE:
            face = self._face(want.cards[0])
            return None if face is None else (FACE, want.cards[0], face)
        if want.kind == SHOWN:
            return self._shown(want)
        if want.kind == NUMBER:
            return self._number(want)
        return self._shuffle(want.cards)

    def _face(self, card: int) -> int | None:
        if card not in self.laid.shown:
            opening = self._faces.get(card)
            if opening is None or not opening.done:
                return None
            faces, slot = self.laid.kind_of(card).faces, self.laid.slots[card]
            face = faces.number(slot.thing.card, opening.opened)
            assert face is not None  # all that was shuffled are faces, and all shuffles are proven
            if self.witness is not None:
                self.witness.shown(self.laid.kind_of(card), slot, face)
            self.laid.turned_up(card, face)
            del self._faces[card]
        return self.laid.shown[card]

    def _shown(self, want: Want) -> Entry | None:
        pairs = list(zip(want.cards, want.seats, strict=True))
        for card, seat in pairs:
            self.parcels.allow(card, seat)
        if not all(self.parcels.is_sent(card, seat) for card, seat in pairs):
            return None
        if self.eye is not None:
            self.eye.look()
        # What this machine sees is noted where it is opened; here stands only what everybody knows.
        return (SHOWN, want.number, tuple(self.laid.shown.get(card, b"") for card, _ in pairs))

    def _number(self, want: Want) -> Entry | None:
        keys = self.lot_keys(want.at)
        opening = None if keys is None else self._lots.get((keys.epoch, want.at))
        if keys is None or opening is None or not opening.done:
            return None
        value = dice.value(self.lot_context(keys, want.at, 0), opening.opened, want.number)
        del self._lots[keys.epoch, want.at]
        if self.witness is not None:
            self.witness.thrown(self.lot_context(keys, want.at, 0), want.number, value)
        return (NUMBER, want.number, value)

    def lot_keys(self, at: int) -> KeyMaking | None:
        """The keys that a lot is drawn under."""
        found = self._lot_keys.get(at)
        if found is None or not self.rings.reaches(found):
            found = self.rings.lasting()
            self._lot_keys = {} if found is None else {at: found}
        return found

    def lot_context(self, keys: KeyMaking, at: int, number: int) -> Context:
        """Where a party speaks about a lot."""
        assert keys.public is not None
        return keys.public.context("lot", at, number)

    def _shuffle(self, cards: tuple[int, ...]) -> Entry | None:
        if not cards:
            return (SHUFFLED, 0, b"")
        pile = self.piles.ready(cards)
        if pile is None:
            return None
        points = b"".join(thing.point + thing.mask for thing in pile.chain.slots)
        return (SHUFFLED, len(cards), blake2b(points, digest_size=16).digest())

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        """See `log_source.Together`."""
        if cards:
            self.parcels.forget(cards)
            for card in cards:
                self._faces.pop(card, None)
            self.piles.shuffled(cards, self.witness)

    # -- what is owed ------------------------------------------------------------------------------

    def owed(self, party: int) -> list[Task]:
        """What a party has to say now; nothing for one that was convicted."""
        if not party or party in self.parties.convicted:
            return []
        return [
            *self.rings.owed(party),
            *self._owed_for_want(party),
            *self.parcels.owed(party),
            *self.seals.owed(party, self.source.open),
            *([Task(steps.HELLO)] if self.parcels.lacks_mailbox(party) else ()),
            *self.piles.owed(party),
        ]

    def _owed_for_want(self, party: int) -> Iterator[Task]:
        want = self._want
        if want is None:
            return
        if want.kind == FACE and want.cards[0] in self.laid.slots:
            keys = self.rings.done[self.laid.slots[want.cards[0]].epoch]
            cards = [card for card in want.cards if self._is_owed_face(keys, party, card)]
            if cards:
                yield Task(steps.FACES, keys.epoch, (want.at, *cards))
        elif want.kind == NUMBER and want.at in self._lot_keys:
            keys = self._lot_keys[want.at]
            if self._is_owed(keys, party, self._lots.get((keys.epoch, want.at))):
                yield Task(steps.LOT, keys.epoch, (want.at,))

    def _is_owed_face(self, keys: KeyMaking, party: int, card: int) -> bool:
        slot = self.laid.slots.get(card)
        return (
            slot is not None
            and slot.epoch == keys.epoch
            and self._is_owed(keys, party, self._faces.get(card))
        )

    def _is_owed(self, keys: KeyMaking, party: int, opening: Opening | None) -> bool:
        number = keys.number_of(party)
        return number > 0 and (opening is None or number not in opening.said)

    def lot_point(self, keys: KeyMaking, at: int) -> Opening:
        """What is opened for a lot."""
        assert keys.public is not None
        found = self._lots.get((keys.epoch, at))
        return found or Opening(keys.public, dice.point(self.lot_context(keys, at, 0)))

    def face_context(self, keys: KeyMaking, cards: tuple[int, ...], number: int) -> Context:
        """Where a party speaks about cards for everybody."""
        assert keys.public is not None
        names = ", ".join(self.laid.slots[card].name for card in cards)
        return keys.public.context(f"all see {names}", 0, number)

    # -- what is said ------------------------------------------------------------------------------

    def take(self, entry: Entry) -> bool:
        """See `log_source.Together`."""
        if not steps.fits(entry):
            raise Refused(OUT_OF_PLACE)
        _, party, _, step, *parts = entry
        if not 0 < party <= len(self.parties) or party in self.parties.convicted:
            raise Refused(OUT_OF_PLACE)
        self._crew = ()
        try:
            opened = self._steps[step](party, *parts)
        except Cheat as cheat:
            self._convict(self._named(cheat.party, party), cheat.what)
            return False
        self._votes.pop(party, None)
        return opened

    def _named(self, number: int, author: int) -> int:
        """The party that a number of the crew in question stands for."""
        if number > STRANGER:
            return number - STRANGER
        return self._crew[number - 1] if 0 < number <= len(self._crew) else author

    def _convict(self, party: int, what: str) -> None:
        self.parties.convicted[party] = what
        self.parcels.take_back(party)
        self._votes.pop(party, None)

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
        making = self.rings.making
        if making is None or making.epoch != epoch:
            raise Refused(OUT_OF_PLACE)
        self._crew = making.crew
        return making

    def _key_complaint(self, party: int, epoch: int, accused: int, evidence: bytes) -> bool:
        self._making(epoch).judge(party, accused, evidence)
        return False

    def _chain_step(self, step: int) -> Callable[..., bool]:
        def take(party: int, number: int, round_: int, data: bytes) -> bool:
            pile = self.piles.of(number)
            if pile is None or not pile.awaits(party, step, round_):
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

    def _done(self, epoch: int, party: int) -> KeyMaking:
        keys = self.rings.done.get(epoch)
        if keys is None or party not in keys.crew:
            raise Refused(OUT_OF_PLACE)
        self._crew = keys.crew
        return keys

    def _take_faces(self, party: int, epoch: int, cards: tuple[int, ...], data: bytes) -> bool:
        keys = self._done(epoch, party)
        want = self._want
        if want is None or Task(steps.FACES, epoch, (want.at, *cards)) not in self._owed_for_want(party):
            raise Refused(OUT_OF_PLACE)
        assert keys.public is not None
        found = [self._faces.get(card) or Opening(keys.public, self.laid.slots[card].thing) for card in cards]
        self._read(self.face_context(keys, cards, keys.number_of(party)), keys, found, data)
        self._faces.update(zip(cards, found, strict=True))
        return False

    def _take_lot(self, party: int, epoch: int, at: int, data: bytes) -> bool:
        keys = self._done(epoch, party)
        if Task(steps.LOT, epoch, (at,)) not in self._owed_for_want(party):
            raise Refused(OUT_OF_PLACE)
        assert keys.public is not None
        lot = self.lot_point(keys, at)
        self._read(self.lot_context(keys, at, keys.number_of(party)), keys, [lot], data)
        self._lots[epoch, at] = lot
        return False

    def _read(self, context: Context, keys: KeyMaking, found: list[Opening], data: bytes) -> None:
        assert keys.public is not None
        openings.read(context, keys.public, found, data)
        if self.witness is not None:
            self.witness.shared(context, context.party, [one.thing for one in found], data)

    def _take_cards(self, party: int, epoch: int, parcels: tuple[Any, ...]) -> bool:
        self._done(epoch, party)
        self.parcels.take(party, epoch, parcels, self.witness)
        if self.eye is not None:
            self.eye.look()
        return False

    def _complaint(self, party: int, accused: int, cards: tuple[int, ...], evidence: bytes) -> bool:
        slot = next((self.laid.slots[card] for card in cards if card in self.laid.slots), None)
        if slot is None:
            raise Refused(OUT_OF_PLACE)
        self._crew = self.rings.done[slot.epoch].crew
        self.parcels.judge(party, accused, cards, evidence)
        return False

    def _force(self, party: int, epoch: int, ask: int, data: bytes) -> bool:
        self._done(epoch, party)
        done = self.seals.take(party, epoch, ask, data, self.source.open)
        if done is None:
            return False
        if isinstance(done, Cheat):
            seat = next(int(one.seat) for one in self.source.open if one.id == ask)
            self._convict(self.parties.owner_of(seat), done.what)
        return True

    def hello_context(self, party: int) -> Context:
        """Where a party speaks that says its mailbox."""
        return Context(self._header.id.encode(), 0, "mailbox", 0, party)

    def _hello(self, party: int, data: bytes) -> bool:
        if not self.parcels.lacks_mailbox(party):
            raise Refused(OUT_OF_PLACE)
        self._crew = self.parties.all
        context = self.hello_context(party)
        reader = Reader(context, data, POINT_SIZE + PROOF_SIZE, "mailbox")
        mailbox, proof = reader.point(), Proof.read(reader)
        check_knowledge(context, b"mailbox", mailbox, proof)
        self.parcels.mailboxes[party] = mailbox
        return False

    # -- those who do nothing ------------------------------------------------------------------------

    def _without(self, party: int, other: int) -> bool:
        """Enough of them, two thirds of all, say that one who is there does not do its part."""
        if other == party or not self.parties.is_here(other) or not self.owed(other):
            raise Refused(OUT_OF_PLACE)
        votes = self._votes.setdefault(other, set())
        votes.add(party)
        everybody = sum(one not in self.parties.convicted for one in self.parties.all)
        if len(votes) >= openings.most(everybody):
            self._convict(other, "It did not do its part of the dealing.")
        return False

    @property
    def is_stuck(self) -> bool:
        """Whether something is waited for that has to be dealt."""
        return self._want is not None or self.rings.making is not None

    @property
    def progress(self) -> tuple[int, int]:
        """How many steps of the keys or the deck that is waited for are done, and of how many."""
        making = self.rings.making
        if making is not None:
            return making.progress
        return self.piles.progress

    @property
    def is_lost(self) -> bool:
        """Whether hidden cards can't be opened any more, because too many were convicted."""
        if len(self.parties) - len(self.parties.convicted) < 2:
            return True
        used = {slot.epoch for slot in self.laid.slots.values()}
        return not all(self.rings.can_return(self.rings.done[epoch]) for epoch in used)

    # -- seals ------------------------------------------------------------------------------------------

    @property
    def steward(self) -> bytes | None:
        """See `log_source.Together`."""
        steward = self.parties.steward
        return None if steward is None else self.parties.key_of(steward)

    def cheats(self) -> dict[bytes, str]:
        """See `log_source.Together`."""
        return {self.parties.key_of(party): what for party, what in self.parties.convicted.items()}

    def is_seal(self, ask: Ask, box: bytes) -> bool:
        """See `log_source.Together`."""
        return self.seals.is_seal(ask, box)

    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        """See `log_source.Together`."""
        return self.seals.opens(ask, box, nonce, answer)
