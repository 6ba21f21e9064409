"""Parameters that several commands have: the type of each with its help, for Typer."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from tavolata._cli import completions
from tavolata.messages import N_


def a_number(value: float | None) -> float | None:
    """The value of an option with limits; "nan" is within none, and the parser would take it.

    Raises:
        typer.BadParameter: when it is "nan"; `parser_errors` says what it may be.
    """
    if value is not None and math.isnan(value):
        raise typer.BadParameter(str(value))
    return value


GameName = Annotated[
    str,
    typer.Argument(
        help=N_("The game, as `tt games` lists them, or a file with one: ./game.py, ./game.py:Class."),
        autocompletion=completions.games,
    ),
]
SeatCount = Annotated[int | None, typer.Option(help=N_("How many seats in all."))]
BotCount = Annotated[
    str | None,
    typer.Option(
        help=N_("How many bots, or their levels: 3, or easy,hard."), autocompletion=completions.levels
    ),
]
TeamCount = Annotated[
    int, typer.Option("--teams", help=N_("Play in so many teams, if the game allows it."), min=0, max=8)
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
    typer.Option(
        "--think",
        help=N_("Seconds that bots of level thinker take for a choice; else one."),
        min=0.05,
        max=600,
        callback=a_number,
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
        help=N_("If you press no key after a nudge: a bot answers (bot), you count as away (out), or wait."),
        autocompletion=completions.among("bot", "out", "wait"),
    ),
]
OwnName = Annotated[str | None, typer.Option("--as", help=N_("Your name at the table."))]
ProgramSeconds = Annotated[
    float,
    typer.Option(
        help=N_("How long a program may take for an answer."), min=0.1, max=86400, callback=a_number
    ),
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
WebPort = Annotated[
    int | None, typer.Option(help=N_("The TCP port of the pages for browsers."), min=1, max=65535)
]
MatchFile = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE|ID]",
        help=N_("A match file, or the id of a match; else the last one."),
        autocompletion=completions.kept_matches,
    ),
]
