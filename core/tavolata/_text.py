"""Message fields: putting values into them, and listing them.

Names of players and texts from other peers are among the values. So a field is a bare name: attributes of a
value can't be reached, and braces inside a value stay as they are. Catalogues are read by
`tavolata._ui.i18n`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import ascii_lowercase, ascii_uppercase
from typing import Final
from unicodedata import normalize

MAX_NAME = 24
"""The characters of the longest name of a player."""
MAX_CALLED = 4 * MAX_NAME
"""The characters of the longest name at a table, with what tells it apart from others."""
FIELD = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""A field, or a doubled brace that stands for itself. Anything else in braces is plain text."""


class Verbatim(str):
    """Words or a name that a person chose: shown as they are, never looked up in a catalogue.

    Those of other people and machines come from `admitted` alone: what the engine keeps of a name has this
    type, so that a text that nobody has cleaned can't get there.
    """

    __slots__ = ()


class Clean(str):
    """Text that a terminal may get: nothing in it moves a cursor or turns the direction of writing.

    `cleaned` makes it of any text. The exits take nothing else, so that no text gets out as it came in.
    """

    __slots__ = ()


def cleaned(text: str) -> Clean:
    """Return a text as a terminal may get it; its lines stay lines.

    It cleans what leaves: seat programs, games, files and errors put words into sentences, too.
    """
    if isinstance(text, Clean):
        return text
    if text.replace("\n", "").isprintable():
        return Clean(text)
    from tavolata_protocol.printable import still  # noqa: PLC0415 - a start needs no protocol

    return Clean(still(text))


def fill(message: str, values: Mapping[str, object]) -> str:
    """Return the message with its `{fields}` replaced; a field without a value stays as it is written."""

    def replace(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return found[0][0]
        return cleaned(str(values[name])) if name in values else found[0]

    return FIELD.sub(replace, message)


def fields(message: str) -> set[str]:
    """Return the names of a message's fields."""
    return {found[1] for found in FIELD.finditer(message) if found[1]}


def one_line(text: object, limit: int = 300) -> str:
    """Any text as one printable line of at most `limit` characters; used for all texts of others.

    Nothing in it can move a cursor or turn the direction of writing. A picture that is joined from several
    stays whole.
    """
    from tavolata_protocol.printable import admit  # noqa: PLC0415 - a start needs no protocol

    return admit(str(text), limit)


def as_typed(value: object) -> str:
    """Return the value of a setting or a house rule as a person types it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def admitted(name: object, most: int = MAX_NAME) -> Verbatim:
    """Return anything as the name of a person, cleaned: "?" if nothing of it can be shown."""
    return Verbatim(one_line(str(name).replace("@", ""), most) or "?")


def is_name(text: str) -> bool:
    """Whether a player can be called this, as it is: 1 to `MAX_NAME` characters that are shown, and no @."""
    return bool(text) and one_line(text, MAX_NAME) == text and "@" not in text


def composed(text: str) -> str:
    """Return what a person here writes as it's sent: each letter and its accent as one sign (NFC).

    For the writer's machine alone: replicas judge by lists of their own, and others may have other tables.
    """
    return text if text.isascii() else normalize("NFC", text)


def small_number(digits: str, most: int = 999) -> int:
    """Read decimal digits; with more digits than `most` it's the number after that.

    `int` refuses thousands of digits.
    """
    digits = digits.lstrip("0")
    return int(digits or 0) if len(digits) <= len(str(most)) else most + 1


def number_within(word: str, low: int, high: int) -> int | None:
    """Return the number that a word is in decimal digits; None for any other word, and out of the range."""
    number = small_number(word, high) if word.isdecimal() else low - 1
    return number if low <= number <= high else None


def skeleton(name: str) -> str:
    """Return what a name looks like: names with the same skeleton can be taken for one another.

    It compares by the table here, never by those of the local Python, so all machines agree.
    """
    return _MARKS.sub("", name).translate(_LOOKS)


def mixes_scripts(name: str) -> bool:
    """Return True if a name mixes Latin, Greek or Cyrillic letters; by ranges, as all machines have them."""
    return sum(1 for letters in _SCRIPTS if letters.search(name)) > 1


_SCRIPTS: Final = tuple(
    re.compile(letters)
    for letters in ("[A-Za-z\u00c0-\u024f\uff21-\uff3a\uff41-\uff5a]", "[\u0370-\u03ff]", "[\u0400-\u052f]")
)
_MARKS = re.compile("[ \u0300-\u036f]")
_LOOKS: Mapping[int, int | str] = {
    **str.maketrans(ascii_uppercase, ascii_lowercase),
    **{0xFF01 + at: chr(0x21 + at).lower() for at in range(94)},  # letters as wide as Chinese ones
    **str.maketrans(
        "АВЕЅІЈКМНОРСТУХԚԜаеѕіјкмнорстухһԁԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεηικνορτυχϲϳ",
        "abesijkmhopctyxqw" + "aesijkmhopctyxhdqwl" + "abezhikmnoptyx" + "abenikvoptuxcj",
    ),
}
"""Capitals, and Cyrillic and Greek letters that look like Latin ones."""
