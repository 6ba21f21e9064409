"""The events of a match as sentences, for tests and for playthroughs that people read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tavolata._engine.match.match import Match
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata.messages import Event
from tavolata.view import View
from tavolata.zones import CardView


def words_of(match: Match, lang: str = "en") -> Words:
    """Puts the messages of a match into a language."""
    return Words(Translator(lang), match.rules.__module__.partition(".")[0], match.terms.names)


def as_seen(event: Event, view: View) -> Event:
    """The event with the faces that a viewer knows at this moment."""

    def seen(value: Any) -> Any:
        if isinstance(value, CardView):
            return replace(value, face=value.face if value.face is not None else view.face_of(value.id))
        return tuple(map(seen, value)) if isinstance(value, tuple) else value

    return replace(event, params={name: seen(value) for name, value in event.params.items()})
