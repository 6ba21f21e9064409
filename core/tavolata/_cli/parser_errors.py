"""What Typer's parser can't read, said in our words and in the person's language.

Its errors are known by their types and by what they carry; where that is nothing but a sentence,
the words that matter are read out of it. Only putting such an error into words may live here.
"""

from __future__ import annotations

import difflib
import re
import sys
from typing import Any

import typer

from tavolata._text import one_line
from tavolata.messages import N_, Text
from tavolata.options import ONE_OF, WHOLE_NUMBER, beyond

ERRORS: Any = sys.modules[typer.BadParameter.__module__]
"""Where the types of the parser's errors are; only one of them has a public name."""
PARSER_ERROR: type[Exception] = ERRORS.ClickException
"""The base of all of them."""

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
"""How alike two options must be for one to be taken for the other."""
VALUE = re.compile(r"^'(?P<value>.*)' is not (?:a valid|one of) ", re.DOTALL)
EXTRA = re.compile(r"extra argument(?:\(s\)|s?) \((?P<words>.*)\)\.?$", re.DOTALL)
UNKNOWN = re.compile(r"^No such command '(?P<name>.*?)'\.", re.DOTALL)


def in_words(problem: Any) -> Text:
    """What is wrong, as one sentence.

    Args:
        problem: an error of the parser, a `PARSER_ERROR`.
    """
    if isinstance(problem, ERRORS.MissingParameter):
        return Text(MISSING, {"name": _name(problem.param)})
    if isinstance(problem, ERRORS.BadParameter):
        return _bad_value(problem)
    if isinstance(problem, ERRORS.NoSuchOption):
        name = one_line(problem.option_name, LONGEST)
        near = difflib.get_close_matches(name, problem.possibilities or (), n=1, cutoff=CLOSE)
        return Text(NEAR, {"name": name, "near": near[0]}) if near else Text(NO_OPTION, {"name": name})
    if isinstance(problem, ERRORS.BadOptionUsage):
        return Text(_misused(problem), {"name": problem.option_name})
    said = problem.format_message()
    if found := EXTRA.search(said):
        return Text(TOO_MANY, {"words": one_line(found["words"], LONGEST)})
    if found := UNKNOWN.search(said):
        return Text(NO_COMMAND, {"name": one_line(found["name"], LONGEST)})
    if said.startswith("Missing command"):
        return Text(COMMAND)
    return Text("{problem}", {"problem": f"{one_line(said).rstrip('.')}."})  # a plugin's own sentence


def _name(parameter: Any) -> str:
    """What a person types for an option, or sees for an argument."""
    if parameter is None:
        return "?"
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name).strip("[]{}")


def _misused(problem: Any) -> str:
    """The message for an option that lacks its value or has one that it does not take."""
    parameters = problem.ctx.command.params if problem.ctx is not None else ()
    option = next(
        (one for one in parameters if problem.option_name in (*one.opts, *one.secondary_opts)), None
    )
    takes_none = option.is_flag if option is not None else "does not take" in problem.message
    return TAKES_NONE if takes_none else NEEDS


def _bad_value(problem: Any) -> Text:
    name = _name(problem.param)
    kind: Any = getattr(problem.param, "type", None)
    words = str(getattr(kind, "name", "")).partition(" ")[0]
    found = VALUE.match(problem.message)
    value = one_line(found["value"], LONGEST) if found else ""
    if found and hasattr(kind, "choices"):
        known = ", ".join(str(getattr(choice, "value", choice)) for choice in kind.choices)
        return Text(ONE_OF, {"name": name, "known": known, "value": value})
    if found and words in ("int", "integer"):
        return Text(WHOLE_NUMBER, {"name": name, "value": value})
    if found and words == "float":
        return Text(NUMBER, {"name": name, "value": value})
    given = problem.message.partition(" is not in the range ")[0]
    if not found and hasattr(kind, "min") and given != problem.message:
        low, high = kind.min, kind.max
        message = beyond(float(given), low, high)
        if message:
            return Text(message, {"name": name, "low": low, "high": high, "value": given.removesuffix(".0")})
    return Text(CAN_NOT, {"name": name, "problem": one_line(problem.message).rstrip(".")})
