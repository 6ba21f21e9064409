"""Running one command under Typer: its options, its help, its defaults, in the person's language.

A command line runs one command, so one is all that Typer gets to see. Only this glue may live
here. The errors of Typer's parser become ours.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import typer

from tavolata._cli.bare import variables
from tavolata._cli.commands import COMMANDS
from tavolata._cli.extra_commands import new_app, plugin_commands
from tavolata._cli.failures import FINISHED, INTERRUPT, UsageError
from tavolata._cli.help_page import speak
from tavolata._cli.parser_errors import PARSER_ERROR, in_words
from tavolata._cli.session import Session
from tavolata._text import one_line
from tavolata.messages import N_

EVERYWHERE = N_("Options that every command takes: see `tt --help`.")


def app_of(name: str, session: Session) -> typer.Typer:
    """The Typer application of one command, the core's or a plugin's.

    Raises:
        UsageError: nobody brings such a command.
    """
    if name in COMMANDS:
        module, _, function = COMMANDS[name][0].partition(":")
        app = new_app()
        app.command(name)(_for_typer(getattr(import_module(module), function), session))
        return app
    commands = plugin_commands(session.catalogue)
    if name in commands:
        return commands[name]
    near = difflib.get_close_matches(name, [*COMMANDS, *commands], n=1)
    if near:
        raise UsageError(
            N_("There is no command {name}; did you mean {near}?"), name=one_line(name, 40), near=near[0]
        )
    raise UsageError(N_("There is no command {name}; `tt --help` lists all."), name=one_line(name, 40))


def _for_typer(function: Callable[..., Any], session: Session) -> Callable[..., Any]:
    """A command of the core as Typer reads it: without the session, which is no word of the line."""

    def command(**words: Any) -> Any:
        return function(session, **words)

    whole = inspect.signature(function, eval_str=True)
    _, *parameters = whole.parameters.values()
    command.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by inspect
    command.__doc__ = function.__doc__
    return command


def execute(app: typer.Typer, name: str, words: list[str], session: Session) -> int:
    """Run an application of one command with these words; return the exit code.

    Options come from the words, else from TT_<COMMAND>_<OPTION>, else from the command's table in
    the config file, else from the function's defaults.

    Raises:
        UsageError: the words do not fit the command.
    """
    command = typer.main.get_command(app)
    speak(command, session.text)
    command.epilog = session.text(EVERYWHERE)
    try:
        result = command.main(
            words,
            prog_name=f"tt {name}",
            standalone_mode=False,
            obj=session,
            default_map=session.defaults(name),
            auto_envvar_prefix=variables(name),
        )
    except SystemExit as end:  # Typer's way of ending where nobody reads the output any more
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except typer.Abort:  # Typer's word for Ctrl-C, and for Ctrl-D at a prompt
        raise KeyboardInterrupt from None
    except PARSER_ERROR as problem:
        raise UsageError(
            N_("{problem} `{command} --help` says more."), problem=in_words(problem), command=f"tt {name}"
        ) from problem
    if result == INTERRUPT:
        raise KeyboardInterrupt  # Typer made a number of it; it has a sentence, too
    return result if isinstance(result, int) else FINISHED
