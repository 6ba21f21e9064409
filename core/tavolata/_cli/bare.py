"""Command lines with nothing but bare words, such as `tt games` and `tt play zompa`: nothing to parse.

They are what people type most, and reading them with Typer would take longer than starting Python
does, several times. Whatever is not as simple as that is Typer's: a dash, too few words or too
many, a setting of the command in the environment or in the config file.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature

from tavolata._cli.commands import COMMANDS
from tavolata._cli.failures import FINISHED
from tavolata._cli.session import Session


def run_bare(name: str, words: list[str], session: Session) -> int | None:
    """Run one of the core's commands with these words; its exit code, or None if this is for Typer."""
    if name not in COMMANDS or any(word.startswith("-") for word in words) or is_set(name, session):
        return None
    module, _, function = COMMANDS[name][0].partition(":")
    command = getattr(import_module(module), function)
    try:
        signature(command).bind(session, *words)  # options stand behind the star, where no bare word gets
    except TypeError:
        return None
    result = command(session, *words)
    return result if isinstance(result, int) else FINISHED


def variables(name: str) -> str:
    """How the variables that set the options of a command begin."""
    return f"TT_{name.upper().replace('-', '_')}"


def is_set(name: str, session: Session) -> bool:
    """Whether something besides the command line says how this command is to run."""
    begins = f"{variables(name)}_"
    return bool(session.defaults(name)) or any(variable.startswith(begins) for variable in session.environ)
