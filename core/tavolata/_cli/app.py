"""Typer: the application of one run, from the words of the command line to the call of a command.

An option is read from the words, otherwise from TT_<COMMAND>_<OPTION>, otherwise from the command's table in
the config file, otherwise from the function's defaults. A command of the core is imported when it is named.
Typer only reads its words; it runs when Typer is done.

Plugins add commands by the hook `tavolata_commands`. A plugin's command with the name of a core command is
left out and reported. If two plugins bring the same command, both are left out.
"""

from __future__ import annotations

import difflib
import inspect
import io
import shutil
from collections.abc import Callable, Mapping
from contextlib import nullcontext, redirect_stdout
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import typer

from tavolata._cli.command_context import CommandContext
from tavolata._cli.commands import COMMANDS, TEACHING
from tavolata._cli.completions import VARIABLE
from tavolata._cli.failures import FINISHED, INTERNAL, INTERRUPT, UsageError
from tavolata._cli.typer_words import in_words, page
from tavolata._text import one_line
from tavolata._ui.i18n import languages
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import Catalogue
    from tavolata._engine.plugins.loader import Plugin

WELCOME = N_("A tabletop for your terminal.")
USAGE = N_("COMMAND [OPTIONS] [ARGUMENTS]")
CLOSING = N_("Options can come before or after the command. Run `tt COMMAND --help` for details.")
EVERYWHERE = N_("For options that work with every command, see `tt --help`.")
HELP = ("-h", "--help")
UNBROKEN = 1_000_000
"""Columns for which Typer lays its pages out: it breaks no line; `typer_words.page` does."""

OPTIONS: dict[str, tuple[str, str]] = {
    "--ui": ("auto|tui|plain|json", N_("Interface (auto: plain if there's no terminal).")),
    "--lang": (N_("LANGUAGE"), N_("Language: {languages}.")),
    "--ascii": ("", N_("Draw with ASCII only.")),
    "--no-color": ("", N_("Turn off colour (same as NO_COLOR).")),
    "--screen-reader": ("", N_("Plain text for screen readers.")),
    "-q, --quiet": ("", N_("Show less.")),
    "-v, --verbose": ("", N_("Show more (-vv: everything).")),
    "--install-completion": ("", N_("Install completion for this shell.")),
    "--show-completion": ("", N_("Print the completion script.")),
    "--version": ("", N_("Print the version.")),
}
"""The options that every command has, as the help page shows them; `settings.take_flags` reads them."""

OFFERED: Mapping[str, Callable[..., Any]] = {
    "--ui": lambda: ["auto", "tui", "plain", "json"],
    "--lang": lambda: [*languages()],
}
"""What a shell offers for the values of these options."""


def execute(words: list[str], context: CommandContext) -> int:
    """Run the command that these words (without global flags) name; return its exit code.

    Raise UsageError if there is no such command, or the words do not fit it.
    """
    given = words or ["--help"]
    app = _app(given, context)
    printed = io.StringIO()
    asked = asks_for_help(given) and VARIABLE not in context.environ
    try:
        with redirect_stdout(printed) if asked else nullcontext():
            result = app(args=given, prog_name="tt", standalone_mode=False)
    except SystemExit as end:  # a plugin's command may end so, and Typer does when nobody reads the output
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        if end.code is None or isinstance(end.code, int):
            return end.code or FINISHED
        context.note(str(end.code))
        return INTERNAL
    except typer.Abort:  # Typer's word for Ctrl-C, and for Ctrl-D at a prompt
        raise KeyboardInterrupt from None
    except typer.TyperException as problem:
        raise misread(problem, given) from problem
    if result == INTERRUPT:
        raise KeyboardInterrupt  # Typer made an exit code of it; our report prints a sentence, too
    if text := printed.getvalue():
        everywhere = "" if given[0].startswith("-") else f"\n  {EVERYWHERE}"
        context.out_as_it_is(page(text + everywhere, shutil.get_terminal_size().columns, context.text))
    if isinstance(result, partial):
        result = result()
    return result if isinstance(result, int) else FINISHED


def asks_for_help(words: list[str]) -> bool:
    return any(word in HELP for word in (words[: words.index("--")] if "--" in words else words))


def misread(problem: typer.TyperException, words: list[str]) -> UsageError:
    from tavolata._cli.parameters import Unfit

    at = getattr(problem, "ctx", None)  # the context in which it was found, if Typer knows
    named = "tt" if words[0].startswith("-") else f"tt {words[0]}"
    return UsageError(
        N_("{problem} See `{command} --help`."),
        problem=in_words(problem.format_message(), problem.text if isinstance(problem, Unfit) else None),
        command=named if at is None else at.command_path,
    )


def _app(words: list[str], context: CommandContext) -> typer.Typer:
    """Return the application for these words: with their command, or with all, to list or complete."""
    completing = VARIABLE in context.environ
    defaults = context.defaults
    app = new_app(
        add_completion=completing, options_metavar="", subcommand_metavar=context.text(USAGE),
        context_settings={
            "help_option_names": [*HELP], "obj": context, "default_map": defaults, "auto_envvar_prefix": "TT",
            "terminal_width": UNBROKEN, "max_content_width": UNBROKEN,
        },
    )  # fmt: skip
    name = next((word for word in words if not word.startswith("-")), "")
    listed = words[0].startswith("-") and words[0] != "--"
    app.callback(help=WELCOME, epilog=CLOSING)(_options(context) if listed or completing else _nothing)
    for command in COMMANDS if listed or completing else sorted({name} & COMMANDS.keys()):
        place, text = COMMANDS[command]
        if command != name and not completing:
            app.command(command, short_help=text)(_nothing)
            continue
        module, _, function = place.partition(":")
        called = getattr(import_module(module), function)
        _list_single_words(called, defaults.get(command, {}))
        app.command(command, help=text, epilog=TEACHING.get(command), options_metavar="[OPTIONS]")(
            _in_context(called, context)
        )
    if name in words and name not in COMMANDS and not completing:
        others = plugin_commands(context.catalogue)
        if name in others:
            for info in others[name].registered_commands:
                assert info.callback is not None
                _list_single_words(info.callback, defaults.get(name, {}))
            app.registered_commands += others[name].registered_commands
            app.registered_groups += others[name].registered_groups
        elif not listed:
            raise _no_command(name, [*COMMANDS, *others])
    return app


def _nothing() -> None:
    """A command that is only listed."""


def _options(context: CommandContext) -> Callable[..., None]:
    def options(**_values: object) -> None:
        """Take the options and leave them alone: those that say something were read before."""

    parameters = []
    for names, (metavar, text) in OPTIONS.items():
        if names.endswith("-completion") and VARIABLE in context.environ:
            continue  # then Typer has these itself
        declared = typer.Option(
            None, *names.split(", "), metavar=metavar or None, show_default=False, allow_from_autoenv=False,
            help=context.text(text, {"languages": ", ".join(languages())}), autocompletion=OFFERED.get(names),
        )  # fmt: skip
        kind = str if metavar else bool
        name = names.rpartition("--")[2].replace("-", "_")
        parameters.append(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=declared, annotation=kind)
        )
    options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # read by inspect
    return options


def _list_single_words(function: Callable[..., Any], defaults: dict[str, object]) -> None:
    """Let one word of the config file stand for a list of one, as `option = "fiches=5"` does."""
    if not defaults:
        return
    for name, kind in get_type_hints(function).items():
        if list[str] in (kind, *get_args(kind)) and not isinstance(word := defaults.get(name, []), list):
            defaults[name] = [str(word)]


def _no_command(name: str, known: list[str]) -> UsageError:
    shown = one_line(name, 40)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return UsageError(N_("No such command: {name}. Did you mean {near}?"), name=shown, near=near[0])
    return UsageError(N_("No such command: {name}. See `tt --help`."), name=shown)


def _in_context(function: Callable[..., Any], context: CommandContext) -> Callable[..., Any]:
    """Return a function for Typer with the parameters of a command; it returns the call of the command."""

    def command(**words: Any) -> Any:
        return partial(function, context, **words)

    whole = inspect.signature(function, eval_str=True)
    _, *parameters = whole.parameters.values()
    command.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by inspect
    return command


def new_app(**settings: Any) -> typer.Typer:
    """Return an empty Typer application that prints plain text and passes errors on to us."""
    plain = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}
    return typer.Typer(**{**plain, **settings})


def plugin_commands(catalogue: Catalogue) -> dict[str, typer.Typer]:
    from tavolata._engine.plugins.catalogue import granted

    claims: dict[str, list[tuple[Plugin, typer.Typer]]] = {}
    for plugin in catalogue.plugins():
        offered = new_app()
        plugin.call("tavolata_commands", app=offered)
        for name, app in _split(offered).items():
            if name in COMMANDS:
                plugin.complain(
                    N_("{plugin} provides a command called {name}, but Tavolata already has one."), name=name
                )
            else:
                claims.setdefault(name, []).append((plugin, app))
    commands: dict[str, typer.Typer] = {}
    message = N_("Several plugins provide the command {name}: {owners}. Uninstall all but one to use it.")
    for name, plugin, commands[name] in granted(claims, message):
        plugin.brings["commands"].append(name)
    return commands


def _split(app: typer.Typer) -> dict[str, typer.Typer]:
    found: dict[str, typer.Typer] = {}
    for command in app.registered_commands:
        spoken = command.name or str(getattr(command.callback, "__name__", ""))
        command.name = spoken.lower().replace("_", "-")
        found[command.name] = new_app()
        found[command.name].registered_commands.append(command)
    for group in app.registered_groups:
        if isinstance(group.name, str) and group.typer_instance is not None:
            found[group.name] = new_app()
            found[group.name].registered_groups.append(group)
    return found
