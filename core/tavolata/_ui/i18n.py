"""Languages: which one is spoken, and a message id in it.

A message id is an English sentence with `{fields}`; every package keeps its translations in
`locale/<language>/LC_MESSAGES/<package>.po`, its domain being its name. Only texts may be handled
here; what a card or a seat is called is for the caller's `describe` to say.
"""

from __future__ import annotations

import os
import sys

from tavolata._text import fill
from tavolata.errors import MessageError
from tavolata.messages import N_, Text

TYPE_CHECKING = False  # not from typing, which costs more than speaking English does
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from gettext import NullTranslations

CORE = "tavolata"
SOURCE = "en"
"""The language of message ids: it needs no catalogue."""


class UnknownLanguage(MessageError):
    """Nobody translated the program into the language that is wanted."""


def languages() -> tuple[str, ...]:
    """The languages that the program speaks: English and those the core has a catalogue of."""
    folder = os.path.join(_folder(CORE), "locale")
    try:
        found = sorted(name for name in os.listdir(folder) if not name.startswith((".", "_")))
    except OSError:
        found = []
    return (SOURCE, *(name for name in found if name != SOURCE and "." not in name))


def choose_language(wanted: str | None, environ: Mapping[str, str]) -> str:
    """The language to speak: what is wanted, else what the system speaks, else English.

    Args:
        wanted: what a flag, TT_LANG or the config file says, in this order; None when none does.
        environ: the environment; of LC_ALL, LC_MESSAGES and LANG the first that is set counts.

    Raises:
        UnknownLanguage: nobody translated the program into the language that is wanted.
    """
    known = languages()
    if wanted:
        code = _code(wanted)
        if code in known:
            return code
        raise UnknownLanguage(N_("Tavolata speaks {known}, not {name}."), known=", ".join(known), name=wanted)
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(variable):
            code = _code(environ[variable])
            return code if code in known else SOURCE
    code = _code(_windows_language())
    return code if code in known else SOURCE


class Translator:
    """Message ids in one language.

    Args:
        lang: one of `languages()`.
    """

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
        """A message in this language with its fields filled in.

        Args:
            message: a message id; `Plural` where it counts, by its field `n`.
            params: what the fields stand for.
            domain: the package whose message it is; the core's catalogue is asked after it.
            describe: puts one value into words, texts that are already words too; without it a `Text` is
                said in this language, and all else as it is.
        """
        found = self._look_up(message, params, domain)
        if "{" not in found and "}" not in found:
            return found
        say = describe or self._say
        return fill(found, {name: say(value) for name, value in (params or {}).items()})

    def _say(self, value: object) -> str:
        return self.text(value.message, value.params) if isinstance(value, Text) else str(value)

    def _look_up(self, message: str, params: Mapping[str, object] | None, domain: str) -> str:
        if not message:
            return ""  # the empty id is a catalogue's header
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


def _folder(package: str) -> str:
    path = getattr(sys.modules.get(package), "__file__", None)
    if path is None:  # a list of games has titles of packages that are not imported
        from importlib.util import find_spec

        try:
            path = getattr(find_spec(package), "origin", None)
        except (ImportError, ValueError):
            pass
    return os.path.dirname(path or "")


def _code(name: str) -> str:
    return name.partition(".")[0].partition("@")[0].replace("-", "_").partition("_")[0].lower()


def _windows_language() -> str:
    if sys.platform == "win32":
        import ctypes
        import locale

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "")
    return ""
