"""The battery of the kit over the table of Horse Fever that hides most: the Board Game with all its cards."""

from __future__ import annotations

import pytest
from tests.commit import a_part

from tavolata.bots import RandomBot
from tavolata.testing import checks
from tavolata.testing.checks import saving
from tavolata_horse_fever.bots import EasyBot, NormalBot
from tavolata_horse_fever.rules import HorseFever

pytestmark = pytest.mark.battery

BOARD = {"mode": "board", "starred": True, "turns": 2}
SECRECY = (checks.hidden_facts_raise, checks.seats_side_by_side, checks.unseen_cards_permuted)


@pytest.mark.parametrize("check", a_part(checks.ALL, 2), ids=repr)
def test_the_battery_is_content(check: checks.Check) -> None:
    """Resuming at every entry, secrecy of hands and Objectives, interruptions, hash seeds: all hold here."""
    rules = BOARD | {"turns": 1} if check is checks.save_and_resume_everywhere else BOARD
    check(HorseFever, matches=1, seats=3, options=rules)


@pytest.mark.parametrize("check", SECRECY, ids=repr)
def test_two_worlds_over_whole_board_games(check: checks.Check) -> None:
    """With bots that look at all they may, what a seat was not shown decides nothing, to the last turn."""
    check(HorseFever, matches=2, options={"mode": "board", "starred": True}, bots=(RandomBot, NormalBot))


@pytest.mark.long
@pytest.mark.parametrize(
    "rules", [{"mode": "family"}, {"mode": "board", "starred": True}], ids=["family", "board"]
)
def test_whole_matches_are_taken_up_after_every_entry(
    rules: dict[str, str | bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last turn, broken off after each single entry, a match goes on as if nothing had happened."""
    monkeypatch.setattr(saving, "EFFORT", 1_000_000)  # of a long match the check would take samples else
    checks.save_and_resume_everywhere(
        HorseFever, matches=1, seats=3, options=rules, bots=(RandomBot, EasyBot)
    )
