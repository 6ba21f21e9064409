"""Games in files: which class is meant, under which name it is imported, and what is wrong with a file."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolata._cli.command_context import CommandContext
from tavolata._cli.install import GameWanted
from tavolata._cli.table import _installed
from tavolata._engine.match.game_info import DEV
from tavolata._engine.network.joining import TableCard
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.plugins import manifest
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.game_file import file_in, file_of
from tavolata._engine.plugins.loader import BrokenPlugin, NoSuchGame
from tavolata._engine.plugins.source_code import code_of

COIN = """
    from tavolata import Game, Outcome
    from tavolata.bots import Bot

    class Coin(Game):
        name, title, seats = "coin", "Heads or tails", (2, 2)

        def setup(self, t):
            pass

        async def turn(self, t):
            return Outcome((t.ring[await t.randrange(2)],))
    """
BOT = """
    class Wise(Bot):
        level = "wise"
    """


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for files; what is imported from it is forgotten afterwards."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(manifest, "searched_by_authors", manifest.searched_by_authors)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def write(file: Path, *parts: str) -> str:
    """Write a file of Python from indented parts; its path as a word."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(map(textwrap.dedent, parts)), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("word", "file"),
    [("./game.py", "./game.py"), ("game.py:Coin", "game.py"), ("./a:b/game.py", "./a:b/game.py"),
     ("C:\\games\\coin.py:Coin", "C:\\games\\coin.py"), ("a.py:b.py:C", "a.py:b.py"),
     ("~no-one/a.py", "~no-one/a.py"), ("zompa", None), ("game.py:", None), ("py", None), ("game.pyc", None)],
)  # fmt: skip
def test_a_word_that_ends_like_a_file_names_a_file(word: str, file: str | None) -> None:
    """Names of games have no dot, so nothing is both; only the name of a class is cut off."""
    assert file_in(word) == (None if file is None else Path(file))


def test_the_one_game_of_a_file_is_loaded_with_its_bots(folder: Path) -> None:
    """It has the version `dev`, stands under its name from then on, and the file is known afterwards."""
    word, catalogue = write(folder / "coin.py", COIN, BOT), Catalogue()
    loaded = catalogue.game(word)
    assert (loaded.info.name, loaded.info.version, loaded.game.__module__) == ("coin", "dev", "coin")
    assert catalogue.game("coin") is loaded
    assert [*catalogue.bots("coin")] == ["random", "wise", "thinker"]
    assert "coin" in catalogue.games()
    assert loaded.info in catalogue.infos()
    assert file_of("coin") == f"{word}:Coin"
    assert Catalogue().played("coin", "dev").game is loaded.game
    with pytest.raises(NoSuchGame):
        Catalogue().played("coin", "1.2")


def test_a_file_in_a_package_is_a_module_of_it(folder: Path) -> None:
    """Relative imports work, the package's hook brings bots, and its folder is the game's."""
    hook = "@hookimpl\ndef tavolata_bots():\n    from .bots import Wise\n    return [('coin', Wise)]\n"
    write(folder / "tavolata_coin" / "__init__.py", "from tavolata import hookimpl\n", hook)
    write(folder / "tavolata_coin" / "bots.py", "from tavolata.bots import Bot\n", BOT)
    rules = write(folder / "tavolata_coin" / "rules.py", "from . import bots\n", COIN)
    catalogue = Catalogue()
    loaded = catalogue.game(rules)
    assert (loaded.game.__module__, loaded.info.package) == ("tavolata_coin.rules", "tavolata_coin")
    assert [*catalogue.bots("coin")] == ["random", "wise", "thinker"]
    assert [*code_of(loaded.game).files] == [
        "tavolata_coin/__init__.py", "tavolata_coin/bots.py", "tavolata_coin/rules.py"
    ]  # fmt: skip


def test_the_file_wins_over_an_installed_package_of_its_name(folder: Path) -> None:
    """Who names a file plays that file, also where the package was imported from elsewhere before."""
    first = write(folder / "a" / "tavolata_coin" / "__init__.py", COIN)
    second = write(folder / "b" / "tavolata_coin" / "__init__.py", COIN.replace("Heads", "HEADS"))
    assert Catalogue().game(first).info.title == "Heads or tails"
    assert Catalogue().game(second).info.title == "HEADS or tails"


def test_a_file_that_can_not_be_looked_at_is_no_game(folder: Path) -> None:
    """Its folder may be locked, or its name too long for the disk; those who ask for a game hear of it."""
    with pytest.raises(NoSuchGame, match=r"^(Couldn't read|No such file)"):
        Catalogue().game(str(folder / f"{'y' * 300}.py"))


def test_one_of_several_games_is_named(folder: Path) -> None:
    """Without a name the sentence lists them; a base class without a name of its own is no choice."""
    two = write(folder / "two.py", COIN, COIN.replace("Coin", "Other").replace('"coin"', '"other"'))
    with pytest.raises(
        BrokenPlugin, match=r"has several games: Coin, Other. Choose one, as in .*two\.py:Coin\."
    ):
        Catalogue().game(two)
    assert Catalogue().game(f"{two}:Other").info.name == "other"
    with pytest.raises(BrokenPlugin, match=r"has no game named Third\. Its games: Coin, Other"):
        Catalogue().game(f"{two}:Third")
    base = write(folder / "base.py", "from tavolata import Game\nclass Base(Game):\n    best_with = 2\n",
                 COIN.replace("Coin(Game)", "Coin(Base)"))  # fmt: skip
    assert Catalogue().game(base).info.name == "coin"


@pytest.mark.parametrize(
    ("name", "code", "sentence"),
    [
        ("syntax.py", "def (", r"can't be imported: SyntaxError: invalid syntax \(syntax.py, line 1\)"),
        ("there.py", "\n\nimport there_is_none", r"No module named 'there_is_none' \(there.py, line 3\)"),
        ("empty.py", "x = 1", r"has no game \(a class that derives from `Game`\)"),
        ("empty.py:Coin", "x = 1", r"has no game \(a class that derives from `Game`\)"),
        ("out.py", "raise SystemExit(3)", r"can't be imported: SystemExit: 3 \(out.py, line 1\)"),
        ("stop.py", "\nraise KeyboardInterrupt", r"can't be imported: KeyboardInterrupt \(stop.py, line 2\)"),
        ("odd.py", "raise type('Odd', (BaseException,), {})", r"can't be imported: Odd \(odd.py, line 1\)"),
        ("random.py", "x = 1", "can't be imported as random. Give it another name"),
        ("two words.py", "x = 1", "can't be imported as two words"),
        ("seats.py", COIN.replace("(2, 2)", "(3, 2)"), r"seats.py, line 5: the seats of Coin are \(3, 2\)"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(name: str, code: str, sentence: str, folder: Path) -> None:
    """An author is told what and where, and nothing half imported is left."""
    write(folder / name.partition(":")[0], code)
    for _ in range(2):
        with pytest.raises(BrokenPlugin, match=sentence):
            Catalogue().game(str(folder / name))


def test_a_file_that_is_not_there(folder: Path) -> None:
    """It is no game that could be installed, so nothing is suggested."""
    with pytest.raises(NoSuchGame, match=r"No such file: .*none\.py\."):
        Catalogue().game(str(folder / "none.py"))


def test_a_files_folder_does_not_spoil_the_manifest(folder: Path) -> None:
    """The folder of a file is searched for neighbours only: what is installed stays known."""
    made = manifest._made()
    Catalogue().game(write(folder / "coin.py", COIN))
    assert str(folder) in sys.path
    assert manifest._made() == made


def test_the_code_of_a_lone_file_has_its_neighbours(folder: Path) -> None:
    """A helper beside the file counts, another file does not; a changed line changes the fingerprint."""
    write(folder / "parts.py", "SIDES = 2\n")
    write(folder / "stranger.py", "x = 1")
    word = write(folder / "coin.py", "from parts import SIDES\n", COIN)
    game = Catalogue().game(word).game
    before = code_of(game)
    assert [*before.files] == ["coin.py", "parts.py"]
    write(folder / "parts.py", "SIDES = 2\r\n")
    assert code_of(game).fingerprint == before.fingerprint, "ends of lines say nothing"
    write(folder / "parts.py", "SIDES = 3\n")
    after = code_of(game)
    assert after.fingerprint != before.fingerprint
    assert after.differing(before.packed()) == ["parts.py"]
    assert before.differing(before.packed()) == []


def test_bundled_games_are_fingerprinted_without_tavolata() -> None:
    """The fingerprint of a package is over its own files only, so an upgrade of Tavolata changes none."""
    files = code_of(Catalogue().game("horse-fever").game).files
    assert "tavolata_horse_fever/__init__.py" in files
    assert {path.partition("/")[0] for path in files} == {"tavolata_horse_fever"}


def test_no_file_is_run_by_the_words_of_others(folder: Path) -> None:
    """A card, an entry of the log and a match file name a game, never a file here that would be imported."""
    ran = folder / "ran"
    evil = write(folder / "evil.py", f"open({str(ran)!r}, 'w').close()\n")
    catalogue, card = Catalogue(), TableCard("Ann", evil, 1, "1.0", "")
    context = CommandContext({}, {})
    library = GameLibrary("zompa", lambda name: (catalogue.game(name), catalogue.bots(name)))
    for word in (evil, f"{evil}:Game", "~/evil.py", r"\\host\share\evil.py"):
        for run in (
            lambda word=word: catalogue.played(word, DEV),
            lambda word=word: catalogue.played(word, "1.0"),
            lambda word=word: library.rules(word, 1),
        ):
            with pytest.raises(NoSuchGame):
                run()
    with pytest.raises(GameWanted):
        _installed(context, card, unlike=True)
    assert not ran.exists()
    with pytest.raises(BrokenPlugin):
        catalogue.game(evil)  # as somebody types it
    assert ran.exists()
