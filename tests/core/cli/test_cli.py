"""The command line: which command runs with which settings, and what its exit code says."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from tests.commit import a_part

from tavolata import _dirs
from tavolata._cli import main
from tavolata._cli.command_context import CommandContext
from tavolata._cli.commands import COMMANDS
from tavolata._cli.failures import EXIT_CODES, UsageError, exit_code
from tavolata._cli.rules import at_table
from tavolata._cli.settings import take_flags
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.manifest import SETTLED_NS, read_manifest
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.input.keys import UnknownKey
from tavolata._version import __version__
from tavolata.errors import Refused, TavolataError

if TYPE_CHECKING:
    from tests.core.conftest import Site
else:
    Site = Any

Capture = pytest.CaptureFixture[str]


def tt(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run `tt` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tavolata", *words],
        capture_output=True, text=True, env={**os.environ, **environ}, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("words", [["--version"], ["games", "--version"], ["--lang", "it", "--version"]])
def test_the_version_is_printed_wherever_it_is_asked_for(words: list[str], capsys: Capture) -> None:
    """`--version` wins over everything before `--`."""
    assert main(words) == 0
    assert capsys.readouterr().out == f"tavolata {__version__}\n"


def test_help_imports_no_game_and_nothing_heavy() -> None:
    """`tt --help` lists commands without importing one: no game, no screen, no network, no cryptography."""
    code = (
        "import sys; from tavolata._cli import main; main(['--help']); "
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(done.stderr.split())
    unwanted = {"textual", "zeroconf", "nacl", "aiohttp", "rich", "tavolata_protocol"}
    assert imported & unwanted == set()
    plugins = {entry.value.partition(":")[0] for entry in read_manifest().plugins}
    assert plugins != set()
    assert imported & plugins == set()
    assert COMMANDS
    assert all(name in done.stdout for name in COMMANDS)


def test_the_version_is_there_before_typer_is_imported() -> None:
    """`tt --version` imports no Typer."""
    code = (
        "import sys; from tavolata._cli import main; main(['--version']); print('typer' in sys.modules, "
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "False"


def test_a_list_of_games_imports_no_game(tmp_path: Path) -> None:
    """Once what plugins bring is known, `tt games` reads it from the manifest."""
    code = (
        "import sys; from tavolata._cli import main; main(['games']); "
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    environ, here = {**os.environ, "TT_CACHE_DIR": str(tmp_path / "cache")}, tmp_path / "here"
    here.mkdir()
    os.utime(here, (0, 0))

    def listed() -> tuple[str, set[str]]:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ, cwd=here
        )
        return done.stdout, {name for name in done.stderr.split() if name.startswith("tavolata_")}

    games, imported = listed()
    assert "tavolata_zompa" in imported
    for _ in range(5):  # nothing is kept of a folder that has just changed
        again, imported = listed()
        assert again == games
        if not imported:
            return
        time.sleep(SETTLED_NS / 1e9)
    raise AssertionError(imported)


def test_a_host_imports_only_what_a_table_needs() -> None:
    """An open table takes up no memory for what few tables need: see `benchmarks/memory.py`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = (
        "import sys, tavolata._engine.network.joining, tavolata._engine.peer.peer, tavolata._ui.plain; "
        "print(*sys.modules, file=sys.stderr); from tavolata._cli import main; "
        f"main(['host', 'zompa', '--bind', '127.0.0.1', '--port', '{port}', '--as', 'Ada']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    )
    before, *_, after = (set(line.split()) for line in done.stderr.splitlines())
    # where what is installed is not known yet, that is read once, and takes these
    assert before & {"importlib.metadata", "email", "zipfile", "csv"} == set()
    unwanted = {"aiohttp", "encodings.idna", "fractions", "markdown_it", "pickle", "rich", "statistics",
                "textual", "tavolata._engine.dealing.fair_dealing", "tavolata._engine.plugins.installer",
                "tavolata._engine.thinking.thinkers", "tavolata_protocol.fair.audit"}  # fmt: skip
    assert "tavolata_zompa.rules" in after, done.stderr
    if "pydantic" in after:
        unwanted.remove("fractions")  # Typer 0.29 reads values with pydantic, which takes it
    assert after & unwanted == set()


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["--lang", "en", "-h"]])
def test_without_a_command_there_is_short_help(words: list[str], capsys: Capture) -> None:
    """A bare `tt` and the options for help print the same page to stdout, and that is no error."""
    assert main(words) == 0
    assert "Usage: tt COMMAND" in capsys.readouterr().out


def test_help_fits_on_a_small_terminal(capsys: Capture) -> None:
    """No line of the page is longer than 100 signs, in no language."""
    for lang in ("en", "it"):
        main(["--help", "--lang", lang])
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_in_the_table_is_there_and_has_help(name: str, capsys: Capture) -> None:
    """Each entry of the table names a function that Typer can run, and `--help` is its page."""
    module, _, function = COMMANDS[name][0].partition(":")
    assert callable(getattr(import_module(module), function))
    assert main([name, "--help"]) == 0
    assert f"Usage: tt {name}" in capsys.readouterr().out


@pytest.mark.parametrize("name", EXIT_CODES)
def test_every_error_in_the_table_of_exit_codes_exists(name: str) -> None:
    """The table names classes by their place; each of them is there."""
    module, _, error = name.partition(":")
    assert issubclass(getattr(import_module(module), error), Exception)


def test_an_error_takes_the_exit_code_of_its_nearest_base() -> None:
    """What is not in the table is an internal error; a subclass has its base's code."""

    class Nearer(UsageError):
        pass

    assert exit_code(Nearer("x")) == 2
    assert exit_code(UnknownKey("x")) == 2  # the config file names a key that there is not
    assert exit_code(TavolataError("x")) == 1
    assert exit_code(ZeroDivisionError()) == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["gamse"], 2, "tt: No such command: gamse. Did you mean games?\n"),
        (["???"], 2, "tt: No such command: ???. See `tt --help`.\n"),
        (["--colour"], 2, "tt: No such option: --colour. Did you mean --no-color? See `tt --help`.\n"),
        (["--ui"], 2, "tt: --ui needs a value.\n"),
        (["--ui", "gui"], 2, "tt: --ui must be one of auto, tui, plain, json, not gui.\n"),
        (["--lang", "tlh"], 2, "tt: Tavolata isn't available in tlh. Choose one of: en, it.\n"),
        (["--lang=it", "gamse"], 2, "tt: Comando sconosciuto: gamse. Forse intendevi games?\n"),
        (["rules"], 2, "tt: GAME is missing. See `tt rules --help`.\n"),
        (["plugins", "x"], 2, "tt: Unexpected argument: x. See `tt plugins --help`.\n"),
        (["games", "--wat"], 2, "tt: No such option: --wat. See `tt games --help`.\n"),
        (["play", "zompa", "--seed", str(1 << 64)], 2, (
            "tt: --seed must be from -9223372036854775808 to 18446744073709551615, not "
            "18446744073709551616.\n")),
        (["rules", ""], 3, 'tt: No game called "". See `tt games`.\n'),
        (["rules", "none"], 3, "tt: No game called none. See `tt games`.\n"),
        (["history", "\udcff"], 3, 'tt: No game called "". See `tt games`.\n'),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_an_exit_code(
    words: list[str], code: int, said: str, capsys: Capture
) -> None:
    """Nothing goes to stdout, one sentence to stderr in the person's language, no traceback."""
    assert main(words) == code
    caught = capsys.readouterr()
    assert (caught.out, caught.err) == ("", said)


FAILURES: dict[str, tuple[BaseException, int, str]] = {
    "bug": (
        ZeroDivisionError("oh\nno"),
        1,
        "tt: Internal error: ZeroDivisionError: oh no (TT_DEBUG=1 shows where.)",
    ),
    "interrupt": (KeyboardInterrupt(), 130, "tt: Interrupted."),
    "refused": (Refused("Give {n}.", n=3), 2, "tt: Give 3."),
    "file": (PermissionError(errno.EACCES, "no", "/x\n/y"), 2, "tt: Couldn't use /x /y: permission denied."),
    "plain": (TavolataError("As it is: {x}"), 1, "tt: As it is: {x}"),
    "pipe": (BrokenPipeError(), 0, ""),
}


def test_ctrl_c_during_the_start_is_a_sentence(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of the command line take a moment to load."""

    class Loading(ModuleType):
        @property
        def run(self) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "tavolata._cli.run", Loading("run"))
    assert main(["games"]) == 130
    assert capsys.readouterr().err == "tt: Interrupted.\n"


def test_without_a_home_the_variable_is_named(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container, a user may have neither `HOME` nor an entry in the system's list of users."""

    class Homeless:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __getattr__(self, name: str) -> str:
            raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(_dirs, "PlatformDirs", Homeless)
    monkeypatch.delenv("TT_CONFIG_DIR", raising=False)
    assert main(["games"]) == 2
    assert capsys.readouterr().err == "tt: Couldn't use $HOME: no such file or folder.\n"


@pytest.mark.parametrize("case", FAILURES)
def test_whatever_a_command_raises_ends_in_one_place(
    case: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug, Ctrl-C, a refusal or a reader that went away: a sentence and a code, never a traceback."""
    error, code, said = FAILURES[case]

    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr("tavolata._cli.run.dispatch", fail)
    assert main(["games"]) == code
    assert capsys.readouterr().err.strip() == said


def test_a_traceback_is_shown_to_those_who_ask_for_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TT_DEBUG=1 adds the traceback; the sentence and the code stay."""
    monkeypatch.setenv("TT_DEBUG", "1")
    assert main(["--ui", "gui"]) == 2
    caught = capsys.readouterr().err
    assert "Traceback" in caught
    assert caught.endswith("not gui.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe's reader goes away otherwise there")
def test_a_reader_that_went_away_is_no_error() -> None:
    """`tt --help | head -1` ends quietly, with nothing on stderr."""
    with subprocess.Popen(
        [sys.executable, "-c", "from tavolata._cli import main; import sys; sys.exit(main(['--help']))"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


@pytest.fixture(scope="module")
def kept_matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a match that is over and one that was left."""
    folder = tmp_path_factory.mktemp("kept")
    for bot, code in (("--bot random", 0), ("", 7)):
        words = f"play zompa --seats 2 --seed 1 --ui plain {bot}".split()
        run = "import sys; from tavolata._cli import main; sys.exit(main(sys.argv[1:]))"
        done = subprocess.run(
            [sys.executable, "-c", run, *words],
            stdin=subprocess.DEVNULL, capture_output=True, check=False,
            env={**os.environ, "TT_DATA_DIR": str(folder)},
        )  # fmt: skip
        assert done.returncode == code, done.stderr
    return folder


EVERY_OUTPUT = (
    "--version", "--help", "games", "rules conto", "plugins", "history --all", "play --help", "resume --list",
    "simulate zompa --bots easy,easy --games 1", "check zompa --matches 1", "doctor",
    "play zompa --seats 2 --bot random --seed 1", "play zompa --seats 2 --bot random --seed 1 --ui json",
    "replay", "verify", "", "games --ui json", "history --all --ui json", "replay --ui json",
    "verify --ui json", "plugins --ui json", "host zompa --seats 2 --bots 1 --bot random --start full",
    "play zompa --seats 2 --seed 1", "resume", "doctor --ui json",
    f"dev {Path(__file__).parents[3]}/examples/games/four/rules.py",
    *(f"{word} --help"
      for word in ("campaigns", "forget", "install", "join", "new", "publish", "review", "tables",
                   "uninstall")),
)  # fmt: skip
"""Every command, and all ways in which it prints; by their help those that print little or need a network."""


UNWRITABLE = {"full": "the disk is full", "full, unbuffered": "the disk is full", "closed": "it's closed"}
"""What stdout may be, and what is said of it."""


def printing_to(stdout: str, words: str, data: Path) -> subprocess.CompletedProcess[str]:
    """Run `tt` with a stdout to which nothing can be written."""
    environ = {**os.environ, "TT_DATA_DIR": str(data), "TT_LANG": "en"}
    environ["PYTHONUNBUFFERED"] = "1" if "unbuffered" in stdout else ""
    code = f"import sys; from tavolata._cli import main; sys.exit(main({words.split()!r}))"
    to = ">&-" if stdout == "closed" else ">/dev/full"
    return subprocess.run(
        ["sh", "-c", f'"$0" -c "$1" {to} </dev/null', sys.executable, code],
        stderr=subprocess.PIPE, text=True, check=False, env=environ,
    )  # fmt: skip


@pytest.mark.battery
@pytest.mark.battery
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize(
    ("words", "stdout"),
    a_part(
        [
            *((words, stdout) for words in EVERY_OUTPUT for stdout in ("full", "closed")),
            *((words, "full, unbuffered") for words in EVERY_OUTPUT[:3]),
        ]
    ),
)
def test_an_output_that_cannot_be_written_is_a_sentence_at_every_command(
    words: str, stdout: str, kept_matches: Path, tmp_path: Path
) -> None:
    """Whatever a command prints to a full disk or a closed stream, one sentence says so, and no traceback."""
    done = printing_to(stdout, words, tmp_path if words.startswith(("play", "host")) else kept_matches)
    last = done.stderr.splitlines()[-1:]
    assert last == [f"tt: Couldn't write the output: {UNWRITABLE[stdout]}."], done.stderr
    assert done.returncode == 2


def test_every_command_has_its_output_tried(capsys: Capture) -> None:
    """No command of the help is missing where outputs that can't be written are tried."""
    assert main(["--help"]) == 0
    listed = capsys.readouterr().out.partition("Commands:")[2].partition("\n\n")[0]
    commands = {line.split()[0] for line in listed.splitlines() if re.match(r"  \w", line)}
    assert "simulate" in commands
    assert commands - {words.partition(" ")[0] for words in EVERY_OUTPUT} == set()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no shell that closes a stream there")
@pytest.mark.parametrize("words", ["--version", "games"])
def test_an_output_that_is_closed_from_the_start_is_told(words: str, tmp_path: Path) -> None:
    """Who closed stdout learns from a sentence and the exit code that nothing could be printed."""
    done = printing_to("closed", words, tmp_path)
    assert (done.returncode, done.stderr) == (2, "tt: Couldn't write the output: it's closed.\n")


def test_global_flags_are_taken_before_and_after_the_command() -> None:
    """Flags are found anywhere before `--`, with a space or an equals sign; the rest is left in order."""
    taken, rest = take_flags(
        ["-v", "play", "--ui=plain", "zompa", "--lang", "it", "--seats", "3", "--", "-q"]
    )
    assert taken == {"verbosity": "1", "ui": "plain", "lang": "it"}
    assert rest == ["play", "zompa", "--seats", "3", "--", "-q"]


@pytest.mark.parametrize("layer", ["default", "config", "environment", "flag"])
def test_a_flag_counts_more_than_the_environment_and_that_more_than_the_config_file(
    layer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each layer overrides those below it, setting by setting."""
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    environ: dict[str, str] = {}
    flags: dict[str, str] = {}
    expected = {"default": "auto", "config": "json", "environment": "tui", "flag": "plain"}[layer]
    if layer != "default":
        (tmp_path / "config.toml").write_text(
            'ui = "json"\nascii = true\n[play]\nseats = 5\nbot-level = "x"\n'
        )
    if layer in ("environment", "flag"):
        environ = {"TT_UI": "tui"}
    if layer == "flag":
        flags = {"ui": "plain"}
    session = CommandContext(flags, environ)
    assert session.ui == expected
    assert session.ascii is (layer != "default")
    assert session.defaults.get("play", {}) == (
        {} if layer == "default" else {"seats": "5", "bot_level": "x"}
    )


def test_one_word_of_the_config_file_is_a_list_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """`option = "fiches=99"` is read like `option = ["fiches=99"]`: the house rule itself is refused."""
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    (tmp_path / "config.toml").write_text('[play]\noption = "fiches=99"\n')
    assert main(["play", "zompa", "--ui", "plain"]) == 2
    assert capsys.readouterr().err == "tt: fiches must be from 1 to 20, not 99.\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# mine\nlang = ", "isn't a valid setting. A setting looks like this:"),
        ("colour = true", "no setting called colour. Try: ui, name, lang"),
        ('ui = "gui"', "ui must be one of auto, tui, plain, json, not gui"),
        ("lang = 'tlh'", "available in tlh. Choose one of: en, it"),
        ("verbosity = 9", "verbosity must be one of -1, 0, 1, 2, not 9"),
    ],
)
def test_a_mistake_in_the_config_file_is_told(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A config file that can't be understood stops the run and says where."""
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    (tmp_path / "config.toml").write_text(text)
    assert main(["games"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environ", "color"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, False),
        ({"TT_COLOR": "yes", "NO_COLOR": "1"}, True),
        ({"TT_NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_or_for_those_who_ask(environ: dict[str, str], color: bool) -> None:
    """Without a terminal there is no colour unless it is forced; our own variable counts first."""
    assert CommandContext({}, environ).color is color


def test_a_full_screen_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for or not, the tui is shown on a terminal only, and never on a dumb one."""
    assert CommandContext({"ui": "tui"}, {}).frontend == "plain"
    monkeypatch.setattr(CommandContext, "on_terminal", True)
    assert CommandContext({}, {}).frontend == "tui"
    assert CommandContext({"ui": "plain"}, {}).frontend == "plain"
    assert CommandContext({"ui": "json"}, {}).frontend == "json"


def test_a_dumb_terminal_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """TERM=dumb counts as no terminal, although it is one."""
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    assert not CommandContext({}, {"TERM": "dumb"}).on_terminal
    assert CommandContext({}, {"TERM": "xterm"}).on_terminal


def test_folders_come_from_the_environment_or_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    """TT_*_DIR names a folder; without it the platform does, under the program's name."""
    for name in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"TT_{name}_DIR", f"/somewhere/{name}")
    assert _dirs.config_dir() == "/somewhere/CONFIG"
    for name in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.delenv(f"TT_{name}_DIR")
    assert all("tavolata" in path for path in (_dirs.config_dir(), _dirs.data_dir(), _dirs.cache_dir()))


def test_games_are_listed_in_every_form(site: Site, capsys: Capture) -> None:
    """`tt games` lists an installed game with its title, in lines for people and as JSON for programs."""
    site.game("fine_game", "fine")
    assert main(["games"]) == 0
    assert "fine" in capsys.readouterr().out
    assert main(["games", "-v"]) == 0
    assert "fine_game (fine_game 1.0)" in capsys.readouterr().out
    assert main(["games", "--ui", "json"]) == 0
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["seats"] for one in facts if one["name"] == "fine"] == [[2, 4]]


def test_games_are_found_by_people_minutes_and_a_word(site: Site, capsys: Capture) -> None:
    """A game fits if as many can play, it takes no longer and has the word; no game is a sentence."""

    def listed(*words: str) -> list[str]:
        assert main(["games", *words, "--ui", "json"]) == 0
        return [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]

    site.game("fine_game", "fine")  # for 2 to 4, and it doesn't say how long it takes
    assert "fine" in listed("--people", "4")
    assert "fine" not in listed("--people", "5")
    assert "fine" not in listed("--minutes", "600")
    assert {"bang", "zompa"} == {*listed("--people", "2", "--minutes", "10")}
    assert listed("JUMPY") == ["jumpy-jack"]
    assert main(["games", "nonesuch"]) == 0
    assert capsys.readouterr().out == "No matching games. `tt games` lists them all.\n"


def test_plugins_say_what_they_bring_and_what_was_left_out(site: Site, capsys: Capture) -> None:
    """`tt plugins` lists each plugin with version, place and what it brings, then each problem once."""
    site.game("fine_game", "fine")
    site.game("one", "same")
    site.game("two", "same")
    site.install("broken", "1 / 0")
    assert main(["plugins"]) == 0
    out = capsys.readouterr().out
    assert f"fine_game: fine_game 1.0, fine_game in {site.folder}\n  games: fine\n" in out
    assert out.count("Several plugins provide the game same: one (one 1.0), two (two 1.0)") == 1
    assert "broken (broken 1.0) can't be imported: ZeroDivisionError: division by zero." in out
    assert main(["plugins", "--ui", "json"]) == 0
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["games"] for one in facts if one.get("name") == "fine_game"] == [["fine"]]
    assert {one["plugin"] for one in facts if one["type"] == "problem"} >= {"broken", "one", "two"}


def test_games_hints_at_what_was_left_out(site: Site, capsys: Capture) -> None:
    """Where something was left out, `tt games` says so on stderr, and `-q` keeps quiet."""
    site.game("fine_game", "fine")
    site.install("broken", "1 / 0")
    main(["games"])
    assert "Some plugins were left out. See `tt plugins`." in capsys.readouterr().err
    main(["games", "-q"])
    assert capsys.readouterr().err == ""


RULES = "# Fine\n\nIntro.\n\n## The deal\n\nOne card.\n\n### Cutting\n\nLeft.\n\n## The end\n\nOver.\n"


@pytest.fixture
def with_rules(site: Site) -> Path:
    package = site.game("fine_game", "fine")
    (package / "rules.md").write_text(RULES, encoding="utf-8")
    (package / "rules.it.md").write_text("# Bene\n\n## La distribuzione è\n\nUna carta.\n", encoding="utf-8")
    return package


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], RULES.strip()),
        (["the deal"], "## The deal\n\nOne card.\n\n### Cutting\n\nLeft."),
        (["END"], "## The end\n\nOver."),
        (["cut"], "### Cutting\n\nLeft."),
        (["--lang", "it"], "# Bene\n\n## La distribuzione è\n\nUna carta."),
        (["la distr", "--lang", "it"], "## La distribuzione è\n\nUna carta."),
    ],
)
def test_rules_are_read_whole_or_by_heading(
    with_rules: Path, words: list[str], said: str, capsys: Capture
) -> None:
    """`tt rules` prints the text in the person's language; a topic is a heading or its beginning."""
    assert main(["rules", "fine", *words]) == 0
    assert capsys.readouterr().out.strip() == said


def test_options_are_set_by_variables_and_the_config_file(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An option that the command line does not set is set by the environment, else by the config file."""
    assert main(["history"]) == 0
    monkeypatch.setenv("TT_HISTORY_LAST", "0")
    assert main(["history"]) == 2
    monkeypatch.delenv("TT_HISTORY_LAST")
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path))
    (tmp_path / "config.toml").write_text("[history]\nlast = 0\n")
    assert main(["history"]) == 2
    assert capsys.readouterr().err.count("--last must be at least 1") == 2
    for broken, said in (("2.5", "2.5"), ("1e400", "inf")):
        (tmp_path / "config.toml").write_text(f"[history]\nlast = {broken}\n")
        assert main(["history"]) == 2
        assert f"--last must be a whole number, not {said}." in capsys.readouterr().err


def test_a_topic_that_is_not_there_lists_those_that_are(with_rules: Path, capsys: Capture) -> None:
    """An unknown chapter is a usage error that lists the chapters."""
    assert main(["rules", "fine", "betting"]) == 2
    assert "Try: Fine, The deal, Cutting, The end." in capsys.readouterr().err


def test_a_game_without_a_text_says_so(with_rules: Path, capsys: Capture) -> None:
    """English stands in for a missing language; without any text the plugin is to blame, by name."""
    (with_rules / "rules.it.md").unlink()
    assert main(["rules", "fine", "--lang", "it"]) == 0
    (with_rules / "rules.md").unlink()
    assert main(["rules", "fine"]) == 4
    assert "fine_game (fine_game) has no rulebook for fine." in capsys.readouterr().err
    game = Catalogue().game("fine")
    assert (
        at_table(game, Translator("en")) == "fine_game (fine_game) has no rulebook for fine."
    )  # and plays on


def test_a_game_in_a_file_has_its_rulebook_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """Without one, `tt rules` names the file to write, and the first match of a guest doesn't point at it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["new", "lifeboat", "--like", "dice"]) == 0
    assert main(["rules", "./lifeboat.py"]) == 4
    assert "lifeboat has no rulebook yet. Write it in lifeboat.md." in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    play = ["play", "./lifeboat.py", "--guided", "--as", "Ann", "--ui", "plain", "--pace", "off"]
    assert main(play) == 7
    assert capsys.readouterr().err.splitlines()[0] == "lifeboat has no hints yet."
    Path("lifeboat.md").write_text("# Lifeboat\n\nRow.\n", encoding="utf-8")
    Path("lifeboat.it.md").write_text("# Scialuppa\n\nRema.\n", encoding="utf-8")
    assert main(["rules", "./lifeboat.py", "--lang", "it"]) == 0
    assert main(["rules", "./lifeboat.py"]) == 0
    assert capsys.readouterr().out == "# Scialuppa\n\nRema.\n# Lifeboat\n\nRow.\n"
    assert main(play) == 7
    assert "lifeboat has no hints yet. See `tt rules ./lifeboat.py`.\n" in capsys.readouterr().err


COMMAND = '''
    from tavolata import hookimpl
    import typer

    def shout(ctx: typer.Context, word: str, loud: int = 1) -> int:
        """Say a word."""
        print(word.upper() + "!" * loud)
        return 0 if loud else 8

    group = typer.Typer()

    @group.command()
    def inner() -> None:
        print("inner")

    @group.command()
    def other() -> None:
        print("other")

    @hookimpl
    def tavolata_commands(app: typer.Typer) -> None:
        app.command("{name}")(shout)
        app.add_typer(group, name="nest")
    '''


def test_a_plugin_may_bring_commands(site: Site, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin's command runs like the core's: options, environment, config file, exit code, groups."""
    site.install("louder", COMMAND.format(name="shout"))
    assert main(["shout", "ciao"]) == 0
    assert main(["shout", "ciao", "--loud", "0", "--lang", "it"]) == 8
    monkeypatch.setenv("TT_SHOUT_LOUD", "3")
    main(["shout", "ciao"])
    assert capsys.readouterr().out == "CIAO!\nCIAO\nCIAO!!!\n"
    assert main(["nest", "inner"]) == 0
    assert capsys.readouterr().out == "inner\n"
    main(["plugins"])
    assert "commands: nest, shout" in capsys.readouterr().out


NOISY = """
    import os
    import subprocess
    import sys

    import typer
    from tavolata import hookimpl

    @hookimpl
    def tavolata_commands(app):
        @app.command("noisy")
        def noisy(context: typer.Context) -> None:
            print("printed")
            os.write(1, b"written\\n")
            subprocess.run([sys.executable, "-c", "print('by a child')"], check=True)
            context.obj.data("found", {"what": "\x9b2J"})
            context.obj.out("{}")
    """


def test_a_plugins_command_that_answers_in_json_has_stdout_for_itself(site: Site) -> None:
    """Only what it says through its context is there; its prints and its children's go to stderr."""
    site.install("noisy", NOISY)
    there = str(site.folder)
    done = tt("--ui", "json", "noisy", PYTHONPATH=there)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines == [{"type": "found", "what": " 2J"}, {}]
    assert {"printed", "written", "by a child"} <= set(done.stderr.splitlines())
    assert "printed" in tt("noisy", PYTHONPATH=there).stdout


def test_a_plugin_can_not_take_the_cores_commands_or_anothers(site: Site, capsys: Capture) -> None:
    """A command of the core's name is left out and named; of two equal ones neither is there."""
    site.install("louder", COMMAND.format(name="games").replace("nest", "nest-a"))
    site.install("shouter", COMMAND.format(name="shout").replace("nest", "nest-b"))
    site.install("screamer", COMMAND.format(name="shout").replace("nest", "nest-c"))
    assert main(["shout", "ciao"]) == 2
    assert main(["nest-a", "inner"]) == 0
    capsys.readouterr()
    main(["plugins"])
    out = capsys.readouterr().out
    assert "louder (louder 1.0) provides a command called games, but Tavolata already has one." in out
    assert "Several plugins provide the command shout: screamer (screamer 1.0), shouter (shouter 1.0)" in out


def test_the_installed_command_runs_in_a_process_of_its_own() -> None:
    """The console entry works without this test's interpreter, and reports by its exit code."""
    assert tt("--version").stdout == f"tavolata {__version__}\n"
    done = tt("rules", "nothing-like-it", LANG="it_IT.UTF-8")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("tt: Nessun gioco di nome nothing-like-it")


@pytest.mark.parametrize(("rows", "cut"), [(8, True), (60, False)])
def test_a_list_of_games_that_is_too_long_has_a_row_for_each(
    rows: int, cut: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Name, title, people and minutes stay, and how to search is said; a screen with room shows all."""
    monkeypatch.setattr(CommandContext, "on_terminal", True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda *_, **__: os.terminal_size((80, rows)))
    assert main(["games"]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    heads = [line for line in lines if not line.startswith(" ")]
    assert len(heads) == len(Catalogue().infos())
    assert (len(lines) == len(heads)) == cut
    assert [line for line in heads if "min)." not in line or len(line) > 80] == []
    assert ("Search: `tt games WORD`" in said.err) == cut
