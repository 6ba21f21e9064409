"""The keys of a table: what Enter does now, and the trigger before everything that can't be taken back.

Pure but for the clock: a frontend calls `shows` after each frame, and hands over the keys that people press.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from tavolata._ui.tui.input.quick_hands import QuickHands
from tavolata._ui.tui.input.trigger import GRACE, KeyTrigger
from tavolata._ui.tui.model.director import Director
from tavolata._ui.tui.model.prompt import Prompt
from tavolata._ui.tui.model.table_model import TableModel

ANSWER, TAKE, CLICK = "answer", "take", "click"
"""The names of Enter, Space and all clicks on choices; other keys are called by their characters."""
DIGITS: Final = frozenset("0123456789")
ENDING: Final = 2.0
"""Seconds for which the end of a match has to be on view before Enter does what follows it."""


class Button(Enum):
    """The deed of the act button, and of Enter with it."""

    NONE = auto()
    ANSWER = auto()
    LIFT = auto()
    """Lift the curtain."""
    AGAIN = auto()
    """Show the next moment since the last answer again."""
    GOT_IT = auto()
    BEGIN = auto()
    """Put the opening card away."""
    NEXT = auto()
    LAY = auto()
    """Make the next move of an open window."""


class Keyboard:
    """The keys of one screen. `lift` lifts the curtain; `clock` is in seconds.

    `close` closes what stands in place of a question that is answered now.
    `comer` is what lets in the first one that knocks in a match, if anyone does: its label, deed and key.
    """

    def __init__(
        self,
        model: TableModel,
        director: Director,
        prompt: Prompt,
        hands: QuickHands,
        lift: Callable[[], object],
        close: Callable[[], object],
        comer: Callable[[], tuple[str, Callable[[], object], str] | None],
        clock: Callable[[], float],
    ) -> None:
        self._model, self._director, self._prompt, self._hands = model, director, prompt, hands
        self._lift, self._close, self._comer = lift, close, comer
        self.clock = clock
        self._trigger = KeyTrigger()
        self._drawn: dict[str, object] = {}

    # -- what is on view --------------------------------------------------------------------------

    def button(self) -> Button:
        model = self._model
        question = model.question()
        if model.own is not None:
            return Button.ANSWER
        if model.recall is not None:
            return Button.AGAIN
        if question is None and model.curtain() is not None:
            return Button.LIFT
        if model.owes:
            return Button.LAY
        if model.card:
            return Button.BEGIN
        if model.reads_hint and model.window is None:
            return Button.GOT_IT
        if question is not None:
            return Button.ANSWER
        return Button.NEXT if self._director.waiting and model.window is None else Button.NONE

    def shows(self) -> None:
        """Note what has just been drawn."""
        self._drawn = self._meanings()
        model, question = self._model, self._model.question()
        quick = self._reactions() if model.window is not None else frozenset[str]()
        if question is not None and question is not model.idle:
            quick |= DIGITS  # they only point at something, and Enter after them is for that
        self._trigger.shows(self._drawn, self.clock(), quick)

    def _reactions(self) -> frozenset[str]:
        """Return the keys that react in a window; Space is one if one person alone plays here."""
        own = self._hands.own()
        return own | {TAKE} if len(own) == 1 else own

    def _meanings(self) -> dict[str, object]:
        """Return what the keys mean now that mean something else at other times."""
        model, button, question = self._model, self.button(), self._model.question()
        # No other question or field has this; an idle one is made for each frame.
        asked: object = None if question is None else (question.meant, len(question.draft.given))
        about: dict[Button, object] = {
            Button.ANSWER: asked,
            Button.LIFT: model.asks[0] if model.asks else None,
            Button.GOT_IT: (model.hint, *model.hints),
            Button.LAY: model.window,
            Button.BEGIN: model.card,
        }
        meanings: dict[str, object] = {CLICK: self._prompt.palette or asked}
        if (comer := self._comer()) is not None:
            meanings[comer[2]] = comer[0]
        if question is not None and question is model.idle:  # its rows may come and go
            meanings |= dict.fromkeys((CLICK, *DIGITS), (asked, question.labels))
        if button is not Button.NONE:
            meanings[ANSWER] = (button, about.get(button))
        if question is not None:
            meanings |= {
                choice.key: choice.params["what"] if question is model.idle else asked
                for choice in question.draft.choices if choice.key
            }  # fmt: skip
            if question.draft.several:
                meanings[TAKE] = asked
        if model.window is not None:
            meanings |= dict.fromkeys(self._reactions(), model.window)
        return meanings

    def _pulls(self, key: str, place: object = None) -> bool:
        """Return True if a press counts: it means what was drawn when its train began, and still does."""
        at_end = key == ANSWER and self._model.ended is not None and self._model.own is None
        counts = self._trigger.press(key, self.clock(), place, ENDING if at_end else GRACE)
        return counts and self._drawn.get(key) == self._meanings().get(key)

    # -- what is pressed --------------------------------------------------------------------------

    def answer(self) -> None:
        """Do what the button says; do nothing if the press doesn't count."""
        if not self._pulls(ANSWER):
            return
        self._close()
        match self.button():
            case Button.ANSWER:
                self._prompt.enter()
            case Button.LIFT:
                self._prompt.trouble = ""
                self._lift()
            case Button.AGAIN:
                self._model.recall_next()
            case Button.GOT_IT:
                self._model.next_hint()
                if self._model.folded:
                    self._director.go_on()
            case Button.BEGIN:
                self._model.card = ()
            case Button.NEXT:
                self._director.step()
            case Button.LAY:
                self._hands.react("")
            case Button.NONE:
                pass

    def take(self) -> None:
        """React in a window; otherwise take a choice where several can be, or put it back.

        Raise `Refused` if it's too late.
        """
        question = self._model.question()
        if not self._pulls(TAKE):
            return
        if self._model.window is not None:
            if TAKE in self._reactions():
                self._hands.react(next(iter(self._hands.own())))
        elif question is not None and question.draft.several:
            question.draft.mark()

    def letter(self, character: str) -> bool:
        """Handle a key that reacts or is the letter of a choice; return False if it is neither.

        A press that was meant for a choice that's gone has no other meaning, either. An idle question is
        answered at once. Raise `Refused` if it's too late.
        """
        counts, question = self._pulls(character), self._model.question()
        if self._model.window is not None and character.lower() in self._hands.own():
            self._hands.react(character.lower())
            return True
        if not counts:
            return True
        letters = [] if question is None else [choice.key for choice in question.draft.choices]
        if question is None or character not in letters:
            comer = self._comer()
            if comer is None or character != comer[2]:
                return False
            comer[1]()
            return True
        question.point(letters.index(character))
        self._prompt.trouble = ""
        if question is self._model.idle:
            self._close()
            self._prompt.enter()
        return True

    def click(self, place: int) -> None:
        """Point at a choice; the second click sends it."""
        if self._pulls(CLICK, place):
            self._prompt.point(place)

    def hold(self, card: int) -> None:
        """Hold a card that a later field may ask for."""
        if self._pulls(CLICK, ("card", card)):
            self._prompt.hold(card)

    def skip(self) -> None:
        """Skip to the question, or to the end; hints on the way count as read."""
        model = self._model
        if model.recall is not None:
            model.recall = None
        elif model.question() is None:
            while model.next_hint():
                pass
            self._director.skip()
