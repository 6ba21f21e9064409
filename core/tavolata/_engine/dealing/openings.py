"""Public openings: cards and dice that all parties open for everybody, share by share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.laid import Laid, Slot
from tavolata._engine.dealing.steps import FACES, PROOFS, Task
from tavolata._engine.match.entries import FACE, PROVEN, MatchEntry
from tavolata._engine.match.source import InputRequest
from tavolata.errors import Refused
from tavolata_protocol.fair import shares
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.keys import PublicKeys

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness

_Thing = TypeVar("_Thing", bound=shares.Openable)


class SharedOpening(Generic[_Thing]):
    """One thing that t parties open for everyone, encrypted under these keys.

    `said` has, by number in the holders, the checked shares.
    """

    def __init__(self, keys: PublicKeys, thing: _Thing) -> None:
        self.keys = keys
        self.thing = thing
        self.said: dict[int, bytes] = {}

    @property
    def done(self) -> bool:
        return len(self.said) >= self.keys.roster.threshold

    @property
    def opened(self) -> bytes:
        """X times the point of the thing, once there are enough shares."""
        return combined(self.keys, self.said)


def combined(keys: PublicKeys, said: dict[int, bytes]) -> bytes:
    """Return X times a point, from at least t shares of it."""
    return shares.combine(keys, {number: shares.Shares((image,), None) for number, image in said.items()})[0]


def read(
    context: Context,
    keys: PublicKeys,
    found: Sequence[SharedOpening[Any]],
    data: bytes,
    witness: Witness | None,
) -> None:
    """Take one party's shares of several things in one batch; raise `Cheat` if they aren't valid."""
    things = [one.thing for one in found]
    for one, image in zip(found, shares.read_shares(context, keys, things, data).images, strict=True):
        one.said[context.party] = image
    if witness is not None:
        witness.shared(context, context.party, things, data)


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
        self._faces: dict[int, SharedOpening[shares.Openable]] = {}
        self._proofs: dict[str, SharedOpening[shares.Openable]] = {}

    def met(self, want: InputRequest) -> MatchEntry | None:
        """Return the entry that a single dealer would send; None while shares are missing."""
        if want.kind == PROVEN:
            return self._proven(want)
        face = self._face(want.cards[0])
        return None if face is None else (FACE, want.cards[0], face)

    def forget(self, cards: Iterable[int]) -> None:
        """Forget these cards, which were shuffled: what was said of them is of other cards."""
        for card in cards:
            self._faces.pop(card, None)

    def owed(self, party: int) -> Iterator[Task]:
        want = self.want
        if want is None:
            return
        if want.kind == FACE and want.cards[0] in self._laid.slots:
            keys = self._rings.done[self._laid.slots[want.cards[0]].epoch]
            cards = [card for card in want.cards if self._is_owed_face(keys, party, card)]
            if cards:
                yield Task(FACES, keys.epoch, (want.at, *cards))
        elif want.kind == PROVEN:
            keys, names = self._to_prove_by(want, party)
            if names and not self._is_lost(want):
                yield Task(PROOFS, keys.epoch, (want.at, *names))

    def withholds(self, party: int) -> bool:
        """Return True if a party has not given its shares of what the match wants to judge by."""
        return self.want is not None and bool(self._to_prove_by(self.want, party)[1])

    def _to_prove_by(self, want: InputRequest, party: int) -> tuple[EpochKeys, list[str]]:
        """Return the keys of the first thing to be proven, and the names of those with missing shares."""
        slots = self.to_prove(want)
        keys = self._rings.done[slots[0].epoch]
        mine = [slot for slot in slots if slot.epoch == keys.epoch]
        return keys, [slot.name for slot in mine if _is_owed(keys, party, self._proofs.get(slot.name))]

    def _is_lost(self, want: InputRequest) -> bool:
        """Return True if the first thing to be proven can't be opened any more, whatever shares may come."""
        slot = self.to_prove(want)[0]
        keys, opening = self._rings.done[slot.epoch], self._proofs.get(slot.name)
        return not self._rings.can_return(keys, set() if opening is None else set(opening.said))

    # -- cards ----------------------------------------------------------------------------------

    def _face(self, card: int) -> int | None:
        if card not in self._laid.shown:
            opening = self._faces.get(card)
            if opening is None or not opening.done:
                return None
            kind, slot = self._laid.kind_of(card), self._laid.slots[card]
            face = slot.face(opening.opened)
            assert face is not None  # all that was shuffled are faces, and all shuffles are proven
            if self._witness is not None:
                self._witness.shown(kind, slot, opening.opened, face)
            self._laid.turned_up(card, face)
            del self._faces[card]
        return self._laid.shown[card]

    # -- what was said --------------------------------------------------------------------------

    def to_prove(self, want: InputRequest) -> list[Slot]:
        """Return the ciphertexts and points that are opened to judge what was said of them, each once."""
        pairs = zip(want.cards, want.kept, strict=True)
        slots = [self._laid.kept[kept] if kept else self._laid.slots[card] for card, kept in pairs]
        return list({slot.name: slot for slot in slots}.values())

    def _proven(self, want: InputRequest) -> MatchEntry | None:
        """Return the first wanted face, with None in it if its keys are lost; None while it is closed."""
        card, slot = want.cards[0], self.to_prove(want)[0]
        opening = self._proofs.get(slot.name)
        if opening is not None and opening.done:
            face = slot.face(opening.opened)
            if self._witness is not None and face is not None:
                self._witness.shown(self._laid.kind_of(card), slot, opening.opened, face)
            return (PROVEN, want.number, card, face)
        return (PROVEN, want.number, card, None) if self._is_lost(want) and not self.fled else None

    def proof_context(self, keys: EpochKeys, names: tuple[str, ...], number: int) -> Context:
        return keys.public.context(f"to judge {', '.join(names)}", 0, number)

    def take_proofs(self, party: int, epoch: int, at: int, names: tuple[str, ...], data: bytes) -> None:
        """Take a party's shares of what something was said of.

        Raise `Refused` if no one waits for these shares, `Cheat` if they aren't valid.
        """
        if Task(PROOFS, epoch, (at, *names)) not in self.owed(party) or self.want is None:
            raise Refused(OUT_OF_PLACE)
        keys, slots = self._rings.done[epoch], {slot.name: slot for slot in self.to_prove(self.want)}
        found = [self._proofs.get(name) or SharedOpening(keys.public, slots[name].thing) for name in names]
        read(self.proof_context(keys, names, keys.number_of(party)), keys.public, found, data, self._witness)
        self._proofs.update(zip(names, found, strict=True))

    def _is_owed_face(self, keys: EpochKeys, party: int, card: int) -> bool:
        slot = self._laid.slots.get(card)
        if slot is None or slot.epoch != keys.epoch:
            return False
        return _is_owed(keys, party, self._faces.get(card))

    def face_context(self, keys: EpochKeys, cards: tuple[int, ...], number: int) -> Context:
        names = ", ".join(self._laid.slots[card].name for card in cards)
        return keys.public.context(f"all see {names}", 0, number)

    def take_faces(self, party: int, epoch: int, at: int, cards: tuple[int, ...], data: bytes) -> None:
        """Take a party's shares of cards that everyone may see.

        Shares that come late are refused: their cards have been shown already. Raise `Refused` if no one
        waits for these shares, `Cheat` if they aren't valid.
        """
        if Task(FACES, epoch, (at, *cards)) not in self.owed(party):
            raise Refused(OUT_OF_PLACE)
        keys = self._rings.done[epoch]
        found = [
            self._faces.get(card) or SharedOpening[shares.Openable](keys.public, self._laid.slots[card].thing)
            for card in cards
        ]
        read(self.face_context(keys, cards, keys.number_of(party)), keys.public, found, data, self._witness)
        self._faces.update(zip(cards, found, strict=True))


def _is_owed(keys: EpochKeys, party: int, opening: SharedOpening[Any] | None) -> bool:
    number = keys.number_of(party)
    return number > 0 and (opening is None or number not in opening.said)
