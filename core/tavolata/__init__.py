"""A tabletop for the terminal: the API for authors of games, and nothing else.

A game imports this package only: `from tavolata import Game, Table, Seat`. Each name is fetched
from its module when it is first used, so that `import tavolata` costs nothing; type checkers see
the real imports. Only names that a game, a bot or a plugin may use are listed here.
"""

from __future__ import annotations

from importlib import import_module as _import_module

TYPE_CHECKING = False  # not from typing: importing that would double the cost of `tt --version`
if TYPE_CHECKING:
    from tavolata._version import __version__ as __version__
    from tavolata.asks import Ask as Ask
    from tavolata.asks import Claim as Claim
    from tavolata.boards import OFF as OFF
    from tavolata.boards import Grid as Grid
    from tavolata.boards import Track as Track
    from tavolata.bots import GO_ON as GO_ON
    from tavolata.bots import Bot as Bot
    from tavolata.bots import Chance as Chance
    from tavolata.bots import ChatMessage as ChatMessage
    from tavolata.bots import Interject as Interject
    from tavolata.bots import RandomBot as RandomBot
    from tavolata.bots import Reflex as Reflex
    from tavolata.cards import Card as Card
    from tavolata.cards import Deck as Deck
    from tavolata.cards import Hand as Hand
    from tavolata.cards import Pile as Pile
    from tavolata.choices import Answer as Answer
    from tavolata.choices import Choice as Choice
    from tavolata.choices import Unavailable as Unavailable
    from tavolata.counters import Bank as Bank
    from tavolata.counters import Counter as Counter
    from tavolata.counters import Counters as Counters
    from tavolata.decks import FRENCH_52 as FRENCH_52
    from tavolata.decks import FRENCH_54 as FRENCH_54
    from tavolata.decks import FRENCH_108 as FRENCH_108
    from tavolata.decks import ITALIAN_40 as ITALIAN_40
    from tavolata.decks import JOKER as JOKER
    from tavolata.decks import FrenchFace as FrenchFace
    from tavolata.decks import ItalianFace as ItalianFace
    from tavolata.decks import ItalianRank as ItalianRank
    from tavolata.decks import ItalianSuit as ItalianSuit
    from tavolata.decks import Rank as Rank
    from tavolata.decks import Suit as Suit
    from tavolata.dice import D6 as D6
    from tavolata.dice import Die as Die
    from tavolata.dice import d as d
    from tavolata.dice import die as die
    from tavolata.errors import FalseClaim as FalseClaim
    from tavolata.errors import GameError as GameError
    from tavolata.errors import HiddenFact as HiddenFact
    from tavolata.errors import PieceError as PieceError
    from tavolata.errors import Refused as Refused
    from tavolata.errors import TavolataError as TavolataError
    from tavolata.game import Award as Award
    from tavolata.game import Game as Game
    from tavolata.game import Interjection as Interjection
    from tavolata.game import Outcome as Outcome
    from tavolata.game import interjection as interjection
    from tavolata.hookspecs import hookimpl as hookimpl
    from tavolata.kinds.amount import Amount as Amount
    from tavolata.kinds.amount import amount as amount
    from tavolata.kinds.branch import Branch as Branch
    from tavolata.kinds.form import Form as Form
    from tavolata.kinds.form import form as form
    from tavolata.kinds.one_of import GO as GO
    from tavolata.kinds.one_of import YES_NO as YES_NO
    from tavolata.kinds.one_of import OneOf as OneOf
    from tavolata.kinds.one_of import one_of as one_of
    from tavolata.kinds.question import Question as Question
    from tavolata.kinds.some_of import SomeOf as SomeOf
    from tavolata.kinds.some_of import some_of as some_of
    from tavolata.messages import N_ as N_
    from tavolata.messages import NN_ as NN_
    from tavolata.messages import NOTHING as NOTHING
    from tavolata.messages import Event as Event
    from tavolata.messages import Hint as Hint
    from tavolata.messages import Plural as Plural
    from tavolata.messages import Text as Text
    from tavolata.messages import hint as hint
    from tavolata.options import OptionError as OptionError
    from tavolata.options import Options as Options
    from tavolata.options import option as option
    from tavolata.reaction_times import GOES as GOES
    from tavolata.ring import SEATS as SEATS
    from tavolata.ring import Ring as Ring
    from tavolata.ring import Seat as Seat
    from tavolata.secret import Secret as Secret
    from tavolata.table import Table as Table
    from tavolata.view import View as View
    from tavolata.windows import Reaction as Reaction
    from tavolata.windows import Window as Window
    from tavolata.zones import CardView as CardView
    from tavolata.zones import Layout as Layout
    from tavolata.zones import Zone as Zone
    from tavolata.zones import counter_zone as counter_zone
    from tavolata.zones import counters_zone as counters_zone
    from tavolata.zones import grid_zone as grid_zone
    from tavolata.zones import hand_zone as hand_zone
    from tavolata.zones import pile_zone as pile_zone
    from tavolata.zones import text_zone as text_zone
    from tavolata.zones import tokens_zone as tokens_zone
    from tavolata.zones import track_zone as track_zone

_HOMES = {
    "tavolata._version": "__version__",
    "tavolata.asks": "Ask Claim",
    "tavolata.boards": "OFF Grid Track",
    "tavolata.bots": "Bot Chance ChatMessage GO_ON Interject RandomBot Reflex",
    "tavolata.cards": "Card Deck Hand Pile",
    "tavolata.choices": "Answer Choice Unavailable",
    "tavolata.counters": "Bank Counter Counters",
    "tavolata.decks": """
        FRENCH_108 FRENCH_52 FRENCH_54 ITALIAN_40 JOKER FrenchFace ItalianFace ItalianRank
        ItalianSuit Rank Suit
    """,
    "tavolata.dice": "D6 Die d die",
    "tavolata.errors": "FalseClaim GameError HiddenFact PieceError Refused TavolataError",
    "tavolata.game": "Award Game Interjection Outcome interjection",
    "tavolata.hookspecs": "hookimpl",
    "tavolata.kinds.amount": "Amount amount",
    "tavolata.kinds.branch": "Branch",
    "tavolata.kinds.form": "Form form",
    "tavolata.kinds.question": "Question",
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
        CardView Layout Zone counter_zone counters_zone grid_zone hand_zone pile_zone text_zone
        tokens_zone track_zone
    """,
}
"""Where each name lives; the imports above say the same to type checkers, which so know what is public."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [*_HOME]  # noqa: PLE0604 - all are names; type checkers read the imports


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
