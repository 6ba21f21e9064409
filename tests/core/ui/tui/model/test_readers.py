"""Which of several people at one keyboard may read a line of the log."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tavolata._engine.match.entries import SAY
from tavolata._engine.match.updates import UNHEARD, Hinted, Notice, Said
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


def test_a_resumed_match_repeats_no_whisper_between_others() -> None:
    """What programs whispered to each other isn't read by the person here, also from the match file."""
    names = ("Ann", "bot.py", "bot.js")
    session: Any = SimpleNamespace(match=None, people=(0,), names=names)
    model = TableModel(session, Translator("en"))
    entries = [
        (SAY, 1, (2,), "between us"), (SAY, 1, (0,), "to you"), (SAY, 0, (2,), "by you"),
        (SAY, 2, (), "to all"),
    ]  # fmt: skip
    replay: Any = SimpleNamespace(
        kept=SimpleNamespace(entries=entries), header=SimpleNamespace(names=names), match=None,
        feed=lambda _: None,
    )  # fmt: skip
    past, _ = model.past_of(replay)
    said = [str(one.text) for one in past if isinstance(one, Said)]
    assert said == [UNHEARD, "to you", "by you", "to all"]


def test_people_are_found_by_where_they_sit_now() -> None:
    """Somebody has left since the match on view: whom one can talk to goes by the table, not by that."""
    seats = ((False, ""), (True, ""), (True, "easy"))
    taken = [SimpleNamespace(mine=mine, level=level) for mine, level in seats]
    facts = SimpleNamespace(running=False, taken=taken)
    session: Any = SimpleNamespace(match=None, people=(2,), table=lambda: facts)
    model = TableModel(session, Translator("en"))
    assert model.named_here() == [1]
    facts.running = True
    assert model.named_here() == (2,)
