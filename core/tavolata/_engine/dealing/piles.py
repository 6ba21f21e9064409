"""The shuffles of a match: each pile's chain, and decks that are made ready while others are played with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid
from tavolata._engine.dealing.parties import Parties
from tavolata._engine.dealing.steps import DECK, PROOF, SEED, Task
from tavolata._engine.dealing.witness import Witness
from tavolata.cards import Deck
from tavolata.errors import GameError, Refused
from tavolata_protocol.fair.chain import Awaited, Chain, ChainStep

AHEAD_AFTER: Final = 2
"""How often a whole deck has to be shuffled before the next one is made ready."""

MOST: Final = 240
"""How many cards can be shuffled at once: the proof has to fit into one entry of the log."""

_STEPS = {ChainStep.DECK: DECK, ChainStep.PROOF: PROOF, ChainStep.SEED: SEED}
_AWAITED = {step: awaited for awaited, step in _STEPS.items()}


@dataclass
class PileMaking:
    """One shuffle.

    Attributes:
        number: counts the shuffles of the match.
        keys: the keys that it is under.
        chain: who has shuffled.
        cards: which cards; those of a deck that is made ready are known when it is used.
    """

    number: int
    keys: EpochKeys
    chain: Chain
    cards: tuple[int, ...]

    @property
    def name(self) -> str:
        """What contexts call it."""
        return _name(self.number)

    def drop_absent(self, parties: Parties) -> None:
        """Go on without those who are not there, unless too few would be left to open what they shuffle."""
        here = [party for party in self.keys.crew if parties.is_here(party)]
        for one in self.chain.awaited:
            party = self.keys.crew[one.party - 1]
            gone = party in parties.convicted or (party not in here and len(here) >= self.keys.threshold)
            if gone:
                self.chain.drop(one.party)

    def owed(self, party: int) -> list[Task]:
        """What a party has to say for this pile."""
        number = self.keys.number_of(party)
        return [
            Task(_STEPS[one.step], self.number, (one.round,))
            for one in self.chain.awaited
            if one.party == number
        ]

    def awaits(self, party: int, step: int, round_: int) -> bool:
        """Whether a step of a party is waited for."""
        return Awaited(_AWAITED[step], self.keys.number_of(party), round_) in self.chain.awaited


class Piles:
    """All shuffles of a match.

    Args:
        laid: the cards.
        parties: who deals.
        rings: the keys.
        me: the party of this machine, 0 if it has no seat.
    """

    def __init__(self, laid: Laid, parties: Parties, rings: KeyRings, me: int) -> None:
        self._laid = laid
        self._parties = parties
        self._rings = rings
        self._me = me
        self._count = 0
        self._wanted: PileMaking | None = None
        self._whole: dict[Deck[object], int] = {}
        self._ahead: dict[Deck[object], PileMaking] = {}

    @property
    def under_way(self) -> Iterator[PileMaking]:
        """Those that are being made, the one that is waited for first."""
        if self._wanted is not None:
            yield self._wanted
        yield from self._ahead.values()

    @property
    def wanted_keys(self) -> EpochKeys | None:
        """The keys of the shuffle that is waited for; None without one."""
        return None if self._wanted is None else self._wanted.keys

    @property
    def progress(self) -> tuple[int, int]:
        """How many of the decks, proofs and seeds that are waited for are there, and of how many."""
        if self._wanted is None:
            return 0, 0
        of = 3 * len(self._wanted.keys.crew)
        return max(0, of - self._wanted.chain.missing), of

    def look(self) -> None:
        """Go on without those who are gone."""
        for pile in self.under_way:
            pile.drop_absent(self._parties)

    def ready(self, cards: tuple[int, ...]) -> PileMaking | None:
        """The shuffle of these cards, begun if it was not; None until it is done.

        Raises:
            GameError: they are too many for one entry of the log to prove their shuffle.
        """
        if len(cards) > MOST:
            raise GameError(f"Where all deal together, a pile has {MOST} cards at most, not {len(cards)}.")
        if self._wanted is None:
            keys = self._keys_for(cards)
            if keys is None:
                return None
            self._wanted = self._taken_ahead(cards, keys) or self._begin(cards, keys)
            self.look()
        pile = self._wanted
        return None if pile.chain.awaited else pile

    def _keys_for(self, cards: tuple[int, ...]) -> EpochKeys | None:
        bound = self._laid.epoch_of(cards)
        return self._rings.fresh() if bound is None else self._rings.done[bound]

    def _begin(self, cards: tuple[int, ...], keys: EpochKeys) -> PileMaking:
        self._count += 1
        crew = [keys.number_of(party) for party in keys.crew if party not in self._parties.convicted]
        deck = self._laid.pile(cards, keys.public.joint)
        own = keys.number_of(self._me)
        chain = Chain(keys.public, deck, _name(self._count), 0, crew, own)
        return PileMaking(self._count, keys, chain, cards)

    def _taken_ahead(self, cards: tuple[int, ...], keys: EpochKeys) -> PileMaking | None:
        """The deck that was made ready, if there is one for all these cards under these keys."""
        if not self._laid.is_whole(cards):
            return None
        pile = self._ahead.pop(self._laid.kind_of(cards[0]).deck, None)
        if pile is None or pile.keys is not keys:
            return None
        pile.cards = cards
        return pile

    def shuffled(self, cards: tuple[int, ...], witness: Witness | None) -> None:
        """The match acts on the shuffle that was waited for; the next of that deck may be made ready."""
        pile, self._wanted = self._wanted, None
        assert pile is not None
        if witness is not None:
            witness.pile(self._laid, cards, pile.keys.epoch, pile.name, pile.chain)
        whole = self._laid.is_whole(cards)
        self._laid.shuffled(cards, pile.keys.epoch, pile.number, pile.chain.slots)
        if whole:
            deck = self._laid.kind_of(cards[0]).deck
            self._whole[deck] = self._whole.get(deck, 0) + 1
            if self._whole[deck] >= AHEAD_AFTER:
                self._ahead[deck] = self._begin(tuple(self._laid.kind_of(cards[0]).cards), pile.keys)

    def being_made(self, number: int) -> PileMaking:
        """The shuffle of this number.

        Raises:
            Refused: it is not under way.
        """
        for pile in self.under_way:
            if pile.number == number:
                return pile
        raise Refused(OUT_OF_PLACE)

    def owed(self, party: int) -> Iterator[Task]:
        """What a party has to say for shuffles."""
        for pile in self.under_way:
            yield from pile.owed(party)


def _name(number: int) -> str:
    return f"pile {number}"
