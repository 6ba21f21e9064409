"""The battery and playthroughs from a shell.

python -m tavolata.testing scopa.rules:Scopa [--matches N] [--only CHECK] [--seats N] [--seed N] ...
python -m tavolata.testing record scopa.rules:Scopa FILE [--seats N] [--seed N] [--option k=v] [--lang it]
python -m tavolata.testing replay scopa.rules:Scopa FILE...
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tavolata._engine.match.seating import check_seats, teams_for
from tavolata._streams import put
from tavolata.errors import TavolataError
from tavolata.testing.battery import Result, check_game
from tavolata.testing.cases import USUAL_BOTS, Case, CheckFailed, seats_of
from tavolata.testing.checks import ALL, Check
from tavolata.testing.checks.check import MATCHES
from tavolata.testing.playthrough import PlaythroughDiffers, record_playthrough, replay_playthrough
from tavolata.testing.remarks import Remark
from tavolata.testing.transcript import class_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all is well, 1 if the game does not pass, 2 for a wrong command."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    verb = given.pop(0) if given and given[0] in ("check", "record", "replay") else "check"
    parser = argparse.ArgumentParser(
        prog=f"python -m tavolata.testing {verb}",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", type=_class, help="the game's class, module:Class or game.py:Class")
    if verb != "check":
        parser.add_argument("files", nargs="+" if verb == "replay" else 1, help="files of playthroughs")
    if verb != "replay":
        parser.add_argument("--seats", type=int, help="how many seats in every match")
        parser.add_argument("--seed", type=int, default=0, help="seed of the first match")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule"
        )
        parser.add_argument("--teams", type=int, help="how many teams; 0 for none")
        parser.add_argument("--bot", action="append", default=[], type=_class, help="a bot, module:Class")
    if verb == "check":
        parser.add_argument("--matches", type=int, help=f"most matches of a check (usually {MATCHES})")
        parser.add_argument("--strict", action="store_true", help="remarks fail, too")
        parser.add_argument(
            "--only",
            action="append",
            default=[],
            choices=[one.name for one in ALL],
            metavar="CHECK",
            help="one check; may be repeated",
        )
    if verb == "record":
        parser.add_argument("--lang", default="en", help="the language of the event lines")
    told = parser.parse_args(given)
    try:
        return {"check": _check, "record": _record, "replay": _replay}[verb](told)
    except (CheckFailed, PlaythroughDiffers, TavolataError, OSError, UnicodeError) as error:
        put(str(error), sys.stderr)
        return 1


def _class(name: str) -> Any:
    module, _, path = name.rpartition(":")
    lone = Path(module)
    sys.path.insert(0, str(lone.resolve().parent if lone.suffix == ".py" else Path.cwd()))
    try:
        return class_of(f"{lone.stem}:{path}" if lone.suffix == ".py" else name)
    except (ImportError, AttributeError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"there is no class {name} ({error})") from error


def _options(told: argparse.Namespace) -> dict[str, str]:
    return dict(option.partition("=")[::2] for option in told.option)


def _check(told: argparse.Namespace) -> int:
    # With seed and seats given, the line of a failed check plays just the match that failed.
    one = told.seats is not None and told.only
    report = check_game(
        told.game, bots=told.bot or USUAL_BOTS, seed=told.seed, seats=told.seats,
        teams=0 if told.teams is None and one else told.teams, only=told.only, progress=_progress,
        options=_options(told) if told.option or one else None,
        matches=told.matches if told.matches is not None else 1 if one else MATCHES,
    )  # fmt: skip
    put(str(report).splitlines()[-1], sys.stdout)
    return 0 if report.passed and not (told.strict and report.remarks) else 1


def _progress(news: Check | Result | Remark) -> None:
    if isinstance(news, Check):
        put(f"      {news.name}: {news.about}", sys.stderr)
    else:
        put(str(news), sys.stdout)


def _record(told: argparse.Namespace) -> int:
    seats = told.seats if told.seats is not None else seats_of(told.game)[0]
    check_seats(told.game, seats)
    teams = teams_for(told.game, told.teams or 0, seats)
    options = told.game.options.parse(_options(told)).plain()
    case = Case(told.game, seats, options, told.seed, tuple(told.bot or USUAL_BOTS), teams)
    Path(told.files[0]).write_text(record_playthrough(case, told.lang), encoding="utf-8")
    return 0


def _replay(told: argparse.Namespace) -> int:
    for file in told.files:
        replay_playthrough(told.game, file)
        put(f"ok    {file}", sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
