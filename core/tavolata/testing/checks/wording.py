"""Checks of what people read: messages are whole in each language, and things are called by words."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from tavolata._text import fields
from tavolata.asks import Ask
from tavolata.bots import Bot
from tavolata.choices import Choice
from tavolata.game import Game
from tavolata.messages import Event
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.errors import CheckFailed
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow, play
from tavolata.testing.said import words_of

MOST_CHOICES = 60
"""The choices of a question that are looked at."""
_CODE = re.compile(r"\b[A-Z]\w*\.[A-Z][A-Z0-9_]+\b|<[\w.<>]+ object at 0x|<[A-Z]\w*\.\w+: ")
"""Words that only a programmer would write, such as `Role.LOYAL`."""


@each(share=10)
def messages_whole(case: Case) -> None:
    """Messages have all their fields, prompts have no field too many, and each language's catalogue fits."""
    _catalogues(case.game)
    kept = play(case)
    for number, event in kept.events:
        counts = {"n"} if event[1] is not None else set()
        _complete(kept, number, str(event[0]), set(event[2]), counts)
    for _, _, _, you, others, params, *_ in kept.asked.values():
        _agree(kept, [you, others], set(params))
    for *prompts, params in kept.windows.values():
        _agree(kept, prompts, set(params))


def _complete(kept: Recorded, entry: int | None, message: str, given: set[str], more: set[str]) -> None:
    if missing := (fields(message) | more) - given:
        raise CheckFailed(f"{message!r} has no value for {{{min(missing)}}}.", case=kept.case, entry=entry)


def _agree(kept: Recorded, prompts: Sequence[str], given: set[str]) -> None:
    """Check that prompts have all their fields, and that each field belongs to one of them."""
    for prompt in prompts:
        _complete(kept, None, prompt, given, set())
    if any(prompts) and (spare := given - set().union(*map(fields, prompts))):
        raise CheckFailed(f"{prompts[0]!r} has no field {{{min(spare)}}}, which it is given.", case=kept.case)


def _catalogues(game: type[Game[Any]]) -> None:
    from tavolata.testing.translations import mistakes  # noqa: PLC0415 - it is run as a command, too

    package = game.__module__.partition(".")[0]
    for folder in map(Path, getattr(sys.modules.get(package), "__path__", ())):
        for catalogue in sorted(folder.glob(f"locale/*/LC_MESSAGES/{package}.po")):
            lang = catalogue.parent.parent.name
            if wrong := mistakes(package, lang):
                bring = f"python -m tavolata.testing.translations {package} --lang {lang}"
                raise CheckFailed(f"locale/{lang} does not fit: {wrong[0]} `{bring}` brings it up to date.")


@each(share=10)
def looks_fit(case: Case) -> None:
    """Faces, choices and sentences are words, on one line: no `Class.MEMBER` and no object."""
    kept = _Read(case)
    follow(kept, _ReadingSource(case, kept), lambda _: kept.look_at_faces())


class _Read(Recorded):
    """A match of which all that is shown is read."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._decks: set[str] = set()

    @override
    def tell(self, event: Event) -> None:
        super().tell(event)
        self._look(words_of(self.match).event(event), "A sentence")

    def look_at_faces(self) -> None:
        """Look at the faces of decks that were not there before."""
        words = words_of(self.match)
        for card in self.match.table._pieces.cards:
            if card.deck.name not in self._decks:
                self._decks.add(card.deck.name)
                for face in card.deck.faces:
                    self._look(words.describe(face), f"A face of {card.deck.name}")

    def look_at_question(self, ask: Ask) -> None:
        """Look at what can be chosen."""
        self.look_at_faces()
        words, view = words_of(self.match), self.match.view(ask.seat)
        for choice in list(getattr(ask.question, "choices", ()))[:MOST_CHOICES]:
            if isinstance(choice, Choice):
                with blamed(self):
                    said = words.choice(choice, view)
                self._look(said, "A choice")

    def _look(self, text: str, what: str) -> None:
        if (found := _CODE.search(text)) is not None:
            raise self.failure(f"{what} is shown as code, {found[0]!r}: {text!r}.")
        if "\n" in text:
            raise self.failure(f"{what} has more than one line: {text!r}.")


class _ReadingSource(NotingSource):
    """A source that looks at each question before it is answered."""

    def __init__(self, case: Case, kept: _Read) -> None:
        super().__init__(case.seed, case.players(), kept)
        self._read = kept

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        self._read.look_at_question(ask)
        super()._bot_answers(bot, ask)
