"""The next step of a table: one sentence for every situation, and a count and an act for every absence."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from tests.core.games import Race

from tavolata._engine.sessions.next_step import NUDGE_AFTER, Deed, next_step
from tavolata._engine.sessions.table_facts import PLAYED_AFTER, SILENT, AwaitedPlayer, SeatFacts, TableFacts
from tavolata._engine.table.invitations import Invitation
from tavolata._engine.table.log_bodies import MOST_WAITS, Light, Wish
from tavolata._text import Verbatim

NAMES = ("Emma", "Carlo", "Dani")


def at(*awaited: AwaitedPlayer, states: tuple[str, ...] = ("plays",) * 3, **facts: Any) -> TableFacts:
    """A table of three, seen by Emma."""
    taken = tuple(
        SeatFacts(Verbatim(name), state, "", name, name == "Emma", "", "known", None)
        for name, state in zip(NAMES, states, strict=True)
    )
    usual: dict[str, Any] = {"running": True, "seated": True, "hosts": False, "ready": False} | facts
    return TableFacts(
        Race, 3, taken, {}, {}, (), played=1, by_itself=False, dealt=("", {}),
        invitation=Invitation("", "", ""), games=dict, host="Emma", awaited=awaited, **usual,
    )  # fmt: skip


def carlo(
    light: Light, *, asked: float = 20.0, unseen: float = 2.0, served: bool = True, ours: bool = True
) -> AwaitedPlayer:
    return AwaitedPlayer(1, Verbatim("Carlo"), light, asked, unseen, served, ours)


def test_every_situation_has_a_sentence_and_every_absence_a_count_and_an_act() -> None:
    """Whoever is awaited, and whoever looks on: nobody decides without a seat or about others' people."""
    yes_no = (False, True)
    for light, asked, served, ours, seated, own, short, stop, away in product(
        Light, (0.0, 11.0, 400.0), yes_no, yes_no, yes_no, yes_no, (None, 70.0), yes_no, yes_no
    ):
        states = ("plays", "away" if away else "plays", "plays")
        who = carlo(light, asked=asked, served=served, ours=ours and served)
        facts = at(who, seated=seated, short=short, may_suspend=stop, may_go_on=stop, states=states)
        step = next_step(facts, asked=own)
        deeds = {deed for deed, _ in step.acts}
        assert step.text.message
        assert step.urgent is (short is not None or light is not Light.HERE)
        if step.urgent and (served or light in (Light.HERE, Light.UNHEARD)):
            assert step.clock
        if seated and asked >= NUDGE_AFTER and short is None and light is not Light.UNHEARD:
            assert Deed.NUDGE in deeds
        assert seated or not deeds & {Deed.NUDGE, Deed.END}
        assert (Deed.BOT in deeds) <= (ours and served and light in (Light.ASLEEP, Light.GONE))
        assert (Deed.STOP in deeds) is stop


@pytest.mark.parametrize(
    ("asked", "unseen", "left"),
    [
        (100.0, 0.0, PLAYED_AFTER - SILENT),
        (100.0, 18.0, 0.0),
        (5.0, 300.0, 25.0),
        (300.0, 300.0, 0.0),
    ],
)
def test_a_bot_plays_after_the_last_sign_or_the_question(asked: float, unseen: float, left: float) -> None:
    """Thirty seconds from the later of both: a page counts as asleep after twelve of them."""
    assert carlo(Light.ASLEEP, asked=asked, unseen=unseen).left == left
    assert carlo(Light.HERE, asked=asked, unseen=unseen).left is None


def test_the_one_who_is_not_there_is_named_before_those_who_think() -> None:
    """Two are asked: the news is the one who's asleep."""
    dani = AwaitedPlayer(2, Verbatim("Dani"), Light.HERE, 100.0, 0.0, served=False, ours=False)
    step = next_step(at(dani, carlo(Light.GONE)))
    assert (step.text.params, step.left) == ({"name": "Carlo"}, 16)
    assert next_step(at(dani)).text.params == {"name": "Dani"}


@pytest.mark.parametrize(
    ("states", "facts", "said"),
    [
        (("waits", "waits", "ready"), {}, "Ready?"),
        (("ready", "waits", "ready"), {"ready": True}, "We're waiting for Carlo."),
        (("ready", "ready", "ready"), {"ready": True}, "Everyone's ready. Emma can start the match."),
        (("waits", "ready", "bot"), {"hosts": True}, "Ready?"),
        (("ready", "ready", "bot"), {"hosts": True, "ready": True}, "Everyone's ready: start the match."),
    ],
)
def test_a_lobby_says_whom_it_waits_for(states: tuple[str, ...], facts: dict[str, Any], said: str) -> None:
    """Between matches the step names those who aren't ready."""
    assert str(next_step(at(states=states, running=False, **facts)).text).startswith(said)


def test_what_others_wish_is_said_with_what_one_can_do_about_it() -> None:
    """Whoever doesn't wish it may agree or hold it; whoever does may take it back; nobody without a seat."""
    wishes = {Wish.STOP: ("Carlo", "Dani")}
    step = next_step(at(wishes=wishes, may_hold=True))
    assert step.text.message == "{names} would like to stop for today."
    assert step.text.params == {"names": "Carlo, Dani"}
    assert step.urgent
    assert {deed for deed, _ in step.acts} == {Deed.STOP, Deed.PLAY_ON}
    assert {deed for deed, _ in next_step(at(wishes=wishes, wished=frozenset({Wish.STOP}))).acts} == {
        Deed.PLAY_ON
    }
    assert not next_step(at(wishes=wishes, seated=False)).acts
    narrates = next_step(at(wishes=wishes, seated=False, hosts=True))
    assert {deed for deed, _ in narrates.acts} == {Deed.STOP}
    for hosts in (False, True):  # a narrator's village would wait in silence
        silent = next_step(at(carlo(Light.HERE), seated=False, hosts=hosts))
        assert silent.acts == ([(Deed.NUDGE, 1)] if hosts else [])
    counted = next_step(at(wishes=wishes, may_hold=True, stops_in=7.5))
    assert (counted.left, [deed for deed, _ in counted.acts]) == (7, [Deed.PLAY_ON])


def test_everyone_may_wait_longer_for_somebody_asleep() -> None:
    """Half a minute becomes a minute and a half; after five minutes there's no more waiting."""
    for waits, left, offered in ((0, 18.0, True), (1, 78.0, True), (MOST_WAITS, 318.0, False)):
        who = AwaitedPlayer(
            1, Verbatim("Carlo"), Light.ASLEEP, 100.0, 0.0, served=True, ours=False, waits=waits
        )
        assert who.left == left
        assert ((Deed.WAIT, 1) in next_step(at(who)).acts) is offered
        assert (Deed.WAIT, 1) not in next_step(at(who, seated=False)).acts


def test_once_all_are_ready_everyone_sees_the_seconds() -> None:
    """Anyone with a seat may still say no; a match that broke is offered again, to those who decide."""
    step = next_step(at(states=("ready",) * 3, running=False, ready=True, starts_in=4.2))
    assert (step.left, step.clock, step.urgent, step.acts) == (5, "0:05", True, [(Deed.READY, -1)])
    assert not next_step(at(running=False, seated=False, starts_in=5.0)).acts
    for running in (False, True):
        broken = next_step(at(running=running, back_to=3))
        assert (broken.text.params, broken.acts) == ({"turn": 3}, [(Deed.BACK, -1)])
        assert next_step(at(running=running, back_to=3, owns=False)).acts == broken.acts  # a phone wishes
        assert not next_step(at(running=running, back_to=3, wished=frozenset({Wish.BACK}))).acts
        assert not next_step(at(running=running, back_to=3, seated=False)).acts
