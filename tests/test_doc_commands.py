"""The commands of tutorials and how-tos run as they're written, in their order, on one machine."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Final

import pytest

from tavolata._cli import main
from tavolata.testing import checks

DOCS: Final = Path(__file__).parents[1] / "docs"
KEYS: Final = "\n" * 400
"""All that the reader types; then the input has ended, which leaves a match for later."""
ELSEWHERE: Final = {
    "host": "a table is for several machines: tests/network and tests/rehearsals open them",
    "join": "the same",
    "publish": "it builds and installs packages: tests/packaging publishes",
}
"""Commands that this test doesn't run, each with the reason."""
LATER: Final = {"training.md": "an agent learns for ten minutes first", "writing-games.md": "see below"}
"""Pages whose commands it doesn't run, each with the reason."""


def commands(page: Path) -> list[str]:
    """Return each command of `tt` in the blocks that a reader pastes, with longer ones on one line."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("tt ")]


def pages() -> list[str]:
    """Return the tutorials and how-tos with such commands."""
    kind = re.compile(r"---\nreader: \S+\nkind: (?:tutorial|how-to)\n")
    found = (
        path for path in sorted(DOCS.rglob("*.md"))
        if not path.name.endswith(".it.md") and kind.match(path.read_text(encoding="utf-8"))
    )  # fmt: skip
    return [path.relative_to(DOCS).as_posix() for path in found if commands(path)]


def python(page: str) -> list[str]:
    """Return the Python blocks of a page, which a reader saves in a file."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class Reader:
    """A reader with a terminal without a screen, in a folder of their own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capsys = monkeypatch, capsys

    def run(self, line: str, keys: str = KEYS) -> str:
        """Run a command, and return what it printed; fail unless it ends well or leaves a match for later."""
        words = shlex.split(re.sub(r"--games \d+", "--games 2", line))
        self._patch.setattr(sys, "stdin", io.StringIO(keys))
        code = main(words[1:])
        printed = self._capsys.readouterr()
        expected = 7 if "The input has ended. Saved." in printed.err else 0
        assert code == expected, f"{line}: exit code {code}\n{printed.out[-800:]}\n{printed.err[-800:]}"
        return printed.out + printed.err


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Reader:
    """A reader who has played a match before."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    monkeypatch.setenv("TT_NAME", "Ann")
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))  # no match of another test
    one = Reader(monkeypatch, capsys)
    one.run("tt play zompa --seats 2 --bots easy --option fiches=1 --seed 7")
    return one


@pytest.mark.battery
@pytest.mark.parametrize("page", pages())
def test_the_commands_of_a_page_run(page: str, reader: Reader, tmp_path: Path) -> None:
    """Each command of the page, or a shorter run of it, ends with 0, or is listed with the reason."""
    if page == "bots.md":
        (tmp_path / "dare.py").write_text(python(page)[0], encoding="utf-8")
    for line in commands(DOCS / page):
        name = shlex.split(line)[1]
        if name in ELSEWHERE or "--dask" in line or page in LATER:
            continue
        if name == "resume":
            reader.run("tt play zompa --seats 2 --bots easy --option fiches=2 --seed 7", keys="\n\n\n")
        if name == "campaigns":
            reader.run("tt play examples/games/heirs/rules.py --campaign autumn --bot random --bots random")
        latest = (
            json.loads(reader.run("tt history --ui json").splitlines()[0])["id"] if "3f2a" in line else ""
        )
        reader.run(line.replace("3f2a", latest) + (" --within 1" if name == "review" else ""))


@pytest.mark.battery
def test_the_tutorial_builds_a_game_that_plays(reader: Reader, tmp_path: Path) -> None:
    """A reader who saves each step in `higher.py` plays it, seats their bot, tests it and has it checked."""
    rules, question, bot, rehearsal = python("writing-games.md")
    game = tmp_path / "higher.py"
    game.write_text(rules, encoding="utf-8")
    play, check, *rest = commands(DOCS / "writing-games.md")
    assert [shlex.split(line)[1] for line in (play, check, *rest)] == ["play", "check", "host", "publish"]
    assert "scores." in reader.run(play)
    game = tmp_path / "bolder.py"  # as in another process, which hasn't imported the first
    game.write_text(rules + question + bot, encoding="utf-8")
    assert "scores." in reader.run("tt play ./bolder.py --bots bold", keys="\n2\n" * 99)
    namespace: dict[str, object] = {}
    exec(compile(rules + question + rehearsal, "higher.py", "exec"), namespace)
    assert f"All {len(checks.ALL)} checks passed." in reader.run(check)
