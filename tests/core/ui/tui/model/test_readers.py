"""Which of several people at one keyboard may read a line of the log."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tavolata._engine.match.updates import Hinted, Notice, Said
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.model.table_model import TableModel


def test_advice_and_whispers_are_for_their_readers_alone() -> None:
    """At one keyboard advice is only for the player who asked, a whisper for those who take part in it."""
    session: Any = SimpleNamespace(
        match=None, people=(0, 1, 2), package="", names=("Ann", "Berto", "Carla", "Dino")
    )
    model = TableModel(session, Translator("en"))
    model.take(Hinted("Take the king.", {}, 0))
    model.take(Said(Verbatim("Dino"), Verbatim("psst"), ("Berto",)))
    model.take(Said(Verbatim("Ann"), Verbatim("well"), ("Dino", "Carla"), mine=True))
    model.take(Said(Verbatim("Ann"), Verbatim("hello")))
    model.take(Notice("Dino is here."))
    read = {}
    for seat in (None, *session.people):
        model.veil.unveiled = seat
        read[seat] = [note.text.split()[-1].strip("“”\"'.)") for note in model.visible()]
    assert read == {
        None: ["hello", "here"],
        0: ["king", "well", "hello", "here"],
        1: ["psst", "hello", "here"],
        2: ["well", "hello", "here"],
    }
