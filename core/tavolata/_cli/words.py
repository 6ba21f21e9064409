"""How a command declares the words it takes; Typer reads it, and is imported when it does.

A command is a function of the session and these words: what it takes as arguments stands before
the star of its signature, options behind it, each as `Annotated[type, words.option(...)]`. The
annotations of a module are text until Typer evaluates them, and so a command line without any
options, which `bare` understands, starts without Typer.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not from typing, which costs more than this module
if TYPE_CHECKING:
    from typing import Any


def argument(**said: Any) -> object:
    """A word that is known by its place; takes what `typer.Argument` takes."""
    import typer

    return typer.Argument(**said)


def option(*names: str, **said: Any) -> object:
    """A word that is known by its name; takes what `typer.Option` takes."""
    import typer

    return typer.Option(*names, **said)
