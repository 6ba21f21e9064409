"""The strict loader: what is wrong with one plugin is said in one sentence and is nobody else's harm."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.loader import BrokenPlugin, NoSuchGame

if TYPE_CHECKING:
    from tests.core.conftest import Site
else:
    Site = Any


def ours(catalogue: Catalogue, plugin: str) -> list[str]:
    return [problem.sentence for problem in catalogue.problems() if problem.plugin == plugin]


def test_a_sound_game_is_listed_with_its_owner(site: Site) -> None:
    """A game is found by its name, with the class, the plugin and the distribution it comes from."""
    site.game("fine_game", "fine")
    found = Catalogue().game("fine")
    info = found.info
    assert (info.name, info.plugin, info.distribution, info.version) == (
        "fine",
        "fine_game",
        "fine_game",
        "1.0",
    )
    assert (info.title, info.package) == ("Made for a test", "fine_game")


BROKEN = {
    "import": ("import there_is_no_such_module", "can't be imported: ModuleNotFoundError"),
    "syntax": ("def (", "can't be imported: SyntaxError"),
    "exit": ("raise SystemExit(3)", "can't be imported: SystemExit: 3"),
    "interrupt": ("raise KeyboardInterrupt", "can't be imported: KeyboardInterrupt."),
    "odd": (
        "class Odd(BaseException):\n    pass\nraise Odd('a\\nb')",
        "can't be imported: Odd: a b.",
    ),
    "interrupts": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_games():\n    raise KeyboardInterrupt",
        "failed in tavolata_games: KeyboardInterrupt.",
    ),
    "newer_api": (
        "from tavolata import NotYetInvented",
        "asks for something that Tavolata 0.1.0 doesn't have",
    ),
    "no_hook": ("x = 1", "has no hook that Tavolata knows"),
    "misspelled": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_gmaes():\n    return []",
        "has an unknown hook: tavolata_gmaes. Did you mean tavolata_games?",
    ),
    "unmarked": ("def tavolata_games():\n    return []", "has tavolata_games without @hookimpl"),
    "wrong_form": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_games(table):\n    return []",
        "has a malformed hook",
    ),
    "raises": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_games():\n    raise ValueError('a\\nb')",
        "failed in tavolata_games: ValueError: a b.",
    ),
    "no_list": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_games():\n    return 3",
        "failed in tavolata_games: TypeError",
    ),
    "no_class": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_games():\n    return [int]",
        "offers <class 'int'>, which isn't a game class",
    ),
    "bot": (
        "from tavolata import hookimpl\n@hookimpl\ndef tavolata_bots():\n    return [('fine', 3)]",
        "which isn't a pair (game name, bot class)",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_plugin_is_named_and_hurts_nobody(site: Site, case: str) -> None:
    """Each way to be broken makes exactly one sentence of one line, and the sound game is still there."""
    code, said = BROKEN[case]
    site.install("broken", code)
    site.game("fine_game", "fine")
    catalogue = Catalogue()
    sentences = ours(catalogue, "broken")
    assert len(sentences) == 1
    assert sentences[0].startswith("broken (broken 1.0) ")
    assert said in sentences[0]
    assert "\n" not in sentences[0]
    assert "fine" in catalogue.games()
    assert ours(catalogue, "fine_game") == []


ODD = {
    "name = 'Bad Name'": "has a game named 'Bad Name'",
    "name = 7": "has a game named 7",
    "title = ''": "broken (broken 1.0)'s odd has no usable `title`",
    "seats = (3, 2)": "no usable `seats`",
    "seats = (1, 65)": "no usable `seats`",
    "seats = 4": "no usable `seats`",
    "rules_id = '1'": "no usable `rules_id`",
    "options = dict": "no usable `options`",
    "turn = 3": "no usable `turn`",
    "setup = Game.setup": "no usable `setup`",
    "api = 2": "odd needs API 2, and this Tavolata has 1. Install tavolata>=2.",
    "api = '1'": "no usable `api`",
    "minutes = '30'": "no usable `minutes`",
    "best_with = (3, 4)": "no usable `best_with`",
}


@pytest.mark.parametrize("line", ODD)
def test_a_game_that_is_not_as_it_should_be_is_left_out(site: Site, line: str) -> None:
    """A game with an impossible attribute, or made for a newer Tavolata, is left out with its reason."""
    code = """
        from tavolata import Game, hookimpl
        class Odd(Game):
            name, title, seats = "odd", "Odd", (2, 4)
            def setup(self, t): pass
            async def turn(self, t): pass
        """
    ending = f"""
        Odd.{line}
        @hookimpl
        def tavolata_games(): return [Odd]
        """
    site.install("broken", code + ending)
    catalogue = Catalogue()
    assert "odd" not in catalogue.games()
    [sentence] = ours(catalogue, "broken")
    assert ODD[line] in sentence


def test_two_owners_of_one_name_are_both_refused_and_named(site: Site) -> None:
    """Neither of two plugins gets a name that both claim, whoever was first; other games play on."""
    site.game("one", "same")
    site.game("two", "same")
    site.game("fine_game", "fine")
    catalogue = Catalogue()
    with pytest.raises(BrokenPlugin, match=r"same: one \(one 1.0\), two \(two 1.0\)"):
        catalogue.game("same")
    assert ours(catalogue, "one") == ours(catalogue, "two") != []
    assert "fine" in catalogue.games()
    assert "same" not in catalogue.games()


BOT = """
    from tavolata import hookimpl
    from tavolata.bots import Bot
    class Easy(Bot):
        level = {level!r}
    @hookimpl
    def tavolata_bots(): return [("fine", Easy)]
    """


def test_bots_of_other_plugins_are_found_and_random_is_always_there(site: Site) -> None:
    """A plugin may bring a bot for another plugin's game; the random bot needs no plugin."""
    site.game("fine_game", "fine")
    site.install("robot", BOT.format(level="easy"))
    assert sorted(Catalogue().bots("fine")) == ["easy", "random", "thinker"]
    assert sorted(Catalogue().bots("unheard-of")) == ["random", "thinker"]


def test_two_bots_of_one_level_are_both_refused(site: Site) -> None:
    """Of two bots with the same level for one game neither is seated, and both plugins are named."""
    site.install("robot", BOT.format(level="easy"))
    site.install("android", BOT.format(level="easy"))
    catalogue = Catalogue()
    assert sorted(catalogue.bots("fine")) == ["random", "thinker"]
    assert "fine/easy: android (android 1.0), robot (robot 1.0)" in ours(catalogue, "robot")[0]


@pytest.mark.parametrize("level", ["random", "thinker", "Very Hard"])
def test_a_bot_can_not_take_an_impossible_level(site: Site, level: str) -> None:
    """The words random and thinker are the core's, and a level is spelled like a game's name."""
    site.install("robot", BOT.format(level=level))
    catalogue = Catalogue()
    assert sorted(catalogue.bots("fine")) == ["random", "thinker"]
    assert len(ours(catalogue, "robot")) == 1


def test_an_unknown_game_suggests_what_is_near(site: Site) -> None:
    """A name that nobody brings is refused with the names that are like it."""
    site.game("fine_game", "scopa")
    with pytest.raises(NoSuchGame, match="Did you mean scopa"):
        Catalogue().game("Scoppa")
    with pytest.raises(NoSuchGame, match="See `tt games`"):
        Catalogue().game("\x1b[31m???")


def test_a_game_whose_plugin_is_broken_is_not_called_unknown(site: Site) -> None:
    """Asking for a game by the name of its broken plugin says what is broken, not that there is none."""
    site.install("scopa", "1 / 0")
    with pytest.raises(BrokenPlugin, match="ZeroDivisionError"):
        Catalogue().game("scopa")


def test_nothing_is_imported_before_it_is_asked_for(site: Site) -> None:
    """Making a catalogue imports no plugin; asking it for games does."""
    site.game("fine_game", "fine")
    catalogue = Catalogue()
    assert "fine_game" not in sys.modules
    catalogue.games()
    assert "fine_game" in sys.modules


@pytest.mark.parametrize(
    "thing", ["[]", "{}", "None", "object()", "type('Odd', (), {'__dir__': lambda self: 1 / 0})()"]
)
def test_an_entry_point_that_names_no_plugin_hurts_nobody(site: Site, thing: str) -> None:
    """A list, nothing at all, or what raises when it's looked at: it gets its sentence, the others load."""
    site.install("broken", f"GAMES = {thing}", points="[tavolata]\nbroken = broken:GAMES\n")
    site.game("fine_game", "fine")
    catalogue = Catalogue()
    assert len(ours(catalogue, "broken")) == 1
    assert "fine" in catalogue.games()


def test_an_entry_point_may_name_an_object_of_a_lone_module(site: Site) -> None:
    """`module:object` is honoured, and a plugin without a package has no texts of its own."""
    code = """
        from tavolata import Game, hookimpl
        class Lone(Game):
            name, title, seats = "lone", "Lone", (1, 1)
            def setup(self, t): pass
            async def turn(self, t): pass
        class Plugin:
            @hookimpl
            def tavolata_games(self): return [Lone]
        plugin = Plugin()
        """
    package = site.install("lone_dist", "", points="[tavolata]\nlone = lone_module:plugin\n")
    (package.parent / "lone_module.py").write_text("\n".join(line[8:] for line in code.splitlines()))
    found = Catalogue().game("lone")
    assert found.info.package == ""
