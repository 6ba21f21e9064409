"""The command `tt new`, which begins a game: a package with rules, a bot, tests and translations."""

from __future__ import annotations

import sys
from keyword import iskeyword
from pathlib import Path
from typing import Annotated

import typer

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UsageError
from tavolata._version import __version__
from tavolata.messages import N_

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
MATCH = "tests/match.en.txt"
BEGUN = N_("{title} is begun in {folder}. It can be played as it is:")
NEXT = N_("README.md there says how to test it, and which file has what.")


def new(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help=N_("The name of the game: the word after `tt play`."))],
) -> int:
    """Begin a game of your own, in a new folder."""
    from tavolata._engine.plugins.checks import NAME

    if not NAME.fullmatch(name):
        raise UsageError(
            N_("A game can't be called {name}: a name is made of lower case letters, digits and dashes."),
            name=name,
        )
    if any(info.name == name for info in context.catalogue.infos()):
        raise UsageError(
            N_("There is a game {name} here already; two of one name can't be played."), name=name
        )
    folder = Path(name)
    if folder.exists():
        raise UsageError(N_("There is something called {name} in this folder already."), name=name)
    words = words_for(name)
    write(folder, words)
    rules = folder / words["package"] / "rules.py"
    _record(context, rules, folder / MATCH)
    context.out(context.text(BEGUN, {"title": words["title"], "folder": folder.resolve()}))
    context.out(f"  cd {name}")
    context.out(f"  tt play {rules.relative_to(folder).as_posix()}")
    context.out(context.text(NEXT))
    return FINISHED


def words_for(name: str) -> dict[str, str]:
    """What stands for the game's name in the files: its package, class, title, and the range of Tavolata."""
    import tavolata

    parts = [part for part in name.split("-") if part]
    major, minor = (int(part) for part in __version__.split(".")[:2])
    cls = "".join(part.capitalize() for part in parts)
    return {
        "name": name,
        "package": f"tavolata_{'_'.join(parts)}",
        "cls": f"{cls}Rules" if iskeyword(cls) or hasattr(tavolata, cls) else cls,
        "title": " ".join(part.capitalize() for part in parts),
        "range": f">={major}.{minor},<{major + 1}" if major else f">=0.{minor},<0.{minor + 1}",
    }


def write(folder: Path, words: dict[str, str]) -> None:
    """Write the files of a new game.

    Raises:
        UsageError: they can't be written.
    """
    from importlib.resources import files
    from string import Template

    from tavolata._trouble import trouble

    texts = files("tavolata._cli") / "new_game"
    for place, text in FILES.items():
        path = folder / place.format(**words)
        filled = Template((texts / f"{text}.txt").read_text(encoding="utf-8")) if text else Template("")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(filled.substitute(words), encoding="utf-8", newline="\n")
        except OSError as error:
            raise UsageError(
                N_("{path} can't be written: {problem}."), path=str(path), problem=trouble(error)
            ) from error


def _record(context: CommandContext, rules: Path, file: Path) -> None:
    """Write a whole match of the new game down, for its test."""
    from tavolata.bots import Bot, RandomBot
    from tavolata.testing import Case, record_playthrough

    sys.dont_write_bytecode = True  # nothing but what an author reads lies in a new folder
    loaded = context.catalogue.game(str(rules))
    bots: tuple[type[Bot], ...] = (RandomBot, *context.catalogue.written_bots(loaded.info.name).values())
    case = Case(loaded.game, 3, seed=1, bots=bots)
    file.write_text(record_playthrough(case), encoding="utf-8", newline="\n")
