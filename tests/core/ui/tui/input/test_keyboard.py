"""The keys of a table: a press is for what was on view when it began."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tavolata import Seat
from tavolata._engine.match.updates import Hinted, WindowClosed, WindowOpened
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.input.keyboard import ENDING, Button, Keyboard
from tavolata._ui.tui.input.quick_hands import QuickHands
from tavolata._ui.tui.input.trigger import GRACE
from tavolata._ui.tui.model.director import Director
from tavolata._ui.tui.model.prompt import Prompt, chosen
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.words import Words
from tavolata.windows import Window


def test_enter_for_a_hint_does_not_fold_the_one_that_takes_its_place() -> None:
    """After a window a new hint replaces the last one: it's as new as any, though it's the first again."""
    session: Any = SimpleNamespace(match=None, people=(0,), package="", keys={})
    model, now, translator = TableModel(session, Translator("en")), 10.0, Translator("en")
    prompt = Prompt(model.question, lambda: Words(translator, "", ()), lambda *_: None)
    keyboard = Keyboard(
        model, Director(0.0, lambda: now), prompt, QuickHands(model, lambda: None),
        lambda: None, lambda: None, lambda: None, lambda: now,
    )  # fmt: skip
    window = Window(1, {}, Seat(0))
    for update in (Hinted("One."), WindowOpened(window, ()), WindowClosed(window)):
        model.take(update)
    keyboard.shows()
    now += 10 * GRACE
    model.take(Hinted("Two."))
    keyboard.shows()
    keyboard.answer()
    assert model.hints == ["Two."]
    assert keyboard.button() is Button.GOT_IT
    now += 10 * GRACE
    keyboard.answer()
    assert model.folded


def test_enter_just_after_the_end_of_a_match_begins_no_other_one() -> None:
    """Who was still pressing for the next card leaves the podium only after having seen it."""
    session: Any = SimpleNamespace(match=None, people=(0,), package="", keys={})
    model, now, translator = TableModel(session, Translator("en")), 10.0, Translator("en")
    done: list[str] = []
    prompt = Prompt(model.question, lambda: Words(translator, "", ()), lambda asked, way: asked.done(way))
    keyboard = Keyboard(
        model, Director(0.0, lambda: now), prompt, QuickHands(model, lambda: None),
        lambda: None, lambda: None, lambda: None, lambda: now,
    )  # fmt: skip
    model.ended, model.idle = SimpleNamespace(), chosen("", [("again", lambda: done.append("again"))])  # type: ignore[assignment]
    keyboard.shows()
    now += ENDING / 2
    keyboard.answer()
    assert not done
    now += ENDING
    keyboard.answer()
    assert done == ["again"]
