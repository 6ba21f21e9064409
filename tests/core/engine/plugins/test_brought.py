"""What the manifest says of what plugins bring: one game imports one plugin, and nothing old is told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tavolata import _dirs
from tavolata._cli.command_context import CommandContext
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.loader import BrokenPlugin

if TYPE_CHECKING:
    from tests.core.conftest import Site
else:
    Site = Any


@pytest.fixture
def alone(site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site is all that there is on the path: no plugin of this project is found.

    What other tests have just written and imported is forgotten: the list isn't kept beside code so young.
    """
    made = str(tmp_path_factory.getbasetemp())
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(made):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [str(site.folder), *(p for p in sys.path if "site-packages" not in p)])
    return site


BOT = """
    from tavolata import hookimpl
    from tavolata.bots import Bot
    class Easy(Bot):
        level = {level!r}
    @hookimpl
    def tavolata_bots(): return [("fine", Easy)]
    """


def next_run(site: Site) -> Catalogue:
    """What the next process would see: nothing of the site is imported yet."""
    site.age()
    for name in [
        name
        for name, module in sys.modules.items()
        if str(site.folder) in str(getattr(module, "__file__", ""))
    ]:
        del sys.modules[name]
    return Catalogue()


def imported() -> set[str]:
    return {"fine_game", "other_game", "robot"} & set(sys.modules)


def edit(package: Path, old: str, new: str) -> None:
    file = package / "__init__.py"
    file.write_text(file.read_text().replace(old, new))


def test_a_game_imports_its_own_plugin_alone(alone: Site) -> None:
    """From the second run on, a game brings in its plugin and its bots' plugins, and no other."""
    alone.game("fine_game", "fine")
    alone.game("other_game", "other")
    alone.install("robot", BOT.format(level="easy"))
    first = next_run(alone)
    assert (first.game("fine").info.plugin, sorted(first.bots("fine"))) == (
        "fine_game",
        ["easy", "random", "thinker"],
    )
    assert imported() == {"fine_game", "other_game", "robot"}
    second = next_run(alone)
    assert second.game("fine").info.plugin == "fine_game"
    assert imported() == {"fine_game"}
    assert sorted(second.bots("fine")) == ["easy", "random", "thinker"]
    assert imported() == {"fine_game", "robot"}
    assert sorted(second.games()) == ["fine", "other"]
    assert second.problems() == []


def test_an_edited_plugin_is_looked_at_again(alone: Site) -> None:
    """A game that gets another name in an editable installation has it at once, quarrels included."""
    fine = alone.game("fine_game", "fine")
    other = alone.game("other_game", "other")
    next_run(alone).game("fine")
    edit(fine, "'fine'", "'better'")
    assert sorted(next_run(alone).games()) == ["better", "other"]
    next_run(alone).game("better")
    edit(other, "'other'", "'better'")
    with pytest.raises(BrokenPlugin, match=r"fine_game .*, other_game"):
        next_run(alone).game("better")


def test_what_is_broken_is_said_from_memory_too(alone: Site) -> None:
    """With a broken plugin nothing is remembered wrongly: its sentence is there in every run."""
    alone.game("fine_game", "fine")
    alone.install("other_game", "1 / 0")
    for _ in range(2):
        assert next_run(alone).game("fine").info.plugin == "fine_game"
        with pytest.raises(BrokenPlugin, match="ZeroDivisionError"):
            next_run(alone).game("other_game")


def test_two_bots_of_one_level_stay_refused(alone: Site) -> None:
    """A quarrel over a level is a quarrel in every run."""
    alone.game("fine_game", "fine")
    alone.install("robot", BOT.format(level="easy"))
    alone.install("other_game", BOT.format(level="easy"))
    for _ in range(2):
        assert sorted(next_run(alone).bots("fine")) == ["random", "thinker"]
        assert len(next_run(alone).problems()) == 2


def test_games_from_elsewhere_are_looked_at_again(alone: Site) -> None:
    """A plugin that only passes on another package's game changes with that package."""
    alone.game("fine_game", "fine")
    package = alone.install("other_game", "from borrowed import hookimpl, tavolata_games")
    lent = package.parent / "borrowed.py"
    lent.write_text((alone.folder / "fine_game" / "__init__.py").read_text().replace("'fine'", "'lent'"))
    assert sorted(next_run(alone).games()) == ["fine", "lent"]
    next_run(alone).game("lent")
    lent.write_text(lent.read_text().replace("'lent'", "'fine'"))
    sys.modules.pop("borrowed", None)
    with pytest.raises(BrokenPlugin, match="Several plugins provide the game fine:"):
        next_run(alone).game("fine")


def listing(site: Site, lang: str = "en") -> tuple[list[str], bool]:
    """What `tt games` shows in the next run, and whether it says that this is all."""
    next_run(site)
    context = CommandContext({"lang": lang}, {})
    games = context.catalogue.infos()
    told = [f"{one.name}: {context.text(one.title, domain=one.package)}" for one in games]
    return told, context.catalogue.whole


def test_a_list_of_games_imports_none(alone: Site) -> None:
    """From the second run on, the games are listed in any language without importing one of them."""
    package = alone.game("fine_game", "fine")
    alone.game("other_game", "other")
    folder = package / "locale" / "it" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "fine_game.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "Made for a test"\nmsgstr "Fatto per una prova"\n'
    )
    expected = ["fine: Made for a test", "other: Made for a test"]
    assert listing(alone) == (expected, True)
    assert imported() == {"fine_game", "other_game"}
    assert listing(alone) == (expected, True)
    assert listing(alone, "it") == (["fine: Fatto per una prova", "other: Made for a test"], True)
    assert imported() == set()


@pytest.mark.parametrize("place", ["its code", "a file beside it", "another module"])
def test_a_title_that_changes_is_listed_at_once(alone: Site, place: str) -> None:
    """Wherever a title comes from, its code, a file or another module, the list never shows an old one."""
    package = alone.game("fine_game", "fine")
    source = {
        "its code": package / "__init__.py",
        "a file beside it": package / "title.txt",
        "another module": alone.folder / "titles.py",
    }[place]
    if place != "its code":
        source.write_text('TITLE = "Made for a test"')
    if place == "a file beside it":
        read = "__import__('pathlib').Path(__file__).with_name('title.txt').read_text()[9:-1]"
        edit(package, '"Made for a test"', read)
    elif place == "another module":
        edit(package, '"Made for a test"', "__import__('titles').TITLE")
    for _ in range(2):
        assert listing(alone) == (["fine: Made for a test"], True)
    source.write_text(source.read_text().replace("Made for a test", "Another"))
    assert listing(alone) == (["fine: Another"], True)


def test_what_is_left_out_is_known_to_every_list(alone: Site) -> None:
    """A list with a broken plugin, or a game that can't be used, is never taken for all there is."""
    alone.game("fine_game", "fine")
    broken = alone.install("robot", "1 / 0")
    for _ in range(2):
        assert listing(alone) == (["fine: Made for a test"], False)
    (broken / "__init__.py").write_text(BOT.format(level="easy").replace("\n    ", "\n"))
    for _ in range(2):
        assert listing(alone) == (["fine: Made for a test"], True)
    alone.game("other_game", "other", more="api = 999")
    for _ in range(2):
        assert listing(alone) == (["fine: Made for a test"], False)


def test_a_list_needs_no_manifest(alone: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A manifest that is damaged, or can't be kept at all, changes nothing that is listed."""
    alone.game("fine_game", "fine")
    listing(alone)
    [kept] = Path(_dirs.cache_dir()).glob("plugins-*")
    whole = kept.read_text()
    for damaged in ("", "[]", whole.replace('"Made for a test"', "7"), whole.replace('"games"', '"lists"')):
        assert damaged != whole
        kept.write_text(damaged)
        assert listing(alone) == (["fine: Made for a test"], True)
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("TT_CACHE_DIR", str(tmp_path / "a file"))
    for _ in range(2):
        assert listing(alone) == (["fine: Made for a test"], True)


HEIR = """
    from base_rules import Base
    from tavolata import hookimpl
    class Heir(Base):
        name, title = "heir", "Heir"
        def setup(self, t): pass
        async def turn(self, t): pass
    @hookimpl
    def tavolata_games(): return [Heir]
    """


def test_the_list_knows_the_code_until_one_of_its_files_changes(alone: Site) -> None:
    """It has the fingerprint without reading the sources, also of a package that a base class is from."""
    base = alone.folder / "base_rules"
    base.mkdir()
    (base / "__init__.py").write_text(
        "from tavolata import Game\nclass Base(Game):\n    seats = (2, 2)\n"
        "    def most(self):\n        from base_rules.lazy import MOST\n"
    )
    (base / "lazy.py").write_text("MOST = 1\n")
    alone.install("heir_game", HEIR)

    def code() -> bytes:
        (info,) = next_run(alone).infos()
        return info.code

    known = code()
    assert code() == known != b""
    assert "heir_game" not in sys.modules, "it was read from the list"
    (base / "lazy.py").write_text("MOST = 20\n")
    assert code() not in (known, b"")
