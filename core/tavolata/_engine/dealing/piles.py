"""The shuffles of a match: the chain of each pile, and decks that are shuffled ahead of their use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tavolata._engine.dealing.authority import Authority
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid, LaidDeck
from tavolata._engine.dealing.steps import DECK, PROOF, SEED, Task
from tavolata.errors import GameError, Refused
from tavolata_protocol.fair.chain import Awaited, Chain, ChainStep

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness

AHEAD_AFTER: Final = 2
"""After so many shuffles of a whole deck, the next one is prepared ahead."""

MOST: Final = 240
"""The most cards in one shuffle: the proof has to fit into one entry of the log."""

_STEPS = {ChainStep.DECK: DECK, ChainStep.PROOF: PROOF, ChainStep.SEED: SEED}


@dataclass
class PileMaking:
    """One shuffle of the match, by its number, under these keys.

    `chain` has the decks, proofs and seeds so far. `_refused` are the parties that did not open their seeds
    of this pile.
    """

    number: int
    keys: EpochKeys
    chain: Chain
    _refused: set[int] = field(default_factory=set)

    def look(self, authority: Authority) -> None:
        """Continue without those who don't take part in it now."""
        while self._skip(authority) or self._await_again(authority) or self._open(authority):
            pass

    def _skip(self, authority: Authority) -> bool:
        """Leave out somebody who isn't here to shuffle or prove; nothing was shown, so that costs nobody."""
        for one in self.chain.awaited:
            if one.step is not ChainStep.SEED and not authority.deals(self.keys.holders[one.party - 1]):
                self.chain.drop(one.party)
                return True
        return False

    def _await_again(self, authority: Authority) -> bool:
        """While fewer than t have shuffled or will, wait again for those who were left out and are here."""
        if not self.chain.is_short:
            return False
        return any(self.chain.await_again(self.keys.number_of(party)) for party in self._here(authority))

    def _open(self, authority: Authority) -> bool:
        """Begin to open the seeds, or open others where somebody who had to open one is not here any more."""
        chain, here = self.chain, self._here(authority)
        if not chain.openers:
            shuffled = [party for party in here if self.keys.number_of(party) in chain.shufflers]
            if not chain.is_proven or not shuffled:
                return False
            able = [party for party in shuffled if not authority.is_barred(party)]
            openers = [party for party in able if party not in self._refused] or able or shuffled
        else:
            owing = {self.keys.holders[one.party - 1] for one in chain.awaited}
            lost = {party for party in owing if not authority.deals(party)}
            if not lost:
                return False
            self._refused |= lost
            openers = [party for party in here if self.keys.number_of(party) in chain.openers]
            for party in sorted(lost):
                if not authority.is_gone(party):
                    authority.refuse(party, chain.draw + 2 if openers else 0)
        if openers:
            chain.open([self.keys.number_of(party) for party in openers])
        else:
            chain.begin_anew([self.keys.number_of(party) for party in here])
        return True

    def _here(self, authority: Authority) -> list[int]:
        return [party for party in self.keys.holders if authority.deals(party)]

    def owed(self, party: int) -> list[Task]:
        number = self.keys.number_of(party)
        return [
            Task(_STEPS[one.step], self.number, _named(one))
            for one in self.chain.awaited
            if one.party == number
        ]

    def take(self, party: int, step: int, *parts: Any) -> None:
        """Take a deck, a proof or a seed; raise `Refused` if nobody waits for it, `Cheat` if it is wrong."""
        chain = self.chain
        if Task(step, self.number, parts[:-1]) not in self.owed(party):
            raise Refused(OUT_OF_PLACE)
        take: dict[int, Callable[..., None]] = {
            DECK: chain.take_deck, PROOF: chain.take_proof, SEED: chain.take_seed,
        }  # fmt: skip
        take[step](self.keys.number_of(party), *parts)


class Piles:
    """All shuffles of a match; `me` is the party of this machine, 0 if it has no seat.

    `wanted` is the one that the match waits for.
    """

    def __init__(self, laid: Laid, authority: Authority, rings: KeyRings, me: int) -> None:
        self._laid = laid
        self._authority = authority
        self._rings = rings
        self._me = me
        self._count = 0
        self.wanted: PileMaking | None = None
        self._has_renewed = False
        self._whole: dict[LaidDeck, int] = {}
        self._ahead: dict[LaidDeck, PileMaking] = {}

    @property
    def under_way(self) -> Iterator[PileMaking]:
        """Yield the piles that are being made; the one that the match waits for comes first."""
        if self.wanted is not None:
            yield self.wanted
        yield from self._ahead.values()

    @property
    def progress(self) -> tuple[int, int]:
        """How many decks, proofs and seeds of the wanted shuffle have come, and how many it takes."""
        if self.wanted is None:
            return 0, 0
        of = 3 * len(self.wanted.keys.holders)
        return max(0, of - self.wanted.chain.missing), of

    def look(self) -> None:
        """Continue without the parties that don't take part now."""
        for pile in self.under_way:
            pile.look(self._authority)

    def ready(self, cards: tuple[int, ...]) -> PileMaking | None:
        """Return the finished shuffle of these cards, begun if necessary; None until it is done.

        Raise `GameError` if the proof for this many cards would not fit into one entry of the log.
        """
        if len(cards) > MOST:
            raise GameError(f"Where all deal together, a pile has {MOST} cards at most, not {len(cards)}.")
        if self.wanted is not None and not self._rings.can_return(self.wanted.keys):
            self.wanted = None  # too few are left who could open it; cards that were hidden before are lost
            self._has_renewed = False
        if self.wanted is None:
            self.wanted = self._taken_ahead(cards)
            if self.wanted is None:
                keys = self._keys(cards)
                if keys is None:
                    return None
                self.wanted = self._begin(cards, keys)
            self.look()
        return self.wanted if self.wanted.chain.is_made else None

    def _keys(self, cards: tuple[int, ...]) -> EpochKeys | None:
        """Return the keys for a shuffle of these cards; None while they are still to be made."""
        bound = self._laid.epoch_of(cards)
        if bound is not None:
            return self._rings.done[bound]
        if not self._has_renewed:  # only once a shuffle, or a party that refuses them could delay it for ever
            self._has_renewed = True
            self._rings.renew()
        return None if self._rings.is_waiting else self._rings.current

    def _begin(self, cards: tuple[int, ...], keys: EpochKeys) -> PileMaking:
        self._count += 1
        holders = [keys.number_of(party) for party in keys.holders if self._authority.deals(party)]
        deck = self._laid.pile(cards, keys.public.joint)
        chain = Chain(keys.public, deck, _name(self._count), holders, keys.number_of(self._me))
        return PileMaking(self._count, keys, chain)

    def _taken_ahead(self, cards: tuple[int, ...]) -> PileMaking | None:
        """Return the deck that was prepared ahead for all these cards, whatever keys are newer.

        None without one, or if too few are left who could open it.
        """
        if not self._laid.is_whole(cards):
            return None
        pile = self._ahead.pop(self._laid.kind_of(cards[0]), None)
        return None if pile is None or not self._rings.can_return(pile.keys) else pile

    def shuffled(self, cards: tuple[int, ...], witness: Witness | None) -> None:
        """Apply the wanted shuffle, and perhaps begin to prepare the next one of that deck."""
        pile, self.wanted, self._has_renewed = self.wanted, None, False
        assert pile is not None
        if witness is not None:
            witness.pile(self._laid, cards, pile.keys.epoch, _name(pile.number), pile.chain)
        whole = self._laid.is_whole(cards)
        self._laid.shuffled(cards, pile.keys.epoch, pile.number, pile.chain.slots)
        if whole:
            deck = self._laid.kind_of(cards[0])
            self._whole[deck] = self._whole.get(deck, 0) + 1
            if self._whole[deck] >= AHEAD_AFTER and self._rings.suits(pile.keys):
                self._ahead[deck] = self._begin(tuple(deck.cards), pile.keys)

    def being_made(self, number: int) -> PileMaking:
        """Return the shuffle of this number; raise `Refused` if it is not under way."""
        for pile in self.under_way:
            if pile.number == number:
                return pile
        raise Refused(OUT_OF_PLACE)

    def owed(self, party: int) -> Iterator[Task]:
        for pile in self.under_way:
            yield from pile.owed(party)


def _named(one: Awaited) -> tuple[int, ...]:
    return (one.round, one.draw) if one.step is ChainStep.SEED else (one.round,)


def _name(number: int) -> str:
    return f"pile {number}"
