"""The player's own name: who is asked for it, and what is kept."""

from __future__ import annotations

import io
import sys
import time
import tomllib
from pathlib import Path

import pytest

from tavolata._cli import main
from tavolata._cli.choosing import asked_name, own_name
from tavolata._cli.command_context import CommandContext
from tavolata._cli.keeping import keep_setting

from .test_joining import typed


@pytest.fixture(autouse=True)
def _at_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal, no settings, and a system's user who is called ada."""
    monkeypatch.setattr(CommandContext, "on_terminal", True)
    monkeypatch.setenv("TT_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr("getpass.getuser", lambda: "ada")


def kept(folder: Path) -> dict[str, object]:
    """The settings that are in the config file."""
    path = folder / "config" / "config.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@pytest.mark.parametrize(
    ("line", "name"), [("Anna  Maria", "Anna Maria"), ("", "ada"), ("Émile 🂡", "Émile 🂡")]
)
def test_a_newcomer_is_asked_once(
    line: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is typed is the name, Enter takes the user's; this run and the next do not ask again."""
    typed(monkeypatch, line)
    context = CommandContext({}, {})
    assert [asked_name(context, None, bot=None) for _ in range(2)] == [name, name]
    assert kept(tmp_path) == {"name": name}
    assert asked_name(CommandContext({}, {}), None, bot=None) == name


def test_a_linked_config_with_a_mark_survives_the_keeping_of_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link stays; the file behind it keeps its byte order mark, its line ends and its settings."""
    own, folder = tmp_path / "dotfiles" / "tt.toml", tmp_path / "config"
    own.parent.mkdir()
    folder.mkdir()
    own.write_bytes(b'\xef\xbb\xbflang = "it"\r\n\r\n[play]\r\nbots = "easy"\r\n')
    try:
        (folder / "config.toml").symlink_to(own)
    except OSError:
        pytest.skip("this user may not make links")
    typed(monkeypatch, "Ada")
    context = CommandContext({}, {})
    assert context.lang == "it"
    assert asked_name(context, None, bot=None) == "Ada"
    assert (folder / "config.toml").readlink() == own
    assert own.read_bytes() == (b'\xef\xbb\xbflang = "it"\r\nname = "Ada"\r\n\r\n[play]\r\nbots = "easy"\r\n')
    again = CommandContext({}, {})
    assert (own_name(again, None), again.lang) == ("Ada", "it")
    assert again.defaults == {"play": {"bots": "easy"}}
    assert [list(one.iterdir()) for one in (own.parent, folder)] == [[own], [folder / "config.toml"]]


@pytest.mark.parametrize(
    ("lang", "no"), [("en", "A name must have 1 to 24"), ("it", "Il nome deve avere da 1 a 24")]
)
def test_a_bad_name_is_asked_again(
    lang: str, no: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Too long, a control character, an @: one sentence each, and the next line counts."""
    typed(monkeypatch, "x" * 25, "An\x1b[Ana", "ann@home", "Anna")
    assert asked_name(CommandContext({"lang": lang}, {}), None, bot=None) == "Anna"
    assert capsys.readouterr().err.count(no) == 3
    assert kept(tmp_path) == {"name": "Anna"}


@pytest.mark.parametrize("name", ["@", "\u2060", " @ "])
def test_a_configured_name_without_a_usable_character_is_as_none(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's user name applies instead, and the player is asked for a name before a match."""
    keep_setting(str(tmp_path / "config" / "config.toml"), "name", name)
    assert (
        own_name(CommandContext({}, {}), None)
        == own_name(CommandContext({}, {"TT_NAME": name}), None)
        == "ada"
    )
    typed(monkeypatch, "Anna")
    assert asked_name(CommandContext({}, {}), None, bot=None) == "Anna"
    assert kept(tmp_path) == {"name": "Anna"}


def test_bytes_that_are_no_text_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that can't be decoded is a bad name, not an internal error."""
    lines = iter([b"\xff", b"Anna"])
    monkeypatch.setattr("builtins.input", lambda _: next(lines).decode(errors="replace"))
    assert asked_name(CommandContext({}, {}), None, bot=None) == "Anna"


def test_the_end_of_the_input_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It interrupts, as Ctrl+C does, and the next run asks again."""
    typed(monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        asked_name(CommandContext({}, {}), None, bot=None)
    assert kept(tmp_path) == {}


@pytest.mark.parametrize(
    ("flags", "environ", "given", "bot", "name"),
    [
        ({}, {}, "Ben", None, "Ben"),
        ({}, {"TT_NAME": "Cleo"}, None, None, "Cleo"),
        ({"ui": "json"}, {}, None, None, "ada"),
        ({}, {}, None, "easy", "ada"),
    ],
)
def test_nobody_is_asked_who_said_it_or_does_not_play(
    flags: dict[str, str],
    environ: dict[str, str],
    given: str | None,
    bot: str | None,
    name: str,
    tmp_path: Path,
) -> None:
    """A name that was given, a program that reads JSON, a bot in one's seat: no question, nothing kept."""
    assert asked_name(CommandContext(flags, environ), given, bot=bot) == name
    assert kept(tmp_path) == {}


@pytest.mark.parametrize(
    "words",
    ["play zompa --seats 99", "play zompa --pace 99", "host zompa --nudged no", "join 127.0.0.1 --nudged no"],
)
def test_a_command_that_is_refused_asks_nobody(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong with the command is said first: it exits with 2, not with the 130 of a question."""
    typed(monkeypatch)
    monkeypatch.delenv("TT_NAME", raising=False)
    assert main(words.split()) == 2
    assert "called" not in capsys.readouterr().err


def test_a_pipe_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal the user's name counts."""
    monkeypatch.setattr(CommandContext, "on_terminal", False)
    context = CommandContext({}, {})
    assert asked_name(context, None, bot=None) == own_name(context, None) == "ada"
    assert kept(tmp_path) == {}


def test_a_folder_that_cannot_be_written_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence says why the name is not kept, and the match begins with it."""
    (tmp_path / "config").write_text("in the way")
    typed(monkeypatch, "Anna")
    assert asked_name(CommandContext({}, {}), None, bot=None) == "Anna"
    assert "Couldn't write" in capsys.readouterr().err


@pytest.mark.battery
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
def test_the_name_is_asked_before_the_first_match_only(tmp_path: Path) -> None:
    """On a real terminal: Ctrl+C leaves with 130 and keeps nothing; a name is there the next time."""
    from tests.core.ui.terminal import Terminal

    words, nameless = ("play", "zompa", "--seats", "2", "--ui", "plain"), {"TT_NAME": ""}
    with Terminal(*words, home=tmp_path, environ=nameless) as one:
        one.expect("What's your name")
        time.sleep(0.2)  # Python reads a moment after the prompt is there; a signal in between wakes nobody
        one.press("ctrl+c")
        assert one.done() == 130
        assert not (tmp_path / "config").exists()
    for asks in (True, False):
        with Terminal(*words, home=tmp_path, environ=nameless) as one:
            if asks:
                one.expect("What's your name")
                one.press(*"Anna", "enter")
            one.expect("Anna: ")
            assert ("What's your name" in one.text()) is asks


def test_input_that_is_no_text_is_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong byte, as of a terminal that isn't set to UTF-8, ends no input: the lines after it count."""
    stdin = io.TextIOWrapper(io.BytesIO(b"\xe9\nyes\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["games"]) == 0
    assert stdin.readlines() == ["\ufffd\n", "yes\n"]
