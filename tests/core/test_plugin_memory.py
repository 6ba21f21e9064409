"""What is remembered of plugins: one game imports one plugin, and memory never tells an old tale."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tavolata._engine.plugins import BrokenPlugin, Catalogue

if TYPE_CHECKING:
    from tests.core.conftest import Site
else:
    Site = Any


@pytest.fixture
def alone(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The site is all that there is on the path: no plugin of this project is found."""
    monkeypatch.setattr(sys, "path", [str(site.folder), *(p for p in sys.path if "site-packages" not in p)])
    return site


BOT = """
    from tavolata import Bot, hookimpl
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
    assert (first.game("fine").plugin, sorted(first.bots("fine"))) == ("fine_game", ["easy", "random"])
    assert imported() == {"fine_game", "other_game", "robot"}
    second = next_run(alone)
    assert second.game("fine").plugin == "fine_game"
    assert imported() == {"fine_game"}
    assert sorted(second.bots("fine")) == ["easy", "random"]
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
        assert next_run(alone).game("fine").plugin == "fine_game"
        with pytest.raises(BrokenPlugin, match="ZeroDivisionError"):
            next_run(alone).game("other_game")


def test_two_bots_of_one_level_stay_refused(alone: Site) -> None:
    """A quarrel over a level is a quarrel in every run."""
    alone.game("fine_game", "fine")
    alone.install("robot", BOT.format(level="easy"))
    alone.install("other_game", BOT.format(level="easy"))
    for _ in range(2):
        assert sorted(next_run(alone).bots("fine")) == ["random"]
        assert len(next_run(alone).problems()) == 2


def test_games_from_elsewhere_are_not_remembered(alone: Site) -> None:
    """A plugin that only passes on another package's game could change unseen, so it is always imported."""
    alone.game("fine_game", "fine")
    package = alone.install("other_game", "from borrowed import hookimpl, tavolata_games")
    lent = package.parent / "borrowed.py"
    lent.write_text((alone.folder / "fine_game" / "__init__.py").read_text().replace("'fine'", "'lent'"))
    assert sorted(next_run(alone).games()) == ["fine", "lent"]
    next_run(alone).game("lent")
    lent.write_text(lent.read_text().replace("'lent'", "'fine'"))
    sys.modules.pop("borrowed", None)
    with pytest.raises(BrokenPlugin, match="The game fine is brought by"):
        next_run(alone).game("fine")
