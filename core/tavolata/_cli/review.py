"""The command `tt review`, which lets a thinker look at the decisions of a finished match."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, INTERRUPT, PLUGIN, WRONG, UsageError
from tavolata._cli.match_files import check_code_of_match, header_of, match_file
from tavolata._cli.parameters import MatchFile, UnlikeThen, number
from tavolata._cli.progress import ProgressLine
from tavolata._text import one_line
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._cli.review_report import Looked
    from tavolata._engine.plugins.catalogue import LoadedGame
    from tavolata._engine.review.hindsight import Hindsight
    from tavolata._engine.review.replay import Replay

PROGRESS = N_("{done} of {all} decisions, about {left} s left")
NOBODY_DECIDED = N_("No one had anything to decide in this match, so there's nothing to review.")
NOT_DECIDED = N_(
    "{names} had nothing to decide in this match. `--all` reviews everyone whose cards you can see."
)
NO_THOUGHT = N_("Decisions the thinker couldn't judge: {n} ({problem})")
LEAST = 0.02
"""Seconds for a decision when the time of all is nearly over."""


def review(
    context: CommandContext,
    file: MatchFile = None,
    *,
    seat: Annotated[
        str, typer.Option(help=N_("Player to review, by name or number (default: the people here)."))
    ] = "",
    everybody: Annotated[
        bool, typer.Option("--all", help=N_("Review everyone whose cards this computer may see."))
    ] = False,
    think: Annotated[
        float,
        number(text=N_("Maximum seconds for each decision."), low=0.05, high=600, kind=float),
    ] = 1.0,
    within: Annotated[
        float,
        number(text=N_("Maximum seconds for all decisions together."), low=0.1, high=86400, kind=float),
    ] = 120.0,
    playouts: Annotated[
        int | None,
        number(
            text=N_(
                "Try this many worlds per decision, ignoring the clock, so each run gives the same result."
            ),
            low=1,
            high=1_000_000,
        ),
    ] = None,
    unlike: UnlikeThen = False,
) -> int:
    "Find the turning points and missed chances in a match."
    from tavolata._engine.review.hindsight import Hindsight
    from tavolata._engine.review.replay import Replay

    if seat and everybody:
        raise UsageError(N_("Use either `--seat` or `--all`, not both."))
    kept = match_file(file)
    header = header_of(kept)
    loaded = context.catalogue.played(header.game, header.version)
    check_code_of_match(context, loaded, header, unlike=unlike)
    replay = Replay(kept, header, loaded.game)
    if kept.end is None and not replay.match.over and replay.broken_at is None:
        raise Refused(N_("This match isn't over. Review it when it is."))
    seats = _seats(context, replay, seat, everybody=everybody)
    hindsight = Hindsight(replay, seats)
    if not hindsight.decisions and context.ui != "json":
        whole = seats if len(seats) == len(header.names) else replay.seats()
        message = NOT_DECIDED if Hindsight(replay, whole).decisions else NOBODY_DECIDED
        context.out(context.text(message, {"names": ", ".join(header.names[one] for one in seats)}))
        return FINISHED
    return _reviewed(context, loaded, replay, hindsight, (think, within, playouts or 0))


def _seats(context: CommandContext, replay: Replay, word: str, *, everybody: bool) -> tuple[int, ...]:
    """Return the wanted seats; raise Refused if there is no such seat, or its cards may not be seen."""
    from tavolata._engine.review.replay import ALL
    from tavolata._ui.plain_replay import find_seat

    one = find_seat(word, replay.header.names, context.text)
    if one is not None and one != ALL:
        replay.check_seat(one)
        return (one,)
    allowed = replay.seats()
    if not allowed:
        replay.check_seat(0)
    mine = tuple(seat for seat in replay.own_seats() if seat in allowed)
    return allowed if everybody or one == ALL or not mine else mine


def _reviewed(
    context: CommandContext,
    loaded: LoadedGame,
    replay: Replay,
    hindsight: Hindsight,
    limits: tuple[float, float, int],
) -> int:
    from tavolata._cli.review_report import FEW, LATE, NOT_ALL, TITLE, Looked, chapters, data, decision_data
    from tavolata._engine.match.search import won
    from tavolata._lab.blocks import lines
    from tavolata._ui.words import Words
    from tavolata.ring import SEATS

    think, within, playouts = limits
    package, names = loaded.info.package, replay.header.names
    words = Words(context.translator, package, names)
    thinker = context.catalogue.bots(loaded.info.name)["thinker"]
    looked: list[Looked] = []
    problems: list[Exception] = []
    unjudged = set[int]()  # the seats whose last decision has no verdict
    start, every, stopped, late, hasty = monotonic(), len(hindsight.decisions), False, False, False
    progress = ProgressLine(context, PROGRESS)
    try:
        for number, decision in enumerate(hindsight.decisions):
            past, left = monotonic() - start, every - number
            if late := not playouts and past >= within:
                break
            share = min(think, max(LEAST, (within - past) / left))
            progress(number, every, share * left if not playouts or not number else past / number * left)
            view, ask = hindsight.stand_before(decision)
            gap = decision.seat in unjudged
            unjudged.add(decision.seat)
            try:
                verdict = hindsight.judge(decision, thinker, share, playouts)
            except Exception as error:  # noqa: BLE001 - rules and bots are foreign code
                problems.append(error)
                continue
            if verdict is None:
                hasty = True
                continue
            said = {
                one: words.answer(ask.question, ask.question.answer_at(one), view)
                for one in dict.fromkeys((decision.played, *(weighed.number for weighed in verdict.best[:3])))
            }
            looked.append(Looked(verdict, said, gap))
            unjudged.discard(decision.seat)
            if context.ui == "json":
                context.data("decision", decision_data(looked[-1], names))
    except KeyboardInterrupt:
        if not looked:
            raise
        stopped = True
    finally:
        progress.wipe()
    ended = replay.end()
    if problems:
        problem = one_line(f"{type(problems[0]).__name__}: {problems[0]}")
        context.note(context.text(NO_THOUGHT, {"n": len(problems), "problem": problem}))
        if not looked:
            return PLUGIN
    outcome, side = None if ended is None else ended.outcome, len(replay.match.table.team(SEATS[0]))
    wins = None if outcome is None else [won(outcome, seat, side) for seat in range(len(names))]
    if context.ui == "json":
        context.data("review", data(looked, names, wins, decisions=every))
    elif not looked:
        for message in (LATE, FEW):
            context.out(context.text(message, {"n": 0, "all": every}))
    else:
        cut = NOT_ALL if stopped else LATE if late or hasty else ""
        title = context.text(TITLE, {"game": context.text(loaded.game.title, domain=package)})
        report = chapters(context.text, looked, names, wins, every, cut=cut)
        drawn = {"ascii_only": context.ascii, "heard": context.screen_reader}
        for line in lines(title, report, **drawn):
            context.out(line)
    if stopped:
        return INTERRUPT
    return FINISHED if replay.broken_at is None else WRONG
