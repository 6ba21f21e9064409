"""A tabletop for the terminal: the API for authors of games, and nothing else.

A game imports this package only: `from tavolata import Game, Table, Seat`. Each name is fetched
from its module when it is first used, so that `import tavolata` costs nothing; type checkers see
the real imports. Only names that a game, a bot or a plugin may use are listed here.
"""

from __future__ import annotations

from importlib import import_module as _import_module

TYPE_CHECKING = False  # not from typing: importing that would double the cost of `tt --version`
if TYPE_CHECKING:
    from tavolata._version import __version__
    from tavolata.asks import Ask, Claim
    from tavolata.boards import OFF, Grid, Track
    from tavolata.bots import Bot, Chance, RandomBot, Reflex, Say
    from tavolata.cards import Card, Deck, Hand, Pile
    from tavolata.choices import Answer, Choice, No
    from tavolata.counters import Bank, Counter, Counters
    from tavolata.decks import (
        FRENCH_52,
        FRENCH_54,
        FRENCH_108,
        ITALIAN_40,
        JOKER,
        FrenchFace,
        ItalianFace,
        ItalianRank,
        ItalianSuit,
        Rank,
        Suit,
    )
    from tavolata.dice import D6, Die, d, die
    from tavolata.errors import FalseClaim, GameError, HiddenFact, PieceError, Refused, TavolataError
    from tavolata.game import Game, Interjection, Outcome, interjection
    from tavolata.hookspecs import hookimpl
    from tavolata.kinds.amount import Amount, amount
    from tavolata.kinds.form import Form, form
    from tavolata.kinds.kind import Kind
    from tavolata.kinds.one_of import GO, YES_NO, OneOf, one_of
    from tavolata.kinds.some_of import SomeOf, some_of
    from tavolata.messages import N_, NN_, NOTHING, Event, Hint, Plural, Text, hint
    from tavolata.options import OptionError, Options, option
    from tavolata.reaction_times import GOES
    from tavolata.ring import SEATS, Ring, Seat
    from tavolata.secret import Secret
    from tavolata.table import Table
    from tavolata.view import View
    from tavolata.windows import Reaction, Window
    from tavolata.zones import (
        CardView,
        Zone,
        counter_zone,
        counters_zone,
        grid_zone,
        hand_zone,
        pile_zone,
        text_zone,
        tokens_zone,
        track_zone,
    )

_HOMES = {
    "tavolata._version": "__version__",
    "tavolata.asks": "Ask Claim",
    "tavolata.boards": "OFF Grid Track",
    "tavolata.bots": "Bot Chance RandomBot Reflex Say",
    "tavolata.cards": "Card Deck Hand Pile",
    "tavolata.choices": "Answer Choice No",
    "tavolata.counters": "Bank Counter Counters",
    "tavolata.decks": """
        FRENCH_108 FRENCH_52 FRENCH_54 ITALIAN_40 JOKER FrenchFace ItalianFace ItalianRank
        ItalianSuit Rank Suit
    """,
    "tavolata.dice": "D6 Die d die",
    "tavolata.errors": "FalseClaim GameError HiddenFact PieceError Refused TavolataError",
    "tavolata.game": "Game Interjection Outcome interjection",
    "tavolata.hookspecs": "hookimpl",
    "tavolata.kinds.amount": "Amount amount",
    "tavolata.kinds.form": "Form form",
    "tavolata.kinds.kind": "Kind",
    "tavolata.kinds.one_of": "GO OneOf YES_NO one_of",
    "tavolata.kinds.some_of": "SomeOf some_of",
    "tavolata.messages": "Event Hint N_ NN_ NOTHING Plural Text hint",
    "tavolata.options": "OptionError Options option",
    "tavolata.reaction_times": "GOES",
    "tavolata.ring": "SEATS Ring Seat",
    "tavolata.secret": "Secret",
    "tavolata.table": "Table",
    "tavolata.view": "View",
    "tavolata.windows": "Reaction Window",
    "tavolata.zones": """
        CardView Zone counter_zone counters_zone grid_zone hand_zone pile_zone text_zone tokens_zone
        track_zone
    """,
}
"""Where each name lives; the imports above say the same to type checkers."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "D6",
    "FRENCH_52",
    "FRENCH_54",
    "FRENCH_108",
    "GO",
    "GOES",
    "ITALIAN_40",
    "JOKER",
    "NN_",
    "NOTHING",
    "N_",
    "OFF",
    "SEATS",
    "YES_NO",
    "Amount",
    "Answer",
    "Ask",
    "Bank",
    "Bot",
    "Card",
    "CardView",
    "Chance",
    "Choice",
    "Claim",
    "Counter",
    "Counters",
    "Deck",
    "Die",
    "Event",
    "FalseClaim",
    "Form",
    "FrenchFace",
    "Game",
    "GameError",
    "Grid",
    "Hand",
    "HiddenFact",
    "Hint",
    "Interjection",
    "ItalianFace",
    "ItalianRank",
    "ItalianSuit",
    "Kind",
    "No",
    "OneOf",
    "OptionError",
    "Options",
    "Outcome",
    "PieceError",
    "Pile",
    "Plural",
    "RandomBot",
    "Rank",
    "Reaction",
    "Reflex",
    "Refused",
    "Ring",
    "Say",
    "Seat",
    "Secret",
    "SomeOf",
    "Suit",
    "Table",
    "TavolataError",
    "Text",
    "Track",
    "View",
    "Window",
    "Zone",
    "__version__",
    "amount",
    "counter_zone",
    "counters_zone",
    "d",
    "die",
    "form",
    "grid_zone",
    "hand_zone",
    "hint",
    "hookimpl",
    "interjection",
    "one_of",
    "option",
    "pile_zone",
    "some_of",
    "text_zone",
    "tokens_zone",
    "track_zone",
]


def __getattr__(name: str) -> object:
    try:
        module = _HOME[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value: object = getattr(_import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
