"""The shuffle chain of one pile: each party shuffles in turn, proves it, and opens a seed at the end.

It is a state machine over the entries of the log: all peers that feed it the same are in the same state. A
party sends:

    a deck     commitment to its seeds (32 bytes) + the shuffled cards (64 bytes a card); passed on at once
    a proof    128 bytes a card + 160; the next party already shuffles meanwhile
    a seed     32 bytes; after the last proof. Then the pile is permuted by the hash of all seeds

While they shuffle and prove, nothing is shown: whoever is dropped then is skipped, and costs nobody anything.
If its proof is missing or bad, its deck and all later decks are taken back, and the later parties shuffle
again in a new round. A proven shuffle stays. At least t parties have to shuffle: with fewer, each could be a
conspirator.

Then some of those who have shuffled, the openers, open their seeds for draw 0. Nobody joins them later. An
opener that doesn't open may know the seeds of the others already. So those who are left open other seeds, for
the next draw, and nobody shuffles again. The commitment binds a party to one seed for each draw before it
knows any of another's. If no opener is left, all begin again in a new round.
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
    """The kinds of messages that a chain can wait for."""

    DECK = "deck"
    PROOF = "proof"
    SEED = "seed"


@dataclass(frozen=True, slots=True)
class Awaited:
    """A message that the chain waits for; it names its round, and a seed its draw."""

    step: ChainStep
    party: int
    round: int
    draw: int = 0


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
    """The messages of one party for a pile, so that they can be checked again.

    `seed` is None if it opened none for the last draw.
    """

    party: int
    round: int
    deck: bytes
    proof: bytes
    seed: bytes | None


class Chain:
    """The making of one pile.

    Args:
        deck: the cards before the first shuffle, all checked: known cards (`Faces.known`) or cards of slots.
        about: the pile's name, the same at every peer and unique in this epoch.
        parties: the parties that shuffle, in this order.
        own: this party, whose own messages are not checked again; 0 for spectators.
    """

    def __init__(
        self, keys: PublicKeys, deck: Deck, about: str, parties: Sequence[int], own: int = 0
    ) -> None:
        self._keys = keys
        self._start = deck
        self._about = about
        self._waiting = list(parties)
        self._own = own
        self._links: list[_Link] = []
        self._dropped: set[int] = set()
        self._seeds: dict[int, bytes] = {}
        self.openers: tuple[int, ...] = ()
        self.round = self.draw = 0

    def context(self, party: int, round_: int) -> Context:
        """Return the context of a party's messages in a round."""
        return self._keys.context(self._about, round_, party)

    # State

    @property
    def deck(self) -> Deck:
        """The last deck, which the next party shuffles."""
        return self._links[-1].deck if self._links else self._start

    @property
    def awaited(self) -> tuple[Awaited, ...]:
        """The messages that are due now: a deck and proofs, or seeds.

        Empty when the pile is made, and while it waits for `open`.
        """
        proofs = [Awaited(ChainStep.PROOF, link.party, link.round) for link in self._links if not link.proven]
        if self._waiting:
            return (Awaited(ChainStep.DECK, self._waiting[0], self.round), *proofs)
        return tuple(proofs) or tuple(
            Awaited(ChainStep.SEED, link.party, link.round, self.draw)
            for link in self._links
            if link.party in self.openers and link.party not in self._seeds
        )

    @property
    def is_proven(self) -> bool:
        """True if all that were asked have proven a shuffle, and they are enough: seeds may be opened."""
        return not (self._waiting or self.is_short) and all(link.proven for link in self._links)

    @property
    def is_made(self) -> bool:
        """True if all openers have opened their seeds."""
        return bool(self.openers) and not self.awaited

    @property
    def shufflers(self) -> tuple[int, ...]:
        """The parties that have shuffled, in order."""
        return tuple(link.party for link in self._links)

    @property
    def is_short(self) -> bool:
        """True if fewer than t parties have shuffled or will: then the pile does not count."""
        return len(self._links) + len(self._waiting) < self._keys.roster.threshold

    @property
    def missing(self) -> int:
        """The number of decks, proofs and seeds that are still to come, if no party is dropped."""
        unproven = sum(not link.proven for link in self._links)
        openers = self.openers or self.shufflers
        return 3 * len(self._waiting) + unproven + len(openers) - len(self._seeds)

    @property
    def slots(self) -> tuple[PileSlot, ...]:
        """The finished pile; raise `ValueError` before it is made."""
        if not self.is_made:
            raise ValueError("A pile has no slots before it is made.")
        context = self.context(0, self.round)
        mixed = mixing.order(context, self.draw, self._seeds, len(self.deck))
        return tuple(PileSlot(*self.deck[place]) for place in mixed)

    @property
    def shuffles(self) -> tuple[Shuffled, ...]:
        """All shuffles that the deck went through, in order, with their messages."""
        return tuple(
            Shuffled(one.party, one.round, one.data, one.proof, self._seeds.get(one.party))
            for one in self._links
        )

    # Messages of the parties

    def take_deck(self, party: int, round_: int, data: object) -> None:
        """Take a shuffled deck, with the commitment to a seed; a message of an older round is void.

        Raise `Cheat`, which names the party; the chain is unchanged, and the caller must drop the party.
        """
        if not self._heeds(party, round_):
            return
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

    def take_proof(self, party: int, round_: int, data: object) -> None:
        """Take the proof of a deck; arguments and errors are those of `take_deck`."""
        place = self._place(party, round_)
        if place is None:
            if self._heeds(party, round_):
                raise Cheat(party, Offence.MISSING_DECK, item=Item.SHUFFLE_PROOF)
            return
        link = self._links[place]
        if link.proven:
            raise Cheat(party, Offence.REPEATED_PROOF)
        if party != self._own:
            context = self.context(party, round_)
            proof = read_proof(context, data, len(link.deck))
            verify(context, self._keys.joint, self._before(place), link.deck, proof)
        assert isinstance(data, bytes)
        link.proof, link.proven = data, True

    def take_seed(self, party: int, round_: int, draw: int, data: object) -> None:
        """Take a party's seed for a draw, void if that is over; the errors are those of `take_deck`."""
        place = self._place(party, round_)
        if place is None:
            if self._heeds(party, round_):
                raise Cheat(party, Offence.MISSING_DECK, item=Item.SEED)
            return
        if self.openers and (draw < self.draw or party not in self.openers):
            return
        if Awaited(ChainStep.SEED, party, round_, draw) not in self.awaited:
            raise Cheat(party, Offence.OUT_OF_TURN, item=Item.SEED)
        self._seeds[party] = mixing.read_seed(
            self.context(party, round_), self._links[place].commitment, draw, data
        )

    # Those who take part

    def drop(self, party: int) -> None:
        """Shuffle without a party; what it has proven stays. Nothing changes once seeds are opened."""
        if party in self._dropped or self.openers:
            return
        self._dropped.add(party)
        if party in self._waiting:
            self._waiting.remove(party)
            return
        place = next((at for at, link in enumerate(self._links) if link.party == party), None)
        if place is not None and not self._links[place].proven:
            self._take_back(place)

    def await_again(self, party: int) -> bool:
        """Wait, at the end of the chain, for a party that is not awaited and whose shuffle is not there.

        Return True if it is such a party.
        """
        if party in self._waiting or party in self.shufflers or self.openers:
            return False
        self._dropped.discard(party)
        self._waiting.append(party)
        return True

    def open(self, openers: Sequence[int]) -> None:
        """Let these parties, who have shuffled, open their seeds: for draw 0, or for the next draw."""
        if self.openers:
            self._seeds.clear()
            self.draw += 1
        self.openers = tuple(openers)

    def begin_anew(self, parties: Sequence[int]) -> None:
        """Let these parties shuffle the first deck, in a new round."""
        self._waiting = list(parties)
        self._links.clear()
        self._dropped.clear()
        self._seeds.clear()
        self.openers, self.draw = (), 0
        self.round += 1

    # Own messages

    def make_deck(self, secrets: Secrets) -> tuple[bytes, ShuffleWitness]:
        """Return this party's deck message, with its witness; the same seed gives the same message."""
        context = self.context(self._own, self.round)
        shuffled, witness = shuffle(context, self._keys.joint, self.deck, secrets)
        commitment = mixing.own_commitment(context, secrets)
        return commitment + deck_bytes(shuffled), witness

    def make_proof(self, secrets: Secrets, witness: ShuffleWitness | None = None) -> bytes:
        """Return this party's proof message, once the deck is logged; a missing witness is recomputed."""
        place, link = next((at, link) for at, link in enumerate(self._links) if link.party == self._own)
        context, before = self.context(self._own, link.round), self._before(place)
        if witness is None:
            _, witness = shuffle(context, self._keys.joint, before, secrets)
        return prove(context, self._keys.joint, before, link.deck, witness, secrets).encoded

    def make_seed(self, secrets: Secrets) -> bytes:
        """Return this party's seed message for the present draw."""
        link = next(link for link in self._links if link.party == self._own)
        return mixing.own_seed(self.context(self._own, link.round), self.draw, secrets)

    # Internals

    def _heeds(self, party: int, round_: int) -> bool:
        if round_ > self.round:
            raise Cheat(party, Offence.FUTURE_ROUND)
        return round_ == self.round and party not in self._dropped

    def _place(self, party: int, round_: int) -> int | None:
        found = (at for at, link in enumerate(self._links) if (link.party, link.round) == (party, round_))
        return next(found, None)

    def _before(self, place: int) -> Deck:
        return self._links[place - 1].deck if place else self._start

    def _take_back(self, place: int) -> None:
        anew = [link.party for link in self._links[place:] if link.party not in self._dropped]
        del self._links[place:]
        self._waiting[:0] = anew
        self.round += 1
