"""A tabletop for the terminal: the API for authors of games, and nothing else.

A game imports this package: `from tavolata import Game, Table, Seat`. Six modules beside it are public, too:
`tavolata.decks`, `tavolata.tricks` (facts and helpers of trick-taking), `tavolata.zones` (the makers of
zones), `tavolata.bots`, `tavolata.sim` (matches to try things out in) and `tavolata.errors`. Each name is
fetched from its module when it is first used, so that `import tavolata` costs nothing; type checkers see the
real imports.
"""

from __future__ import annotations

from importlib import import_module as _import_module

TYPE_CHECKING = False  # not from typing: importing that would double the cost of `tt --version`
if TYPE_CHECKING:
    from tavolata._version import API as API
    from tavolata._version import __version__ as __version__
    from tavolata.asks import Ask as Ask
    from tavolata.ballots import Ballots as Ballots
    from tavolata.boards import Grid as Grid
    from tavolata.boards import Spot as Spot
    from tavolata.boards import Track as Track
    from tavolata.cards import Card as Card
    from tavolata.cards import Deck as Deck
    from tavolata.cards import Hand as Hand
    from tavolata.cards import Pile as Pile
    from tavolata.choices import Choice as Choice
    from tavolata.choices import Unavailable as Unavailable
    from tavolata.counters import Counter as Counter
    from tavolata.counters import Counters as Counters
    from tavolata.cups import Cup as Cup
    from tavolata.dice import D6 as D6
    from tavolata.dice import Die as Die
    from tavolata.errors import Refused as Refused
    from tavolata.facts import Claim as Claim
    from tavolata.facts import claim as claim
    from tavolata.facts import fact as fact
    from tavolata.game import Game as Game
    from tavolata.game import Opening as Opening
    from tavolata.game import interjection as interjection
    from tavolata.hookspecs import hookimpl as hookimpl
    from tavolata.kinds.amount import Amount as Amount
    from tavolata.kinds.amount import amount as amount
    from tavolata.kinds.branch import Branch as Branch
    from tavolata.kinds.form import Form as Form
    from tavolata.kinds.form import form as form
    from tavolata.kinds.free_text import FreeText as FreeText
    from tavolata.kinds.free_text import free_text as free_text
    from tavolata.kinds.one_of import YES_NO as YES_NO
    from tavolata.kinds.one_of import OneOf as OneOf
    from tavolata.kinds.one_of import one_of as one_of
    from tavolata.kinds.question import Question as Question
    from tavolata.kinds.some_of import SomeOf as SomeOf
    from tavolata.kinds.some_of import some_of as some_of
    from tavolata.looks import Look as Look
    from tavolata.messages import N_ as N_
    from tavolata.messages import NN_ as NN_
    from tavolata.messages import Event as Event
    from tavolata.messages import Text as Text
    from tavolata.messages import text as text
    from tavolata.options import Options as Options
    from tavolata.options import Problem as Problem
    from tavolata.options import option as option
    from tavolata.outcome import Award as Award
    from tavolata.outcome import Outcome as Outcome
    from tavolata.ring import Ring as Ring
    from tavolata.ring import Seat as Seat
    from tavolata.secret import Secret as Secret
    from tavolata.table import Table as Table
    from tavolata.teams import Teams as Teams
    from tavolata.texts import same_words as same_words
    from tavolata.view import View as View
    from tavolata.windows import Reaction as Reaction
    from tavolata.zones import Layout as Layout
    from tavolata.zones import Zone as Zone

_HOMES = {
    "tavolata._version": "API __version__",
    "tavolata.asks": "Ask",
    "tavolata.ballots": "Ballots",
    "tavolata.boards": "Grid Spot Track",
    "tavolata.cards": "Card Deck Hand Pile",
    "tavolata.choices": "Choice Unavailable",
    "tavolata.counters": "Counter Counters",
    "tavolata.cups": "Cup",
    "tavolata.dice": "D6 Die",
    "tavolata.errors": "Refused",
    "tavolata.facts": "Claim claim fact",
    "tavolata.game": "Game Opening interjection",
    "tavolata.hookspecs": "hookimpl",
    "tavolata.kinds.amount": "Amount amount",
    "tavolata.kinds.branch": "Branch",
    "tavolata.kinds.form": "Form form",
    "tavolata.kinds.free_text": "FreeText free_text",
    "tavolata.kinds.one_of": "OneOf YES_NO one_of",
    "tavolata.kinds.question": "Question",
    "tavolata.kinds.some_of": "SomeOf some_of",
    "tavolata.looks": "Look",
    "tavolata.messages": "Event NN_ N_ Text text",
    "tavolata.options": "Options Problem option",
    "tavolata.outcome": "Award Outcome",
    "tavolata.ring": "Ring Seat",
    "tavolata.secret": "Secret",
    "tavolata.table": "Table",
    "tavolata.teams": "Teams",
    "tavolata.texts": "same_words",
    "tavolata.view": "View",
    "tavolata.windows": "Reaction",
    "tavolata.zones": "Layout Zone",
}
"""Where each name lives; the imports above say the same to type checkers, which so know what is public."""

_NOW = {
    "Answer": "values (Question.nth, Question.index)",
    **{
        name: f"tavolata.{module}.{name}"
        for module, names in {
            "bots": "Bot Chance RandomBot Window",
            "decks": """
                FRENCH_108 FRENCH_52 FRENCH_54 ITALIAN_40 JOKER FrenchFace ItalianFace ItalianRank
                ItalianSuit Rank Suit
            """,
            "errors": "GameError HiddenFact OptionError PieceError TavolataError",
            "game": "Interjection",
            "zones": """
                CardView counter_zone counters_zone grid_zone hand_zone pile_zone text_zone tokens_zone
                track_zone
            """,
        }.items()
        for name in names.split()
    },
    "Bank": "tavolata.Counter (Table.bank makes one)",
    "Cheat": "tavolata.errors.FalseFact",
    "FalseClaim": "tavolata.errors.FalseFact",
    "GO": "Table.pause",
    "GOES": "tavolata.bots.GO_ON",
    "Hint": "tavolata.Text",
    "Kind": "tavolata.Question",
    "No": "tavolata.Unavailable",
    "NOTHING": '""',
    "OFF": "tavolata.Track.OFF",
    "Plural": "tavolata.NN_",
    "Reflex": "tavolata.bots.Reflex",
    "SEATS": "tavolata.Seat(number)",
    "Say": "tavolata.bots.ChatMessage",
    "d": "tavolata.Die.of",
    "die": "tavolata.Die",
    "hint": "tavolata.text",
}
"""What is used instead of an old name."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [*_HOME]  # noqa: PLE0604 - all are names; type checkers read the imports


if not TYPE_CHECKING:  # else every name would seem to be there

    def __getattr__(name: str) -> object:
        """Fetch a name from its module; of an old one, say what is used now."""
        try:
            module = _HOME[name]
        except KeyError:
            if name in _NOW:
                raise ImportError(f"tavolata has no {name}: use {_NOW[name]}.") from None
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
        value: object = getattr(_import_module(module), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
