"""`tt publish`: from a file of `tt new` to a wheel that was tried in a clean environment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from tests.core.cli.loopback_index import Index, served, wheel_of

from tavolata._cli import main
from tavolata._cli.workshop import KINDS
from tavolata._engine.match.game_info import as_text
from tavolata._engine.plugins.wheels import read_wheel

if TYPE_CHECKING:
    from tests.packaging.conftest import Environment
else:
    Environment = Any

Capture = pytest.CaptureFixture[str]


def said(capsys: Capture) -> str:
    """Return all that was said, on one line."""
    out, err = capsys.readouterr()
    return " ".join((out + err).split())


@pytest.mark.long
def test_each_kind_of_file_becomes_a_wheel_that_can_be_installed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
    wheel: Path,
    fresh: Callable[[], Environment],
) -> None:
    """`tt new --like`, seven times: strict kit, tests, wheel and sdist; all seven are played side by side."""
    monkeypatch.chdir(tmp_path)
    index, wheels = Index(), []
    with served(index) as address:
        for kind in KINDS:
            assert main(["new", f"my-{kind}", "--like", kind]) == 0
            Path(f"my_{kind}.md").write_text("# Rules\n\nPlay.\n", encoding="utf-8")
            assert main(["publish", f"./my_{kind}.py", "--index", address]) == 0, said(capsys)
            dist = tmp_path / f"my-{kind}" / "dist"
            assert sorted(path.suffix for path in dist.iterdir()) == [".gz", ".whl"]
            wheels += [*dist.glob("*.whl")]
            assert "Tag it: git tag v0.1 && git push origin v0.1" in said(capsys)
    assert [path for path in index.asked if "my-" in path] == [
        f"/simple/tavolata-my-{kind}/" for kind in KINDS
    ]
    environment = fresh()
    environment.install(wheel, *wheels)
    for kind in KINDS:
        done = environment.tt("play", f"my-{kind}", "--bot", "random", "--seed", "1")
        assert done.returncode == 0, done.stderr
    listed = map(json.loads, environment.tt("games", "--ui", "json").stdout.splitlines())
    codes = {one["name"]: one["code"] for one in listed}
    read = [read_wheel(path.read_bytes()) for path in wheels]
    assert {
        game.name: as_text(one.code_of(game)) for one in read for game in one.games()
    }.items() <= codes.items()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package around the file of a game."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my-dice", "--like", "dice", "--package"]) == 0
    (tmp_path / "my-dice" / "tavolata_my_dice" / "rules.md").write_text("# Rules\n\nThrow.\n")
    return tmp_path / "my-dice"


@pytest.mark.battery
def test_a_version_that_is_out_with_other_code_stops(package: Path, capsys: Capture) -> None:
    """With the same code it may be built again; with other code it needs another version.

    Files are named by the normal form of a version, however its author writes it.
    """
    project = package / "pyproject.toml"
    project.write_text(project.read_text().replace('version = "0.1"', 'version = "0.1-beta"'))
    index = Index()
    with served(index) as address:
        assert main(["publish", str(package), "--index", address]) == 0, said(capsys)
        [built] = (package / "dist").glob("*.whl")
        index.add("tavolata-my-dice", built.name, built.read_bytes())
        assert main(["publish", str(package), "--index", address]) == 0
        assert built.name.startswith("tavolata_my_dice-0.1b0-")
        assert "0.1-beta is already published, with the same code" in said(capsys)
        rules = package / "tavolata_my_dice" / "rules.py"
        rules.write_text(f"{rules.read_text(encoding='utf-8')}\n# a word more\n", encoding="utf-8")
        assert main(["publish", str(package), "--index", address]) == 1
        assert "is already published, with different code. Bump `version`" in said(capsys)


@pytest.mark.battery
def test_its_workflow_publishes_a_tag_without_a_token(package: Path, capsys: Capture) -> None:
    """Only the job that publishes may sign in; it runs nothing of the package, and attests its files."""
    with served(Index()) as address:
        assert main(["publish", str(package), "--index", address]) == 0
    text = (package / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads `on` as a truth
    assert workflow["permissions"] == {"contents": "read"}
    build, out = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    assert "permissions" not in build
    assert out["permissions"] == {"id-token": "write"}
    assert [step["uses"].partition("@")[0] for step in out["steps"]] == [
        "actions/download-artifact", "pypa/gh-action-pypi-publish",
    ]  # fmt: skip
    assert out["steps"][1]["with"] == {"attestations": True}
    assert {"run": "tt check --strict my-dice"} in build["steps"]
    assert not re.search(r"secrets\.|password:|token:(?! write)", text)


@pytest.mark.long
def test_each_game_of_a_package_is_checked_here_and_before_a_release(package: Path, capsys: Capture) -> None:
    """Two games in one package: the kit runs over both, in the folder, on the wheel and in the workflow."""
    rules = package / "tavolata_my_dice" / "rules.py"
    code = rules.read_text(encoding="utf-8")
    (package / "tavolata_my_dice" / "more.py").write_text(
        code.replace('"my-dice"', '"more-dice"').replace("class MyDice", "class MoreDice"), encoding="utf-8"
    )
    init = package / "tavolata_my_dice" / "__init__.py"
    text = init.read_text(encoding="utf-8")
    assert "return [MyDice]" in text
    init.write_text(
        text.replace("return [MyDice]", "from .more import MoreDice\n\n    return [MyDice, MoreDice]"),
        encoding="utf-8",
    )
    with served(Index()) as address:
        assert main(["publish", str(package), "--index", address]) == 0, said(capsys)
    workflow = (package / ".github/workflows/publish.yml").read_text(encoding="utf-8")
    assert [line.split()[-1] for line in workflow.splitlines() if "tt check" in line] == [
        "more-dice",
        "my-dice",
    ]


@pytest.mark.battery
def test_a_game_that_the_kit_fails_is_not_built(package: Path, capsys: Capture) -> None:
    """The failure is shown, and nothing is in `dist`; the same for a test."""
    rules = package / "tavolata_my_dice" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace('N_("Points")', 'f"Points of {self.name}"'), encoding="utf-8")
    assert main(["publish", str(package)]) == 1
    told = said(capsys)
    assert "FAIL messages_whole" in told
    assert "Nothing was published. Fix this" in told
    rules.write_text(text, encoding="utf-8")
    (package / "tests" / "test_more.py").write_text("def test_it():\n    assert 1 == 2\n")
    assert main(["publish", str(package)]) == 1
    assert "assert 1 == 2" in said(capsys)
    assert not (package / "dist").exists()


@pytest.mark.battery
def test_a_game_without_a_rulebook_is_not_built(package: Path, capsys: Capture) -> None:
    """Neither with the text that `tt new` writes there, nor with none; a file's goes into its package."""
    book = package / "tavolata_my_dice" / "rules.md"
    book.unlink()
    assert main(["publish", str(package)]) == 1
    assert "note no_rulebook: It has no rulebook yet: write in tavolata_my_dice/rules.md" in said(capsys)
    assert main(["new", "more-dice", "--like", "dice"]) == 0
    assert main(["publish", "./more_dice.py"]) == 1
    assert "note no_rulebook: It has no rulebook yet" in said(capsys)
    assert not (package.parent / "more-dice" / "dist").exists()


@pytest.mark.battery
def test_a_package_that_lacks_what_it_needs_is_not_ready(package: Path, capsys: Capture) -> None:
    """What is installed here by chance isn't there: in a clean environment there's what was asked for."""
    init = package / "tavolata_my_dice" / "__init__.py"
    init.write_text(f"import pytest  # noqa\n{init.read_text(encoding='utf-8')}", encoding="utf-8")
    with served(Index()) as address:
        assert main(["publish", str(package), "--index", address]) == 1
    assert "can't be imported: ModuleNotFoundError: No module named 'pytest'" in said(capsys)


def test_what_can_not_be_published_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """No folder of a game, no game in a file, and a folder that's there already."""
    monkeypatch.chdir(tmp_path)
    assert main(["publish"]) == 2
    assert "There's no game to publish in ." in said(capsys)
    Path("none.py").write_text("x = 1\n", encoding="utf-8")
    assert main(["publish", "./none.py"]) == 2
    assert "must declare one game (with a name and seats), not 0" in said(capsys)
    assert main(["new", "my-dice", "--like", "dice"]) == 0
    Path("my-dice").mkdir()
    assert main(["publish", "./my_dice.py"]) == 2
    assert "This folder already contains something called my-dice" in said(capsys)
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert main(["publish", "."]) == 2
    assert "isn't a game project" in said(capsys)


def test_a_wheel_is_read_without_importing_it(tmp_path: Path) -> None:
    """Name, entry points, games and languages; what isn't a wheel of games is refused."""
    code = 'from tavolata import Game, N_\nraise SystemExit("imported")\n'
    game = 'class Hearts(Game):\n    name, title, seats = "hearts", N_("Hearts"), (3, 6)\n    minutes = 20\n'
    _, data = wheel_of(
        "tavolata-hearts", "1.2",
        {"tavolata_hearts/__init__.py": code + game, "tavolata_hearts/rules.it.md": "# Cuori"},
        "[tavolata]\nhearts = tavolata_hearts\n",
    )  # fmt: skip
    read = read_wheel(data)
    assert (read.name, read.version, read.languages) == ("tavolata-hearts", "1.2", ("en", "it"))
    (found,) = read.games()
    assert (found.name, found.title, found.seats, found.minutes, found.api) == (
        "hearts",
        "Hearts",
        (3, 6),
        20,
        1,
    )
    for wrong in (
        b"",
        data[:-9],
        wheel_of("other", "1", {}, "[console_scripts]\na = b\n")[1],
        wheel_of("none", "1", {})[1],
    ):
        with pytest.raises(ValueError, match="can't be read"):
            read_wheel(wrong)
