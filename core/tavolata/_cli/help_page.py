"""The help page of one command: Typer prints it, and its fixed words are translated here.

Typer's own words are few and fixed. Everything that it prints goes through the formatter of its
context. Both classes can be replaced, and our subclasses translate the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from tavolata.messages import N_

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

USAGE = N_("Usage:")
FRAME = {
    "Arguments": N_("Arguments"),
    "Options": N_("Options"),
    "Commands": N_("Commands"),
    "Show this message and exit.": N_("Print this page."),
    "[OPTIONS]": N_("[OPTIONS]"),
    "COMMAND [ARGS]...": N_("COMMAND [ARGUMENTS]..."),
}
"""Typer's words that are printed on their own, such as headings."""

METAVARS = (N_("GAME"), N_("[GAME]"), N_("TOPIC"), N_("[TOPIC]"), N_("[FILE|ID]"), N_("[MATCH]"),
            N_("NAME"), N_("[NAME]"), N_("[ADDRESS[:PORT]]"), N_("FILE"))  # fmt: skip
"""The placeholders for the arguments of commands."""

KINDS = {
    "int": N_("NUMBER"),
    "float": N_("NUMBER"),
    "str": N_("TEXT"),
    "integer": N_("NUMBER"),
    "text": N_("TEXT"),
    "boolean": N_("YES|NO"),
    "bool": N_("YES|NO"),
}
"""The placeholder for the value of an option, by the name of its type."""

REQUIRED = N_("required")
USUALLY = N_("default: {value}")


def speak(command: Any, say: Callable[..., str]) -> None:
    """Make a command of Typer, and all its subcommands, print help in one language.

    Args:
        command: the result of `typer.main.get_command`.
        say: translates a message id with its parameters.
    """
    command.context_class = _context(say)
    command.options_metavar = say(FRAME["[OPTIONS]"])
    if hasattr(command, "subcommand_metavar"):
        command.subcommand_metavar = say(FRAME["COMMAND [ARGS]..."])
    command.help = say(command.help) if command.help else None
    for parameter in command.params:
        if hasattr(parameter, "show_envvar"):
            parameter.show_envvar = False  # one rule names them all; a page of variables would hide the rest
        text = getattr(parameter, "help", None)
        if text:
            parameter.help = say(text)
        parameter.metavar = _metavar(parameter, say)
    for inner in getattr(command, "commands", {}).values():
        speak(inner, say)


def _metavar(parameter: Any, say: Callable[..., str]) -> str | None:
    """The placeholder for the value of an argument or option; None leaves it to Typer."""
    if parameter.metavar:
        return say(parameter.metavar)
    if parameter.param_type_name == "argument":
        name = parameter.name.upper()
        return say(name) if parameter.required else say(f"[{name}]")
    kind = KINDS.get(str(parameter.type.name).partition(" ")[0])
    return None if kind is None or parameter.is_flag or parameter.count else say(kind)


def _context(say: Callable[..., str]) -> type[typer.Context]:
    class Formatter(typer.Context.formatter_class):  # type: ignore[misc,valid-type]  # it has no public name
        """Typer's layout with our words."""

        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or f"{say(USAGE)} ")

        def write_heading(self, heading: str) -> None:
            super().write_heading(_framed(heading, say))

        def write_dl(self, rows: Sequence[tuple[str, str]], *room: int, **rooms: int) -> None:
            super().write_dl([(name, _noted(_framed(text, say), say)) for name, text in rows], *room, **rooms)

    class PageContext(typer.Context):
        """Typer's context with that formatter."""

        formatter_class = Formatter

    return PageContext


def _framed(text: str, say: Callable[..., str]) -> str:
    return say(FRAME[text]) if text in FRAME else text


def _noted(text: str, say: Callable[..., str]) -> str:
    """The help of an option, with Typer's additions (default, limits, required) translated."""
    said, begins, notes = f"  {text}".rpartition("  [")
    if not begins or not notes.endswith("]"):
        return text
    told = "; ".join(_note(note, say) for note in notes[:-1].split("; "))
    return f"{said}  [{told}]".lstrip()


def _note(note: str, say: Callable[..., str]) -> str:
    if note == "required":
        return say(REQUIRED)
    head, colon, value = note.partition(": ")
    return say(USUALLY, {"value": value}) if head == "default" and colon else note
