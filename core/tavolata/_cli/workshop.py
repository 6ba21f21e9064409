"""The commands `tt new` and `tt check`, for authors of games."""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Annotated

import typer

import tavolata
from tavolata._cli import completions
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, INTERNAL, UsageError
from tavolata._cli.parameters import GameName, number
from tavolata._text import Verbatim
from tavolata._trouble import trouble
from tavolata._version import __version__
from tavolata.messages import N_, NN_

if TYPE_CHECKING:
    from tavolata._engine.plugins.wheels import DeclaredGame
    from tavolata.bots import Bot

FILES = {
    "pyproject.toml": "pyproject.toml",
    ".gitignore": "gitignore",
    "README.md": "README.md",
    "{package}/__init__.py": "init.py",
    "{package}/rules.py": "rules.py",
    "{package}/bots.py": "bots.py",
    "{package}/py.typed": "",
    "{package}/rules.md": "rules.md",
    "{package}/rules.it.md": "rules.it.md",
    "{package}/locale/it/LC_MESSAGES/{package}.po": "it.po",
    "tests/test_rules.py": "tests.py",
}
"""The files of a new game, each with the text in `new_game` that it is made from; "" for an empty file."""
PACKAGE = {
    "pyproject.toml": "package/pyproject.toml",
    ".gitignore": "gitignore",
    "README.md": "package/README.md",
    "{package}/__init__.py": "package/init.py",
    "{package}/rules.md": "package/rules.md",
    "tests/test_rules.py": "package/tests.py",
}
"""The files around the rules of a small game, in the same form."""
KINDS = {
    "tricks": "tricks", "draft": "drafts", "board": "boards", "roles": "roles", "auction": "auctions",
    "dice": "dice", "party": "words", "race": "races", "simultaneous": "simultaneous",
}  # fmt: skip
"""The kinds of game that `--like` knows, each with the page of docs/games that has its code."""
MATCH = "tests/match.en.txt"
BEGUN = N_("Created {title} in {folder}. You can play it right away:")
NEXT = N_("Its README.md explains how to test it and what each file is for.")
READY = N_("Created {title} in {file}. Watch it while you edit, and test it:")
NO_KIND = N_("`--like` must be one of {kinds}, not {kind}.")
THERE = N_("This folder already contains something called {name}.")


def new(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help=N_("The name of the game: the word after `tt play`."))],
    *,
    like: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help=N_(
                "Create a small game in a single file: tricks, draft, board, roles, auction, dice, "
                "party, race or simultaneous."
            ),
            autocompletion=completions.among(*KINDS),
        ),
    ] = None,
    package: Annotated[
        bool, typer.Option("--package", help=N_("Create a complete package around the --like game."))
    ] = False,
) -> int:
    """Start a new game package."""
    from tavolata._engine.plugins.checks import NAME

    if not NAME.fullmatch(name):
        raise UsageError(
            N_("{name} can't be the name of a game. Use lower-case letters, digits and dashes."),
            name=name,
        )
    if any(info.name == name for info in context.catalogue.infos()):
        raise UsageError(
            N_("There's already a game called {name} here. Two games can't have the same name."), name=name
        )
    if like is not None:
        return _write_like(context, name, like, package=package)
    folder = Path(name)
    if folder.exists():
        raise UsageError(THERE, name=name)
    words = words_for(name)
    for place, text in FILES.items():
        write_filled(folder / place.format(**words), text, words)
    rules = folder / words["package"] / "rules.py"
    _record(context, rules, folder / MATCH, 3)
    context.out(context.text(BEGUN, {"title": words["title"], "folder": folder.resolve()}))
    context.out(f"  cd {name}")
    context.out(f"  tt play {rules.relative_to(folder).as_posix()}")
    context.out(context.text(NEXT))
    return FINISHED


def _write_like(context: CommandContext, name: str, kind: str, *, package: bool) -> int:
    if kind not in KINDS:
        raise UsageError(NO_KIND, kinds=", ".join(KINDS), kind=kind)
    stem, text = name.replace("-", "_"), _template(f"like/{kind}.py")
    if stem in sys.stdlib_module_names:
        stem += "_game"  # Python would take it for its own module
    path, words = Path(name if package else f"{stem}.py"), words_for(name)
    if path.exists():
        raise UsageError(THERE, name=path.name)
    if words["cls"] in re.findall(r"\w+", text):
        words["cls"] += "Rules"
    source = Template(text).substitute(words)
    if package:
        from tavolata._engine.plugins.wheels import declared_games

        (game,) = declared_games("rules.py", source.encode())
        path = write_package(context, path, game, source)
    else:
        _write(path, source)
    context.out(context.text(READY, {"title": words["title"], "file": path}))
    for line in (f"tt dev ./{path}", f"tt check --strict ./{path}"):
        context.out(f"  {line}")
    return FINISHED


def write_package(context: CommandContext, folder: Path, game: DeclaredGame, source: str) -> Path:
    """Write a package around the rules of a game, and a match as its test; return the file of the rules."""
    words = {
        **words_for(game.name), "cls": game.cls, "title": game.title, "summary": game.summary,
        "seats": str(max(game.seats[0], min(3, game.seats[1]))),
    }  # fmt: skip
    for place, text in PACKAGE.items():
        write_filled(folder / place.format(**words), text, words)
    rules = folder / words["package"] / "rules.py"
    _write(rules, source)
    bots = [bot.__name__ for bot in _record(context, rules, folder / MATCH, int(words["seats"]))]
    if bots:  # the hooks before were enough to find them: they're in the file of the rules
        words |= {"bots": ", ".join(bots), "pairs": ", ".join(f'("{game.name}", {bot})' for bot in bots)}
        hooks = Template(_template("package/init.py") + _template("package/bots.py")).substitute(words)
        _write(folder / words["package"] / "__init__.py", hooks)
    return rules


def words_for(name: str) -> dict[str, str]:
    """Return what stands for the game's name in the files: package, class, title, the range of Tavolata."""
    parts = [part for part in name.split("-") if part]
    major, minor = (int(part) for part in __version__.split(".")[:2])
    cls = "".join(part.capitalize() for part in parts)
    return {
        "name": name,
        "package": f"tavolata_{'_'.join(parts)}",
        "cls": f"{cls}Rules" if iskeyword(cls) or _is_a_word(cls) else cls,
        "title": " ".join(part.capitalize() for part in parts),
        "range": f">={major}.{minor},<{major + 1}" if major else f">=0.{minor},<0.{minor + 1}",
    }


def _is_a_word(name: str) -> bool:
    """Return True if authors import this name, or used to."""
    try:
        return hasattr(tavolata, name)
    except ImportError:  # it names the module that has it now
        return True


def _template(name: str) -> str:
    from importlib.resources import files

    return (files("tavolata._cli") / "new_game" / f"{name}.txt").read_text(encoding="utf-8")


def write_filled(path: Path, name: str, words: Mapping[str, str]) -> None:
    """Write a file from a text in `new_game`, if it has a name; raise UsageError if it can't be written."""
    _write(path, Template(_template(name)).safe_substitute(words) if name else "")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            N_("Couldn't write {path}: {problem}."), path=str(path), problem=trouble(error)
        ) from error


def _record(context: CommandContext, rules: Path, file: Path, seats: int) -> list[type[Bot]]:
    """Write down a match of the game in a file; return the bots that were found there."""
    from tavolata.bots import RandomBot
    from tavolata.testing import Case, record_playthrough

    sys.dont_write_bytecode = True  # nothing but what an author reads is in a new folder
    loaded = context.catalogue.game(str(rules))
    bots = [*context.catalogue.written_bots(loaded.info.name).values()]
    _write(file, record_playthrough(Case(loaded.game, seats, seed=1, bots=(RandomBot, *bots))))
    return bots


FAILED = N_("{failed} of {checks} checks failed.")
PASSED = N_("All {checks} checks passed.")
REMARKED = NN_(
    "{n} remark. If what it points out is intentional, say why: # tt: ok REASON",
    "{n} remarks. If anything they point out is intentional, say why: # tt: ok REASON",
)
NO_REMARKS = N_("No remarks.")
PROVISIONAL = N_("Provisional, and may change in any minor release: {words}.")
RENAMED = N_("{file}, line {line}: {old} is now {new}.")
NOTHING = N_("Nothing to rename in {file}.")
UNWRITTEN = N_("Couldn't update {file}: {problem}.")
NO_PYTHON = N_("Line {line} of {file} isn't valid Python. Fix that first.")


def check(
    context: CommandContext,
    game: GameName,
    *,
    matches: Annotated[
        int | None, number(text=N_("Maximum number of matches for each check."), low=1)
    ] = None,
    rename: Annotated[
        bool,
        typer.Option("--rename", help=N_("Update outdated API names in the file instead of testing it.")),
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help=N_("Count remarks as failures."))] = False,
) -> int:
    "Test that a game does everything it has to."
    if rename:
        return _rename(context, game)
    from tavolata.testing import Remark, check_game
    from tavolata.testing.battery import Result, follow_playthroughs
    from tavolata.testing.cases import USUAL_BOTS
    from tavolata.testing.checks.check import MATCHES
    from tavolata.testing.checks.source_text import provisional_words

    loaded = context.catalogue.game(game)
    bots = dict.fromkeys([*USUAL_BOTS, *context.catalogue.written_bots(loaded.info.name).values()])

    def progress(step: object) -> None:
        if isinstance(step, Result | Remark):
            context.out(str(step))

    report = check_game(
        loaded.game, bots=tuple(bots), matches=MATCHES if matches is None else matches, progress=progress
    )
    for followed in follow_playthroughs(loaded.game):
        report.results.append(followed)
        progress(followed)
    counts = {"checks": len(report.results), "failed": sum(not result.passed for result in report.results)}
    context.note(context.text(PASSED if report.passed else FAILED, counts))
    if words := provisional_words(loaded.game, bots):
        context.note(context.text(PROVISIONAL, {"words": Verbatim(", ".join(words))}))
    if report.remarks:
        context.note(context.text(REMARKED, {"n": len(report.remarks)}))
    elif strict and report.passed:
        context.note(context.text(NO_REMARKS))
    return FINISHED if report.passed and not (strict and report.remarks) else INTERNAL


def _rename(context: CommandContext, file: str) -> int:
    from tavolata._engine.plugins.game_file import file_in
    from tavolata.testing.renaming import renamed

    path = file_in(file) or Path(file)
    try:
        before = path.read_bytes()
        coding, _ = tokenize.detect_encoding(io.BytesIO(before).readline)
        after, found = renamed(before.decode(coding))
        if found:
            path.write_bytes(after.encode(coding))
    except (OSError, UnicodeError) as error:
        raise UsageError(UNWRITTEN, file=path, problem=trouble(error)) from error
    except (SyntaxError, ValueError) as error:  # ValueError: zero bytes
        raise UsageError(NO_PYTHON, file=path, line=getattr(error, "lineno", None) or 1) from error
    for one in found:
        context.out(context.text(RENAMED, {"file": path, "line": one.line, "old": one.old, "new": one.new}))
    if not found:
        context.note(context.text(NOTHING, {"file": path}))
    return FINISHED
