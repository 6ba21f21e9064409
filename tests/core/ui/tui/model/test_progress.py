"""How far a slow deal has got: one line that is renewed on the screen, and said once in lines."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import World

from tavolata._engine.dealing.driver import LONG
from tavolata._engine.match.updates import Notice
from tavolata._ui.i18n import Translator
from tavolata._ui.plain import Plain
from tavolata._ui.tui.model.table_model import TableModel


def told() -> list[Notice]:
    """What a peer is told while a deck is made slowly."""
    duty, at = World(Peek, (1, 2, 3)).peers[1].duty, SimpleNamespace(progress=(0, 0))
    duty.deal = at  # type: ignore[assignment]
    said = []
    for second, done in enumerate((1, 3, 4, 7)):
        at.progress = (done, 12)
        said.append(duty.progress(second * LONG))
    return [notice for notice in said if notice is not None]


def test_on_the_screen_the_line_of_a_slow_deal_is_renewed() -> None:
    """Three times something is said, and one line stands there, the newest, below what was said between."""
    at: Any = SimpleNamespace(match=None, people=(0,), package="")
    model = TableModel(at, Translator("en"))
    first, *others = told()
    assert [notice.renews for notice in (first, *others)] == [False, True, True]
    model.take(first)
    model.take(Notice("Ann is here."))
    for notice in others:
        model.take(notice)
    shown = [note.text for note in model.notes]
    assert shown == ["Ann is here.", "Everyone is dealing together: 7 of 12 steps."]


def test_in_lines_it_is_said_once() -> None:
    """What is written stays, so only the first is told."""
    said: list[str] = []
    at: Any = SimpleNamespace(match=None, people=(0,), package="", names=("Ann",), commands=None)
    plain = Plain(at, Translator("en"), said.append, None)
    for notice in told():
        plain._tell(notice.saying())
    assert "".join(said).count("Everyone is dealing together") == 1
