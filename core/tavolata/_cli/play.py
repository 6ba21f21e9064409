"""The command `tt play`: a match in this process, with bots, programs or people at one keyboard."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from tavolata import _machine
from tavolata._cli.campaigns import wanted_campaign
from tavolata._cli.choosing import asked_name, own_name
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UsageError
from tavolata._cli.local_match import introduce, run_match
from tavolata._cli.parameters import (
    MOST_COUNTED,
    BotCount,
    CampaignName,
    GameName,
    HouseRules,
    OwnBot,
    Pace,
    ProgramSeconds,
    SeatCount,
    TeamCount,
    ThinkingTime,
    number,
)
from tavolata._cli.playing import in_words_of, option_words, read_pace
from tavolata._text import one_line
from tavolata.messages import N_
from tavolata.options import BETWEEN, problems_of, refuse_first

SEEDS = range(-(1 << 63), 1 << 64)
"""What the header of a match file can hold."""


def play(
    context: CommandContext,
    game: GameName,
    *,
    seats: SeatCount = None,
    humans: Annotated[
        int | None, number(text=N_("Number of people at this keyboard."), high=MOST_COUNTED)
    ] = None,
    bots: BotCount = None,
    teams: TeamCount = 0,
    campaign: CampaignName = None,
    option: HouseRules = None,
    seed: Annotated[
        int | None, number(text=N_("Random seed: the same seed and answers give the same match."))
    ] = None,
    bot: OwnBot = None,
    pace: Pace = None,
    name: Annotated[
        str | None, typer.Option("--as", help=N_("Your name, or several at one keyboard: Ann,Ben."))
    ] = None,
    guided: Annotated[bool, typer.Option("--guided", help=N_("Short match with hints."))] = False,
    seat_program: Annotated[
        list[str] | None,
        typer.Option(help=N_("Command that starts a program to play a seat (repeatable).")),
    ] = None,
    program_seconds: ProgramSeconds = 10.0,
    think: ThinkingTime = None,
) -> int:
    """Play here, against bots or together at one keyboard."""
    from tavolata._engine.match.header import Header
    from tavolata._engine.match.seating import (
        SeatingError,
        alternating,
        known_level,
        read_bots,
        seat,
        teams_for,
    )

    if seed is not None and seed not in SEEDS:
        said = {"low": SEEDS[0], "high": SEEDS[-1], "value": one_line(seed, 40)}
        raise UsageError(BETWEEN, name="--seed", **said)
    context.let_think(think)
    loaded = context.catalogue.game(game)
    known = context.catalogue.bots(loaded.info.name)
    programs = seat_program or []
    people = _people(context, name, humans)
    if not people and (bot is not None or not programs):
        raise SeatingError(N_("--humans must be at least 1. To let a bot play for you, use --bot."))
    short = loaded.game.first_match if guided else {}
    with in_words_of(loaded.info.package):
        options = loaded.game.options.parse({**loaded.game.local, **short, **option_words(option)})
    seated = partial(
        seat, loaded.game, known,
        seats=seats, programs=_names(programs),
        bots=None if bots is None else read_bots(bots, known),
        own_bot=None if bot is None else known_level(bot, known),
    )  # fmt: skip
    goes_on = wanted_campaign(loaded, campaign)
    seating = seated(people=people)
    teams = teams_for(loaded.game, teams, len(seating.names))
    with in_words_of(loaded.info.package):
        refuse_first(problems_of(options, len(seating.names), teams))
    watched = None in seating.levels and context.frontend != "json"
    speed = read_pace(pace, watched=watched)
    if (
        len(people) > 1
        and name is None
        and context.on_terminal
        and context.frontend != "json"
        and bot is None
    ):
        from tavolata._cli.people_form import ask_people

        named = ask_people(context, context.catalogue.title(loaded.info.name, context.text), people)
        if named is None:
            return FINISHED
        seating = seated(people=named)
    elif people:  # nobody is asked by a command that is refused
        asked_name(context, name, bot=bot)
        seating = seated(people=_people(context, name, humans))
    header = Header(
        id=_machine.token(8).hex(),
        game=loaded.info.name,
        version=loaded.info.version,
        rules_id=loaded.game.rules_id,
        code=loaded.info.code,
        options=options.plain(),
        names=seating.names,
        bots=seating.levels,
        pace=speed,
        teams=alternating(teams, len(seating.names)),
        campaign=goes_on,
        seed=seed if seed is not None else _machine.bits(53),
    )
    if watched and context.verbosity >= 0:
        introduce(context, loaded, guided=guided)
    return run_match(
        context,
        loaded,
        header,
        programs=programs,
        program_seconds=program_seconds,
        guided=guided,
    )


def _people(context: CommandContext, name: str | None, humans: int | None) -> list[str]:
    """Return the names of the people at this keyboard: those of `--as`, or of the last time.

    Raise SeatingError if two people have one name, or there are not as many as `--humans` says.
    """
    from tavolata._cli.people_form import usual_names
    from tavolata._engine.match.seating import SeatingError

    if name is None or "," not in name:
        first, count = own_name(context, name), 1 if humans is None else humans
        return usual_names(first, count)
    named = [own_name(context, one.strip() or " ") for one in name.split(",")]
    if len(set(named)) < len(named):
        raise SeatingError(
            N_("People at one keyboard need different names, not {names}."), names=", ".join(named)
        )
    if humans not in (None, len(named)):
        raise SeatingError(
            N_("--as gives {n} names, but --humans is {humans}. Use only one of the two."),
            n=len(named), humans=humans,
        )  # fmt: skip
    return named


def _names(programs: list[str]) -> list[str]:
    if not programs:
        return []
    from tavolata._ui.seat_programs import name_of

    return [name_of(one) for one in programs]
