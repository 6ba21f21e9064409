"""Everything that makes one pile: each party shuffles in turn, proves it, and opens its seed at the end.

A state machine over what the log says; all who feed it the same are in the same state. What a party sends:

    a deck     commitment to its seed (32 bytes) + the shuffled cards (64 bytes a card); passed on at once
    a proof    128 bytes a card + 160; while the next already shuffles
    a seed     32 bytes; after the last proof. Then the pile is permuted by the hash of all seeds

(The commitments come with the decks: that is before any seed is opened, which is what they are for.)

A party that cheats, or keeps all waiting, is dropped. Before its turn it is skipped. If its proof is missing
or bad, its deck and all that came after it are taken back, and those parties shuffle anew. If it doesn't open
its seed, while it may know what the others have opened, all who are left shuffle once more: to refuse until
one likes the order costs a party its place each time. Each taking back begins a new round, and what was said
in an old one is void.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from tavolata_protocol.fair import mixing
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import CARD_SIZE, Deck, deck_bytes, read_deck
from tavolata_protocol.fair.encoding import FieldReader
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.keys import PublicKeys
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shares import PileSlot
from tavolata_protocol.fair.shuffle import ShuffleWitness, prove, read_proof, shuffle, verify


class ChainStep(Enum):
    """What a chain can wait for."""

    DECK = "deck"
    PROOF = "proof"
    SEED = "seed"


@dataclass(frozen=True, slots=True)
class Awaited:
    """What one party has to say.

    Attributes:
        step: what.
        party: who.
        round: in which round; it is said with the message.
    """

    step: ChainStep
    party: int
    round: int


@dataclass(slots=True)
class _Link:
    party: int
    round: int
    commitment: bytes
    deck: Deck
    data: bytes
    proof: bytes = b""
    proven: bool = False


class Shuffled(NamedTuple):
    """What one party said for a pile, for whoever wants to check it again.

    Attributes:
        party: who.
        round: in which round.
        deck: the message with its deck.
        proof: the message with its proof.
        seed: its seed; None if it opened none, or all shuffled once more after it.
    """

    party: int
    round: int
    deck: bytes
    proof: bytes
    seed: bytes | None


class Chain:
    """The making of one pile.

    Args:
        keys: the epoch's.
        deck: the cards as they are before, all checked: known cards (`Faces.known`) or those of slots.
        about: the pile's name, the same for all; no other pile of this epoch has it at the same position.
        position: as in `Context`.
        parties: who shuffles, in this order.
        own: oneself; what one made oneself is not checked again. 0 for spectators.
    """

    def __init__(
        self, keys: PublicKeys, deck: Deck, about: str, position: int, parties: Sequence[int], own: int = 0
    ) -> None:
        self._keys = keys
        self._start = deck
        self._about = about
        self._position = position
        self._waiting = list(parties)
        self._own = own
        self._links: list[_Link] = []
        self._earlier: list[_Link] = []
        self._gone: set[int] = set()
        self._seeds: dict[int, bytes] = {}
        self.round = 0

    def context(self, party: int, round_: int) -> Context:
        """The context of what a party says in a round."""
        return self._keys.context(f"{self._about}, round {round_}", self._position, party)

    # What is

    @property
    def deck(self) -> Deck:
        """The last deck: what the next party shuffles."""
        return self._links[-1].deck if self._links else self._start

    @property
    def awaited(self) -> tuple[Awaited, ...]:
        """What has to be said next, by whom: a deck and proofs, or seeds; empty when the pile is made."""
        proofs = [Awaited(ChainStep.PROOF, link.party, link.round) for link in self._links if not link.proven]
        if self._waiting:
            return (Awaited(ChainStep.DECK, self._waiting[0], self.round), *proofs)
        return tuple(proofs) or tuple(
            Awaited(ChainStep.SEED, link.party, link.round)
            for link in self._links
            if link.party not in self._seeds and link.party not in self._gone
        )

    @property
    def missing(self) -> int:
        """How many decks, proofs and seeds are still to come, as far as can be foreseen."""
        unproven = sum(not link.proven for link in self._links)
        unopened = sum(link.party not in self._seeds and link.party not in self._gone for link in self._links)
        return 3 * len(self._waiting) + unproven + unopened

    @property
    def slots(self) -> tuple[PileSlot, ...]:
        """The pile, once nothing is awaited any more.

        Raises:
            ValueError: before that, or when nobody was left to shuffle.
        """
        if self.awaited or not self._links:
            raise ValueError("A pile has no slots before it is made.")
        context = self.context(0, self.round)
        mixed = mixing.order(context, self._seeds, len(self.deck))
        return tuple(PileSlot(*self.deck[place]) for place in mixed)

    @property
    def shuffles(self) -> tuple[Shuffled, ...]:
        """All shuffles that the deck went through, in their order, as they were said."""
        earlier = (Shuffled(one.party, one.round, one.data, one.proof, None) for one in self._earlier)
        latest = (
            Shuffled(one.party, one.round, one.data, one.proof, self._seeds.get(one.party))
            for one in self._links
        )
        return (*earlier, *latest)

    # What parties say

    def take_deck(self, party: int, round_: int, data: object) -> bool:
        """A shuffled deck, with the commitment to a seed.

        Returns:
            Whether it counts; what was said too late is void.

        Raises:
            Cheat: naming the party; nothing has changed then, and it is to be dropped.
        """
        if not self._heeds(party, round_):
            return False
        context = self.context(party, round_)
        if not self._waiting or self._waiting[0] != party:
            raise Cheat(party, Offence.OUT_OF_TURN, item=Item.DECK)
        cards = len(self._start)
        reader = FieldReader(context, data, mixing.COMMITMENT_SIZE + CARD_SIZE * cards, Item.SHUFFLED_DECK)
        commitment = reader.raw(mixing.COMMITMENT_SIZE)
        deck = read_deck(context, reader.raw(CARD_SIZE * cards), cards)
        self._waiting.pop(0)
        assert isinstance(data, bytes)
        self._links.append(_Link(party, round_, commitment, deck, data))
        return True

    def take_proof(self, party: int, round_: int, data: object) -> bool:
        """The proof of a deck; arguments, result and errors as with `take_deck`."""
        place = self._place(party, round_)
        if place is None:
            if self._heeds(party, round_):
                raise Cheat(party, Offence.MISSING_DECK, item=Item.SHUFFLE_PROOF)
            return False
        link = self._links[place]
        if link.proven:
            raise Cheat(party, Offence.REPEATED_PROOF)
        if party != self._own:
            context = self.context(party, round_)
            proof = read_proof(context, data, len(link.deck))
            verify(context, self._keys.joint, self._before(place), link.deck, proof)
        assert isinstance(data, bytes)
        link.proof, link.proven = data, True
        return True

    def take_seed(self, party: int, round_: int, data: object) -> bool:
        """A party's seed; arguments, result and errors as with `take_deck`."""
        place = self._place(party, round_)
        if place is None or party in self._gone:
            if self._heeds(party, round_):
                raise Cheat(party, Offence.MISSING_DECK, item=Item.SEED)
            return False
        if Awaited(ChainStep.SEED, party, round_) not in self.awaited:
            raise Cheat(party, Offence.OUT_OF_TURN, item=Item.SEED)
        self._seeds[party] = mixing.read_seed(
            self.context(party, round_), self._links[place].commitment, data
        )
        return True

    def drop(self, party: int) -> None:
        """A party cheated, left, or said nothing for too long: go on without it."""
        if party in self._gone:
            return
        opening = not self._waiting and all(link.proven for link in self._links)
        self._gone.add(party)
        if party in self._waiting:
            self._waiting.remove(party)
            return
        place = next((at for at, link in enumerate(self._links) if link.party == party), None)
        if place is None or party in self._seeds:
            return
        if opening:  # seeds may be on their way already, and known to the leader of the log
            self._shuffle_once_more()
        elif not self._links[place].proven:
            self._take_back(place)

    # Making it

    def make_deck(self, secrets: Secrets) -> tuple[bytes, ShuffleWitness]:
        """One's own deck message, and what proves it; made from the same seed, the same again."""
        context = self.context(self._own, self.round)
        shuffled, witness = shuffle(context, self._keys.joint, self.deck, secrets)
        commitment = mixing.commit(context, mixing.own_seed(context, secrets))
        return commitment + deck_bytes(shuffled), witness

    def make_proof(self, secrets: Secrets, witness: ShuffleWitness | None = None) -> bytes:
        """One's own proof message, once the deck is in the log.

        Args:
            secrets: one's own.
            witness: from `make_deck`; made again when there is none.
        """
        place, link = next((at, link) for at, link in enumerate(self._links) if link.party == self._own)
        context, before = self.context(self._own, link.round), self._before(place)
        if witness is None:
            _, witness = shuffle(context, self._keys.joint, before, secrets)
        return prove(context, self._keys.joint, before, link.deck, witness, secrets).encoded

    def make_seed(self, secrets: Secrets) -> bytes:
        """One's own seed message, once all decks are proven."""
        link = next(link for link in self._links if link.party == self._own)
        return mixing.own_seed(self.context(self._own, link.round), secrets)

    # Inside

    def _heeds(self, party: int, round_: int) -> bool:
        if round_ > self.round:
            raise Cheat(party, Offence.FUTURE_ROUND)
        return round_ == self.round and party not in self._gone

    def _place(self, party: int, round_: int) -> int | None:
        found = (at for at, link in enumerate(self._links) if (link.party, link.round) == (party, round_))
        return next(found, None)

    def _before(self, place: int) -> Deck:
        return self._links[place - 1].deck if place else self._start

    def _take_back(self, place: int) -> None:
        anew = [link.party for link in self._links[place:] if link.party not in self._gone]
        del self._links[place:]
        self._waiting[:0] = anew
        self.round += 1

    def _shuffle_once_more(self) -> None:
        self._start = self.deck
        self._earlier += self._links
        self._waiting = [link.party for link in self._links if link.party not in self._gone]
        self._links.clear()
        self._seeds.clear()
        self.round += 1
