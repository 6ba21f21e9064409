"""Sealed answers: hidden until their author opens them, or the others by force if the author has left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tavolata._engine.dealing import openings
from tavolata._engine.dealing.authority import Authority
from tavolata._engine.dealing.key_making import OUT_OF_PLACE, STRANGER, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.openings import Part, SharedOpening
from tavolata._engine.dealing.steps import FORCE, Task
from tavolata._engine.match.dealing import TOO_LONG
from tavolata._engine.match.entries import plain
from tavolata._engine.match.match import ROOM
from tavolata._engine.match.state import pack, unpack
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata_protocol.fair import seals as sealing
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.offences import Charge, Offence
from tavolata_protocol.fair.seeds import Secrets

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness


class Seals:
    def __init__(self, rings: KeyRings, authority: Authority, witness: Witness | None) -> None:
        self._rings = rings
        self._authority = authority
        self._openings: dict[int, SharedOpening[sealing.Seal]] = {}
        self._keys_of: dict[int, EpochKeys] = {}
        self._closed: dict[int, tuple[Ask, bytes]] = {}
        self._witness = witness

    def asked(self, asks: Iterable[Ask]) -> None:
        """Note open questions: their seals belong to the keys of this moment, whatever comes later."""
        current = self._rings.current
        if current is not None:  # nothing is asked before the first keys are made
            for ask in asks:
                self._keys_of.setdefault(ask.id, current)

    def _context(self, keys: EpochKeys, ask: Ask) -> Context:
        """Return a seal's context; its party is the owner of the seat, a stranger to keys made without it."""
        owner = self._authority.owner_of(int(ask.seat))
        number = keys.number_of(owner) or STRANGER + owner
        return keys.public.context(f"seal of seat {int(ask.seat)}", ask.id, number)

    def seal(self, ask: Ask, answer: Answer, secrets: Secrets) -> tuple[bytes, bytes]:
        """Return the box with an answer, and its opening; raise `Refused` if it's too long for a seal."""
        keys = self._keys_of.get(ask.id)
        if keys is None:
            raise Refused(OUT_OF_PLACE)
        value = pack(answer)
        if len(value) > ROOM:
            raise Refused(TOO_LONG)
        own = sealing.seal(self._context(keys, ask), keys.public, value, secrets, ROOM)
        return own.sealed.encoded, own.opening

    def _read(self, ask: Ask, box: bytes) -> tuple[EpochKeys, sealing.Seal] | None:
        keys = self._keys_of.get(ask.id)
        if keys is None:
            return None
        try:
            return keys, sealing.read_seal(self._context(keys, ask), keys.public, box, ROOM)
        except Cheat:
            return None

    def is_seal(self, ask: Ask, box: bytes) -> bool:
        """Return True if a box is a seal that can be opened, by its author or by force."""
        found = self._read(ask, box)
        if found is not None and self._witness is not None:
            self._witness.sealed(self._context(found[0], ask), ask.id, ROOM, box)
        return found is not None

    def opens(self, ask: Ask, box: bytes, opening: bytes, answer: Answer) -> bool:
        """Return True if a seal opens to this answer and no other."""
        found = self._read(ask, box)
        if found is None:
            return False
        keys, seal = found
        try:
            value = sealing.read_opening(self._context(keys, ask), keys.public, seal, opening)
        except Cheat:
            return False
        if self._witness is not None:
            self._witness.opened(ask.id, opening, value)
        return value == pack(answer)

    def note(self, ask: Ask, entry: bytes) -> None:
        """Note a sealed answer; `entry` is the chain hash of the log after the entry with the seal."""
        self._closed[ask.id] = (ask, entry)

    def go_back(self, closed: Mapping[int, Ask]) -> None:
        """Go back: `closed` has, by number, the closed questions after an answer was taken back."""
        for number, (ask, entry) in self._closed.items():
            self._closed[number] = (closed.get(number, ask), entry)

    def entry_of(self, ask: Ask) -> bytes:
        """Return the chain hash after the entry with the seal."""
        return self._closed[ask.id][1]

    def is_closed(self, seat: int) -> bool:
        """Return True if there is an answer of a seat under a seal that is not open yet."""
        return any(ask.answer is None and ask.seat == seat for ask, _ in self._closed.values())

    # -- by force -------------------------------------------------------------------------------

    def _opening(self, ask: Ask) -> SharedOpening[sealing.Seal] | None:
        found = None if ask.box is None else self._read(ask, ask.box)
        return None if found is None else self._openings.get(ask.id) or SharedOpening(*found)

    def keys_of(self, ask: Ask) -> EpochKeys | None:
        """Return the keys with which a closed seal can be opened by force; None if it can't be read."""
        opening = self._opening(ask)
        return None if opening is None else opening.keys

    def is_lost(self, ask: Ask) -> bool:
        """Return True if a seal can never be opened: its author is gone, and so are too many others."""
        if not self._authority.is_gone(self._authority.owner_of(int(ask.seat))):
            return False
        opening = self._opening(ask)
        return opening is not None and not self._rings.can_return(opening.keys, opening.said)

    def forcing(self, party: int, ask: Ask) -> Iterator[Task]:
        """Yield the steps with which a party can help to open a seal by force, whoever closed it."""
        opening = self._opening(ask)
        if opening is not None and opening.awaits(party):
            yield Task(FORCE, opening.keys.epoch, (ask.id,))

    def part(self, party: int, ask: Ask) -> Part:
        """Return what a party opens with a step that forces a seal."""
        opening = self._opening(ask)
        assert opening is not None  # no task asks to force anything else
        number = opening.keys.number_of(party)
        return opening.keys.public.context(f"force seat {int(ask.seat)}", ask.id, number), [opening]

    def take(self, party: int, ask: Ask, data: bytes) -> Charge | None:
        """Take a share for a seal, which helps to open it; with the last one its answer is known.

        If the seal holds no valid answer, return the charge against its author; then its `otherwise` counts.
        Raise `Cheat` if the share isn't valid.
        """
        _, (opening,) = part = self.part(party, ask)
        openings.read(part, data, self._witness)
        self._openings[ask.id] = opening
        if not opening.done:
            return None
        del self._openings[ask.id]
        value = None
        try:
            value = sealing.force(
                self._context(opening.keys, ask), opening.keys.public, opening.thing, opening.opened
            )
            ask.answer = ask.question.check(plain(unpack(value)))
        except (Cheat, Refused, ValueError, TypeError, IndexError, KeyError) as trouble:
            ask.answer = ask.late
            return trouble.charge if isinstance(trouble, Cheat) else Charge(Offence.INVALID_ANSWER)
        finally:
            if self._witness is not None:
                self._witness.opened(ask.id, None, value)
        return None
