"""A workshop: the bench with the match, in another process, which is replaced whenever the file is saved.

A bench with the new code takes over the answers; the old one stays until that has worked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from tavolata._cli.bench import Bench, BenchState, Do, Position
from tavolata._lab.helper import Helper, HelperLost
from tavolata.errors import Refused
from tavolata.messages import N_

EVERY: Final = 0.02
"""Seconds between two looks at the bench."""
SAVED: Final = 0.2
"""Seconds between two looks at the files."""
SLOW: Final = 3.0
"""Seconds after which a bench without an answer is said to be stuck."""
STARTS: Final = 10.0
"""Seconds that a new process may take before that: it loads all of Tavolata on a machine of any speed."""

STUCK = N_("The game's code hasn't responded for {n} s. Save a change to restart.")
LOST = N_("The process running the match has died. Save a change to restart.")


class FollowedMatch:
    """The bench with the match, the one that is to take over from it, and a spare one for the next version.

    The spare has loaded everything but the game, so that a saved change is on view at once. Call `look` again
    and again; it returns True if the state has changed.
    """

    def __init__(self, start: Callable[[], Bench], file: Path, say: Callable[..., str]) -> None:
        self._start, self._file, self._say = start, file, say
        self.shown = BenchState(Position())
        self._bench: Helper[tuple[Do, Any], BenchState] | None = None
        self._next: Helper[tuple[Do, Any], BenchState] | None = None
        self._spare, self._started = self._fresh(), monotonic()
        self._unsent = deque[tuple[Do, Any]]()
        self._saved = self._stamps()
        self._looked = self._asked = monotonic()
        self._told_stuck = False
        self._renew()

    def _stamps(self) -> Mapping[Path, int]:
        found, folder = {}, self._file.parent
        whole = (folder / "__init__.py").exists()  # a package may have folders, a lone file may lie anywhere
        for path in sorted(folder.rglob("*.py") if whole else folder.glob("*.py")):
            try:
                found[path] = path.stat().st_mtime_ns
            except OSError:
                continue  # an editor replaces it just now
        return found

    def _renew(self) -> None:
        """Start a bench with the code of now."""
        if self._next is not None:
            self._next.end()
        now = monotonic()
        self._asked, self._told_stuck = max(now, self._started + STARTS - SLOW), False
        self._next, self._spare, self._started = self._spare, self._fresh(), now
        with suppress(HelperLost):  # `look` finds that out, too
            self._next.send((Do.BEGIN, self.shown.position))

    def _fresh(self) -> Helper[tuple[Do, Any], BenchState]:
        return Helper(self._start(), "spawn")

    def do(self, what: Do, more: Any = None) -> None:
        """Send a command, after those that were sent before; raise `Refused` if there's no match."""
        if self._bench is None:
            raise Refused(LOST)
        self._unsent.append((what, more))
        self._send()

    def _send(self) -> None:
        """Send the next command, if the match waits for one."""
        if self._unsent and self._bench is not None and not self._bench.open:
            self._asked, self._told_stuck = monotonic(), False
            try:
                self._bench.send(self._unsent.popleft())
            except HelperLost:
                self._bench = None
                raise Refused(LOST) from None

    def look(self) -> bool:
        """Return True if the state has changed."""
        now, changed = monotonic(), False
        if now - self._looked >= SAVED:
            self._looked, stamps = now, self._stamps()
            if stamps != self._saved:
                self._saved = stamps
                self._renew()
        if self._next is not None and self._next.pipe.poll():
            shown, bench = self._take(self._next), self._next
            self._next, changed = None, True
            if shown.broken:
                bench.end()
                self.shown = replace(self.shown, trouble=shown.trouble, note="", printed=shown.printed)
            else:
                if self._bench is not None:
                    self._bench.end()
                self._bench, self.shown = bench, shown
                self._unsent.clear()
        elif self._bench is not None and self._bench.open and self._bench.pipe.poll():
            self.shown, changed = self._take(self._bench), True
            if self.shown.broken:
                self._bench = None
            with suppress(Refused):  # the next command says so
                self._send()
        waits = self._next is not None or (self._bench is not None and self._bench.open)
        if waits and not self._told_stuck and now - self._asked > SLOW:
            self._told_stuck = changed = True
            self.shown = replace(self.shown, trouble=(self._say(STUCK, {"n": round(SLOW)}),))
        return changed

    def _take(self, bench: Helper[tuple[Do, Any], BenchState]) -> BenchState:
        try:
            return bench.take()
        except HelperLost:
            return replace(self.shown, trouble=(self._say(LOST),), broken=True)

    def wait(self) -> BenchState:
        """Wait for the result of the last command, or of the start."""
        while not self.look():
            sleep(EVERY)
        return self.shown

    def end(self) -> None:
        for one in (self._bench, self._next, self._spare):
            if one is not None:
                one.end()
