"""The Typer group `tt`, which imports a command when it is run.

Plugins add commands by the hook `tavolata_commands`. A plugin's command with the name of a core command
is left out and reported. If two plugins bring the same command, both are left out.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup, TyperOption
from typing_extensions import override

from tavolata._cli.command_context import CommandContext
from tavolata._cli.commands import COMMANDS, TEACHING
from tavolata._cli.completions import VARIABLE
from tavolata._cli.failures import FINISHED, INTERRUPT, UsageError
from tavolata._cli.help_page import speak
from tavolata._cli.parser_errors import ParserError, in_words
from tavolata._text import one_line
from tavolata._ui.i18n import languages
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import Catalogue
    from tavolata._engine.plugins.loader import Plugin

WELCOME = N_("Tavolata, a tabletop for the terminal.")
USAGE = N_("COMMAND [OPTIONS] [ARGUMENTS]")
CLOSING = N_(
    "The options stand before or after the command. `tt COMMAND --help` says more about one; plugins may "
    "bring others, see `tt plugins`."
)
EVERYWHERE = N_("Options that every command takes: see `tt --help`.")
HELP = {"help_option_names": ["-h", "--help"]}

OPTIONS: dict[str, tuple[str, str]] = {
    "--ui": ("auto|tui|plain|json", N_("How to show things; plain whenever there is no terminal.")),
    "--lang": (N_("LANGUAGE"), N_("The language: {languages}.")),
    "--ascii": ("", N_("Use nothing but ASCII to draw.")),
    "--no-color": ("", N_("No colours (NO_COLOR does the same).")),
    "--screen-reader": ("", N_("Plain lines, each with what it is first.")),
    "-q, --quiet": ("", N_("Say less.")),
    "-v, --verbose": ("", N_("Say more; -vv says most.")),
    "--install-completion": ("", N_("Have this shell complete the words of `tt`.")),
    "--show-completion": ("", N_("Print the script that does so.")),
    "--version": ("", N_("Print the version.")),
}
"""The options that every command has, as the help page shows them; `settings.take_flags` reads them."""


OFFERED: Mapping[str, Callable[..., Any]] = {
    "--ui": lambda *_: ["auto", "tui", "plain", "json"],
    "--lang": lambda *_: [*languages()],
}
"""What a shell offers for the values of these options."""


class CommandGroup(TyperGroup):
    """All commands of one run of `tt`.

    Args:
        context: the run.
    """

    def __init__(self, context: CommandContext) -> None:
        options = [
            TyperOption(
                param_decls=names.split(", "), metavar=metavar or None, is_flag=not metavar,
                help=context.text(text, {"languages": ", ".join(languages())}),
                allow_from_autoenv=False, show_default=False, expose_value=False,
                autocompletion=OFFERED.get(names),
            )
            for names, (metavar, text) in OPTIONS.items()
        ]  # fmt: skip
        super().__init__(
            name="tt", help=WELCOME, epilog=context.text(CLOSING), params=[*options], context_settings=HELP,
            rich_markup_mode=None,
        )  # fmt: skip
        self._context = context
        speak(self, context.text)
        self.options_metavar, self.subcommand_metavar = None, context.text(USAGE)

    @override
    def list_commands(self, ctx: object) -> list[str]:
        # Only the core's commands: to find those of plugins, all plugins would be imported.
        return list(COMMANDS)

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import the command of this name and return it.

        Raises:
            UsageError: there is no command of this name.
        """
        if cmd_name.startswith("-") or (ctx.resilient_parsing and cmd_name not in COMMANDS):
            return None  # Typer says that this option does not exist; a shell is offered nothing
        if cmd_name in COMMANDS:
            app = self._own(cmd_name)
        else:
            others = plugin_commands(self._context.catalogue)
            if cmd_name not in others:
                raise _no_command(cmd_name, [*COMMANDS, *others])
            app = others[cmd_name]
        command = typer.main.get_command(app)
        _list_single_words(command, (ctx.default_map or {}).get(cmd_name, {}))
        speak(command, self._context.text)
        below = [TEACHING[cmd_name]] if cmd_name in TEACHING else []
        command.epilog = "\n\n".join(map(self._context.text, [*below, EVERYWHERE]))
        return command

    def _own(self, name: str) -> typer.Typer:
        module, _, function = COMMANDS[name][0].partition(":")
        app = new_app()
        app.command(name)(_in_context(getattr(import_module(module), function), self._context))
        return app

    @override
    def format_commands(self, ctx: object, formatter: Any) -> None:
        # The lines come from the table of commands, so that no command is imported.
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._context.text(text)) for name, (_, text) in COMMANDS.items()])


def _list_single_words(command: Any, defaults: dict[str, object]) -> None:
    """Let one word of the config file stand for a list of one, as `option = "fiches=5"` does."""
    for parameter in command.params:
        if parameter.multiple and isinstance(word := defaults.get(parameter.name), str):
            defaults[parameter.name] = [word]


def _no_command(name: str, known: list[str]) -> UsageError:
    shown = one_line(name, 40)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return UsageError(N_("There is no command {name}; did you mean {near}?"), name=shown, near=near[0])
    return UsageError(N_("There is no command {name}; `tt --help` lists all."), name=shown)


def _in_context(function: Callable[..., Any], context: CommandContext) -> Callable[..., Any]:
    """A command of the core without its context argument, which Typer would read as a word of the line."""

    def command(**words: Any) -> Any:
        return function(context, **words)

    whole = inspect.signature(function, eval_str=True)
    _, *parameters = whole.parameters.values()
    command.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by inspect
    command.__doc__ = function.__doc__
    return command


def execute(words: list[str], context: CommandContext) -> int:
    """Run the command that these words (without global flags) name; return its exit code.

    An option is read from the words, else from TT_<COMMAND>_<OPTION>, else from the command's table
    in the config file, else from the function's defaults.

    Raises:
        UsageError: there is no such command, or the words do not fit it.
    """
    given = words or ["--help"]
    try:
        if VARIABLE in context.environ:
            from typer._completion_classes import completion_init

            completion_init()
        result = CommandGroup(context).main(
            given,
            prog_name="tt",
            standalone_mode=False,
            obj=context,
            default_map=context.defaults,
            auto_envvar_prefix="TT",
        )
    except SystemExit as end:  # Typer ends this way when nobody reads the output any more
        if isinstance(end.__context__, BrokenPipeError):
            raise end.__context__ from None
        raise
    except typer.Abort:  # Typer's word for Ctrl-C, and for Ctrl-D at a prompt
        raise KeyboardInterrupt from None
    except ParserError as problem:
        at = getattr(problem, "ctx", None)
        named = "tt" if given[0].startswith("-") else f"tt {given[0]}"
        raise UsageError(
            N_("{problem} `{command} --help` says more."),
            problem=in_words(problem, given), command=named if at is None else at.command_path,
        ) from problem  # fmt: skip
    if result == INTERRUPT:
        raise KeyboardInterrupt  # Typer made an exit code of it; our report prints a sentence, too
    return result if isinstance(result, int) else FINISHED


def new_app() -> typer.Typer:
    """An empty Typer application that prints plain text and passes errors on to us."""
    return typer.Typer(
        add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=HELP
    )


def plugin_commands(catalogue: Catalogue) -> dict[str, typer.Typer]:
    """The commands of all plugins by name, each as its own Typer application."""
    from tavolata._engine.plugins.catalogue import granted

    claims: dict[str, list[tuple[Plugin, typer.Typer]]] = {}
    for plugin in catalogue.plugins():
        offered = new_app()
        plugin.call("tavolata_commands", app=offered)
        for name, app in _split(offered).items():
            if name in COMMANDS:
                plugin.complain(N_("{plugin} brings a command {name}, which is Tavolata's own."), name=name)
            else:
                claims.setdefault(name, []).append((plugin, app))
    commands: dict[str, typer.Typer] = {}
    message = N_("The command {name} is brought by {owners}; uninstall all but one of them to use it.")
    for name, plugin, commands[name] in granted(claims, message):
        plugin.brings["commands"].append(name)
    return commands


def _split(app: typer.Typer) -> dict[str, typer.Typer]:
    found: dict[str, typer.Typer] = {}
    for command in app.registered_commands:
        one = new_app()
        one.registered_commands = [command]
        spoken = command.name or str(getattr(command.callback, "__name__", ""))
        found[spoken.lower().replace("_", "-")] = one
    for group in app.registered_groups:
        if isinstance(group.name, str) and group.typer_instance is not None:
            found[group.name] = group.typer_instance
    return found
