"""The games of examples/games: each passes the battery, is played from its file, and has both rulebooks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.commit import a_part

from tavolata._cli import main
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata.bots import Bot, Chance
from tavolata.game import Game
from tavolata.testing import USUAL_BOTS, check_game, goes_on, rehearse
from tavolata.testing.translations import messages_of, mistakes

GAMES = sorted(path.parent for path in (Path(__file__).parents[2] / "examples" / "games").glob("*/rules.py"))

SHORT = {"hearts": {"points": 1}}
"""The options of games whose matches are long."""


def named(path: Path) -> str:
    return path.name


def loaded(name: str) -> tuple[type[Game[Any]], Bot]:
    """A game and the bot that it comes with."""
    catalogue = Catalogue()
    game = catalogue.game(str(next(folder for folder in GAMES if folder.name == name) / "rules.py")).game
    (bot,) = catalogue.written_bots(name).values()
    return game, bot()


def test_the_games_are_found() -> None:
    """There is a folder for each kind of game."""
    assert {path.name for path in GAMES} == {
        "bazaar", "four", "hearts", "heirs", "liars", "robots", "rockets", "werewolf"
    }  # fmt: skip


@pytest.mark.battery
@pytest.mark.parametrize("folder", a_part(GAMES, 4), ids=named)
def test_it_passes_the_battery(folder: Path) -> None:
    """A match for each check of the kit, with the game's own bots beside the usual ones."""
    catalogue = Catalogue()
    loaded = catalogue.game(str(folder / "rules.py"))
    bots = dict.fromkeys([*USUAL_BOTS, *catalogue.written_bots(loaded.info.name).values()])
    report = check_game(loaded.game, bots=tuple(bots), matches=1, options=SHORT.get(folder.name))
    assert report.passed, "\n".join(map(str, report.results))


@pytest.mark.parametrize("folder", GAMES, ids=named)
def test_it_is_played_from_its_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`tt play` plays it to the end with bots, by its own name."""
    assert main(["play", str(folder / "rules.py"), "--bot", "random", "--seed", "3", "--ui", "plain"]) == 0
    assert capsys.readouterr().out


def test_a_wolf_looks_on_while_the_narrator_is_at_work() -> None:
    """On a table the last night has its visits for a while before what they told; the pages draw it then."""
    loaded = Catalogue().game(str(next(one for one in GAMES if one.name == "werewolf") / "rules.py"))
    night = rehearse(loaded.game, seats=6)
    viewer = next(iter(night.game.packs))
    night.game.visits.append({})
    assert any(zone.id == "nights" for zone in night.game.zones(night.table, viewer))


@pytest.mark.parametrize("folder", GAMES, ids=named)
def test_an_italian_player_sees_no_english(folder: Path) -> None:
    """Each sentence, label and face of the game has its Italian in the game's own catalogue."""
    Catalogue().game(str(folder / "rules.py"))  # its folder can be imported from then on
    assert messages_of(folder.name)
    assert mistakes(folder.name, "it") == []


@pytest.mark.parametrize("folder", GAMES, ids=named)
def test_its_rulebooks_have_the_same_chapters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`tt rules` shows both languages, with as many chapters, points and rows each."""
    shapes = []
    for lang in ("en", "it"):
        assert main(["--lang", lang, "rules", str(folder / "rules.py")]) == 0
        shapes.append(re.findall(r"^(#+ |- |\|)", capsys.readouterr().out, re.MULTILINE))
    assert shapes[0] == shapes[1]
    assert len(shapes[0]) > 2


def test_liars_dice_tells_what_lay_under_the_cups_and_who_is_out() -> None:
    """Who only hears it learns every die that was counted, and who has lost the last one."""
    game = Catalogue().game(str(next(folder for folder in GAMES if folder.name == "liars") / "rules.py")).game
    table = rehearse(game, seats=2, options={"dice": 1})
    while not table.match.over:
        said = table.open[0].question
        table.play(said.nth(said.count() - 1))  # the highest bid, then that it is a lie
    told = table.said()
    assert len([line for line in told if line.startswith("Under P")]) == 2
    loser = re.match(r"(P\d) loses a die", told[-2])
    assert loser is not None
    assert told[-1] == f"{loser[1]} has no dice left and is out."


def test_werewolfs_bot_believes_what_it_saw_of_the_first_seat() -> None:
    """A seer who has visited seat 0 and seen a wolf votes for it."""
    game, bot = loaded("werewolf")
    roles = ["WOLF", "SEER", "DOCTOR", *["VILLAGER"] * 3]
    table = rehearse(game, seats=6, decks={"box": [f"Role.{role}" for role in roles]})
    table.play({0: 5, 1: 0, 2: 5, 3: 0, 4: 0, 5: 0}, goes_on())
    vote = next(ask for ask in table.open if ask.seat == 1)
    assert bot.choose(table.views(1), vote, Chance(0)) == 0


def test_heirs_who_leave_together_share_the_floor_equally() -> None:
    """Five coins among three leave two on the floor, and two leavers get one of them each."""
    table = rehearse(loaded("heirs")[0], seats=3, decks={"rooms": ["Room(coins=5,"]})
    table.play({0: False, 1: False, 2: True})
    assert table.game.safe.values() == [2, 2, 0]
    assert table.game.left.value == 0


def test_hearts_counts_a_deal_once_if_it_ends_between_two_deals() -> None:
    """A match that is abandoned before the second deal scores the points of the first, and no more."""
    game, bot = loaded("hearts")
    table = rehearse(game, seats=4, turns=13, bots=dict.fromkeys(range(4), bot))
    assert sum(table.game.points) in (26, 78)
    assert list(table.game.unfinished(table.table).scores) == table.game.points


def test_rockets_burns_no_fuse_for_a_seat_that_nobody_plays() -> None:
    """What counts for absent players is a discard, never a launch of a card that nobody has looked at."""
    table = rehearse(loaded("rockets")[0], seats=3)
    for _ in range(12):
        table.play(table.open[0].otherwise)
    assert table.game.fuses == 3
    assert len(table.game.thrown) == 12
