"""The trusted dealer: one peer knows the order of the cards and tells their faces.

It keeps a book of the faces beside the match, and answers each want of the match with an entry. It seals a
face for one seat to the peer of that seat. Its random numbers follow from a secret and from how many were
drawn before, so that the secret and the log together restore the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from typing_extensions import override

from tavolata._engine.match.dealing import Confider, NoncedAnswer, OneDealer
from tavolata._engine.match.entries import (
    FACE,
    NARRATED,
    NUMBER,
    PROVEN,
    SHAKEN,
    SHOWN,
    SHUFFLED,
    MatchEntry,
)  # fmt: skip
from tavolata._engine.match.source import InputRequest, sides_of
from tavolata.asks import Ask
from tavolata.assertions import UNSAID, Narration
from tavolata.cards import Card
from tavolata.secret import Secret

Seal = Callable[[int, int, int, int], bytes]
"""Seals (request, seat, card, face) to the peer of that seat."""


class HostDealer(OneDealer):
    """The dealing on the machine that deals: it keeps the book.

    Everything in the book follows from the log and `secret`, 32 bytes that no other peer knows.
    """

    def __init__(
        self,
        secret: bytes,
        seal: Seal,
        keys: Sequence[bytes] = (),
        narrator: bytes = b"",
        confider: Confider | None = None,
    ) -> None:
        super().__init__(keys, narrator, confider)
        self.secret = secret
        self._seal = seal
        self._faces: dict[int, int] = {}
        self._seen: dict[int, set[int]] = {}
        self._shuffles = 0
        self._shakes = 0
        self._kept: dict[int, int] = {}
        self._narration: Narration | None = None
        self._openings: dict[int, NoncedAnswer] = {}

    # What the match tells it (see `Dealing`)

    @override
    def lay(self, cards: list[Card[Any]]) -> None:
        self._faces.update({card.id: face for card, face in zip(cards, cards[0].deck.cards, strict=True)})

    @override
    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        self._shuffles += 1
        chance = _Stream(self.secret, b"shuffle", self._shuffles)
        order = [self._faces[card] for card in cards]
        for left in range(len(order) - 1, 0, -1):
            place = chance.below(left + 1)
            order[left], order[place] = order[place], order[left]
        self._faces.update(zip(cards, order, strict=True))
        self._hide(cards)

    @override
    def shaken(self, dice: Sequence[Card[Any]]) -> None:
        self._shakes += 1
        chance = _Stream(self.secret, b"shake", self._shakes)
        for die in dice:
            sides = sides_of(die)
            self._faces[die.id] = sides[chance.below(len(sides))]
        self._hide([die.id for die in dice])

    def _hide(self, cards: Sequence[int]) -> None:
        for seen in self._seen.values():
            seen.difference_update(cards)

    @override
    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        for card, seat in zip(cards, seats, strict=True):
            self._seen.setdefault(seat, set()).add(card)

    @override
    def keep(self, cards: Mapping[int, int]) -> None:
        self._kept.update({number: self._faces[card] for card, number in cards.items()})

    @override
    def confide(self, ask: Ask, author: bytes, copy: object, known: NoncedAnswer | None) -> None:
        super().confide(ask, author, copy, known)
        if known is not None:
            self._openings[ask.id] = known

    @override
    def narrates(self, one: Narration) -> None:
        self._narration = one

    @override
    def narrated(self, one: Narration) -> None:
        if one.ask is not None and one.value is UNSAID and (said := self._said(one)) is not None:
            self._openings[one.id] = self._nonce(one.id), said

    # A narrator's dealer

    def opening(self, ask: Ask) -> NoncedAnswer | None:
        """Return the nonce and the answer that open a narration, or a sealed answer known here.

        A seal that this machine can't read, of an author who has left, opens without a nonce, as silence.
        """
        silence = (b"", ask.late) if self.may_put_aside(ask) else None
        return self._openings.get(ask.id, silence)

    def work_out(self, one: Narration) -> Any:
        """Return the value of a narration, from the book and the sealed answers."""
        return one.work_out(lambda card: card.deck.faces[self._faces[card.id]], self._answer)

    def _answer(self, secret: Secret[Any]) -> Any:
        ask = secret._ask
        if secret.is_open:
            return secret.value
        if ask.answer is not None:
            return ask.value
        found = self._openings.get(secret.id)
        return secret.question.value_of(ask.late if found is None else found[1])

    def _said(self, one: Narration) -> tuple[Any] | None:
        assert self._match is not None  # it waits for the narration
        return self._match.narration(one, lambda: self.work_out(one))

    def _nonce(self, number: int) -> bytes:
        return blake2b(
            number.to_bytes(8, "little"), key=self.secret, digest_size=32, person=b"narrated"
        ).digest()

    def _narrated_entry(self, one: Narration) -> MatchEntry:
        said = self._said(one)
        if said is None or one.ask is None or self._confider is None:
            return (NARRATED, one.to, one.id, said)
        seat = int(one.ask.seat)
        box = self._confider(self._narrator, self._keys[seat], seat, one.id, self._nonce(one.id), said)
        return (NARRATED, seat, one.id, box)

    # What it answers

    def entry(self, want: InputRequest) -> MatchEntry:
        if want.kind == FACE:
            return (FACE, want.cards[0], self._faces[want.cards[0]])
        if want.kind == SHOWN:
            boxes = [
                self._seal(want.number, seat, card, self._faces[card])
                for card, seat in zip(want.cards, want.seats, strict=True)
            ]
            return (SHOWN, want.number, boxes)
        if want.kind == NUMBER:
            return (NUMBER, want.number, _Stream(self.secret, b"number", want.at).below(want.number))
        if want.kind == SHAKEN:
            return (SHAKEN, len(want.cards))
        if want.kind == NARRATED and self._narration is not None:
            return self._narrated_entry(self._narration)
        if want.kind == PROVEN:
            card, kept = want.cards[0], want.kept[0]
            return (PROVEN, want.number, card, self._kept[kept] if kept else self._faces[card])
        return (SHUFFLED, len(want.cards), b"")

    def seen_by(self, seat: int) -> dict[int, int]:
        """Return, by card, the faces that a seat was shown."""
        return {card: self._faces[card] for card in sorted(self._seen.get(seat, ()))}


class _Stream:
    """Unbiased numbers from a secret; without the secret no one can predict one from the others."""

    def __init__(self, secret: bytes, purpose: bytes, count: int) -> None:
        self._key = blake2b(count.to_bytes(8, "little"), key=secret, person=purpose.ljust(16, b"\0")).digest()
        self._step = 0

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1, from 128 bits: no value is favoured by more than 2**-96."""
        self._step += 1
        drawn = blake2b(self._step.to_bytes(8, "little"), key=self._key, digest_size=16).digest()
        return int.from_bytes(drawn, "little") * limit >> 128
