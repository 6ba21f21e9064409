"""The dealer of one peer: it sends the steps that its party owes and opens what was sent to its seats.

All its secrets follow from the match secret, so that that secret and the log restore all after a crash.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from tavolata._engine.dealing import openings, steps
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.key_making import EpochKeys
from tavolata._engine.dealing.laid import Slot
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.openings import SharedOpening
from tavolata._engine.dealing.parcels import Parcel
from tavolata._engine.dealing.steps import Task
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata_protocol.fair import boxes, keys, shares
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.seeds import Randomness, Secrets
from tavolata_protocol.fair.shuffle import ShuffleWitness

Step = tuple[Any, ...]
"""A step's number and what follows it."""


class Dealer:
    """One party of a deal, `deal.me`; `secret` is its match secret."""

    def __init__(self, deal: FairDealing, secret: MatchSecret, randomness: Randomness) -> None:
        self._deal = deal
        self._me = deal.me
        deal.eye = self.look
        self._secret = secret
        self._secrets = Secrets(secret.dealing, randomness)
        self._rings: dict[int, keys.KeyRing] = {}
        self._witnesses: dict[tuple[int, int], ShuffleWitness] = {}
        self._said: set[Task] = set()
        self._sent: set[tuple[int, int, int]] = set()
        self._images: dict[str, dict[int, bytes]] = {}
        self._batches: dict[str, list[_Batch]] = {}
        self._opened: list[tuple[int, int, int, Slot]] = []
        self._judged: set[bytes] = set()
        self._complaints: list[Step] = []
        self._makers: dict[int, Callable[[Task], Step | None]] = {
            steps.KEYS_HASH: self._keys_part,
            steps.KEYS_PART: self._keys_part,
            steps.KEYS_SHARES: self._keys_shares,
            steps.KEYS_AGREED: self._keys_agreed,
            **dict.fromkeys(steps.OF_PILES, self._shuffles),
            **dict.fromkeys(steps.OF_OPENINGS, self._opens),
            steps.CARDS: self._cards,
        }
        self._forced: set[Task] = set()

    def said(self, held: Collection[int] = ()) -> Iterator[Step]:
        """Yield the steps that this party owes, hasn't proposed yet, and doesn't hold back (`held`).

        What was proposed is forgotten as soon as it is no longer owed: it may be owed once more, for example
        after the cards were shuffled again.
        """
        owed = self._deal.owed(self._me)
        self._said.intersection_update(owed)
        parcels = (parcel for task in owed if task.step == steps.CARDS for parcel in task.what)
        self._sent &= {self._sending(to, card) for to, cards in parcels for card in cards}
        for task in owed:
            if task.step in held:
                continue
            # Parcels are counted one by one: the same card may be sent again after another shuffle.
            if task not in self._said or task.step == steps.CARDS:
                self._said.add(task)
                step = self._makers[task.step](task)
                if step is not None:
                    yield step
        yield from self._complaints
        self._complaints.clear()

    def force(self, ask: Ask) -> Iterator[Step]:
        """Yield this party's steps to open a seal by force whose author has not opened it for too long."""
        for task in self._deal.seals.forcing(self._me, ask):
            if task not in self._forced:
                self._forced.add(task)
                yield self._opens(task)

    # -- keys -----------------------------------------------------------------------------------

    def _own(self, making: EpochKeys) -> keys.OwnDealing:
        return keys.deal(making.context(self._me), making.roster, self._secrets)

    def _making(self, task: Task) -> EpochKeys:
        return self._deal.rings.being_made(task.of)

    def _keys_part(self, task: Task) -> Step:
        """Return the step with this party's part of new keys, or with its hash."""
        own = self._own(self._making(task))
        return (task.step, task.of, own.commitment if task.step == steps.KEYS_HASH else own.data)

    def _keys_shares(self, task: Task) -> Step:
        making = self._making(task)
        own, number = self._own(making), making.number_of(self._me)
        context = making.box_context(number)
        sent = tuple(
            b"" if to == number
            else boxes.seal(context, to, making.dealings[to].mailbox, own.share(to), self._secrets)
            for to in sorted(making.dealings)
        )  # fmt: skip
        return (steps.KEYS_SHARES, task.of, sent)

    def _keys_agreed(self, task: Task) -> Step:
        making = self._making(task)
        try:
            self._ring(making)
        except _BadShareError as bad:
            evidence = boxes.reveal(
                making.context(self._me), bad.box, self._own(making).mailbox_secret, self._secrets
            )
            return (steps.COMPLAINT, bad.box.hash, evidence)
        return (steps.KEYS_AGREED, task.of, making.public.transcript)

    def _ring(self, making: EpochKeys) -> keys.KeyRing:
        """Return this party's secret part of an epoch's keys, from the shares that it was sent.

        Raise `_BadShareError` if a share does not fit.
        """
        if making.epoch not in self._rings:
            own, number = self._own(making), making.number_of(self._me)
            got = []
            for sender in sorted(making.dealings):
                box = making.boxes[sender][number - 1]
                if box is None:
                    got.append(int.from_bytes(own.share(number), "little"))
                    continue
                try:
                    plain = boxes.open_box(making.box_context(sender), box, own.mailbox_secret)
                    context = making.context(making.holders[sender - 1])
                    got.append(keys.read_share(context, making.dealings[sender], number, plain))
                except Cheat:
                    raise _BadShareError(box) from None
            self._rings[making.epoch] = keys.complete(making.public, number, got, own)
        return self._rings[making.epoch]

    # -- shuffles -------------------------------------------------------------------------------

    def _shuffles(self, task: Task) -> Step:
        chain, deck = self._deal.piles.being_made(task.of).chain, (task.of, task.what[0])
        if task.step == steps.DECK:
            made, self._witnesses[deck] = chain.make_deck(self._secrets)
        elif task.step == steps.PROOF:
            made = chain.make_proof(self._secrets, self._witnesses.pop(deck, None))
        else:
            made = chain.make_seed(self._secrets)
        return (task.step, task.of, *task.what, made)

    # -- shares ---------------------------------------------------------------------------------

    def _shares(self, context: Context, made: EpochKeys, of: Sequence[Slot | SharedOpening[Any]]) -> bytes:
        things = [one.thing for one in of]
        return shares.make_shares(context, self._ring(made), things, self._secrets).encoded

    def _opens(self, task: Task) -> Step:
        """Return the step that opens something for all: cards, a lot, a seal, or what a claim is about."""
        context, found = self._deal.part(task, self._me)
        made = self._shares(context, found[0].keys, found)
        return (task.step, task.of, *task.about, made)

    def _cards(self, task: Task) -> Step | None:
        epoch_keys = self._deal.rings.done[task.of]
        laid, parcels = self._deal.laid, []
        for receiver, cards in task.what:
            new = tuple(card for card in cards if self._sending(receiver, card) not in self._sent)
            if new:
                self._sent.update(self._sending(receiver, card) for card in new)
                slots = tuple(laid.slots[card] for card in new)
                context = epoch_keys.about("shares of", slots, self._me)
                made = self._shares(context, epoch_keys, slots)
                box_context = epoch_keys.about("box of", slots, self._me)
                to, mailbox = self._deal.parcels.address(epoch_keys, receiver)
                box = boxes.seal(box_context, to, mailbox, made, self._secrets)
                parcels.append((receiver, new, tuple(slot.pile for slot in slots), box))
        return (steps.CARDS, task.of, tuple(parcels)) if parcels else None

    def _sending(self, receiver: int, card: int) -> tuple[int, int, int]:
        return receiver, card, self._deal.laid.slots[card].pile

    # -- sealed answers ---------------------------------------------------------------------------

    def seal(self, ask: Ask, answer: Answer) -> tuple[bytes, bytes]:
        """Return the box with an answer, and its opening; see `Seals.seal`."""
        return self._deal.seals.seal(ask, answer, self._secrets)

    # -- faces for the own seats --------------------------------------------------------------------

    def look(self) -> None:
        """Open the cards that were sent to this party, and note their faces for its seats."""
        known = self._deal.source.known
        for card, seat in self._deal.parcels.seen_by(self._me):
            if card not in known[seat]:
                slot = self._deal.laid.slots[card]
                face = self._face(card, slot)
                if face is not None:
                    known[seat][card] = face
                    self._opened.append((seat, card, face, slot))

    def shown(self) -> list[Any] | None:
        """Return the faces that were opened since the last call with the shares that prove them, or None.

        They are plain data: `[[seat, card, face, slot], …]`, the slots, and the batches of shares, each with
        its sender and the slots that it is of. A slot is given by its place among the slots.
        """
        slots = self._deal.laid.slots
        new = [one for one in self._opened if slots.get(one[1]) is one[3]]
        self._opened.clear()
        if not new:
            return None
        mine = {slot.name: slot for *_, slot in new}
        batches = dict.fromkeys(self._batches_of(mine.values()))
        every = mine | {slot.name: slot for one in batches for slot in one.slots if slot.name not in mine}
        at = {name: place for place, name in enumerate(every)}
        return [
            [[seat, card, face, at[slot.name]] for seat, card, face, slot in new],
            [slot.plain(shown=name in mine) for name, slot in every.items()],
            [[one.sender, [at[slot.name] for slot in one.slots], one.shares] for one in batches],
        ]

    def _batches_of(self, slots: Collection[Slot]) -> Iterator[_Batch]:
        """Yield batches of t parties for each of these slots, that of this party first."""
        for epoch in dict.fromkeys(slot.epoch for slot in slots):
            epoch_keys, own = self._deal.rings.done[epoch], 0
            mine = tuple(one for one in slots if one.epoch == epoch)
            if self._me in epoch_keys.holders:
                context = epoch_keys.about("shares of", mine, self._me)
                made = self._shares(context, epoch_keys, mine)
                yield _Batch(self._me, mine, made)
                own = 1
            for slot in mine:
                yield from self._batches.pop(slot.name, [])[: epoch_keys.threshold - own]

    def _face(self, card: int, slot: Slot) -> int | None:
        epoch_keys = self._deal.rings.done[slot.epoch]
        images = self._images.setdefault(slot.name, {})
        if self._me in epoch_keys.holders:
            ring = self._ring(epoch_keys)
            images[ring.party] = shares.own_shares(ring, [slot.thing]).images[0]
        for parcel in self._deal.parcels.sent(card, self._me).values():
            new = epoch_keys.number_of(parcel.sender) not in images and parcel.box.hash not in self._judged
            if len(images) < epoch_keys.threshold and new:
                self._open(parcel)
        if len(images) < epoch_keys.threshold:
            return None
        del self._images[slot.name]
        return slot.face(openings.combined(epoch_keys.public, images))

    def _open(self, parcel: Parcel) -> None:
        """Open a box; complain to all if its shares do not fit."""
        own = self._ring(parcel.keys) if self._me in parcel.keys.holders else self._secret
        secret = own.mailbox_secret
        try:
            opened = boxes.open_box(parcel.box_context, parcel.box, secret)
            read = parcel.read(opened)
        except Cheat:
            self._judged.add(parcel.box.hash)
            evidence = boxes.reveal(parcel.dispute, parcel.box, secret, self._secrets)
            self._complaints.append((steps.COMPLAINT, parcel.box.hash, evidence))
            return
        for slot, image in zip(parcel.slots, read.images, strict=True):
            self._images.setdefault(slot.name, {})[parcel.keys.number_of(parcel.sender)] = image
            self._batches.setdefault(slot.name, []).append(_Batch(parcel.sender, parcel.slots, opened))


class _Batch(NamedTuple):
    sender: int
    slots: tuple[Slot, ...]
    shares: bytes


class _BadShareError(Exception):
    def __init__(self, box: boxes.Box) -> None:
        super().__init__(box)
        self.box = box
