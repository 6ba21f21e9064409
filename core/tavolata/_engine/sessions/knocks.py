"""Knocks at a machine's pages: a browser without the link waits until the owner lets it in. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so no words."""
WAITS: Final = 120.0
"""Seconds for which a knock waits."""
BARRED: Final = 600.0
"""Seconds for which an address that was turned away can't knock again."""
MOST: Final = 3
"""Knocks that wait at once, one of each address."""


@dataclass(frozen=True, slots=True)
class Knock:
    """A browser that wants to come in.

    `letters` are what it shows, `name` is its person's; `screen` is True for a television, which has none.
    """

    letters: str
    name: str
    screen: bool
    key: str
    address: str
    until: float


class Knocks:
    """The knocks at one machine; `now` is its clock, `draw` gives random numbers below a limit.

    `heard` is called with each knock.
    """

    def __init__(
        self, now: Callable[[], float], draw: Callable[[int], int], heard: Callable[[Knock], object]
    ) -> None:
        self._now = now
        self._draw = draw
        self._heard = heard
        self._waiting: dict[str, Knock] = {}
        self._let_in: dict[str, Knock] = {}
        self._barred: dict[str, float] = {}

    @property
    def waiting(self) -> tuple[Knock, ...]:
        self._waiting = {key: one for key, one in self._waiting.items() if one.until > self._now()}
        return tuple(self._waiting.values())

    def knock(self, key: str, address: str, name: str, *, screen: bool) -> Knock | None:
        """Let a browser knock, known by its key; None if it can't now. One that knocks already waits on."""
        now = self._now()
        self._barred = {one: until for one, until in self._barred.items() if until > now}
        waiting = self.waiting
        if key in self._waiting:
            return self._waiting[key]
        if address in self._barred or len(waiting) >= MOST or any(one.address == address for one in waiting):
            return None
        shown = {one.letters for one in waiting}
        while (letters := "".join(LETTERS[self._draw(len(LETTERS))] for _ in range(4))) in shown:
            pass
        self._waiting[key] = knock = Knock(letters, name, screen, key, address, now + WAITS)
        self._heard(knock)
        return knock

    def answer(self, letters: str, *, yes: bool) -> bool:
        """Let in the browser that shows these letters, or turn it away; False if there's none."""
        knock = next((one for one in self.waiting if one.letters == letters.strip().upper()), None)
        if knock is None:
            return False
        del self._waiting[knock.key]
        if yes:
            self._let_in[knock.key] = knock
        else:
            self._barred[knock.address] = self._now() + BARRED
        return True

    def let_in(self, key: str) -> Knock | None:
        """Return the knock of a browser that may come in, once."""
        return self._let_in.pop(key, None)
