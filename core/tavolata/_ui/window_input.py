"""Reaction windows in the plain frontend: the meaning of typed lines, and the measuring of their time.

A line is one key and Enter, or Enter alone. The time runs from the moment when the last line before the
window was written to the moment when the typed line was read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tavolata._engine.match.updates import WindowOpened
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.answers import parse
from tavolata._ui.words import Words
from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.question import choices_of
from tavolata.messages import N_
from tavolata.reaction_times import GOES
from tavolata.ring import SEATS
from tavolata.windows import Window

ENTER_GOES = N_("{seat}: Enter = {what}")
KEY_DOES = N_("At any time: {key}, then Enter = {what} ({seat})")
TOO_LATE = N_("Too late.")
ALONE = "b"
TOGETHER = "alsjdkfghqpwoeirutyzmxncvb1234567890"
"""One key for each person at this keyboard who chose none, at any table; the first two are far apart."""


class WindowInput:
    """The reaction windows of a match for the people at one keyboard.

    A line is visible when `out` returns. `bell` rings when someone has reacted; None for silence.
    """

    def __init__(
        self, session: TableSession, out: Callable[[str], object], bell: Callable[[], object] | None = None
    ) -> None:
        self._session = session
        self._out = out
        self._bell = bell
        self._opened: WindowOpened | None = None
        self._left: set[int] = set()
        self._reacted: set[int] = set()
        self._explained = False
        self._drawn = 0.0
        self._keys: dict[str, int] = {}

    @property
    def waits(self) -> bool:
        """Return True if someone here may still react or continue the match."""
        return bool(self._left)

    @property
    def owes(self) -> bool:
        """Return True if someone here still has to make the next move."""
        return self._opened is not None and self._opened.window.go in self._left

    def open(self, opened: WindowOpened, words: Words) -> None:
        self._opened, self._left, window = opened, set(opened.mine), opened.window
        self._reacted.clear()
        self._keys = keys_of(self._session)
        if not self._explained and opened.mine:
            self._explained = True
            self.explain(words)
        if window.you and any(seat in window.questions for seat in opened.mine):
            self._out(words.text(window.you, window.params))
        if window.go is not None and self.owes:
            what = words.text(window.goes, window.params)
            self._out(words.text(ENTER_GOES, {"seat": window.go, "what": what}))
        self._drawn = asyncio.get_running_loop().time()
        self._session.drawn(window.id)

    def explain(self, words: Words) -> None:
        if self._opened is None:
            return
        for key, seat in self._keys.items():
            for number, choice in enumerate(_choices(self._opened.window, seat), 1):
                pressed = key if number == 1 else f"{key}{number}"
                params = {"key": pressed, "what": words.choice(choice), "seat": SEATS[seat]}
                self._out(words.text(KEY_DOES, params))

    def close(self) -> None:
        if self._opened is not None and self._opened.window.reaction() is not None and self._bell is not None:
            self._bell()
        self._opened = None
        self._left.clear()
        self._reacted.clear()

    def takes(self, typed: str) -> bool:
        """Return True if a line is one of the keys of this match, alone or with a number."""
        return typed[:1].lower() in self._keys and (len(typed) == 1 or typed[1:].isdecimal())

    def hear(self, typed: str, at: float | None) -> bool:
        """React to a typed line; return False if it has no meaning in a window.

        `at` is the event loop's time when it was read; None for a script that types ahead. Raise `Refused` if
        it is too late.
        """
        opened = self._opened
        if typed and not self.takes(typed):
            return False
        if opened is None:
            if not typed:
                return False
            raise Refused(TOO_LATE)
        window = opened.window
        milliseconds = int(((asyncio.get_running_loop().time() if at is None else at) - self._drawn) * 1000)
        if milliseconds < 0:
            return True  # pressed before this card was visible, so meant for the one before
        if not typed:
            if not self.owes or window.go is None:
                return True  # a needless Enter is common and does nothing
            self._react(window, int(window.go), GOES, milliseconds)
            return True
        seat = self._keys[typed[0].lower()]
        if seat in self._reacted:
            return True  # a hand that hits twice has said everything with the first blow
        self._react(window, seat, self._answer(window, seat, typed[1:] or "1"), milliseconds)
        self._reacted.add(seat)
        return True

    def _react(self, window: Window, seat: int, answer: Answer, milliseconds: int) -> None:
        self._session.react(window.id, seat, answer, milliseconds)
        self._left.discard(seat)

    @staticmethod
    def _answer(window: Window, seat: int, number: str) -> Answer:
        question = window.questions.get(SEATS[seat])
        if question is None:
            raise Refused(N_("You can't do that now."))
        return parse(question, number)


def keys_of(session: TableSession) -> dict[str, int]:
    """Return, by key, the seat of its person at this keyboard: chosen before the match, or normal."""
    people, chosen = session.people, session.keys
    usual = ALONE if len(people) == 1 else TOGETHER
    return {chosen.get(seat, key): seat for seat, key in zip(people, usual, strict=False)}


def _choices(window: Window, seat: int) -> tuple[Choice, ...]:
    question = window.questions.get(SEATS[seat])
    return () if question is None else choices_of(question)
