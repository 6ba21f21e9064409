"""A hint that is longer than its place: it is told in parts, one after the other, and then folded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tavolata import Seat
from tavolata._engine.match.updates import Hinted, WindowOpened
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.windows import Window


def test_a_long_hint_is_read_part_by_part_before_it_is_folded() -> None:
    """Each step shows the next part; the place says how many there are; without a room it is one."""
    session: Any = SimpleNamespace(match=None, people=(0,), package="")
    model = TableModel(session, Translator("en"))
    model.hints = ["Nobody owns a horse. Write which three come in first.", "Good luck."]

    def seen() -> list[tuple[str, str, bool]]:
        found = []
        model.hint, model.folded = 0, False
        while True:
            guide = model._guide()
            assert guide is not None
            found.append((guide.place, guide.text, guide.folded))
            if not model.next_hint():
                return found

    assert [place for place, *_ in seen()] == ["1/2", "2/2", "2/2"]
    model.hint_room = (20, 2)
    assert seen() == [
        ("1/3", "Nobody owns a horse.", False),
        ("2/3", "Write which three come in first.", False),
        ("3/3", "Good luck.", False),
        ("3/3", "Good luck.", True),
    ]


def test_a_hint_that_was_read_does_not_come_back_with_the_next_one() -> None:
    """In Bang the first hint stood there again and again; a hint of a card that is gone makes way, too."""
    session: Any = SimpleNamespace(match=None, people=(0,), package="", names=("Ann",))
    model = TableModel(session, Translator("en"))
    model.take(Hinted("One."))
    model.take(Hinted("Two."))
    assert model.hints == ["One.", "Two."]
    while model.next_hint():
        pass
    model.take(Hinted("Three."))
    assert (model.hints, model.hint, model.folded) == (["Three."], 0, False)
    model.take(WindowOpened(Window(1, {}, Seat(0)), (0,)))
    model.take(Hinted("Four."))
    assert model.hints == ["Four."]
