"""Parameters that several commands have: the type of each with its help, for Typer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from tavolata._cli import completions
from tavolata._text import one_line
from tavolata.messages import N_, Text
from tavolata.options import WHOLE_NUMBER, beyond

NUMBER = N_("{name} is a number, not {value}.")


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


GameName = Annotated[
    str,
    typer.Argument(
        help=N_("The game, as `tt games` lists them, or a file with one: ./game.py, ./game.py:Class."),
        autocompletion=completions.games,
    ),
]
SeatCount = Annotated[int | None, number(text=N_("How many seats in all."))]
BotCount = Annotated[
    str | None,
    typer.Option(
        help=N_("How many bots, or their levels: 3, or easy,hard."), autocompletion=completions.levels
    ),
]
TeamCount = Annotated[
    int, number("--teams", text=N_("Play in so many teams, if the game allows it."), low=0, high=8)
]
CampaignName = Annotated[
    str | None,
    typer.Option(
        "--campaign",
        metavar="NAME",
        help=N_("Play a match of this campaign, which goes on from what the one before has left."),
        autocompletion=completions.campaigns,
    ),
]
HouseRules = Annotated[
    list[str] | None,
    typer.Option(
        help=N_("A house rule, such as fiches=5; may be repeated."), autocompletion=completions.house_rules
    ),
]
OwnBot = Annotated[
    str | None,
    typer.Option(help=N_("Let a bot of this level play your own seat."), autocompletion=completions.levels),
]
ThinkingTime = Annotated[
    float | None,
    number(
        "--think",
        text=N_("Seconds that bots of level thinker take for a choice; else one."),
        low=0.05,
        high=600,
        kind=float,
    ),
]
Pace = Annotated[
    str | None,
    typer.Option(
        help=N_("Cards turn with a key, after so many seconds, or off."),
        autocompletion=completions.among("key", "off"),
    ),
]
Nudged = Annotated[
    str,
    typer.Option(
        help=N_("If you press no key after a nudge: a bot answers once (bot), plays on (rest), or wait."),
        autocompletion=completions.among("bot", "rest", "wait"),
    ),
]
OwnName = Annotated[str | None, typer.Option("--as", help=N_("Your name at the table."))]
ProgramSeconds = Annotated[
    float,
    number(text=N_("How long a program may take for an answer."), low=0.1, high=86400, kind=float),
]
Unlike = Annotated[
    bool,
    typer.Option(
        "--unlike",
        help=N_("Play also where the code of the game differs: then no lie about hidden cards is found."),
    ),
]
UnlikeThen = Annotated[
    bool, typer.Option("--unlike", help=N_("Go on also if the code of the game was other code then."))
]
WebPort = Annotated[int | None, number(text=N_("The TCP port of the pages for browsers."), low=1, high=65535)]
MatchFile = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE|ID",
        help=N_("A match file, or the id of a match; else the last one."),
        autocompletion=completions.kept_matches,
    ),
]
