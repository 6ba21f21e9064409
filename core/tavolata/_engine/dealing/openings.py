"""Public openings: cards and dice that all parties open for everybody, share by share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tavolata._engine.dealing.key_making import EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid, Slot
from tavolata._engine.dealing.steps import FACES, PROOFS, Task
from tavolata._engine.match.entries import FACE, PROVEN, MatchEntry
from tavolata._engine.match.source import InputRequest
from tavolata_protocol.fair import shares
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.keys import PublicKeys

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness

_Thing = TypeVar("_Thing", bound=shares.Openable)
_PURPOSES = {FACES: "all see", PROOFS: "to judge"}


class SharedOpening(Generic[_Thing]):
    """One thing that t parties open for everyone, encrypted under these keys.

    `said` has, by number in the holders, the checked shares.
    """

    def __init__(self, keys: EpochKeys, thing: _Thing) -> None:
        self.keys = keys
        self.thing = thing
        self.said: dict[int, bytes] = {}

    def awaits(self, party: int) -> bool:
        """Return True if a party holds these keys and has not given its share."""
        number = self.keys.number_of(party)
        return number > 0 and number not in self.said

    @property
    def done(self) -> bool:
        return len(self.said) >= self.keys.threshold

    @property
    def opened(self) -> bytes:
        """X times the point of the thing, once there are enough shares."""
        return combined(self.keys.public, self.said)


Part = tuple[Context, Sequence[SharedOpening[Any]]]
"""What one party opens in one step, all under the same keys, and the context in which it does."""


def combined(keys: PublicKeys, said: Mapping[int, bytes]) -> bytes:
    """Return X times a point, from at least t shares of it."""
    return shares.combine(keys, {number: shares.Shares((image,), None) for number, image in said.items()})[0]


def read(part: Part, data: bytes, witness: Witness | None) -> None:
    """Take one party's shares in one batch; raise `Cheat` if they aren't valid."""
    context, found = part
    things = [one.thing for one in found]
    given = shares.read_shares(context, found[0].keys.public, things, data)
    for one, image in zip(found, given.images, strict=True):
        one.said[context.party] = image
    if witness is not None:
        witness.shared(context, things, data)


class Openings:
    """The public openings of a match: cards that are turned up, or that are opened to judge what was said.

    `want` is what the match waits for now. `fled` is set if someone has gone who owed shares that judge the
    match: then the table ends it. `witness` is told of every step that counted.
    """

    def __init__(self, laid: Laid, rings: KeyRings, witness: Witness | None) -> None:
        self._laid = laid
        self._rings = rings
        self._witness = witness
        self.want: InputRequest | None = None
        self.fled = False
        self._openings: dict[int | str, SharedOpening[shares.Openable]] = {}

    @property
    def proof(self) -> InputRequest | None:
        """The want for faces that judge statements; None if the match doesn't wait for one."""
        return self.want if self.want is not None and self.want.kind == PROVEN else None

    def met(self, want: InputRequest) -> MatchEntry | None:
        """Return the entry that a single dealer would send; None while shares are missing."""
        if want.kind == PROVEN:
            return self._proven(want)
        face = self._face(want.cards[0])
        return None if face is None else (FACE, want.cards[0], face)

    def forget(self, cards: Iterable[int]) -> None:
        """Forget these cards, which were shuffled: what was said of them is of other cards."""
        for card in cards:
            self._openings.pop(card, None)

    def owed(self, party: int) -> Iterator[Task]:
        """Yield the step in which a party opens what is wanted, under the keys of the first such thing."""
        want, missing = self.want, self.missing(party)
        if want is not None and missing and not (want.kind == PROVEN and self.is_lost(want)):
            _, slot = missing[0]
            labels = (label for label, _ in missing)
            yield Task(PROOFS if want.kind == PROVEN else FACES, slot.epoch, (want.at, *labels))

    def part(self, task: Task, party: int) -> Part:
        """Return what a party opens with a step that it owes."""
        slots, (_, *labels) = dict(self.wanted()), task.what
        found = [self._opening(label, slots[label]) for label in labels]
        return found[0].keys.about(_PURPOSES[task.step], map(slots.__getitem__, labels), party), found

    def wanted(self) -> list[tuple[int | str, Slot]]:
        """Return what is wanted: cards by number, or by name what a claim is about."""
        want, slots = self.want, self._laid.slots
        if want is not None and want.kind == PROVEN:
            return [(slot.name, slot) for slot in self.to_prove(want)]
        if want is not None and want.kind == FACE and want.cards[0] in slots:
            return [(card, slots[card]) for card in want.cards if card in slots]
        return []

    def missing(self, party: int) -> list[tuple[int | str, Slot]]:
        """Return what a party has not opened of all that is wanted under the keys of the first."""
        wanted = self.wanted()
        return [
            (label, slot)
            for label, slot in wanted
            if slot.epoch == wanted[0][1].epoch and self._opening(label, slot).awaits(party)
        ]

    def _opening(self, label: int | str, slot: Slot) -> SharedOpening[shares.Openable]:
        if label not in self._openings:
            self._openings[label] = SharedOpening(self._rings.done[slot.epoch], slot.thing)
        return self._openings[label]

    def is_lost(self, want: InputRequest) -> bool:
        """Return True if the first thing to be proven can't be opened any more, whatever shares may come."""
        slot = self.to_prove(want)[0]
        opening = self._opening(slot.name, slot)
        return not self._rings.can_return(opening.keys, opening.said)

    # -- cards ----------------------------------------------------------------------------------

    def _face(self, card: int) -> int | None:
        if card not in self._laid.shown:
            slot = self._laid.slots[card]
            opening = self._opening(card, slot)
            if not opening.done:
                return None
            face = self._seen(card, slot, opening)
            assert face is not None  # all that was shuffled are faces, and all shuffles are proven
            self._laid.turned_up(card, face)
            del self._openings[card]
        return self._laid.shown[card]

    def _seen(self, card: int, slot: Slot, opening: SharedOpening[Any]) -> int | None:
        face = slot.face(opening.opened)
        if self._witness is not None and face is not None:
            self._witness.shown(self._laid.kind_of(card), slot, opening.opened, face)
        return face

    # -- what was said --------------------------------------------------------------------------

    def to_prove(self, want: InputRequest) -> list[Slot]:
        """Return the ciphertexts and points that are opened to judge what was said of them, each once."""
        pairs = zip(want.cards, want.kept, strict=True)
        slots = [self._laid.kept[kept] if kept else self._laid.slots[card] for card, kept in pairs]
        return list({slot.name: slot for slot in slots}.values())

    def _proven(self, want: InputRequest) -> MatchEntry | None:
        """Return the first wanted face, with None in it if its keys are lost; None while it is closed."""
        card, slot = want.cards[0], self.to_prove(want)[0]
        opening = self._opening(slot.name, slot)
        if opening.done:
            return (PROVEN, want.number, card, self._seen(card, slot, opening))
        return (PROVEN, want.number, card, None) if self.is_lost(want) and not self.fled else None
