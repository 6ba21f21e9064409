"""What a match has said, in words: for tests and for playthroughs that people read."""

from __future__ import annotations

from tavolata._engine.match import Match
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata.messages import Event
from tavolata.view import View


def words_of(match: Match, lang: str = "en") -> Words:
    """Puts the messages of a match into a language."""
    return Words(Translator(lang), match.rules.__module__.partition(".")[0], match.terms.names)


def said(match: Match, view: View, lang: str = "en") -> list[str]:
    """The events that a viewer may know, one line each."""
    words = words_of(match, lang)
    return [words.event(event, view) for event in view.events]


def line(match: Match, event: Event, lang: str = "en") -> str:
    """One event as those read it who see no hidden face."""
    return words_of(match, lang).event(event)
