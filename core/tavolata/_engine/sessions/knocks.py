"""Knocks at a machine's pages: a browser without the link waits until the owner lets it in. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tavolata._text import Verbatim
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.limits import HostLimits, RateLimit

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so no words."""
BARRED: Final = 600.0
"""Seconds for which a machine that was turned away can't knock again."""
TEN_MINUTES: Final = 600.0


@dataclass(frozen=True, slots=True)
class Knock:
    """A browser that wants to come in.

    `letters` are what it shows, `name` is its person's; `screen` is True for a television, which has none.
    `back` is the key of the browser that its person says to have had before; it wants that seat. With `watch`
    it wants none.
    """

    letters: str
    name: Verbatim
    screen: bool
    key: str
    machine: str
    until: float
    back: str = ""
    watch: bool = False


class Knocks:
    """The knocks at one machine; `now` is its clock, `draw` gives random numbers below a limit.

    `heard` is called with each knock, `deaf` when more machines have knocked than anyone can judge: from then
    on nobody can knock until some time has passed. The rows are those of `admission`, and count by machine.
    """

    def __init__(
        self,
        now: Callable[[], float],
        draw: Callable[[int], int],
        heard: Callable[[Knock], object],
        deaf: Callable[[], object] = lambda: None,
    ) -> None:
        self._now = now
        self._draw = draw
        self._heard = heard
        self._waiting: dict[str, Knock] = {}
        self._let_in: dict[str, Knock] = {}
        self._barred: dict[str, float] = {}
        rate = LIMITS[Entrance.KNOCKING]
        self._in_all = RateLimit(rate.whole / TEN_MINUTES, now(), rate.whole)
        self._of_machine = HostLimits(rate.source / TEN_MINUTES, rate.source)
        self._deaf = deaf
        self._is_deaf = False

    @property
    def waiting(self) -> tuple[Knock, ...]:
        self._waiting = {key: one for key, one in self._waiting.items() if one.until > self._now()}
        return tuple(self._waiting.values())

    def knock(
        self, key: str, machine: str, name: Verbatim, *, screen: bool, back: str = "", watch: bool = False
    ) -> Knock | None:
        """Let a browser knock, known by its key; None if it can't now.

        One that knocks already keeps its letters, unless it wants something else now.
        """
        now = self._now()
        self._barred = {one: until for one, until in self._barred.items() if until > now}
        waiting = [one for one in self.waiting if one.key != key]
        before = self._waiting.get(key)
        wish = name, screen, back, watch
        if before is not None and (before.name, before.screen, before.back, before.watch) == wish:
            return before
        limit, own = LIMITS[Entrance.KNOCKS], sum(one.machine == machine for one in waiting)
        if machine in self._barred or len(waiting) >= limit.whole or own >= limit.source:
            return None
        if not self._may_knock(machine, now):
            return None
        shown = {one.letters for one in self._waiting.values()}
        while (letters := "".join(LETTERS[self._draw(len(LETTERS))] for _ in range(4))) in shown:
            pass
        self._waiting[key] = knock = Knock(
            letters, name, screen, key, machine, now + limit.proof, back, watch
        )  # fmt: skip
        self._heard(knock)
        return knock

    def _may_knock(self, machine: str, now: float) -> bool:
        """Return True if one more knock is within the rates; say once when that of all is used up."""
        if self._of_machine.left(machine, now) < 1:
            return False
        taken = self._in_all.take(now)
        if not taken and not self._is_deaf:
            self._deaf()
        self._is_deaf = not taken
        return taken and self._of_machine.take(machine, now)

    def answer(self, letters: str, *, yes: bool) -> bool:
        """Let in the browser that shows these letters, or turn it away; False if there's none."""
        knock = next((one for one in self.waiting if one.letters == letters.strip().upper()), None)
        if knock is None:
            return False
        del self._waiting[knock.key]
        if yes:
            self._let_in[knock.key] = knock
        else:
            self._barred[knock.machine] = self._now() + BARRED
        return True

    def let_in(self, key: str) -> Knock | None:
        """Return the knock of a browser that may come in, once."""
        return self._let_in.pop(key, None)
