"""Catalogues of translations: a .po file is read directly into a gettext catalogue of the stdlib.

Nothing is compiled in advance, so nothing can be out of date (docs/decisions/0001). A package with only
a .mo file is read too. `i18n` chooses the language and fills in the fields.
"""

from __future__ import annotations

import io
import os
import re
import struct
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations

ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_KEYWORD = re.compile(r"msgctxt|msgid|msgid_plural|msgstr(\[\d\])?")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def read_catalogue(package_folder: str, domain: str, lang: str) -> NullTranslations | None:
    """Return the translations of one package into one language, or None if there aren't any.

    A damaged catalogue counts as missing. People then read English, and the match continues.
    """
    base = os.path.join(package_folder, "locale", lang, "LC_MESSAGES", domain)
    try:
        with open(f"{base}.po", encoding="utf-8") as file:
            return _of_po(file.read())
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        return None
    try:
        with open(f"{base}.mo", "rb") as file:
            return GNUTranslations(file)
    except (OSError, ValueError, struct.error):
        return None


@lru_cache(maxsize=32)
def _of_po(text: str) -> GNUTranslations:
    return GNUTranslations(io.BytesIO(compile_po(text)))


def compile_po(text: str) -> bytes:
    """Return the binary form (.mo) of a .po file, without entries that are fuzzy or empty.

    Raise `ValueError` if the text is not a .po file.
    """
    table: dict[bytes, bytes] = {}
    for entry in parse_po(text):
        plural = [entry[f"msgstr[{n}]"] for n in range(9) if f"msgstr[{n}]" in entry]
        forms = plural or [entry.get("msgstr", "")]
        if "fuzzy" in entry and entry["msgid"]:
            continue
        if all(forms):
            key = "\0".join(entry[part] for part in ("msgid", "msgid_plural") if part in entry)
            if "msgctxt" in entry:
                key = f"{entry['msgctxt']}\x04{key}"
            table[key.encode()] = "\0".join(forms).encode()
    keys = sorted(table)
    size = len(keys)
    at = 28 + 16 * size
    places: list[tuple[int, int]] = []
    for part in [*keys, *(table[key] for key in keys)]:
        places.append((len(part), at))
        at += len(part) + 1
    head = struct.pack("<7I", 0x950412DE, 0, size, 28, 28 + 8 * size, 0, 0)
    index = b"".join(struct.pack("<2I", *place) for place in places)
    return head + index + b"".join(part + b"\0" for part in [*keys, *(table[key] for key in keys)])


def parse_po(text: str) -> list[dict[str, str]]:
    """Return the entries of a .po file by keyword (msgid, msgid_plural, msgstr, msgstr[0], ...).

    An entry marked fuzzy has the key "fuzzy"; obsolete entries are left out. Raise `ValueError` if a line
    does not belong in a .po file.
    """
    entries: list[dict[str, str]] = []
    entry: dict[str, str] = {}
    keyword, fuzzy = "", False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words or words.startswith("#"):
            fuzzy = fuzzy or (words.startswith("#,") and "fuzzy" in words)
            continue
        if not words.startswith('"'):
            keyword, _, words = words.partition(" ")
            if not _KEYWORD.fullmatch(keyword) or (keyword.startswith("msgstr") and "msgid" not in entry):
                raise ValueError(f"Line {number} is none of a .po file: {line!r}")
            if keyword in ("msgctxt", "msgid") and ("msgid" in entry or not entry):
                entry = {"fuzzy": "yes"} if fuzzy else {}
                entries.append(entry)
                fuzzy = False
            entry[keyword] = ""
        words = words.strip()
        if len(words) < 2 or words[0] != '"' or words[-1] != '"' or not keyword:
            raise ValueError(f"Line {number} is none of a .po file: {line!r}")
        entry[keyword] += _ESCAPE.sub(lambda found: ESCAPES.get(found[1], found[1]), words[1:-1])
    if any("msgid" not in one for one in entries):
        raise ValueError("An entry has no msgid.")
    return entries
