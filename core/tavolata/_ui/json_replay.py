"""The replay of a match as lines of JSON, in the format of a running match but without questions."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata._engine.review.replay import ALL, Replay
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import end_data, event_data, full_data, hello_data
from tavolata._ui.scene.text import Json
from tavolata._ui.words import Words


def told(replay: Replay, translator: Translator, package: str, seat: int | None, turn: int) -> Iterator[Json]:
    """Yield the lines of a match from one turn on: its events, and a `full` line at the end of each turn.

    `seat` is None for a spectator, `ALL` for all hands; turns count from 1.
    """
    words = Words(translator, package, replay.header.names)

    def full() -> Json:
        shown = None if seat == ALL else seat
        return full_data(replay.match, shown, (), words, replay.view(seat))

    yield hello_data(translator.lang)
    yield {"type": "begin", "again": turn > 1}
    replay.go(replay.step_of_turn(turn))
    yield full()
    for step in range(replay.at + 1, len(replay.steps)):
        before = replay.steps[step - 1].turn
        for event in replay.go(step):
            if event.to is None or seat == ALL or seat in event.to:
                yield event_data(event, words, replay.view(seat))
        if replay.steps[step].turn > before or step == len(replay.steps) - 1:
            yield full()
    if (ended := replay.end()) is not None:
        yield end_data(ended, words)
