"""The settings of every command: global flags, TT_* variables and the config file.

For each setting a flag wins over the environment, and the environment over the config file. The pure
functions here only read and check settings; `command_context` gives them their meaning.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress

from tavolata._cli.failures import UsageError
from tavolata._text import as_typed
from tavolata._trouble import trouble
from tavolata.messages import N_

FLAGS: dict[str, tuple[str, str | None]] = {
    "--ui": ("ui", None),
    "--lang": ("lang", None),
    "--ascii": ("ascii", "yes"),
    "--no-color": ("color", "no"),
    "--screen-reader": ("screen_reader", "yes"),
    "-q": ("verbosity", "-1"),
    "--quiet": ("verbosity", "-1"),
    "-v": ("verbosity", "1"),
    "-vv": ("verbosity", "2"),
    "--verbose": ("verbosity", "1"),
}
"""Flag -> setting and its value; None means the next word of the command line."""

VARIABLES = {
    "TT_UI": ("ui", None),
    "TT_LANG": ("lang", None),
    "TT_ASCII": ("ascii", None),
    "TT_SCREEN_READER": ("screen_reader", None),
    "TT_NO_COLOR": ("color", "no"),
    "TT_COLOR": ("color", None),
    "TT_VERBOSITY": ("verbosity", None),
    "FORCE_COLOR": ("color", "yes"),
    "NO_COLOR": ("color", "no"),
}
"""Variable -> setting and its value; None means the variable's value. The first one wins; "" is unset."""

WORDS = {**dict.fromkeys(("true", "on", "1"), "yes"), **dict.fromkeys(("false", "off", "0"), "no")}
"""What else people write for yes and no."""
ALLOWED: dict[str, tuple[str, ...]] = {
    "ui": ("auto", "tui", "plain", "json"),
    "name": (),
    "lang": (),  # any word, because only i18n knows the languages
    "ascii": ("yes", "no"),
    "color": ("yes", "no"),
    "screen_reader": ("yes", "no"),
    "verbosity": ("-1", "0", "1", "2"),
}


def take_flags(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Split a command line into the settings of its global flags and the other words.

    Raise UsageError if a flag has no value or an invalid one.
    """
    taken: dict[str, str] = {}
    rest: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            rest += [word, *left]
            break
        flag, has_value, value = word.partition("=")
        setting, fixed = FLAGS.get(flag, ("", None))
        if not setting or (fixed is not None and has_value):
            rest.append(word)
            continue
        if fixed is None and not has_value:
            found = next(left, None)
            if found is None:
                raise UsageError(N_("{name} needs a value."), name=flag)
            value = found
        taken[setting] = checked(setting, fixed if fixed is not None else value, flag)
    return taken, rest


def from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of environment variables; raise UsageError for a value that one can't take."""
    taken: dict[str, str] = {}
    for variable, (setting, fixed) in VARIABLES.items():
        value = environ.get(variable, "")
        if value and setting not in taken:
            taken[setting] = checked(setting, fixed if fixed is not None else value, variable)
    return taken


def likely_language(words: list[str], environ: Mapping[str, str], path: str) -> str:
    """Return the wanted language, as far as it can be read from invalid settings; "" if it can't."""
    wanted = environ.get("TT_LANG", "")
    if not wanted:
        with suppress(UsageError):  # the caller is about to report this error
            wanted = str(read_config(path).get("lang", ""))
    left = iter(words[: words.index("--")] if "--" in words else words)
    for word in left:
        flag, has_value, value = word.partition("=")
        if flag == "--lang":
            wanted = value if has_value else next(left, wanted)
    return wanted


def from_config(config: Mapping[str, object], path: str) -> dict[str, str]:
    """Return the settings in a config file; each table belongs to the command of its name.

    Raise UsageError if a setting does not exist or has an invalid value.
    """
    taken: dict[str, str] = {}
    for name, value in config.items():
        if isinstance(value, dict):
            continue
        if name not in ALLOWED:
            raise UsageError(
                N_("{path}: no setting called {name}. Try: {known}."),
                path=path, name=name, known=", ".join(ALLOWED),
            )  # fmt: skip
        taken[name] = checked(name, as_typed(value), f"{path}: {name}")
    return taken


def read_config(path: str) -> dict[str, object]:
    """Return the config file as data; empty if there isn't one.

    Raise UsageError if the file can't be read, or it is not TOML.
    """
    if not os.path.exists(path):
        return {}
    import tomllib

    try:
        with open(path, "rb") as file:
            return tomllib.loads(file.read().decode("utf-8-sig"))  # editors of Windows put a mark first
    except OSError as problem:
        raise UsageError(
            N_("Couldn't read {path}: {problem}. Fix that, or move the file out of the way."),
            path=path, problem=trouble(problem),
        ) from problem  # fmt: skip
    except (ValueError, RecursionError) as problem:  # not TOML, not UTF-8, or lists in lists
        raise UsageError(
            N_(
                "Line {line} of {path} isn't a valid setting. A setting looks like this: name = "
                "\"Ada\". Fix that line, or move the file out of the way."
            ),
            path=path, line=_line_of(problem, path),
        ) from problem  # fmt: skip


def _line_of(problem: Exception, path: str) -> int:
    if isinstance(problem, UnicodeDecodeError):
        return problem.object.count(b"\n", 0, problem.start) + 1
    told = re.search(r"\(at line (\d+),", str(problem))
    if told:
        return int(told[1])
    with open(path, "rb") as file:  # "at end of document"
        return max(1, len(file.read().rstrip().splitlines()))


def checked(setting: str, value: str, where: str) -> str:
    """Return the value, if it is valid for the setting; all words for yes and no become "yes" and "no".

    Raise UsageError if the value is invalid.
    """
    allowed = ALLOWED[setting]
    if allowed == ("yes", "no"):
        value = WORDS.get(value.lower(), value.lower())
    if allowed and value not in allowed:
        raise UsageError(
            N_("{name} must be one of {known}, not {value}."),
            name=where,
            known=", ".join(allowed),
            value=value,
        )
    return value
