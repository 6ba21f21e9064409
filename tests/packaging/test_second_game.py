"""A game that is a package of its own, installed by the real pip, has the rights of the bundled ones."""

from __future__ import annotations

import socket
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.packaging.conftest import Environment
else:
    Environment = Any

UNREACHABLE = 5
SECOND_GAME = Path(__file__).parent / "second_game"


def test_it_is_listed_like_the_bundled_ones(installed: Environment) -> None:
    """`tt games` and `tt plugins` show both, and say whose they are."""
    games = installed.tt("games", "-v").stdout
    assert "tavolata_higher" not in games.partition("zompa")[0].partition("higher")[0]
    assert "Higher (2 to 8 players). Everybody turns a card; the highest takes the trick." in games
    assert "higher (tavolata-higher 1.2)" in games
    assert "zompa (tavolata " in games
    plugins = installed.tt("plugins").stdout
    assert "higher: tavolata-higher 1.2, tavolata_higher in" in plugins
    assert "games: higher\n  bots: higher/bold\n" in plugins


def test_its_rules_are_read_like_the_bundled_ones(installed: Environment) -> None:
    """Its texts are found inside its package, in both languages."""
    assert installed.tt("rules", "higher", "a trick").stdout.startswith("## A trick\n")
    assert installed.tt("rules", "higher", "--lang", "it").stdout.startswith("# Più alta\n")


def test_it_is_played_like_the_bundled_ones(installed: Environment) -> None:
    """Unattended, with its own bot and the random one, to the end; twice the same from one seed."""
    words = [
        "play",
        "higher",
        "--seats",
        "3",
        "--bots",
        "bold,random",
        "--bot",
        "bold",
        "--seed",
        "7",
        "--option",
        "tricks=2",
        "--ui",
        "plain",
    ]
    first, second = installed.tt(*words), installed.tt(*words)
    assert first.returncode == 0, first.stderr
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
    assert "has 2 tricks." in first.stdout + first.stderr


def test_it_is_hosted_like_the_bundled_ones(installed: Environment) -> None:
    """Two processes on the loopback host and join it with a bot each, and both see the same end."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = ["host", "higher", "--seats", "2", "--start", "full", "--bot", "bold", "--option", "tricks=2"]
    host = installed.start("Ada", *words, "--bind", "127.0.0.1", "--port", port)
    try:
        for _ in range(20):  # it takes a moment until the host listens
            guest = installed.tt("join", f"127.0.0.1:{port}", "--bot", "random")
            if guest.returncode != UNREACHABLE or host.poll() is not None:
                break
        said, trouble = host.communicate(timeout=60)
    finally:
        host.kill()
        host.communicate()
    assert (host.returncode, guest.returncode) == (0, 0), f"{said}{trouble}\n{guest}"
    assert "has 2 tricks." in said + trouble
    assert "has 2 tricks." in guest.stdout + guest.stderr


def test_taking_it_away_is_noticed_at_once(wheel: Path, fresh: Callable[[], Environment]) -> None:
    """Installed and removed between two runs, it is there and gone; nothing has to be refreshed by hand."""
    environment = fresh()
    environment.install(wheel)
    assert "higher" not in environment.tt("games").stdout
    environment.install(SECOND_GAME)
    assert "higher" in environment.tt("games").stdout
    environment.pip("uninstall", "--yes", "tavolata-higher")
    assert "higher" not in environment.tt("games").stdout
    assert environment.tt("play", "higher").returncode == 3


HOOK = """
    from tavolata import Game, hookimpl
    class Made(Game):
        name, title, seats = {name!r}, "Made", (2, 2)
        api = {api!r}
        def setup(self, t): pass
        async def turn(self, t): pass
    @hookimpl
    def tavolata_games(): return [Made]
    """

BROKEN = {
    "crash": ("import there_is_no_such_module", "crash (crash 1.0) can't be imported: ModuleNotFoundError"),
    "typo": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_gmaes(): return []",
        "typo (typo 1.0) has an unknown hook: tavolata_gmaes. Did you mean tavolata_games?",
    ),
    "newer": (
        HOOK.format(name="newer", api=9),
        "newer needs API 9, and this Tavolata has 1.",
    ),
    "thief": (
        HOOK.format(name="zompa", api=1),
        "Several plugins provide the game zompa: thief (thief 1.0), zompa (tavolata ",
    ),
}


@pytest.fixture(scope="module")
def crowded(
    wheel: Path, fresh: Callable[[], Environment], tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """An environment with a sound stranger's game and four broken plugins."""
    folders = []
    for name, (code, _) in BROKEN.items():
        folder = tmp_path_factory.mktemp("broken") / name
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(textwrap.dedent(code), encoding="utf-8")
        (folder / "pyproject.toml").write_text(
            '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
            f'[project]\nname = "{name}"\nversion = "1.0"\n'
            f'[project.entry-points.tavolata]\n{name} = "{name}"\n',
            encoding="utf-8",
        )
        folders.append(folder)
    environment = fresh()
    environment.install(wheel, SECOND_GAME, *folders)
    return environment


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_named_in_one_sentence(crowded: Environment, name: str) -> None:
    """`tt plugins` says in one line what is wrong with each broken plugin."""
    done = crowded.tt("plugins")
    assert (done.returncode, done.stderr) == (0, "")
    assert len([line for line in done.stdout.splitlines() if line.startswith(BROKEN[name][1])]) == 1


def test_broken_plugins_hurt_nobody(crowded: Environment) -> None:
    """The sound game is listed and its rules are read; what was left out is hinted at."""
    games = crowded.tt("games")
    assert games.returncode == 0
    assert "higher" in games.stdout
    assert "Some plugins were left out. See `tt plugins`." in games.stderr
    assert crowded.tt("rules", "higher").returncode == 0


@pytest.mark.parametrize(("name", "code"), [("zompa", 4), ("crash", 4), ("newer", 4), ("highest", 3)])
def test_asking_for_what_was_left_out_says_why(crowded: Environment, name: str, code: int) -> None:
    """A taken name, a crash and a newer game are a broken plugin (4), an unheard name is no game (3)."""
    done = crowded.tt("rules", name)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("tt: ")
    assert done.stderr.count("\n") == 1
