"""What is offered about players who are away."""

from __future__ import annotations

import pytest

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
from tavolata._engine.table.invitations import Invitation
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.screens.hosting import Hosting


def table(state: str, *, helped: bool = True, running: bool = True, orphaned: bool = False) -> TableFacts:
    """A table of two, of whom the other one is in this state."""
    rules = Catalogue().game("zompa").game
    me = SeatFacts("Ann", "waits", "", "Ann", True, "key", "known", None)
    other = SeatFacts("Gino", state, "", "Gino", False, "key", "known", None, helped)
    return TableFacts(
        rules, 2, (me, other), (), {}, (), running, 1, True, True, False, False, ("", {}),
        Invitation("192.0.2.7:4711", "", ""), dict, orphaned=orphaned,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("state", "helped", "offered"),
    [
        ("away", True, ["wait Gino", "bot Gino", "end Gino"]),
        ("away", False, ["wait Gino", "end Gino"]),
        ("stand-in", True, []),
        ("stand-in", False, ["wait Gino", "end Gino"]),
        ("waits", True, []),
    ],
)
def test_about_who_is_away_only_what_helps_is_offered(state: str, helped: bool, offered: list[str]) -> None:
    """Where keys are missing no bot is offered, and one that plays already leaves waiting and ending."""
    said: list[str] = []
    hosting = Hosting(Translator("en").text, str, said.append, lambda _: None, lambda: None)
    for _, act in hosting.absent(table(state, helped=helped)):
        act()
    assert said == offered


@pytest.mark.parametrize("running", [False, True])
def test_where_nobody_orders_only_waiting_and_going_on_alone_are_offered(running: bool) -> None:
    """Nothing else would be put in order, in the lobby as in a match; waiting comes first."""
    said: list[str] = []
    hosting = Hosting(Translator("en").text, str, said.append, lambda _: None, lambda: None)
    facts = table("away", running=running, orphaned=True)
    wait, alone = hosting.absent(facts) if running else hosting.rows(facts)
    wait[1]()
    assert not said
    alone[1]()
    assert said == ["alone"]
