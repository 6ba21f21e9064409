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
        self.gone: set[int] = set()
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
        """A message comes to everybody; once all have proven, those who are left open their seeds."""
        self._hear(awaited, data)
        self._open()

    def _hear(self, awaited: Awaited, data: object) -> None:
        blamed = set()
        for own, chain in self.chains.items():
            if own == awaited.party:
                continue  # a cheater's own program believes itself; see below
            try:
                _take(chain, awaited, data)
            except Cheat as cheat:
                blamed.add(cheat.party)
        if blamed:
            (party,) = blamed
            self.convicted.append(party)
            self.drop(party)
            return
        _take(self.chains[awaited.party], awaited, data)

    def drop(self, party: int) -> None:
        """All go on without a party."""
        self.gone.add(party)
        for chain in self.chains.values():
            chain.drop(party)
        self._open()

    def _open(self) -> None:
        """Let those who are left open their seeds, for the first draw or for the next one."""
        chain = self.chains[0]
        lost = self.gone.intersection(one.party for one in chain.awaited if one.step is ChainStep.SEED)
        if not (chain.is_proven and not chain.openers) and not lost:
            return
        openers = [one for one in chain.openers or chain.shufflers if one not in self.gone]
        for one in self.chains.values():
            one.open(openers)

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


def _take(chain: Chain, awaited: Awaited, data: object) -> None:
    match awaited.step:
        case ChainStep.DECK:
            chain.take_deck(awaited.party, awaited.round, data)
        case ChainStep.PROOF:
            chain.take_proof(awaited.party, awaited.round, data)
        case ChainStep.SEED:
            chain.take_seed(awaited.party, awaited.round, awaited.draw, data)
