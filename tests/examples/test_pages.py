"""The games on the pages of docs/games: each is a whole game that the kit finds no fault with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata.testing import check_game, checks

PAGES = sorted((Path(__file__).parents[2] / "docs" / "games").glob("*.md"))
CODE = {
    page.stem: "\n".join(
        re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )
    for page in PAGES
}
GAMES = [
    (page, name)
    for page, code in CODE.items()
    for name in re.findall(r"^class (\w+)\(Game", code, re.MULTILINE)
]
SLOW = ("fresh_process", "save_and_resume_everywhere", "unseen_cards_permuted", "worlds_imagined")
"""What takes more time than a page is worth; the games of examples/games pass these, too."""


def test_each_kind_has_its_page() -> None:
    """Every page has a game, and they are those that the menu promises."""
    assert set(CODE) == {
        "auctions",
        "boards",
        "dice",
        "drafts",
        "races",
        "roles",
        "simultaneous",
        "tricks",
        "words",
    }
    assert {page for page, _ in GAMES} == set(CODE)


@pytest.mark.battery
@pytest.mark.parametrize(("page", "name"), GAMES)
def test_the_kit_finds_no_fault(page: str, name: str, tmp_path: Path) -> None:
    """The game can be copied from the page into a file as it stands there, and is right."""
    file = tmp_path / f"page_{page}.py"
    file.write_text(CODE[page], encoding="utf-8")
    game = Catalogue().game(f"{file}:{name}").game
    report = check_game(game, matches=1, only=[one.name for one in checks.ALL if one.name not in SLOW])
    assert report.passed, "\n".join(map(str, report.results))
