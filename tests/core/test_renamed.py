"""Renamed words of the API: old names fail with an error that names the new one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import tavolata
from tavolata import Game, Hand, Options, Outcome, Ring, Seat, Table
from tavolata._renamed import GONE, RENAMED
from tavolata.errors import GameError
from tavolata.testing import rehearse


class Old(Game[Options]):
    """A game whose turn says an old word."""

    name, title, seats = "old", "Old", (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Nothing is on the table."""

    async def turn(self, t: Any) -> Outcome | None:
        """Say it."""
        await t.settle()
        return None


@pytest.mark.parametrize(("owner", "old"), [(owner, old) for owner in RENAMED for old in RENAMED[owner]])
def test_a_new_name_exists_and_the_old_one_does_not(owner: str, old: str) -> None:
    """Each class in the table has its new names, and `hasattr` finds none of the old ones."""
    cls = getattr(tavolata, owner)
    assert hasattr(cls, RENAMED[owner][old].partition("(")[0])
    assert not hasattr(cls, old)


def test_a_dropped_name_fails_with_what_has_its_place() -> None:
    """A game has no version of its own; it may give the word another use."""
    assert not hasattr(Game, "version")
    with pytest.raises(GameError, match=r"`version` of Dated is now the package's version\."):

        class Dated(Old):
            version = "1"

    class Versions(Old):
        version = (1, 2)

    assert Versions.version == (1, 2)


@pytest.mark.parametrize(
    ("piece", "old", "said"),
    [
        (Ring(3), "from_", "`Ring.from_` is now `starting`. `tt check --rename FILE` updates a file."),
        (Hand("hand", Seat(0)), "pass_on", "`Pile.pass_on` is now `move_to`."),
        (Hand("hand", Seat(0)), "pass_under", r"`Pile.pass_under` is now `move_to(under=True)`."),
    ],
)
def test_an_old_name_fails_with_the_new_one(piece: object, old: str, said: str) -> None:
    """The AttributeError says what the name is now, also on a derived class."""
    with pytest.raises(AttributeError) as error:
        getattr(piece, old)
    assert str(error.value).startswith(said)


def test_a_script_that_says_an_old_word_ends_with_the_new_one() -> None:
    """What an author sees of a match that calls an old method is the sentence, not an unknown attribute."""
    with pytest.raises(AttributeError, match=r"`Table\.settle` is now `judge`"):
        rehearse(Old)


def test_the_page_of_names_has_each_old_name_and_its_new_one() -> None:
    """docs/reference/names.md has what the errors say, and nothing else."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "names.md").read_text(encoding="utf-8")
    rows = [re.findall(r"`([^`]+)`", row) for row in page.splitlines() if row.startswith("| `")]
    methods = {f"{owner}.{old}": f"{owner}.{new}" for owner in RENAMED for old, new in RENAMED[owner].items()}
    listed = {old: new for old, *new in rows}
    assert [listed.pop(old) for old in methods] == [[new] for new in methods.values()]
    for owner, gone in GONE.items():
        for old, new in gone.items():
            assert f"| `{owner}.{old}` | {new} |" in page.splitlines()
            del listed[f"{owner}.{old}"]
    for old, new in tavolata._NOW.items():
        module = new.rpartition(".")[0]
        if module in listed and old in listed[module]:
            listed[module].remove(old)
        else:
            (row,) = [row for row in page.splitlines() if row.startswith(f"| `{old}` |")]
            assert row.partition(" | ")[2].removesuffix(" |").strip("`") == new.strip("`")
            del listed[old]
    assert [name for names in listed.values() for name in names] == []
