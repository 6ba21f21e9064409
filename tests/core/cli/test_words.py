"""The command line in Italian: no page and no mistake of it falls back into English."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from tavolata._cli import main
from tavolata._cli.app import UNBROKEN
from tavolata._cli.commands import COMMANDS
from tavolata._cli.typer_words import in_words, page
from tavolata._text import fill
from tavolata._trouble import WORDS, trouble
from tavolata._ui.i18n import Translator
from tavolata._ui.match_plan import level_text, level_to_choose
from tavolata.messages import Text

if TYPE_CHECKING:
    from tests.core.conftest import Site
else:
    Site = Any

Capture = pytest.CaptureFixture[str]
FRAMES = (
    "Usage",
    "Arguments",
    "Options",
    "OPTIONS",
    "required",
    "default:",
    "<",
    "Show this",
    "TEXT",
    "NUMBER",
)


NEITHER = {
    "en": "Who What Whose When Where Which How If In At By With Without Only Always Also Too There It "
    "This That You Because Instead",
    "it": "Chi Che Cosa Quando Dove Come Se In A Con Senza Solo Sempre Anche Per Qui Ci Si Ciò Quello È",
}
"""First words of a line of help that is neither an order nor a name."""
INFINITIVE = re.compile(r"(?!Mazziere)\w+(?:are|ere|ire|rsi)\b")


@pytest.mark.parametrize("lang", NEITHER)
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_a_line_of_help_is_an_order_or_a_name_and_fits_80_columns(
    name: str, lang: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command and option says what it does or what it takes; nothing runs past a narrow terminal."""
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["--lang", lang, *name.split(), "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    described = [found[1] for line in lines if (found := re.match(r"  \S.*?\s{2,}(\S.*)", line))]
    assert described
    assert [text for text in described if text.split()[0] in NEITHER[lang].split()] == []
    assert [text for text in described if lang == "it" and INFINITIVE.match(text)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_commands_page_has_no_english_frame(name: str, capsys: Capture) -> None:
    """None of the words that Typer puts around a page of help is left in Italian."""
    assert main(["--lang", "it", name, "--help"]) == 0
    page = capsys.readouterr().out.replace("<=", "")
    assert page.startswith(f"Uso: tt {name} [OPZIONI]")
    assert [word for word in FRAMES if word in page] == []


@pytest.mark.parametrize(
    ("words", "italian", "english"),
    [
        ("rules", "Manca GIOCO.", "GAME is missing."),
        ("plugins x", "Argomento di troppo: x.", "Unexpected argument: x."),
        ("play z --wat", "Opzione sconosciuta: --wat.", "No such option: --wat."),
        ("play z --seat 3", "Opzione sconosciuta: --seat. Forse intendevi --seats?",
         "No such option: --seat. Did you mean --seats?"),
        ("play z --seed", "--seed richiede un valore.", "--seed needs a value."),
        ("resume --list=3", "--list non accetta valori.", "--list doesn't take a value."),
        (
            "play z --seed abc",
            "--seed dev’essere un numero intero, non abc.",
            "--seed must be a whole number, not abc.",
        ),
        ("resume --program-seconds x", "--program-seconds dev’essere un numero, non x.",
         "--program-seconds must be a number, not x."),
        ("resume --program-seconds 0", "--program-seconds dev’essere tra 0.1 e 86400, non 0.",
         "--program-seconds must be from 0.1 to 86400, not 0."),
        ("play z --think nan", "--think dev’essere tra 0.05 e 600, non nan.",
         "--think must be from 0.05 to 600, not nan."),
        ("review --within nan", "--within dev’essere tra 0.1 e 86400, non nan.",
         "--within must be from 0.1 to 86400, not nan."),
        ("history --last 0", "--last dev’essere almeno 1, non 0.", "--last must be at least 1, not 0."),
    ],
)  # fmt: skip
def test_what_the_parser_can_not_read_is_said_in_both_languages(
    words: str, italian: str, english: str, capsys: Capture
) -> None:
    """Each error of the parser is a sentence of ours, with what may have been meant."""
    name = words.split(maxsplit=1)[0]
    assert main([*words.split(), "--lang", "it"]) == 2
    assert capsys.readouterr().err == f"tt: {italian} Vedi `tt {name} --help`.\n"
    assert main(words.split()) == 2
    assert capsys.readouterr().err == f"tt: {english} See `tt {name} --help`.\n"


DOOR = '''
    from tavolata import hookimpl
    import typer

    door = typer.Typer(help="A door.")

    @door.command()
    def ring(times: int, loud: float = 0.5, words: list[str] = [],
             name_that_is_longer_than_its_column: str = "") -> None:
        """Ring."""

    @door.command()
    def knock(hard: bool = False) -> None:
        """Knock."""

    @hookimpl
    def tavolata_commands(app: typer.Typer) -> None:
        app.add_typer(door, name="door")
    '''


def test_a_group_of_commands_of_a_plugin_speaks_italian_too(site: Site, capsys: Capture) -> None:
    """Groups, what is inside them and their mistakes are in the language of the rest."""
    site.install("door", DOOR)
    for words in (["--help"], ["ring", "--help"]):
        assert main(["door", *words, "--lang", "it"]) == 0
    page = capsys.readouterr().out
    assert "Uso: tt door [OPZIONI] COMANDO [ARGOMENTI]..." in page
    assert "Uso: tt door ring [OPZIONI] {TIMES}" in page
    assert "Comandi:\n  ring   Ring.\n" in page
    assert "Argomenti:\n  TIMES  [obbligatorio]\n" in page
    assert "  --loud NUMERO                   [predefinito: 0.5]\n  --words TESTO\n" in page
    assert "  --name-that-is-longer-than-its-column TESTO\n  -h, --help                      Mostra" in page
    assert [word for word in (*FRAMES, "Commands", "TT_") if word in page] == []
    said = []
    for words in (["rnig"], ["ring", "x"], ["ring"], []):
        assert main(["door", *words, "--lang", "it"]) == 2
        said.append(capsys.readouterr().err)
    assert said[0] == "tt: Comando sconosciuto: rnig. Vedi `tt door --help`.\n"
    assert said[1].startswith("tt: Valore non valido per TIMES: ")  # and then Typer's own words
    assert said[2] == "tt: Manca TIMES. Vedi `tt door ring --help`.\n"
    assert said[3] == "tt: Manca il comando. Vedi `tt door --help`.\n"


@pytest.mark.parametrize("columns", [20, 60, 80, 200])
def test_a_page_is_broken_as_typer_breaks_it(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typer's page without line breaks, broken here, is Typer's page as it would have printed it."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False, help="A word. " * 40)

    @app.command(epilog="The end. " * 20)
    def work(
        a_name_that_is_much_longer_than_its_column: str = typer.Option(
            "x", metavar="WORD", help=("A long name. " * 20).strip()
        ),
        brief: bool = typer.Option(False, "--brief", "-b"),
    ) -> None:
        """Work on a thing."""

    monkeypatch.setenv("COLUMNS", str(columns))
    shown = []
    for width in ({}, {"terminal_width": UNBROKEN, "max_content_width": UNBROKEN}):
        printed = io.StringIO()
        with redirect_stdout(printed):
            app(["--help"], prog_name="tt work", standalone_mode=False, **width)
        shown.append(printed.getvalue())

    def theirs(text: str, params: dict[str, str] | None = None) -> str:
        return "Show this message and exit." if text == "Show this help." else fill(text, params or {})

    assert page(shown[1], columns, theirs).rstrip() == shown[0].rstrip()


def test_a_complaint_of_typer_that_is_new_is_said_in_its_words() -> None:
    """What has no sentence of ours is shown all the same."""
    for complaint in ("Something is odd.", "Invalid value: Something is odd."):
        said = in_words(complaint)
        assert Translator("it").text(said.message, said.params) == "Something is odd."


@pytest.mark.parametrize(
    ("words", "environ", "config", "said"),
    [
        ("--ui foo --lang it", {}, "", "--ui dev’essere uno tra auto"),
        ("--ui", {"TT_LANG": "it"}, "", "--ui richiede un valore."),
        ("--ui foo", {"LC_ALL": "it_IT.UTF-8"}, "", "--ui dev’essere uno tra auto"),
        ("--ui foo", {}, 'lang = "it"', "--ui dev’essere uno tra auto"),
        ("games", {}, 'lang = "it"\nui = "foo"', "ui dev’essere uno tra auto"),
        ("games", {"TT_UI": "foo", "TT_LANG": "it"}, "", "TT_UI dev’essere uno tra auto"),
        ("games --lang it", {}, "ok = 1\n[", "config.toml, riga 2: non è un’impostazione"),
    ],
)
def test_settings_are_found_wrong_in_the_language_they_want(
    words: str, environ: dict[str, str], config: str, said: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture,
) -> None:  # fmt: skip
    """The language is known before the other settings are checked, wherever it is set."""
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "config.toml").write_text(config)
    assert main(words.split()) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("config", ["name = [", 'colour = "red"', 'lang = "tlh"', 'name = "\xe8"'])
@pytest.mark.parametrize("words", [["--help"], ["play", "--help"]])
def test_help_is_there_when_the_config_file_is_broken(
    config: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A page of help is printed all the same; what is wrong is one line on stderr."""
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    (tmp_path / "config.toml").write_bytes(config.encode("latin-1"))
    assert main(words) == 0
    caught = capsys.readouterr()
    assert "Usage: tt" in caught.out
    assert caught.err.startswith("tt: ")
    assert caught.err.count("\n") == 1


def test_what_the_system_complains_of_has_words_of_ours(tmp_path: Path) -> None:
    """The common complaints are translated; a rare one is left as the system says it."""
    with pytest.raises(FileNotFoundError) as caught:
        (tmp_path / "none").read_text()
    problem = trouble(caught.value)
    assert isinstance(problem, Text)
    assert fill("{problem}", {"problem": problem}) == "no such file or folder"
    say = Translator("it").text
    assert say("{problem}", {"problem": problem}) == "nessun file o cartella con quel nome"
    assert [message for message in WORDS.values() if say(message) == message] == []
    assert trouble(OSError(errno.ELOOP, os.strerror(errno.ELOOP))) == os.strerror(errno.ELOOP)
    with pytest.raises(UnicodeDecodeError) as undecoded:
        b"\xff".decode("utf-8")
    assert say("{problem}", {"problem": trouble(undecoded.value)}) == "non è testo in UTF-8"


def test_a_match_or_a_game_that_is_not_there_is_no_empty_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """`tt history` and `tt resume` of what is not there say so, with what may have been meant."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    assert main(["history", "zomap"]) == 3
    assert "Did you mean zompa?" in capsys.readouterr().err
    assert main(["history", "zompa"]) == 0
    assert capsys.readouterr().err.startswith("No finished matches of zompa yet")
    assert main(["resume", "foo"]) == 2
    assert "No match found with the file name or id foo. See `tt resume --list`" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["3,easy", "-3", "easy,+1"])
def test_a_number_is_no_level(given: str, capsys: Capture) -> None:
    """A number where a level belongs is told how bots are said."""
    assert main(["play", "zompa", f"--bots={given}"]) == 2
    assert (
        f"such as 3, or a level for each, such as easy,hard; {given} is neither." in capsys.readouterr().err
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe's reader goes away otherwise there")
def test_a_match_that_nobody_reads_any_more_is_no_error(tmp_path: Path) -> None:
    """`tt play ... | head -1` ends as `tt rules | head -1` does, though Typer ends otherwise there."""
    play = "import sys; from tavolata._cli import main; sys.exit(main())"
    words = ["play", "zompa", "--seats", "2", "--bot", "easy", "--ui", "plain", "--lang", "en"]
    with subprocess.Popen(
        [sys.executable, "-c", play, *words], env={**os.environ, "TT_DATA_DIR": str(tmp_path)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
        assert (running.wait(60), b"Traceback" in said) == (0, False)


def test_levels_are_read_in_italian_and_typed_as_ever() -> None:
    """Where a level is chosen its word stands beside what is typed; a plugin's own level is as it is."""
    say = Translator("it").text
    assert level_to_choose("easy", say) == "facile (easy)"
    assert level_to_choose("hard", Translator("en").text) == "hard"
    assert level_to_choose("cunning", say) == "cunning"
    assert say("{level}", {"level": level_text("random")}) == "a caso"
