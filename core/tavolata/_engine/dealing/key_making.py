"""Distributed key generation: the public state of the making of one epoch's keys.

Each holder sends four steps: the hash of its part, the part, key shares in boxes, and its agreement. A
step that can't be right convicts its author (`Cheat`), and keys are made again without it in a new epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tavolata._engine.dealing.laid import Slot
from tavolata._engine.dealing.steps import KEYS_AGREED, KEYS_HASH, KEYS_PART, KEYS_SHARES, Task
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata_protocol.fair import boxes, keys
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.offences import Offence

OUT_OF_PLACE = N_("That doesn't belong at this point in the deal.")
STRANGER = 1000
"""Added to the number of a party that has a part under keys that it did not help to make."""


class EpochKeys:
    """The keys of one epoch, from the first step of their making on.

    `origin` is the chain hash of the entry that wanted these keys. `epoch` counts all makings of keys in a
    match, finished or not. A party's number is its place in `holders`, from 1; `threshold` holders can open
    anything. By number: `hashes`, then the parts (`dealings`), and by the sender's number the key shares
    in `boxes`.
    """

    def __init__(
        self,
        match: bytes,
        lineage: bytes,
        origin: bytes,
        epoch: int,
        holders: tuple[int, ...],
        ids: tuple[bytes, ...],
        threshold: int,
    ) -> None:
        self.epoch = epoch
        self.holders = holders
        self.threshold = threshold
        self.roster = keys.Roster(ids, threshold, origin)
        self._public: keys.PublicKeys | None = None
        self._base = Context(match, lineage, epoch, "keys", 0, 0)
        self.hashes: dict[int, bytes] = {}
        self.dealings: dict[int, keys.KeyDealing] = {}
        self.boxes: dict[int, tuple[boxes.Box | None, ...]] = {}
        self._agreed: set[int] = set()

    @property
    def public(self) -> keys.PublicKeys:
        """What all peers know of the keys, as soon as each of the holders has sent its part."""
        assert self._public is not None
        return self._public

    @property
    def done(self) -> bool:
        return len(self._agreed) == len(self.holders)

    @property
    def is_open(self) -> bool:
        """True once all have sent the hashes of their parts, and so can't choose them any more."""
        return len(self.hashes) == len(self.holders)

    def has_agreed(self, party: int) -> bool:
        """Return True if a party has nothing more to do for these keys."""
        return self.number_of(party) in self._agreed

    @property
    def progress(self) -> tuple[int, int]:
        """How many steps have been sent, and how many there are."""
        said = len(self.hashes) + len(self.dealings) + len(self.boxes) + len(self._agreed)
        return said, 4 * len(self.holders)

    def number_of(self, party: int) -> int:
        """Return a party's number among the holders, from 1; 0 if it is not one of them."""
        return self.holders.index(party) + 1 if party in self.holders else 0

    def context(self, party: int) -> Context:
        return self._base.of(self.number_of(party))

    def about(self, purpose: str, slots: Iterable[Slot], party: int) -> Context:
        """Return the context under these keys, once made, in which a party does this with hidden things."""
        names = ", ".join(slot.name for slot in slots)
        return self.public.context(f"{purpose} {names}", 0, self.number_of(party))

    def box_context(self, sender: int) -> Context:
        return replace(self._base, object="key shares", party=sender)

    def owed(self, party: int) -> list[Task]:
        number, everybody = self.number_of(party), len(self.holders)
        if not number or self.done:
            return []
        if number not in self.hashes:
            return [Task(KEYS_HASH, self.epoch)]
        if self.is_open and number not in self.dealings:
            return [Task(KEYS_PART, self.epoch)]
        if self._public is not None and number not in self.boxes:
            return [Task(KEYS_SHARES, self.epoch)]
        if len(self.boxes) == everybody and number not in self._agreed:
            return [Task(KEYS_AGREED, self.epoch)]
        return []

    def take(self, party: int, step: int, *parts: Any) -> None:
        """Act on a step; raise `Refused` if no one waits for it, `Cheat` if it can't be right."""
        number, owed = self.number_of(party), [task.step for task in self.owed(party)]
        if step not in owed:
            raise Refused(OUT_OF_PLACE)
        context = self.context(party)
        if step == KEYS_HASH:
            self.hashes[number] = keys.read_commitment(context, *parts)
        elif step == KEYS_PART:
            self.dealings[number] = keys.read_dealing(context, self.roster, self.hashes[number], *parts)
            if len(self.dealings) == len(self.holders):
                dealings = [self.dealings[one] for one in sorted(self.dealings)]
                self._public = keys.assemble(self._base, self.roster, dealings)
        elif step == KEYS_SHARES:
            self.boxes[number] = self._boxes(number, *parts)
        elif step == KEYS_AGREED:
            if parts != (self.public.transcript,):
                raise Cheat(number, Offence.TRANSCRIPT_MISMATCH)
            self._agreed.add(number)

    def _boxes(self, number: int, sent: tuple[bytes, ...]) -> tuple[boxes.Box | None, ...]:
        if len(sent) != len(self.holders):
            raise Cheat(number, Offence.KEY_SHARE_COUNT, given=len(sent), size=len(self.holders))
        context = self.box_context(number)
        return tuple(
            None if to == number
            else boxes.read_box(context, to, self.dealings[to].mailbox, box, keys.SHARE_SIZE)
            for to, box in enumerate(sent, 1)
        )  # fmt: skip

    def judge(self, party: int, named: bytes, evidence: bytes) -> None:
        """Judge the complaint of a party that the box of this hash, sent to it, holds no share that fits.

        Raise `Refused` if there is no such box. Otherwise, always raise `Cheat`, which names the party that
        lied.
        """
        number = self.number_of(party)
        every = ((sender, box) for sender, sent in self.boxes.items() for box in sent if box is not None)
        other, box = next((one for one in every if one[1].hash == named), (0, None))
        if box is None or box.receiver != number or self.done:
            raise Refused(OUT_OF_PLACE)
        opened = boxes.judge(self.box_context(other), self.context(party), box, evidence)
        raise keys.judge_share(self.context(self.holders[other - 1]), self.dealings[other], number, opened)
