"""Parties that make a pile over one log: honest ones, and such as cheat."""

from __future__ import annotations

from collections.abc import Callable

from tavolata_protocol.fair.chain import Awaited, Chain, ChainStep
from tavolata_protocol.fair.deck import Deck, Faces
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.shuffle import ShuffleWitness

from .parties import Parties

FACES = Faces(b"a deck", 5)
Bend = Callable[[Awaited, bytes], bytes]


class Table:
    """Parties that make a pile over one log, and somebody who looks on.

    Args:
        some: the parties.
        cards: how many cards the pile has.
        bend: what cheaters make of a message before it is sent.
        deck: the cards, if they are not known ones.
    """

    def __init__(
        self,
        some: Parties,
        cards: int = 4,
        bend: Bend = lambda awaited, data: data,
        deck: Deck | None = None,
    ) -> None:
        self.some, self._bend = some, bend
        deck, order = deck or some.known_deck(cards, FACES), range(1, some.public.roster.parties + 1)
        self.deck = deck
        self.chains = {own: Chain(some.public, deck, "pile", order, own) for own in (*order, 0)}
        self._witnesses: dict[tuple[int, int], ShuffleWitness] = {}
        self.convicted: list[int] = []
        self.said: list[Awaited] = []

    @property
    def awaited(self) -> tuple[Awaited, ...]:
        """What all are waiting for; all have to wait for the same."""
        waits = {chain.awaited for chain in self.chains.values()}
        assert len(waits) == 1
        return waits.pop()

    def make(self, awaited: Awaited) -> bytes:
        """What the honest program of a party says."""
        own, secrets = self.chains[awaited.party], self.some.secrets[awaited.party - 1]
        key = (awaited.party, awaited.round)
        match awaited.step:
            case ChainStep.DECK:
                data, self._witnesses[key] = own.make_deck(secrets)
            case ChainStep.PROOF:
                data = own.make_proof(secrets, self._witnesses[key])
            case ChainStep.SEED:
                data = own.make_seed(secrets)
        return data

    def say(self, awaited: Awaited) -> None:
        """A party says what is awaited, or what it likes better; who cheats is dropped by all."""
        self.said.append(awaited)
        self.hear(awaited, self._bend(awaited, self.make(awaited)))

    def hear(self, awaited: Awaited, data: object) -> None:
        """A message comes to everybody."""
        blamed = set()
        for own, chain in self.chains.items():
            if own == awaited.party:
                continue  # a cheater's own program believes itself; see below
            take = {
                ChainStep.DECK: chain.take_deck,
                ChainStep.PROOF: chain.take_proof,
                ChainStep.SEED: chain.take_seed,
            }[awaited.step]
            try:
                take(awaited.party, awaited.round, data)
            except Cheat as cheat:
                blamed.add(cheat.party)
        if blamed:
            (party,) = blamed
            self.convicted.append(party)
            self.drop(party)
            return
        own_chain = self.chains[awaited.party]
        {
            ChainStep.DECK: own_chain.take_deck,
            ChainStep.PROOF: own_chain.take_proof,
            ChainStep.SEED: own_chain.take_seed,
        }[awaited.step](awaited.party, awaited.round, data)

    def drop(self, party: int) -> None:
        """All go on without a party."""
        for chain in self.chains.values():
            chain.drop(party)

    def play(self) -> None:
        """Until the pile is made."""
        while waits := self.awaited:
            self.say(waits[0])

    def faces(self) -> list[int | None]:
        """The pile's faces, opened by all for the test."""
        piles = {chain.slots for chain in self.chains.values()}
        assert len(piles) == 1
        pile = piles.pop()
        opened = self.some.opened(list(pile))
        return [FACES.number(slot.card, point) for slot, point in zip(pile, opened, strict=True)]
