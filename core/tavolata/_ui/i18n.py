"""Internationalization: the choice of the language, and the translation of message ids.

A message id is an English sentence with `{fields}`. Every package keeps its translations in
`locale/<language>/LC_MESSAGES/<package>.po`; its domain is its name. This module handles only texts;
the caller's `describe` names cards and seats.
"""

from __future__ import annotations

import os
import re
import sys

from tavolata._text import fill
from tavolata.errors import MessageError
from tavolata.messages import N_, Text

TYPE_CHECKING = False  # importing typing takes too long at the start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from gettext import NullTranslations

CORE = "tavolata"
SOURCE = "en"
"""The language of message ids, which needs no catalogue."""
VOWEL = re.compile(r"(?<!\w)([aAeE]) \{(\w+)\}")


class UnknownLanguage(MessageError):
    """The program has no translation into the wanted language."""


def languages() -> tuple[str, ...]:
    """Return the program's languages: English and those with a catalogue in the core."""
    folder = os.path.join(_folder(CORE), "locale")
    try:
        found = sorted(name for name in os.listdir(folder) if not name.startswith((".", "_")))
    except OSError:
        found = []
    return (SOURCE, *(name for name in found if name != SOURCE and "." not in name))


def choose_language(wanted: str | None, environ: Mapping[str, str]) -> str:
    """Return the language to use: the wanted one, otherwise the system's, otherwise English.

    `wanted` is the value of a flag, TT_LANG or the config file, in this order. In the environment, the first
    of LC_ALL, LC_MESSAGES and LANG that is set counts. Raise `UnknownLanguage` if the program has no
    translation into the wanted language.
    """
    known = languages()
    if wanted:
        code = _code(wanted)
        if code in known:
            return code
        raise UnknownLanguage(
            N_("Tavolata isn't available in {name}. Choose one of: {known}."),
            known=", ".join(known),
            name=wanted,
        )
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(variable):
            code = _code(environ[variable])
            return code if code in known else SOURCE
    code = _code(_windows_language())
    return code if code in known else SOURCE


class Translator:
    """Translates message ids into one of `languages()`."""

    def __init__(self, lang: str = SOURCE) -> None:
        self.lang = lang
        self._catalogues: dict[str, NullTranslations | None] = {}

    def text(
        self,
        message: str,
        params: Mapping[str, object] | None = None,
        domain: str = "",
        describe: Callable[[object], str] | None = None,
    ) -> str:
        """Return a message in this language with its fields filled in.

        A `Plural` depends on its field `n`. The catalogue of the package `domain` is tried before the core's.
        `describe` puts one value into words, even a value that is already text; without it a `Text` is
        translated, a tuple is a list with commas, and any other value stays as it is.
        """
        found = self._look_up(message, params, domain)
        if "{" not in found and "}" not in found:
            return found
        say = describe or self._say
        values = {name: say(value) for name, value in (params or {}).items()}
        return fill(_euphonic(found, values) if self.lang == "it" else found, values)

    def _say(self, value: object) -> str:
        if isinstance(value, tuple):
            return ", ".join(map(self._say, value))
        return self.text(value.message, value.params) if isinstance(value, Text) else str(value)

    def _look_up(self, message: str, params: Mapping[str, object] | None, domain: str) -> str:
        if not message:
            return ""  # the empty id is the header of a catalogue
        other: str | None = getattr(message, "other", None)
        count = (params or {}).get("n")
        for name in (domain, CORE) if domain and domain != CORE else (CORE,):
            catalogue = self._catalogue(name)
            if catalogue is None:
                continue
            if other is None or not isinstance(count, int):
                found = catalogue.gettext(message)
            else:
                found = catalogue.ngettext(message, other, count)
            if found not in (message, other):
                return found
        return message if other is None or count == 1 else other

    def _catalogue(self, domain: str) -> NullTranslations | None:
        if self.lang == SOURCE:
            return None
        if domain not in self._catalogues:
            from tavolata._ui.catalogues import read_catalogue

            self._catalogues[domain] = read_catalogue(_folder(domain), domain, self.lang)
        return self._catalogues[domain]


def _euphonic(message: str, values: Mapping[str, str]) -> str:
    """Return an Italian message with "ad" and "ed" before a field with the same first vowel: "ad Ada"."""

    def vowel(found: re.Match[str]) -> str:
        letters = filter(str.isalnum, values.get(found[2], ""))  # behind a mark or a quote
        same = next(letters, "").casefold() == found[1].casefold()
        return f"{found[1]}d {{{found[2]}}}" if same else found[0]

    return VOWEL.sub(vowel, message)


def _folder(package: str) -> str:
    path = getattr(sys.modules.get(package), "__file__", None)
    if path is None:  # a list of games shows titles from packages that are not imported
        from importlib.util import find_spec

        try:
            path = getattr(find_spec(package), "origin", None)
        except (ImportError, ValueError):
            pass
    return os.path.dirname(path or "")


def _code(name: str) -> str:
    return name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()


def _windows_language() -> str:
    code = ""
    if sys.platform == "win32":
        import ctypes
        import locale

        code = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return code
