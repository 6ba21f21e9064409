"""The errors of Typer's parser as sentences in the person's language.

An error does not carry the value that did not fit or the words that were too many. To find these, the
same parser reads the words again.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from typer._click import exceptions as errors

from tavolata._text import one_line
from tavolata.messages import N_, Text
from tavolata.options import ONE_OF, WHOLE_NUMBER, beyond

ParserError = errors.ClickException
"""The base class of the parser's errors."""

MISSING = N_("{name} is missing.")
NO_OPTION = N_("There is no option {name}.")
NEAR = N_("There is no option {name}; did you mean {near}?")
NEEDS = N_("{name} needs a value.")
TAKES_NONE = N_("{name} takes no value.")
TOO_MANY = N_("This is too much: {words}.")
NUMBER = N_("{name} is a number, not {value}.")
NO_COMMAND = N_("There is no command {name} here.")
COMMAND = N_("A command has to follow.")
CAN_NOT = N_("{name} can't be that: {problem}.")

LONGEST = 60
CLOSE = 0.7
"""How similar an option must be to be suggested for a mistyped one."""


def in_words(problem: ParserError, words: Sequence[str]) -> Text:
    """The error as one sentence.

    Args:
        problem: an error of the parser.
        words: the words that the parser read.
    """
    match problem:
        case errors.MissingParameter():
            return Text(MISSING, {"name": _name(problem.param)})
        case errors.BadParameter(param=param, ctx=ctx) if param is not None and ctx is not None:
            return _bad_value(problem, param, _given(param, ctx, words))
        case errors.NoSuchOption():
            name = one_line(problem.option_name, LONGEST)
            near = difflib.get_close_matches(name, problem.possibilities or (), n=1, cutoff=CLOSE)
            return Text(NEAR, {"name": name, "near": near[0]}) if near else Text(NO_OPTION, {"name": name})
        case errors.BadOptionUsage(option_name=name):  # "=" is before an unwanted value; no value has none
            too_many = any(word.startswith(f"{name}=") for word in words)
            return Text(TAKES_NONE if too_many else NEEDS, {"name": name})
        case errors.UsageError(ctx=ctx) if ctx is not None:
            left, commands = _read(ctx, words)[1], getattr(ctx.command, "commands", None)
            if commands is not None and not left:
                return Text(COMMAND)
            if commands is not None and left[0] not in commands:
                return Text(NO_COMMAND, {"name": one_line(left[0], LONGEST)})
            if commands is None and left:
                return Text(TOO_MANY, {"words": one_line(" ".join(left), LONGEST)})
    return Text("{problem}", {"problem": f"{_own_words(problem)}."})


def _own_words(problem: ParserError) -> str:
    """The sentence of an error that is not ours but a plugin's."""
    return one_line(problem.message).rstrip(".")


def _name(parameter: Any) -> str:
    """The name of an option as it is typed, or of an argument as it is shown."""
    if parameter is None:
        return "?"
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name).strip("[]{}")


def _read(ctx: Any, words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Parse the words of one command: the values by name, and the words that are left over."""
    if ctx.parent is not None:
        words = _read(ctx.parent, words)[1][1:]  # without the name of this command
    values, left, _ = ctx.command.make_parser(ctx).parse_args(list(words))
    return values, left


def _given(parameter: Any, ctx: Any, words: Sequence[str]) -> str:
    """The value of a parameter, from the command line, the environment or the config file."""
    values = (
        _read(ctx, words)[0].get(parameter.name),
        parameter.value_from_envvar(ctx),
        ctx.lookup_default(parameter.name),
    )
    value = next((one for one in values if one is not None), "")
    return one_line(" ".join(map(str, value)) if isinstance(value, list | tuple) else value, LONGEST)


def _bad_value(problem: errors.BadParameter, parameter: Any, value: str) -> Text:
    name, kind = _name(parameter), parameter.type
    if (known := getattr(kind, "choices", None)) is not None:
        choices = [str(getattr(one, "value", one)) for one in known]
        if value not in choices:
            return Text(ONE_OF, {"name": name, "known": ", ".join(choices), "value": value})
    for read, begins, message in ((int, "int", WHOLE_NUMBER), (float, "float", NUMBER)):
        if kind.name.startswith(begins):
            try:
                number = read(value)
            except ValueError:
                return Text(message, {"name": name, "value": value})
            low, high = getattr(kind, "min", None), getattr(kind, "max", None)
            if message := beyond(number, low, high):
                return Text(message, {"name": name, "low": low, "high": high, "value": value})
    return Text(CAN_NOT, {"name": name, "problem": _own_words(problem)})
