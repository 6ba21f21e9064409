"""The shuffles of a match: the chain of each pile, and decks that are shuffled ahead of their use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tavolata._engine.dealing.authority import Authority
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid
from tavolata._engine.dealing.steps import DECK, PROOF, SEED, Task
from tavolata.cards import Deck
from tavolata.errors import GameError, Refused
from tavolata_protocol.fair.chain import Awaited, Chain, ChainStep

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness

AHEAD_AFTER: Final = 2
"""After so many shuffles of a whole deck, the next one is prepared ahead."""

MOST: Final = 240
"""The most cards in one shuffle: the proof has to fit into one entry of the log."""

_STEPS = {ChainStep.DECK: DECK, ChainStep.PROOF: PROOF, ChainStep.SEED: SEED}
_AWAITED = {step: awaited for awaited, step in _STEPS.items()}


@dataclass
class PileMaking:
    """One shuffle of the match, by its number, under these keys.

    `chain` has the decks, proofs and seeds so far. The order of the cards of a deck that is prepared ahead is
    set when it is used.
    """

    number: int
    keys: EpochKeys
    chain: Chain
    cards: tuple[int, ...]

    @property
    def name(self) -> str:
        return _name(self.number)

    def look(self, authority: Authority) -> None:
        """Continue without those who don't take part in it now, as long as enough others are present.

        While fewer than t have shuffled or will, those who were skipped and are present are awaited again.
        """
        while self._skip(authority) or self._await_again(authority):
            pass

    def _skip(self, authority: Authority) -> bool:
        team = self._team(authority)
        for one in self.chain.awaited:
            party = self.keys.holders[one.party - 1]
            if authority.is_gone(party) or (team and party not in team):
                if one.step is ChainStep.SEED and not authority.is_gone(party):
                    authority.set_aside(party)  # it may know the other seeds
                self.chain.drop(one.party)
                return True
        return False

    def _await_again(self, authority: Authority) -> bool:
        team = self._team(authority)
        if not self.chain.is_short:
            return False
        left = team or [party for party in self.keys.holders if not authority.is_gone(party)]
        return any(self.chain.await_again(self.keys.number_of(party)) for party in left)

    def _team(self, authority: Authority) -> tuple[int, ...]:
        return authority.team(self.keys.holders, self.keys.threshold)

    def owed(self, party: int) -> list[Task]:
        number = self.keys.number_of(party)
        return [
            Task(_STEPS[one.step], self.number, (one.round,))
            for one in self.chain.awaited
            if one.party == number
        ]

    def awaits(self, party: int, step: int, round_: int) -> bool:
        return Awaited(_AWAITED[step], self.keys.number_of(party), round_) in self.chain.awaited


class Piles:
    """All shuffles of a match; `me` is the party of this machine, 0 if it has no seat."""

    def __init__(self, laid: Laid, authority: Authority, rings: KeyRings, me: int) -> None:
        self._laid = laid
        self._authority = authority
        self._rings = rings
        self._me = me
        self._count = 0
        self._wanted: PileMaking | None = None
        self._deal_begun = False
        self._whole: dict[Deck[object], int] = {}
        self._ahead: dict[Deck[object], PileMaking] = {}

    @property
    def under_way(self) -> Iterator[PileMaking]:
        """Yield the piles that are being made; the one that the match waits for comes first."""
        if self._wanted is not None:
            yield self._wanted
        yield from self._ahead.values()

    @property
    def wanted_keys(self) -> EpochKeys | None:
        return None if self._wanted is None else self._wanted.keys

    @property
    def progress(self) -> tuple[int, int]:
        """How many decks, proofs and seeds of the wanted shuffle have come, and how many it takes."""
        if self._wanted is None:
            return 0, 0
        of = 3 * len(self._wanted.keys.holders)
        return max(0, of - self._wanted.chain.missing), of

    def look(self) -> None:
        """Continue without the parties that don't take part in this deal."""
        for pile in self.under_way:
            pile.look(self._authority)

    def ready(self, cards: tuple[int, ...]) -> PileMaking | None:
        """Return the finished shuffle of these cards, begun if necessary; None until it is done.

        Raise `GameError` if the proof for so many cards would not fit into one entry of the log.
        """
        if len(cards) > MOST:
            raise GameError(f"Where all deal together, a pile has {MOST} cards at most, not {len(cards)}.")
        if self._wanted is not None and not self._rings.can_return(self._wanted.keys):
            self._wanted = None  # too few are left who could open it; cards that were hidden before are lost
        if self._wanted is None:
            if self._laid.is_whole(cards) and not self._deal_begun:
                self._authority.begin_deal()
                self._deal_begun = True
            bound = self._laid.epoch_of(cards)
            keys = self._rings.fresh() if bound is None else self._rings.done[bound]
            if keys is None:
                return None
            self._wanted = self._taken_ahead(cards, keys) or self._begin(cards, keys)
            self.look()
        chain = self._wanted.chain
        return None if chain.awaited or chain.is_short else self._wanted

    def _begin(self, cards: tuple[int, ...], keys: EpochKeys) -> PileMaking:
        self._count += 1
        holders = [keys.number_of(party) for party in keys.holders if not self._authority.is_gone(party)]
        deck = self._laid.pile(cards, keys.public.joint)
        chain = Chain(keys.public, deck, _name(self._count), holders, keys.number_of(self._me))
        return PileMaking(self._count, keys, chain, cards)

    def _taken_ahead(self, cards: tuple[int, ...], keys: EpochKeys) -> PileMaking | None:
        """Return the deck that was prepared ahead, if there is one for all these cards under these keys."""
        if not self._laid.is_whole(cards):
            return None
        pile = self._ahead.pop(self._laid.kind_of(cards[0]).deck, None)
        if pile is None or pile.keys is not keys:
            return None
        pile.cards = cards
        return pile

    def shuffled(self, cards: tuple[int, ...], witness: Witness | None) -> None:
        """Apply the wanted shuffle, and perhaps begin to prepare the next one of that deck."""
        pile, self._wanted, self._deal_begun = self._wanted, None, False
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
        """Return the shuffle of this number; raise `Refused` if it is not under way."""
        for pile in self.under_way:
            if pile.number == number:
                return pile
        raise Refused(OUT_OF_PLACE)

    def owed(self, party: int) -> Iterator[Task]:
        for pile in self.under_way:
            yield from pile.owed(party)


def _name(number: int) -> str:
    return f"pile {number}"
