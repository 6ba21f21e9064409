"""Parcels: shares of the cards that single seats may see, and who sent them to whom.

A party puts its shares for another party into a box that only the receiver can open. So all know who has
sent shares, but not which. If the shares do not fit, the receiver opens the box to all, and that convicts the
sender.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from tavolata._engine.dealing.authority import Authority
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, STRANGER, EpochKeys
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


@dataclass(frozen=True)
class Parcel:
    """Shares of some cards under these keys, in a box from one party to another."""

    keys: EpochKeys
    sender: int
    receiver: int
    slots: tuple[Slot, ...]
    box: boxes.Box

    @property
    def box_context(self) -> Context:
        return self.keys.about("box of", self.slots, self.sender)

    @property
    def dispute(self) -> Context:
        return self.keys.about("dispute over", self.slots, self.receiver).of(self.box.receiver)

    def read(self, opened: bytes) -> shares.Shares:
        """Return the shares in the opened box; raise `Cheat`, naming the sender, if they aren't valid."""
        context = self.keys.about("shares of", self.slots, self.sender)
        return shares.read_shares(context, self.keys.public, [slot.thing for slot in self.slots], opened)

    def judge(self, accuser: int, evidence: bytes) -> NoReturn:
        """Judge the complaint of a party that this box, sent to it, holds no shares that fit.

        Raise `Refused` if it was sent to another. Otherwise, always raise `Cheat`, which names the party that
        lied by its number under these keys.
        """
        if self.receiver != accuser:
            raise Refused(OUT_OF_PLACE)
        self.read(boxes.judge(self.box_context, self.dispute, self.box, evidence))
        raise Cheat(self.box.receiver, Offence.FALSE_COMPLAINT, item=Item.SHARE)


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
        """Yield the hidden cards that seats of a party may see, unless it's gone: `(card, seat)`."""
        for card, seats in self._seers.items():
            if card in self._laid.slots and party in self._receivers_of(card):
                yield from ((card, seat) for seat in seats if party == self._authority.owner_of(seat))

    def seen_from(self, seat: int) -> Iterator[int]:
        """Yield the hidden cards that a seat may see, whoever plays it."""
        return (card for card, seats in self._seers.items() if seat in seats and card in self._laid.slots)

    def seen(self) -> frozenset[int]:
        return frozenset(card for card in self._seers if card in self._laid.slots)

    def _receivers_of(self, card: int) -> dict[int, None]:
        """Return the parties that shares of a card go to: the owners of seats, unless they are gone."""
        owners = map(self._authority.owner_of, self._seers.get(card, ()))
        return dict.fromkeys(one for one in owners if not self._authority.is_gone(one))

    def is_sent(self, card: int, seat: int) -> bool:
        """Return True if a seat's owner has enough shares to see a card, or can't receive any now."""
        party = self._authority.owner_of(seat)
        if card in self._laid.shown or self._authority.is_gone(party):
            return True
        return not self._lacks(party, card)

    def _keys(self, card: int) -> EpochKeys:
        return self._rings.done[self._laid.slots[card].epoch]

    def _lacks(self, party: int, card: int) -> bool:
        """Return True if a party can't see a hidden card yet, with its own share and those sent to it."""
        keys = self._keys(card)
        return len(self.sent(card, party)) + (party in keys.holders) < keys.threshold

    def sent(self, card: int, receiver: int) -> Mapping[int, Parcel]:
        """Return the valid parcels with shares of a card for a receiver, by sender."""
        return self._sent.get((card, receiver), {})

    # -- sending ------------------------------------------------------------------------------------

    def owed(self, sender: int) -> Iterator[Task]:
        """Yield the parcels that a party must send to owners of seats: one step for each epoch of keys."""
        due: dict[int, dict[int, list[int]]] = {}
        for card in self._seers:
            if card not in self._laid.slots or sender not in self._keys(card).holders:
                continue
            for to in self._receivers_of(card):
                if to != sender and sender not in self.sent(card, to) and self._lacks(to, card):
                    due.setdefault(self._laid.slots[card].epoch, {}).setdefault(to, []).append(card)
        for epoch, parcels in due.items():
            yield Task(CARDS, epoch, tuple((to, tuple(cards)) for to, cards in parcels.items()))

    def address(self, keys: EpochKeys, receiver: int) -> tuple[int, bytes]:
        number = keys.number_of(receiver)
        if number:
            return number, keys.public.mailboxes[number - 1]
        return STRANGER + receiver, self._mailboxes[self._authority.key_of(receiver)]

    def take(
        self, party: int, keys: EpochKeys, parcels: tuple[Any, ...], witness: Witness | None = None
    ) -> list[Parcel]:
        """Take the parcels of one of the holders of these keys; return the valid ones.

        Those not due are ignored, and of one card's the first counts. Raise `Refused` if none of them
        is due, `Cheat` if a box is malformed.
        """
        found = []
        for one in filter(is_parcel, parcels):
            parcel = self._parcel(keys, party, *one)
            if parcel is None:
                continue
            for card in one[1]:
                self._sent.setdefault((card, parcel.receiver), {})[party] = parcel
            self._by_hash[parcel.box.hash] = parcel
            found.append(parcel)
            if witness is not None:
                witness.sent(parcel.box_context, parcel.box, one[3])
        if not found:
            raise Refused(OUT_OF_PLACE)
        return found

    def _parcel(
        self, keys: EpochKeys, sender: int, receiver: int, cards: tuple[int, ...], piles: tuple[int, ...],
        data: bytes,
    ) -> Parcel | None:  # fmt: skip
        slots = tuple(self._laid.slots[card] for card in cards if card in self._laid.slots)
        from_here = [(keys.epoch, pile) for pile in piles]
        if not cards or len(slots) < len(cards) or [(slot.epoch, slot.pile) for slot in slots] != from_here:
            return None  # turned up, or shuffled since it came from that pile
        if receiver == sender or any(receiver not in self._receivers_of(card) for card in cards):
            return None
        if any(sender in self.sent(card, receiver) for card in cards):
            return None  # what it sent first stands: else it could make its receiver complain of what is gone
        context = keys.about("box of", slots, sender)
        size = POINT_SIZE * len(cards) + PROOF_SIZE
        box = boxes.read_box(context, *self.address(keys, receiver), data, size)
        return Parcel(keys, sender, receiver, slots, box)

    def boxed(self, named: bytes) -> Parcel | None:
        """Return the parcel whose box has this hash; None if none does, or its sender was convicted."""
        return self._by_hash.get(named)

    def take_back(self, sender: int) -> None:
        """Drop everything that a convicted party sent."""
        for sent in self._sent.values():
            sent.pop(sender, None)
        self._by_hash = {named: parcel for named, parcel in self._by_hash.items() if parcel.sender != sender}
