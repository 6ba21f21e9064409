"""Languages: which one is chosen, what a catalogue gives, and that nobody can smuggle in a format."""

from __future__ import annotations

import gettext
import io
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata._text import fill, one_line
from tavolata._ui.catalogues import compile_po, parse_po, read_catalogue
from tavolata._ui.i18n import Translator, UnknownLanguage, choose_language, languages
from tavolata.messages import NN_
from tavolata.testing.translations import main, messages_of, mistakes
from tavolata_protocol.printable import admit

HEADER = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


def test_the_core_is_wholly_in_italian() -> None:
    """Every message of the core has an Italian translation; `tox -e locale` lists those that lack one."""
    assert mistakes("tavolata", "it") == []


@pytest.mark.parametrize(
    ("wanted", "environ", "lang"),
    [
        (None, {}, "en"),
        ("it", {"LC_ALL": "en_GB.UTF-8"}, "it"),
        ("it_IT.UTF-8", {}, "it"),
        (None, {"LC_ALL": "it_IT.UTF-8", "LANG": "en_US"}, "it"),
        (None, {"LC_ALL": "", "LC_MESSAGES": "it", "LANG": "en_US"}, "it"),
        (None, {"LC_ALL": "C", "LANG": "it_IT"}, "en"),
        (None, {"LANG": "it_CH@euro"}, "it"),
        (None, {"LANG": "zh_CN.UTF-8"}, "en"),
        ("", {"LANG": "it"}, "it"),
    ],
)
def test_the_nearest_wish_decides_the_language(
    wanted: str | None, environ: dict[str, str], lang: str
) -> None:
    """What was asked for counts before the system's language, and of its variables the first that is set."""
    assert choose_language(wanted, environ) == lang


def test_a_language_that_nobody_translated_is_refused() -> None:
    """A wish that can't be fulfilled is told, with the languages that there are."""
    with pytest.raises(UnknownLanguage, match=r"available in tlh\. Choose one of: en, it"):
        choose_language("tlh", {})
    assert languages() == ("en", "it")


def test_a_message_is_translated_and_filled_in() -> None:
    """The Italian sentence is found by the English one, and its fields are filled in."""
    italian = Translator("it")
    assert italian.text("No game called {name}. Did you mean {near}?", {"name": "x", "near": "y"}) == (
        "Nessun gioco di nome x. Forse intendevi y?"
    )
    assert italian.text("Never heard {of}.", {"of": "it"}) == "Never heard it."
    assert italian.text("") == ""


def test_values_are_put_into_words_by_the_caller() -> None:
    """Each value goes through `describe`, which knows what a seat or a card is called."""
    said = Translator().text(
        "{seat} takes {card}.", {"seat": 1, "card": 7}, describe=lambda value: f"<{value}>"
    )
    assert said == "<1> takes <7>."


@pytest.mark.parametrize(("n", "said"), [(0, "0 fiches"), (1, "1 fiche"), (2, "2 fiches"), (-1, "-1 fiches")])
def test_counting_in_english_needs_no_catalogue(n: int, said: str) -> None:
    """The second form is taken for every number but one."""
    assert Translator().text(NN_("{n} fiche", "{n} fiches"), {"n": n}) == said


def test_a_plugin_speaks_before_the_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's own catalogue is asked first, the core's second; plurals follow the language's rule."""
    folder = tmp_path / "locale" / "it" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "made_up.po").write_text(
        HEADER + 'msgid "yes"\nmsgstr "eccome"\n\n'
        'msgid "{n} horse"\nmsgid_plural "{n} horses"\nmsgstr[0] "{n} cavallo"\nmsgstr[1] "{n} cavalli"\n',
        encoding="utf-8",
    )
    module = ModuleType("made_up")
    module.__file__ = str(tmp_path / "__init__.py")
    monkeypatch.setitem(__import__("sys").modules, "made_up", module)
    italian = Translator("it")
    assert italian.text("yes", domain="made_up") == "eccome"
    assert italian.text("no", domain="made_up") == "no"
    assert italian.text("continue", domain="made_up") == "continua"
    assert italian.text("continue", domain="there_is_no_such_package") == "continua"
    horses = NN_("{n} horse", "{n} horses")
    assert [italian.text(horses, {"n": n}, "made_up") for n in (1, 3)] == ["1 cavallo", "3 cavalli"]


HOSTILE = [
    "{0.__class__}",
    "{seat.__init__.__globals__}",
    "{seat!r}",
    "{seat:>9999999}",
    "{",
    "}",
    "{{seat}}",
    "%s",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_full_of_braces_stays_what_it_is(name: str) -> None:
    """Nothing in a value is looked up or formatted, whatever a player calls himself."""
    assert fill("{seat} wins.", {"seat": name}) == f"{name} wins."


@pytest.mark.parametrize(
    "message", ["{seat.name}", "{seat!r}", "{0}", "{}", "{seat:>9}", "{seat[0]}", "{seat", "}"]
)
def test_only_bare_names_are_fields(message: str) -> None:
    """A message that asks for more than a value by its name gets nothing and is shown as it is written."""
    assert fill(message, {"seat": "Ada", "0": "x", "": "y"}) == message


@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_filling_in_never_fails(message: str, values: dict[str, str]) -> None:
    """Any message with any values makes some text, without an error."""
    assert isinstance(fill(message, values), str)


def test_doubled_braces_are_braces() -> None:
    """A brace that is meant is written twice, as Python's own formats have it."""
    assert fill("{{{seat}}} {{x}}", {"seat": 1}) == "{1} {x}"


def test_text_of_strangers_becomes_one_printable_line() -> None:
    """Line ends and control characters of an error's text reach no terminal, and it is cut."""
    assert one_line("a\n\tb\x1b[31m\x07c") == "a b [31m c"
    assert len(one_line("x" * 999)) == 300


@pytest.mark.parametrize(
    "picture", ["\U0001f469\u200d\u2695\ufe0f", "\U0001f468\U0001f3fd\u200d\U0001f469\u200d\U0001f467"]
)
def test_a_picture_of_several_stays_whole_in_a_line(picture: str) -> None:
    """A doctor, a family: what joins their pictures stays, and is taken out anywhere else."""
    assert one_line(f"Ann {picture}") == f"Ann {picture}"
    assert one_line("A\u200dnn \u200d", 24) == "A nn"
    assert admit(f"Ann {picture}\u200d\x1b", 24) == f"Ann {picture}"
    assert "\u200d" not in one_line(picture * 9, len(picture) * 3 + 3)[-2:]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x04"), min_size=1)


@given(st.dictionaries(TEXTS, TEXTS, max_size=5))
def test_what_is_written_in_a_catalogue_is_read_from_it(table: dict[str, str]) -> None:
    """Any texts, with quotes, backslashes and line ends, come back through the stdlib's gettext."""

    def quoted(text: str) -> str:
        for sign, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
            text = text.replace(sign, escape)
        return f'"{text}"'

    lines = [f'msgid ""\n{quoted(key)}\nmsgstr {quoted(value)}' for key, value in table.items()]
    if any(len(text.splitlines()) > 1 for line in lines for text in line.split("\n")):
        return  # signs that end a line in Unicode alone: no editor of catalogues writes them raw
    catalogue = gettext.GNUTranslations(io.BytesIO(compile_po(HEADER + "\n\n".join(lines))))
    assert {key: catalogue.gettext(key) for key in table} == table


def test_what_is_not_finished_is_not_said() -> None:
    """Empty, fuzzy and obsolete entries are left out; people read English there."""
    text = (
        HEADER + 'msgid "a"\nmsgstr ""\n\n#, fuzzy\nmsgid "b"\nmsgstr "B"\n\n#~ msgid "c"\n#~ msgstr "C"\n\n'
    )
    catalogue = gettext.GNUTranslations(io.BytesIO(compile_po(text + 'msgid "d"\nmsgstr "D"\n')))
    assert [catalogue.gettext(key) for key in "abcd"] == ["a", "b", "c", "D"]


@pytest.mark.parametrize("text", ['msgstr "x"', '"x"', "msgid x", 'msgid "x', "hello"])
def test_what_is_no_catalogue_is_refused(text: str) -> None:
    """A damaged catalogue is an error to its reader, not a wrong translation."""
    with pytest.raises(ValueError, match=r"Line|entry"):
        parse_po(text)


def test_a_damaged_catalogue_leaves_people_with_english(tmp_path: Path) -> None:
    """Catalogues that are missing, damaged or no text are as good as none."""
    folder = tmp_path / "locale" / "it" / "LC_MESSAGES"
    assert read_catalogue(str(tmp_path), "x", "it") is None
    folder.mkdir(parents=True)
    (folder / "x.po").write_bytes(b"\xff\xfe\x00")
    assert read_catalogue(str(tmp_path), "x", "it") is None
    (folder / "y.mo").write_bytes(b"no")
    assert read_catalogue(str(tmp_path), "y", "it") is None
    (folder / "y.mo").write_bytes(compile_po(HEADER + 'msgid "a"\nmsgstr "b"\n'))
    found = read_catalogue(str(tmp_path), "y", "it")
    assert found is not None
    assert found.gettext("a") == "b"


def test_the_helper_for_authors_finds_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing, superfluous and mistaken translations are each one sentence; an f-string is refused."""
    package = tmp_path / "author_of_much"
    folder = package / "locale" / "it" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (package / "__init__.py").write_text(
        'N_("one {a}"); N_("two"); NN_("{n} three", "{n} threes"); option(1, "four"); N_("yes"); N_(other)\n'
    )
    (folder / "author_of_much.po").write_text(
        HEADER
        + 'msgid "one {a}"\nmsgstr "uno {b}"\n\n'
        + 'msgid "{n} three"\nmsgstr "tre"\n\nmsgid "five"\nmsgstr "cinque"\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("tavolata.testing.translations._folder", lambda name: tmp_path / name)
    monkeypatch.setattr("tavolata.testing.translations.CORE", "author_of_much")
    assert list(messages_of("author_of_much")) == ["one {a}", "two", "{n} three", "four", "yes"]
    assert mistakes("author_of_much", "it") == [
        "__init__.py: 'uno {b}' has fields that 'one {a}' lacks.",
        "__init__.py: 'two' has no translation.",
        "__init__.py: '{n} three' counts, and its translation has one form only.",
        "__init__.py: 'four' has no translation.",
        "__init__.py: 'yes' has no translation.",
        "'five' is translated and nobody says it.",
    ]
    (package / "__init__.py").write_text('N_(f"{x}")\n')
    with pytest.raises(ValueError, match="no f-string"):
        messages_of("author_of_much")


def test_without_babel_the_tool_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence instead of a traceback, before anything is read or written."""
    monkeypatch.setitem(sys.modules, "babel", None)
    assert main(["tavolata_zompa"]) == 2
    assert capsys.readouterr().err == "Updating translations needs Babel: pip install babel\n"
