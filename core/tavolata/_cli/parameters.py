"""Parameters that several commands have: the type of each with its help, for Typer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from tavolata._cli import completions
from tavolata._text import one_line
from tavolata.messages import N_, Text
from tavolata.options import WHOLE_NUMBER, beyond

NUMBER = N_("{name} must be a number, not {value}.")


class Unfit(typer.BadParameter):
    """A value that does not fit its parameter; `{name}` in the `text` stands for the parameter."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.message)
        self.text = text

    def __reduce__(self) -> tuple[type[Unfit], tuple[Text]]:
        return Unfit, (self.text,)


def number(
    *names: str,
    text: str,
    kind: type[int | float] = int,
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Return an option that takes a number from `low` to `high`, if they are given.

    `names` are how it is written, if not as its parameter; `text` is its help.
    """
    if low is not None:
        text += f"  [{low}<=x<={high}]" if high is not None else f"  [x>={low}]"
    return typer.Option(*names, help=text, metavar=N_("NUMBER"), parser=_reader(kind, low, high))


def _reader(kind: type[int | float], low: float | None, high: float | None) -> Callable[[Any], float]:
    def read(given: Any) -> float:
        value = one_line(given, 60)
        try:
            found = kind(given)
        except (TypeError, ValueError):
            raise Unfit(Text(WHOLE_NUMBER if kind is int else NUMBER, {"value": value})) from None
        if message := beyond(found, low, high):
            raise Unfit(Text(message, {"low": low, "high": high, "value": value}))
        return found

    return read


MOST_COUNTED = 999
"""The most players to ask for; names and bots are listed before the limits of a game are looked at."""
GameName = Annotated[
    str,
    typer.Argument(
        help=N_("Name of a game (see `tt games`), or a file: ./game.py or ./game.py:Class."),
        autocompletion=completions.games,
    ),
]
SeatCount = Annotated[int | None, number(text=N_("Number of seats."), high=MOST_COUNTED)]
BotCount = Annotated[
    str | None,
    typer.Option(
        help=N_("Number of bots (normal if the game has them), or a level per bot: 3, or easy,hard."),
        autocompletion=completions.levels,
    ),
]
TeamCount = Annotated[
    int, number("--teams", text=N_("Number of teams, in games that allow them."), low=0, high=8)
]
CampaignName = Annotated[
    str | None,
    typer.Option(
        "--campaign",
        metavar="NAME",
        help=N_("Campaign to start or continue."),
        autocompletion=completions.campaigns,
    ),
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option(
        help=N_("Set a house rule, e.g. fiches=5 (repeatable)."), autocompletion=completions.house_rules
    ),
]
OwnBot = Annotated[
    str | None,
    typer.Option(help=N_("Let a bot of this level play for you."), autocompletion=completions.levels),
]
ThinkingTime = Annotated[
    float | None,
    number(
        "--think",
        text=N_("Seconds the thinker takes per move (default: 1)."),
        low=0.05,
        high=600,
        kind=float,
    ),
]
Pace = Annotated[
    str | None,
    typer.Option(
        help=N_("Turn over cards on a key press (key), every N seconds, or at once (off)."),
        autocompletion=completions.among("key", "off"),
    ),
]
Nudged = Annotated[
    str,
    typer.Option(
        help=N_(
            "Let a bot answer once after an ignored nudge (bot) or play on (rest), or have everyone "
            "wait (wait)."
        ),
        autocompletion=completions.among("bot", "rest", "wait"),
    ),
]
OwnName = Annotated[str | None, typer.Option("--as", help=N_("Your name at the table."))]
ProgramSeconds = Annotated[
    float,
    number(
        text=N_("Time limit for each answer from a program, in seconds."), low=0.1, high=86400, kind=float
    ),
]
Unlike = Annotated[
    bool,
    typer.Option(
        "--unlike",
        help=N_(
            "Play even if not everyone has the same game code. Lies about hidden cards then go undetected."
        ),
    ),
]
UnlikeThen = Annotated[
    bool, typer.Option("--unlike", help=N_("Continue even if the game's code has changed."))
]
WebPort = Annotated[int | None, number(text=N_("TCP port for browsers."), low=1, high=65535)]
MatchFile = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE|ID",
        help=N_("Match file or id (default: the latest)."),
        autocompletion=completions.kept_matches,
    ),
]
