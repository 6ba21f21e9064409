"""Parcels: shares of the cards that single seats may see, and who sent them to whom.

A party puts its shares for another party into a box that only the receiver can open. So all know who has
sent shares, but not which. If the shares do not fit, the receiver opens the box to all, and that convicts the
sender.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tavolata._engine.dealing.authority import Authority
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid, Slot
from tavolata._engine.dealing.steps import CARDS, Task, is_parcel
from tavolata.errors import Refused
from tavolata_protocol.fair import boxes, shares
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import POINT_SIZE
from tavolata_protocol.fair.logs import PROOF_SIZE
from tavolata_protocol.fair.offences import Item, Offence

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness

STRANGER = 1000
"""Added to the number of a party that receives shares under keys that it did not help to make."""


@dataclass(frozen=True)
class Parcel:
    """Shares of some cards, in a box from one party to another."""

    sender: int
    receiver: int
    slots: tuple[Slot, ...]
    box: boxes.Box


class Parcels:
    """All parcels of a match; `mailboxes` has, by peer, the mailbox that it named with its IN.

    Shares of a card go to the owners of seats that may see it, and to no other party, whoever is absent.
    """

    def __init__(
        self, laid: Laid, authority: Authority, rings: KeyRings, mailboxes: Mapping[bytes, bytes]
    ) -> None:
        self._laid = laid
        self._authority = authority
        self._rings = rings
        self._seers: dict[int, dict[int, None]] = {}
        self._sent: dict[tuple[int, int], dict[int, Parcel]] = {}
        self._by_hash: dict[bytes, Parcel] = {}
        self._mailboxes = mailboxes

    # -- who may see which cards ----------------------------------------------------------------

    def allow(self, card: int, seat: int) -> None:
        self._seers.setdefault(card, {})[seat] = None

    def forget(self, cards: Iterable[int]) -> None:
        for card in cards:
            self._seers.pop(card, None)
        gone = set(cards)
        self._sent = {pair: sent for pair, sent in self._sent.items() if pair[0] not in gone}

    def seen_by(self, party: int) -> Iterator[tuple[int, int]]:
        """Yield the hidden cards that seats of a party may see: `(card, seat)`."""
        for card, seats in self._seers.items():
            if card in self._laid.slots:
                yield from ((card, seat) for seat in seats if party == self._receiver(seat))

    def seen_from(self, seat: int) -> Iterator[int]:
        """Yield the hidden cards that a seat may see, whoever plays it."""
        return (card for card, seats in self._seers.items() if seat in seats and card in self._laid.slots)

    def seen(self) -> frozenset[int]:
        return frozenset(card for card in self._seers if card in self._laid.slots)

    def holds_hidden(self, seat: int) -> bool:
        """Return True if a seat may see a card that not everyone sees."""
        return next(self.seen_from(seat), None) is not None

    def _receiver(self, seat: int) -> int | None:
        """Return the party that a seat's shares go to: its owner, unless it is gone."""
        owner = self._authority.owner_of(seat)
        return None if self._authority.is_gone(owner) else owner

    def _receivers_of(self, card: int) -> dict[int, None]:
        found = (self._receiver(seat) for seat in self._seers.get(card, ()))
        return dict.fromkeys(one for one in found if one is not None)

    def is_sent(self, card: int, seat: int) -> bool:
        """Return True if a seat's owner has enough shares to see a card, or can't receive any now."""
        party = self._authority.owner_of(seat)
        if card in self._laid.shown or self._authority.is_gone(party):
            return True
        keys = self._keys(card)
        return self._has(keys, card, party) >= keys.threshold

    def _keys(self, card: int) -> EpochKeys:
        return self._rings.done[self._laid.slots[card].epoch]

    def _has(self, keys: EpochKeys, card: int, party: int) -> int:
        return len(self._sent.get((card, party), ())) + (party in keys.holders)

    def are_still(self, cards: tuple[int, ...], piles: tuple[int, ...]) -> bool:
        """Return True if these cards are hidden and not shuffled since they came from these piles."""
        slots = [self._laid.slots.get(card) for card in cards]
        return len(cards) == len(piles) and all(
            slot is not None and slot.pile == pile for slot, pile in zip(slots, piles, strict=True)
        )

    # -- sending ------------------------------------------------------------------------------------

    def owed(self, sender: int) -> Iterator[Task]:
        """Yield the parcels that a party must send to owners of seats: one step for each epoch of keys."""
        due: dict[int, dict[int, list[int]]] = {}
        for card in self._seers:
            if card not in self._laid.slots:
                continue
            keys = self._keys(card)
            if sender not in keys.holders:
                continue
            for receiver in self._receivers_of(card):
                if self._is_due(keys, card, sender, receiver):
                    due.setdefault(keys.epoch, {}).setdefault(receiver, []).append(card)
        for epoch, parcels in due.items():
            yield Task(CARDS, epoch, tuple((to, tuple(cards)) for to, cards in parcels.items()))

    def _is_due(self, keys: EpochKeys, card: int, sender: int, receiver: int) -> bool:
        return (
            receiver != sender
            and sender not in self._sent.get((card, receiver), ())
            and self._has(keys, card, receiver) < keys.threshold
        )

    def address(self, keys: EpochKeys, receiver: int) -> tuple[int, bytes]:
        number = keys.number_of(receiver)
        if number:
            return number, keys.public.mailboxes[number - 1]
        return STRANGER + receiver, self._mailboxes[self._authority.key_of(receiver)]

    def contexts(self, keys: EpochKeys, sender: int, slots: Iterable[Slot]) -> tuple[Context, Context]:
        names, number = ", ".join(slot.name for slot in slots), keys.number_of(sender)
        return keys.public.context(f"shares of {names}", 0, number), keys.public.context(
            f"box of {names}", 0, number
        )

    def take(
        self, party: int, epoch: int, parcels: tuple[Any, ...], witness: Witness | None = None
    ) -> list[Parcel]:
        """Take a party's parcels; return the valid ones.

        Those not due are ignored, and of one card's the first counts. Raise `Refused` if none of them
        is due, `Cheat` if a box is malformed.
        """
        keys = self._rings.done.get(epoch)
        if keys is None or party not in keys.holders:
            raise Refused(OUT_OF_PLACE)
        found = []
        for one in filter(is_parcel, parcels):
            parcel = self._parcel(keys, party, *one)
            if parcel is None:
                continue
            _, cards, _, data = one
            for card in cards:
                self._sent.setdefault((card, parcel.receiver), {})[party] = parcel
            self._by_hash[parcel.box.hash] = parcel
            found.append(parcel)
            if witness is not None:
                witness.sent(self.contexts(keys, party, parcel.slots)[1], parcel.box, data)
        if not found:
            raise Refused(OUT_OF_PLACE)
        return found

    def _parcel(
        self, keys: EpochKeys, sender: int, receiver: int, cards: tuple[int, ...], piles: tuple[int, ...],
        data: bytes,
    ) -> Parcel | None:  # fmt: skip
        hidden = self.are_still(cards, piles) and all(self._keys(card) is keys for card in cards)
        seers = map(self._receivers_of, cards)
        if not hidden or not cards or receiver == sender or any(receiver not in who for who in seers):
            return None
        if any(sender in self._sent.get((card, receiver), ()) for card in cards):
            return None  # what it sent first stands: else it could make its receiver complain of what is gone
        slots = tuple(self._laid.slots[card] for card in cards)
        _, context = self.contexts(keys, sender, slots)
        size = POINT_SIZE * len(cards) + PROOF_SIZE
        box = boxes.read_box(context, *self.address(keys, receiver), data, size)
        return Parcel(sender, receiver, slots, box)

    def crew_of(self, named: bytes) -> tuple[int, ...]:
        """Return the parties that made the keys of the parcel with this hash of its box.

        Raise `Refused` if there is no such parcel.
        """
        if named not in self._by_hash:
            raise Refused(OUT_OF_PLACE)
        return self.keys_of(self._by_hash[named]).holders

    def judge(self, accuser: int, named: bytes, evidence: bytes) -> None:
        """Judge the complaint of a party that the box of this hash, sent to it, holds no shares that fit.

        Raise `Refused` if it was sent no such box. Otherwise, always raise `Cheat`, which names the party
        that lied by its number under the keys of these cards.
        """
        parcel = self._by_hash[named]
        if parcel.receiver != accuser:
            raise Refused(OUT_OF_PLACE)
        keys = self.keys_of(parcel)
        _, box_context = self.contexts(keys, parcel.sender, parcel.slots)
        opened = boxes.judge(box_context, self.dispute(keys, parcel), parcel.box, evidence)
        self.read(parcel, opened)
        raise Cheat(parcel.box.receiver, Offence.FALSE_COMPLAINT, item=Item.SHARE)

    def dispute(self, keys: EpochKeys, parcel: Parcel) -> Context:
        names = ", ".join(slot.name for slot in parcel.slots)
        return keys.public.context(f"dispute over {names}", 0, parcel.box.receiver)

    def keys_of(self, parcel: Parcel) -> EpochKeys:
        return self._rings.done[parcel.slots[0].epoch]

    def read(self, parcel: Parcel, opened: bytes) -> shares.Shares:
        """Return the shares in an opened box.

        Raise `Cheat`, which names the sender by its number, if they aren't valid.
        """
        keys = self.keys_of(parcel)
        context, _ = self.contexts(keys, parcel.sender, parcel.slots)
        return shares.read_shares(context, keys.public, [slot.thing for slot in parcel.slots], opened)

    def take_back(self, sender: int) -> None:
        """Drop everything that a convicted party sent."""
        for sent in self._sent.values():
            sent.pop(sender, None)
        self._by_hash = {named: parcel for named, parcel in self._by_hash.items() if parcel.sender != sender}

    def parcel_of(self, card: int, sender: int, receiver: int) -> Parcel | None:
        """Return the parcel with a sender's shares of a card for a receiver; None if none is valid."""
        return self._sent.get((card, receiver), {}).get(sender)

    def for_party(self, receiver: int, card: int) -> list[Parcel]:
        return list(self._sent.get((card, receiver), {}).values())
