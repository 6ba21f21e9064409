"""What is offered about players who are away."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
from tavolata._engine.table.invitations import Invitation
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.screens.hosting import Hosting


class Called:
    """Commands that are only written down."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def hidden(self) -> frozenset[int]:
        """Nobody is hidden."""
        return frozenset()

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **named: self.calls.append((name, *args, *named.values()))


def table(state: str, *, helped: bool = True, running: bool = True, orphaned: bool = False) -> TableFacts:
    """A table of two, of whom the other one is in this state."""
    rules = Catalogue().game("zompa").game
    me = SeatFacts(Verbatim("Ann"), "waits", "", "Ann", True, "key", "known", None, person=b"ann")
    other = SeatFacts(
        Verbatim("Gino"), state, "", "Gino", False, "key", "known", None, helped, person=b"gino"
    )
    return TableFacts(
        rules, 2, (me, other), {}, {}, (), running, 1, True, True, False, False, ("", {}),
        Invitation("192.0.2.7:4711", "", ""), dict, orphaned=orphaned,
    )  # fmt: skip


def test_another_key_than_before_is_a_question_with_no_and_yes() -> None:
    """Who sits with somebody of another key may ask about it, and no takes nothing."""
    called: Any = Called()
    asked = list[Any]()
    hosting = Hosting(Translator("en").text, str, called, asked.append, lambda: None)
    facts = table("waits", running=False)
    changed = replace(facts, taken=(facts.taken[0], replace(facts.taken[1], met="changed key")))
    (label, ask, _), *_ = hosting.comers(changed)
    assert label == "check that it's really Gino: the key has changed"
    ask()
    for answer, taken in ((0, []), (1, [("confirm", changed.taken[1])])):
        asked[0].done(answer)
        assert called.calls == taken


@pytest.mark.parametrize(
    ("state", "helped", "offered"),
    [
        ("away", True, [("wait", 1), ("blind", 1), ("end",)]),
        ("away", False, [("end",)]),
        ("stand-in", True, []),
        ("waits", True, []),
    ],
)
def test_about_who_is_away_the_host_that_deals_decides_and_others_may_want_the_end(
    state: str, helped: bool, offered: list[tuple[Any, ...]]
) -> None:
    """Where all deal together nobody decides about another; the match may be ended, or waited for."""
    called: Any = Called()
    hosting = Hosting(Translator("en").text, str, called, lambda _: None, lambda: None)
    for _, act in hosting.absent(table(state, helped=helped)):
        act()
    assert called.calls == offered
    if offered:
        assert hosting.absence(table(state, helped=helped)) == "Away: Gino. What now?"


def test_one_more_bot_keeps_those_of_the_host_before() -> None:
    """They sit again as the new host's, unless it has no such bot; a machine's own bot stays as it is."""
    called: Any = Called()
    hosting = Hosting(Translator("en").text, str, called, lambda _: None, lambda: None)
    facts = table("waits", running=False)
    bots = [
        SeatFacts(Verbatim("Ada"), "bot", level, "Gino", False, "key", "known", None, person=person)
        for level, person in (("easy", b""), ("unknown", b""), ("hard", b"ada"))
    ]
    hosting.add_bot(replace(facts, seats=6, taken=(*facts.taken, *bots), levels=("easy", "hard")))
    assert called.calls == [("seat_bots", ["easy", "easy"])]


def test_a_host_without_a_seat_decides_about_who_is_away() -> None:
    """A narrator deals alone, so nobody else could; someone who only watches is offered nothing."""
    called: Any = Called()
    hosting = Hosting(Translator("en").text, str, called, lambda _: None, lambda: None)
    facts = replace(table("away"), seated=False)
    for _, act in hosting.absent(facts):
        act()
    assert called.calls == [("wait", 1), ("blind", 1), ("end",)]
    assert hosting.absent(replace(facts, hosts=False)) == []


@pytest.mark.parametrize("running", [False, True])
def test_where_nobody_orders_only_waiting_and_going_on_alone_are_offered(running: bool) -> None:
    """Nothing else would be put in order, in the lobby as in a match; waiting comes first."""
    called: Any = Called()
    hosting = Hosting(Translator("en").text, str, called, lambda _: None, lambda: None)
    facts = table("away", running=running, orphaned=True)
    wait, alone = hosting.absent(facts) if running else hosting.rows(facts)
    wait[1]()
    assert not called.calls
    alone[1]()
    assert called.calls == [("go_on_alone",)]


def test_who_has_waited_for_long_is_offered_to_stop_for_today() -> None:
    """Waiting comes first, and the row that suspends the match stands before the one that ends it."""
    called: Any = Called()
    hosting = Hosting(Translator("en").text, str, called, lambda _: None, lambda: None)
    rows = hosting.absent(replace(table("away", helped=False), may_suspend=True))
    for _, act in rows:
        act()
    assert called.calls == [("suspend",), ("end",)]


@pytest.mark.parametrize(
    ("running", "more", "calls"),
    [
        (False, {}, [("lock",), ("mute", b"gino"), ("kick", b"gino"), ("ban", b"gino"),
                     ("hand_over", b"gino")]),
        (True, {"watchers": {b"w": "Wim"}, "locked": True, "muted": {b"w"},
                "banned": {b"e": "Eve", b"f": "Eve"}},
         [("unlock",), ("mute", b"gino"), ("hand_over", b"gino"), ("unmute", b"w"),
          ("kick", b"w"), ("ban", b"w"), ("unban", b"e"), ("unban", b"f")]),
    ],
)  # fmt: skip
def test_the_host_looks_after_people_and_the_door(
    running: bool, more: dict[str, Any], calls: list[tuple[Any, ...]]
) -> None:
    """All that a host may do is offered with a name; who plays in a match is not shown out."""
    called: Any = Called()
    asked = list[Any]()
    hosting = Hosting(Translator("en").text, str, called, asked.append, lambda: None)
    hosting.ask_people(replace(table("waits", running=running), **more))
    (question,) = asked
    for number in range(question.kind.count() - 1):  # the last one leaves it so
        question.done(question.kind.answer_at(number))
    assert called.calls == calls


def test_who_is_asked_can_go_on_without_the_missing_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the game asks, what can be done about who is gone stands among what can be done out of turn."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))

    async def play() -> None:
        at = session("zompa", 3, pace=0)
        called: Any = Called()
        async with screen(at) as played:
            await played.asked()
            hosting = Hosting(Translator("en").text, str, called, lambda _: None, lambda: None)
            monkeypatch.setattr(played.app.offers, "_hosting", hosting)
            facts = replace(table("away", helped=False), may_go_on=True)
            with monkeypatch.context() as patched:
                patched.setattr(at, "table", lambda: facts)
                rows = played.app.offers.standing()
                played.app.model.asks = []
                played.app.offers.renew()
                idle = played.app.model.idle
                assert idle is not None
                assert idle.labels == ("wait for the absent players", *(label for label, _ in rows))
            for _, act in rows[-2:]:
                act()

        assert called.calls == [("go_on_without",), ("end",)]

    asyncio.run(play())


def test_the_next_game_is_asked_for_by_its_title_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host chooses another game on the full screen: each has the title of its own package."""
    monkeypatch.setattr(LocalSession, "commands", Called())
    games = Catalogue()
    facts = replace(
        table("waits", running=False), games=lambda: {name: games.game(name) for name in ("conto", "bang")}
    )

    async def play() -> None:
        async with screen(session("zompa", 2), (80, 24), "it") as played:
            hosting = played.app.offers._hosting
            assert hosting is not None
            hosting.ask_game(facts)
            await played.until("Il Conto, Prego!")
            assert "Bang" in played.text()

    asyncio.run(play())


def test_the_first_enter_of_the_host_says_ready_and_the_second_one_begins() -> None:
    """With nobody ready, Enter begins nothing; guests say ready, or no longer."""
    for ready, hosts, first in ((False, True, "ready"), (True, True, "start"), (True, False, "ready")):
        called: Any = Called()
        hosting = Hosting(Translator("en").text, str, called, lambda _: None, lambda: None)
        rows = hosting.rows(
            replace(table("waits", running=False), by_itself=False, ready=ready, hosts=hosts, seated=True)
        )
        rows[0][1]()
        assert called.calls == [(first,)]
        assert len(rows) > 1
        labels = [label for label, _ in rows]
        assert ("start the match" in labels) is (ready and hosts)
