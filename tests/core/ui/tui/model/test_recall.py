"""What happened since the last answer is shown again, event by event, while the match goes on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tavolata import Seat
from tavolata._engine.match.updates import Told
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.model.table_model import RECALLED, Glance, TableModel
from tavolata.messages import Event
from tavolata.zones import tokens_zone


def told(number: int) -> Told:
    """The event of this number: so many points are on the table after it."""
    zone = tokens_zone("points", "Points", [(Seat(0), number)])
    return Told(Event("x", {}), Glance({"points": zone}, 0, f"event {number}"))


def after(events: int) -> TableModel:
    """A spectator's model after so many events."""
    session: Any = SimpleNamespace(match=None, people=(), package="", names=("Ann",), looks=(), hidden=())
    model = TableModel(session, Translator("en"))
    for number in range(1, events + 1):
        model.take(told(number))
    return model


def shown(model: TableModel) -> tuple[str, str]:
    """The title and the sentence of the event that is shown again."""
    decision = model.scene(Viewpoint("en", "", ()), None).decision
    return decision.title, decision.text


@pytest.mark.parametrize("events", [2, RECALLED - 1, RECALLED])
def test_an_event_that_is_shown_again_stays_while_others_happen(events: int) -> None:
    """Only the count of all events goes on; the next one shown is the next that happened."""
    model = after(events)
    assert model.recall_next()
    for number in range(events + 1, events + 4):
        model.take(told(number))
        assert shown(model) == (f"event 1 of {number}", "event 1")
    assert model.recall_next()
    first = max(2, events + 3 - RECALLED + 1)
    assert shown(model) == (f"event {first} of {events + 3}", f"event {first}")


def test_every_kept_event_is_shown_again_once_and_the_present_after_the_newest() -> None:
    """Those before the newest sixty are gone, and the numbers say how many they were."""
    model = after(RECALLED + 40)
    seen = []
    while model.recall_next():
        seen.append(shown(model)[0])
    assert seen == [f"event {number} of {RECALLED + 40}" for number in range(41, RECALLED + 41)]
