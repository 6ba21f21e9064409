"""What Typer prints and complains of, in the person's language. Pure.

Typer speaks English. A page is printed without line breaks, so that each line of it is one text, which is
translated and broken here. A complaint is recognized by Typer's own words.
"""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Iterator

from tavolata._cli.failures import Say
from tavolata._text import one_line
from tavolata.messages import N_, Text

USAGE = N_("Usage:")
FRAME = {
    "Arguments": N_("Arguments"),
    "Options": N_("Options"),
    "Commands": N_("Commands"),
    "Show this message and exit.": N_("Show this help."),
    "COMMAND [ARGS]...": N_("COMMAND [ARGUMENTS]..."),
    "required": N_("required"),
}
"""Typer's words that are printed on their own, such as headings."""

METAVARS = (N_("[OPTIONS]"), N_("GAME"), N_("[GAME]"), N_("TOPIC"), N_("[TOPIC]"), N_("[FILE|ID]"),
            N_("[MATCH]"), N_("NAME"), N_("[NAME]"), N_("[ADDRESS[:PORT]]"), N_("FILE"))  # fmt: skip
"""The placeholders for the arguments of commands."""

TYPES = {"int": N_("NUMBER"), "float": N_("NUMBER"), "str": N_("TEXT"), "bool": N_("YES|NO")}
"""The placeholder for the value of an option, by the name of its type."""

USUALLY = N_("default: {value}")
WIDEST, NARROWEST, COLUMN = 80, 50, 30

NAME = r"(?:'[^']*' / )*'(?P<name>[^']*)'"
"""A parameter with its names, of which Typer shows the longest last."""
MISSING = N_("{name} is missing.")
NO_OPTION = N_("No such option: {name}.")
NEAR = N_("No such option: {name}. Did you mean {near}?")
CAN_NOT = N_("Invalid value for {name}: {problem}.")
COMPLAINTS = {
    rf"Missing (?:argument|option|parameter) {NAME}.*": MISSING,
    r"No such option: (?P<name>.*?)(?: \(Possible options: (?P<near>.*)\))?": NO_OPTION,
    rf"Option {NAME} requires .*": N_("{name} needs a value."),
    rf"Option {NAME} does not take a value\.": N_("{name} doesn't take a value."),
    r"Got unexpected extra argument\(s\) \((?P<words>.*)\)": N_("Unexpected argument: {words}."),
    r"No such command '(?P<name>.*?)'\..*": N_("No such command: {name}."),
    r"Missing command\.": N_("Missing command."),
    rf"Invalid value for {NAME}: (?P<problem>.*)": CAN_NOT,
    r"(?:Invalid value: )?(?P<problem>.*)": "{problem}.",
}
"""Our sentence for each complaint of Typer, by its words."""

LONGEST = 60
CLOSE = 0.7
"""How similar an option must be to be suggested for a mistyped one."""


def in_words(complaint: str, about: Text | None = None) -> Text:
    """Return a complaint of Typer as one sentence.

    `about` is the sentence of the function that refused the value, which lacks the name of the parameter.
    """
    for words, message in COMPLAINTS.items():
        if (found := re.fullmatch(words, complaint, re.DOTALL)) is None:
            continue
        fields = {name: one_line(value, LONGEST) for name, value in found.groupdict("").items()}
        if "problem" in fields:
            fields["problem"] = one_line(found["problem"]).rstrip(".")
        named = fields.get("name", "")
        if message in (MISSING, CAN_NOT) and not named.startswith("-"):
            named = named.strip("[]{}").upper()  # an argument is shown so
        if message == NO_OPTION:
            near = difflib.get_close_matches(named, fields["near"].split(", "), n=1, cutoff=CLOSE)
            return Text(NEAR, {"name": named, "near": near[0]}) if near else Text(NO_OPTION, {"name": named})
        said = Text(named) if message in (MISSING, CAN_NOT) else named
        if about is not None and message == CAN_NOT:
            return Text(about.message, {**about.params, "name": said})
        return Text(message, {**fields, "name": said})
    raise AssertionError(complaint)  # the last row fits all


def page(printed: str, columns: int, say: Say) -> str:
    """Return a page of help in the person's language, broken into lines as Typer would.

    `printed` has no line breaks in its texts; anything but a page stays as it is.
    """
    if not printed.startswith("Usage: "):
        return printed.rstrip("\n")
    width = max(min(columns, WIDEST) - 2, NARROWEST)
    blocks = printed.strip("\n").split("\n\n")
    return "\n\n".join("\n".join(_block(block.split("\n"), width, say)) for block in blocks)


def _block(lines: list[str], width: int, say: Say) -> Iterator[str]:
    first, *rows = lines
    if first.startswith("Usage: "):
        yield from _usage(first.removeprefix("Usage: "), width, say)
    elif not first.startswith(" "):
        yield f"{say(FRAME.get(first.rstrip(':'), first.rstrip(':')))}:"
        yield from _rows(rows, first == "Arguments:", width, say)
    else:
        for line in lines:
            indent = line[: len(line) - len(line.lstrip())]
            yield from textwrap.wrap(
                say(line.strip()), width, initial_indent=indent, subsequent_indent=indent
            )


def _usage(line: str, width: int, say: Say) -> list[str]:
    """Return the line that says how a command is written: its words, then placeholders."""
    typed = re.match(r"(?:[^\[{A-Z]\S* ?)*", line)
    assert typed is not None
    path, rest = typed[0], line[typed.end() :].replace("COMMAND [ARGS]...", say(FRAME["COMMAND [ARGS]..."]))
    shown = re.sub(r"\{([^}]*)\}|(\[\S*\])", lambda one: _placeholder(one, say), rest)
    begin = f"{say(USAGE)} {path}"
    return textwrap.wrap(shown, width, initial_indent=begin, subsequent_indent=" " * len(begin)) or [begin]


def _placeholder(found: re.Match[str], say: Say) -> str:
    return say(found[2].upper()) if found[1] is None else f"{{{say(found[1].upper())}}}"


def _rows(lines: list[str], arguments: bool, width: int, say: Say) -> Iterator[str]:
    rows: list[tuple[str, str]] = []
    for line in lines:
        name, _, text = line[2:].partition("  ")
        if not name:  # the text of a name that was too long for its column
            name, text = rows.pop()[0], line
        rows.append((name, text.strip()))
    shown = []
    for name, text in rows:
        said, notes = _noted(text, say)
        shown.append((_argument(name, text, say) if arguments else _option(name, say), said + notes))
    column = min(max((len(name) for name, _ in shown), default=0), COLUMN) + 2
    for name, text in shown:
        parts = textwrap.wrap(text, max(width - column - 2, 10))
        if len(name) > column - 2 or not parts:
            yield f"  {name}"
        else:
            yield f"  {name:<{column}}{parts.pop(0)}"
        yield from (f"  {'':<{column}}{part}" for part in parts)


def _argument(name: str, text: str, say: Say) -> str:
    shown = name.partition(" <")[0].upper()
    return say(shown if shown.startswith("[") or "required" in text else f"[{shown}]")


def _option(name: str, say: Say) -> str:
    found = re.fullmatch(r"((?:-\S+ (?:/ )?)+)([^-].*)", name)
    if found is None:
        return name
    kind = re.sub(r"<(?:list\[)?(\w+)(?: range)?\]?>", r"\1", found[2])
    return found[1] + say(TYPES[kind] if kind in TYPES else found[2])


def _noted(text: str, say: Say) -> tuple[str, str]:
    """Return a text in the person's language, and the notes behind it: default, limits, required."""
    notes: list[str] = []
    said = f"  {text}"
    while said.endswith("]") and "  [" in said:
        said, _, last = said.rpartition("  [")
        notes += last[:-1].split("; ")
    told = "; ".join(_note(note, say) for note in notes if not note.startswith("env var: "))
    said = said.strip()
    return say(FRAME.get(said, said)), f"{'  ' if said else ''}[{told}]" if told else ""


def _note(note: str, say: Say) -> str:
    head, colon, value = note.partition(": ")
    return say(USUALLY, {"value": value}) if head == "default" and colon else say(FRAME.get(note, note))
