"""Completion for shells: what follows, as bash, zsh and fish ask for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commit import a_part

from tavolata._cli import main

from .test_cli import tt

pytestmark = pytest.mark.battery


def offered(line: str, **environ: str) -> list[str]:
    """What bash is offered for the last word of a line, which may be empty."""
    done = tt(
        COMP_WORDS=line, COMP_CWORD=str(len(line.split(" ")) - 1), _TT_COMPLETE="complete_bash", **environ
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


@pytest.mark.parametrize(
    ("line", "words"),
    a_part([
        ("tt pl", ["play", "plugins"]),
        ("tt --la", ["--lang"]),
        ("tt --lang i", ["it"]),
        ("tt --ui p", ["plain"]),
        ("tt play ", ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"]),
        ("tt host zo", ["zompa"]),
        ("tt --lang it history j", ["jumpy-jack"]),
        ("tt play zompa --bot n", ["normal"]),
        ("tt play zompa --bots easy,n", ["easy,normal"]),
        ("tt simulate zompa --bots e", ["easy"]),
        ("tt play zompa --option sev", ["sevens=off", "sevens=following", "sevens=preceding"]),
        ("tt play zompa --option fiv", ["fives=yes", "fives=no"]),
        ("tt play zompa --bots easy --option fiches=", ["fiches=1", "fiches=4", "fiches=20"]),
        ("tt rules zompa The ", []),
        ("tt rules zompa Tal", ["Talking"]),
        ("tt host zompa --dealer ", ["fair", "host"]),
        ("tt host zompa --away w", ["wait"]),
        ("tt join --code-file ", []),
        ("tt nothing-like-it z", []),
        ("tt play no-such-game --bots e", []),
    ], 5),
)  # fmt: skip
def test_a_shell_is_offered_what_can_follow(line: str, words: list[str]) -> None:
    """Commands, options, games, levels, house rules with values, chapters; nothing where files may follow."""
    assert offered(line) == words


def test_a_shell_is_offered_the_matches_that_were_kept(tmp_path: Path) -> None:
    """Ids of matches, each with its game and players beside it where the shell shows that."""
    there = {"TT_DATA_DIR": str(tmp_path)}
    tt("play", "zompa", "--bots", "1", "--seed", "1", "--as", "Ann", "--ui", "plain", **there)
    (kept,) = (path.stem for path in (tmp_path / "matches").glob("*.ttm"))
    assert offered(f"tt replay {kept[:3]}", **there) == [kept]
    zsh = tt(_TYPER_COMPLETE_ARGS="tt resume ", _TT_COMPLETE="complete_zsh", **there)
    assert f'"{kept}":"zompa\\\\: Ann, ' in zsh.stdout


def test_a_faulty_config_file_does_not_disturb_a_shell(tmp_path: Path) -> None:
    """Completion works, and says nothing, where every command would report the fault."""
    (tmp_path / "config.toml").write_text("no setting", encoding="utf-8")
    assert offered("tt pl", TT_CONFIG_DIR=str(tmp_path)) == ["play", "plugins"]


def program_in(folder: Path) -> dict[str, str]:
    """Put the program `tt` into a folder of a person's; the environment of a shell that finds it."""
    program = folder / "bin" / "tt"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom tavolata._cli import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "HOME": str(folder), "PATH": path}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed here")
def test_the_completion_that_is_installed_works_in_bash(tmp_path: Path) -> None:
    """`tt --install-completion` in a bash says where; a new bash then completes with it."""
    environ = program_in(tmp_path)

    def bash(script: str) -> str:
        done = subprocess.run(
            ["bash", "-c", f"{script}\n:"],
            capture_output=True,
            text=True,
            env=environ,
            check=False,
            timeout=60,
        )
        assert done.stderr == ""
        return done.stdout

    assert "Installed completion for bash in" in bash("tt --install-completion")
    assert "complete -o default -F _tt_completion tt" in bash("tt --show-completion")
    words = bash(
        'source ~/.bashrc; COMP_WORDS=(tt play zo); COMP_CWORD=2; _tt_completion tt; echo "${COMPREPLY[@]}"'
    )
    assert words == "zompa\n"


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed here")
@pytest.mark.parametrize("config", [".config", "elsewhere"])
def test_the_completion_that_is_installed_works_in_fish(tmp_path: Path, config: str) -> None:
    """A fish finds the installed script by itself, wherever its configuration is; it offers games, files."""
    (tmp_path / "mine.ttm").touch()
    lines = {"tt replay mi": "mine.ttm"}
    if config == "elsewhere":
        lines |= {"tt play zo": "zompa", "tt play zompa --bots easy,n": "easy,normal"}
    environ = {**program_in(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / config)}
    if config == ".config":
        del environ["XDG_CONFIG_HOME"]
    asked = "; ".join(f"complete -C '{line}'" for line in lines)
    done = subprocess.run(
        ["fish", "-c", f"tt --install-completion; {asked}"],
        capture_output=True, text=True, env=environ, cwd=tmp_path, check=False, timeout=300,
    )  # fmt: skip
    assert f"Installed completion for fish in {tmp_path / config / 'fish'}" in done.stdout
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} >= set(lines.values())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("config", ["", "elsewhere"])
def test_where_no_completion_can_be_written_a_sentence_says_so(
    shell: str,
    config: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A home, or a folder of configuration, that can't be written isn't our fault; it can be done by hand."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CONFIG_HOME", config and str(tmp_path / "file" / config))
    monkeypatch.setattr("shellingham.detect_shell", lambda: (shell, f"/bin/{shell}"))
    assert main(["--install-completion"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith(f"tt: Couldn't install completion in {tmp_path / 'file'}")
    assert told.endswith("`tt --show-completion` prints it, so you can install it yourself.")


def test_a_file_of_a_shell_that_is_not_text_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typer reads it to add a line."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".zshrc").write_bytes(b"# perch\xe8\n")
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("zsh", "/bin/zsh"))
    assert main(["--install-completion"]) == 2
    assert "Couldn't install completion in ~: that isn't UTF-8 text." in capsys.readouterr().err
    assert (tmp_path / ".zshrc").read_bytes() == b"# perch\xe8\n"
