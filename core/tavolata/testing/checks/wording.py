"""Checks of what people read: messages are whole in each language, and things are called by words."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from tavolata._text import fields
from tavolata._ui.i18n import languages
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.cards import Deck
from tavolata.choices import Choice
from tavolata.game import Game
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.looks import Look
from tavolata.messages import Event
from tavolata.table import STAMP
from tavolata.testing.cases import Case, CheckFailed
from tavolata.testing.checks.check import each
from tavolata.testing.checks.source_text import put_together
from tavolata.testing.playthrough import words_of
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow
from tavolata.windows import Window

MOST_CHOICES = 60
"""The choices of a question that are looked at."""
_FIELD, _WORDS = re.compile(r"\{[^}]*\}"), re.compile(r"[^\W\d_]{2}")
_CODE = re.compile(
    r"\b[A-Z]\w*\.[A-Z][A-Z0-9_]+\b|<[\w.<>]+ object at 0x|<[A-Z]\w*\.\w+: |\bCard\(\d+, |\bSeat\(\d+\)"
)
"""Words that only a programmer would write, such as `Role.LOYAL`."""


@each(share=10)
def messages_whole(case: Case) -> None:
    """Messages have all their fields, are marked for translation, and each language's catalogue fits."""
    if (failure := put_together(case.game)) is not None:
        failure.case = case
        raise failure
    _catalogues(case.game)
    kept = _Said(case)
    follow(kept, NotingSource(kept), lambda _: kept.look_at_zones())
    kept.look_at_end()
    for number, event in kept.events:
        counts = {"n"} if event[1] is not None else set()
        _complete(kept, number, str(event[0]), set(event[2]), counts)
    for _, _, _, you, others, params, *_ in kept.asked.values():
        _agree(kept, [you, others], set(params), {"seat"})  # whoever shows a question knows its seat
    for *prompts, params in kept.windows.values():
        _agree(kept, prompts, set(params), set())


class _Said(Recorded):
    """A match of which each message is checked.

    Where the package has catalogues, a message that its source does not mark is a mistake.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._marked = _marked(case.game)

    @override
    def tell(self, event: Event) -> None:
        super().tell(event)
        self._look(event.message)
        if event.stamp:
            self._look(event.stamp)
            self._fits(event.stamp)

    def _fits(self, stamp: str) -> None:
        for lang in languages():
            said = words_of(self.match, lang).text(stamp)
            if len(said) > STAMP:
                raise self.failure(f"In {lang!r} the stamp {said!r} has more than {STAMP} letters.")

    @override
    def before_answer(self, ask: Ask) -> None:
        reason = () if ask.claim is None else (ask.claim.reason,)
        self._look_at_question(ask.question, (ask.you, ask.others, *reason))
        for question in self.match.standing(ask.seat).values():
            self._look_at_question(question, ())

    @override
    def before_reactions(self, window: Window) -> None:
        for question in window.questions.values():
            self._look_at_question(question, (window.you, window.others, window.goes))

    def _look_at_question(self, question: Question[Any], prompts: Iterable[str]) -> None:
        """Check prompts, possible choices and impossible ones."""
        for prompt in prompts:
            self._look(prompt)
        match question.shape():
            case Fieldset(parts):
                for part in parts:
                    if part.question.count() == 1:
                        continue  # it is filled in unasked
                    self._look(part.label)
                    self._look_at_question(part.question, ())
            case Branching(first, then):
                for one in (first, *filter(None, then)):
                    self._look_at_question(one, ())
            case Choices(choices, unavailable=unavailable):
                for choice in choices[:MOST_CHOICES]:
                    self._look(choice.label, {"value", *choice.params})
                for no in unavailable[:MOST_CHOICES]:
                    self._look(no.label, {"value", *no.params})
                    self._look(no.reason, {*no.params})
            case Number() | Writing():
                pass  # it shows nothing but its prompt

    def look_at_zones(self) -> None:
        for zone in self.match.view(None).zones().values():
            self._look(zone.title)

    def look_at_end(self) -> None:
        """Check the names of statistics and series, of awards, and the reason of the end."""
        outcome = self.match.outcome
        if outcome is None:
            return
        why = () if outcome.why is None else (outcome.why.message,)
        awards = [said for award in outcome.awards for said in (award.message, award.why)]
        for message in (*outcome.statistics, *outcome.series, *awards, *why):
            self._look(message)

    def _look(self, message: str, given: set[str] | None = None) -> None:
        if given is not None:
            _complete(self, None, message, given, set())
        if (
            self._marked is not None
            and _WORDS.search(_FIELD.sub("", message))
            and message not in self._marked
        ):
            raise self.failure(f"{message!r} is not marked by N_ or NN_, so it can't be translated.")


def _marked(game: type[Game[Any]]) -> set[str] | None:
    """Return the messages marked in the game's package and in Tavolata; None if it is not translated."""
    from tavolata.testing.translations import CORE, messages_of, translated  # noqa: PLC0415 - it is run as a command, too

    package = game.__module__.partition(".")[0]
    folders = map(Path, getattr(sys.modules.get(package), "__path__", ()))
    if package == CORE or not any((folder / "locale").is_dir() for folder in folders):
        return None
    return {*translated(CORE, "it"), *messages_of(package)}  # Tavolata's catalogue lacks nothing


def _complete(kept: Recorded, entry: int | None, message: str, given: set[str], more: set[str]) -> None:
    if missing := (fields(message) | more) - given:
        raise CheckFailed(f"{message!r} has no value for {{{min(missing)}}}.", case=kept.case, entry=entry)


def _agree(kept: Recorded, prompts: Sequence[str], given: set[str], known: set[str]) -> None:
    for prompt in prompts:
        _complete(kept, None, prompt, given | known, set())
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
    follow(kept, NotingSource(kept), lambda _: kept.look_at_faces())


class _Read(Recorded):
    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._decks: set[str] = set()

    @override
    def tell(self, event: Event) -> None:
        super().tell(event)
        self._look(words_of(self.match).event(event), "A sentence")

    def look_at_faces(self) -> None:
        words = words_of(self.match)
        for card in self.match.table._pieces.cards:
            if card.deck.name not in self._decks:
                self._decks.add(card.deck.name)
                self._look_at_deck(card.deck, words)

    def _look_at_deck(self, deck: Deck[Any], words: Words) -> None:
        for face in deck.faces:
            shown = face
            if deck.look is not None:
                with blamed(self):
                    shown = deck.look(face)
                if not isinstance(shown, Look):
                    raise self.failure(f"The look of a face of {deck.name} is no `Look`: {shown!r}.")
                for part in (shown.short, shown.title, shown.tag):
                    self._look(words.describe(part), f"A look of {deck.name}")
            self._look(words.describe(shown), f"A face of {deck.name}")

    @override
    def before_answer(self, ask: Ask) -> None:
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
