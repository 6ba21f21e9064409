"""Lines say all that a screen shows: each field of a scene has a line in both modes, or a reason for none."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import Struct
from tests.core.ui.test_curtain import Keyboard
from tests.core.ui.virtual_time import run

from tavolata import (
    N_,
    Award,
    Choice,
    Counters,
    Game,
    Grid,
    Hand,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    Text,
    Track,
    Unavailable,
    Zone,
    amount,
    form,
    one_of,
    text,
)
from tavolata._engine.match.header import Header
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.plain import Plain
from tavolata._ui.scene import scene
from tavolata.asks import Ask
from tavolata.bots import RandomBot
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.view import View
from tavolata.zones import Show, counters_zone, grid_zone, hand_zone, pile_zone, text_zone, track_zone


@dataclass(frozen=True)
class Plan:
    """What somebody does in a turn."""

    way: str
    stake: int


class Fairground(Game[Options]):
    """A game that has everything which a scene can hold."""

    name, title, seats = "fairground", N_("Fairground"), (2, 2)

    coins: Counters
    road: Track
    field: Grid
    hands: list[Hand[ItalianFace]]
    deck: Pile[ItalianFace]

    def setup(self, t: Table[Options]) -> None:
        self.coins, self.deck = t.counters("coins", 2), t.pile("deck", ITALIAN_40)
        self.road = t.track("road", 9, ["cart"], {4: N_("a ford")})
        self.field = t.grid("field", 1, 2)
        self.road.put("cart", 1)
        self.hands = t.hands("hand")
        self.played = 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if not self.played:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.hands, each=1)
        self.played += 1
        t.tell(N_("Morning {n} at the fair."), n=self.played)
        plan: Plan = await t.ask(
            t.ring[0],
            form(
                Plan,
                way=one_of(
                    [
                        Choice("ford", N_("the ford"), key="f", more=N_("Wet, but short.")),
                        Choice("road", N_("the road"), more=N_("Dry, but long.")),
                    ],
                    unavailable=[Unavailable(N_("the bridge"), N_("it is broken"))],
                ),
                stake=amount(1, 2),
            ),
            N_("Which way?"), seconds=3600, otherwise=Plan("road", 1), about=(self.road,),
        )  # fmt: skip
        self.coins[t.ring[0]].pay(1, self.coins[t.ring[1]]) if plan.stake == 1 else None
        self.road.advance("cart", 1)
        t.tell(N_("{seat} takes {way}."), seat=t.ring[0], way=plan.way)
        if self.played < 4:
            return None
        best = Award(N_("wet feet"), t.ring[0], why=N_("{n} mornings"), n=4)
        return Outcome(
            (t.ring[1],), awards=(best,), statistics={N_("Steps"): (4, None)}, why=text(N_("It is evening."))
        )

    def preview(self, view: View[Any], ask: Ask[Any], draft: Sequence[Any]) -> Iterable[Text]:
        if len(draft) == 2:
            yield text(N_("That would leave {n}."), n=5 - draft[1])

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield counters_zone(self.coins, N_("Coins"), show=Show(unit=" D", goal=7))
        yield track_zone(self.road, N_("Road"), show=Show(goal=8))
        yield grid_zone(self.field, N_("Field"))
        yield pile_zone(self.deck, N_("Deck"))
        yield text_zone("weather", N_("Weather"), N_("fair"))
        for hand in self.hands:
            yield hand_zone(hand, N_("Hand"))


DRAWN = "it is how a thing is drawn"
PLACE = "it is where a thing is drawn: lines name the thing"
LATER = "it marks what has just changed: lines say changes as they happen"
KEYS = "it is a help for keys and pointers: a typed line needs none"
TEXTS = "tests/core/kinds/test_free_text.py hears the line of a text"

FIELDS: dict[str, tuple[str, str]] = {
    # by field: what a line says of it, as a pattern, and where there is no line, why
    "ChoicePlace.*": ("", PLACE),
    "CardFace.card": ("", DRAWN),
    "CardFace.corner": ("", "its name in words is said"),
    "CardFace.sign": ("", "its name in words is said"),
    "CardFace.colour": ("", DRAWN),
    "CardFace.text": (r"Hand of Ann: .* of (denari|coppe|spade|bastoni)", ""),
    "CardFace.new": ("", LATER),
    "CardFace.counted": ("", "the sentence of the event has the sum"),
    "CardFace.title": ("", "its name in words is said"),
    "CardFace.tag": ("", "its name in words is said"),
    "BoardCell.text": (r"1 \. \.$", ""),
    "BoardCell.name": ("", DRAWN),
    "BoardCell.short": ("", DRAWN),
    "BoardCell.colour": ("", DRAWN),
    "BoardCell.ground": ("", DRAWN),
    "BoardCell.more": ("", "`board NAME` says all that lies in a cell"),
    "BoardCell.new": ("", LATER),
    "Row.label": (r"Coins.*Ann ", ""),
    "Row.value": (r"Coins.*Ann 2", ""),
    "Row.colour": ("", DRAWN),
    "Lane.thing": ("", "its name in words is said"),
    "Lane.text": (r"Square 1: cart", ""),
    "Lane.letter": ("", DRAWN),
    "Lane.colour": ("", DRAWN),
    "Lane.square": (r"Square 1: cart", ""),
    "Lane.was": ("", LATER),
    "Lane.place": ("", "the tokens of a square are named in their order"),
    "Lane.columns": ("", "each zone behind a column is said by itself"),
    "SceneItem.id": ("", DRAWN),
    "SceneItem.slot": ("", PLACE),
    "SceneItem.role": ("", PLACE),
    "SceneItem.draw": ("", DRAWN),
    "SceneItem.title": (r"Deck: 38 cards", ""),
    "SceneItem.about": ("", "what has changed is said before a question, `board` says all"),
    "SceneItem.new": ("", LATER),
    "SceneItem.gone": ("", PLACE),
    "SceneItem.count": (r"Deck: 38 cards", ""),
    "SceneItem.dice": ("", "what a die shows is named as a die"),
    "SceneItem.cards": (r"Hand of Ann: .* of ", ""),
    "SceneItem.text": (r"Weather: fair", ""),
    "SceneItem.number": (r"Deck: 38 cards", ""),
    "SceneItem.delta": (r"Bo: Coins 3, up 1", ""),
    "SceneItem.rows": (r"Coins.*Ann 2 D, Bo 2 D", ""),
    "SceneItem.lanes": (r"Square 1: cart", ""),
    "SceneItem.length": ("", "`board NAME` says all squares"),
    "SceneItem.marks": (r"Empty: 4 \(a ford\)", ""),
    "SceneItem.columns": ("", "each zone behind a column is said by itself"),
    "SceneItem.cells": (r"1 \. \.$", ""),
    "SceneItem.hexagonal": ("", "the rows of a board are shifted in lines, too"),
    "SceneItem.labels": ("", "the labels of a board stand at its rows and columns in lines, too"),
    "SceneItem.goal": (r"Road, to square 8:", ""),
    "SceneItem.row": ("", "the sentence of the zone says it"),
    "Value.zone": ("", DRAWN),
    "Value.title": (r"Coins, goal 7: ", ""),
    "Value.draw": ("", DRAWN),
    "Value.text": (r"Ann 2 D", ""),
    "Value.number": (r"Ann 2 D", ""),
    "Value.goal": (r"Coins, goal 7: ", ""),
    "Value.better": ("", "it decides the order at the end"),
    "Value.delta": (r"Ann: Coins 1, down 1", ""),
    "Value.cards": (r"Hand of Bo: 1 card", ""),
    "Value.new": ("", LATER),
    "Panel.seat": ("", "its name is said"),
    "Panel.name": (r"Hand of Bo", ""),
    "Panel.short": ("", DRAWN),
    "Panel.kind": ("", "`seats` says it at a table, and here who plays was typed or is a bot"),
    "Panel.mark": ("", DRAWN),
    "Panel.hue": ("", DRAWN),
    "Panel.state": (r"Turn 1, Ann to act", ""),
    "Panel.note": ("", "who comes, goes and is slow is told when it happens; `seats` says it again"),
    "Panel.main": (r"Coins.*Bo 2", ""),
    "Panel.more": (r"Hand of Bo: 1 card", ""),
    "Panel.says": ("", "what is said is a line of its own"),
    "Panel.series": (r"Coins for Ann during the match: 1, 0, 0, 0\.", ""),
    "Option.number": (r"1\. the ford", ""),
    "Option.text": (r"2\. the road", ""),
    "Option.verb": ("", "a number is sent at once: there is no button"),
    "Option.colour": ("", DRAWN),
    "Option.at": ("", PLACE),
    "Option.key": (r"the ford \(or f\)", ""),
    "Option.mood": ("", DRAWN),
    "Option.more": (r"the ford: Wet, but short\.", ""),
    "Option.can": (r"1 unavailable", ""),
    "Option.why": (r"the bridge: it is broken", ""),
    "Option.order": ("", KEYS),
    "FieldEntry.label": (r"stake\.", ""),
    "FieldEntry.value": ("", "it was typed just before; `ask` says the question again"),
    "FieldEntry.now": ("", KEYS),
    "AmountField.low": ("A number from 1 to 2\\.", ""),
    "AmountField.high": ("A number from 1 to 2\\.", ""),
    "AmountField.step": ("", "it is said where it is not 1"),
    "AmountField.typed": ("", KEYS),
    "Timeline.*": ("", "a match that is told again in lines has its own commands"),
    "Decision.kind": ("", DRAWN),
    "Decision.title": (r"Ann: Which way\?", ""),
    "Decision.text": (r"Ann: Which way\?", ""),
    "Decision.act": ("", "a line is sent with Enter; where Enter is all, its act is said"),
    "Decision.about": ("", "what has changed is said before a question, `board` says all"),
    "Decision.options": (r"1\. the ford", ""),
    "Decision.pointed": ("", KEYS),
    "Decision.entries": (r"stake\.", ""),
    **{f"TextField.{name}": ("", TEXTS) for name in ("low", "high", "typed")},
    "Decision.writing": ("", TEXTS),
    "Decision.amount": ("A number from 1 to 2\\.", ""),
    "Decision.note": ("A number from 1 to 2\\.", ""),
    "Decision.cannot": (r"the bridge: it is broken", ""),
    "Decision.preview": (r"2: That would leave 3\.", ""),
    "Decision.own": ("", DRAWN),
    "Decision.later": ("", DRAWN),
    "Decision.held": ("", DRAWN),
    "Decision.timeline": ("", "a match that is told again in lines has its own commands"),
    "SceneItem.slots": ("", DRAWN),
    "SceneItem.words": ("", "a line has the words, or signs and their legend"),
    "SceneItem.widths": ("", DRAWN),
    "SceneItem.choices": ("", DRAWN),
    "StoryLine.text": (r"Morning 1 at the fair\.", ""),
    "StoryLine.role": ("", DRAWN),
    "StoryLine.seat": ("", "the sentence names who acts"),
    "Status.title": ("", "whoever began the match named its game"),
    "Status.who": (r"Turn 1, Ann to act", ""),
    "Status.seat": (r"Turn 1, Ann to act", ""),
    "Status.facts": (r"Weather: fair", ""),
    "Status.clock": (r"You have 30 seconds\.", ""),
    "Status.link": ("", "a slow or broken connection is told when it happens"),
    "Status.pace": ("", "lines have no pace"),
    "Guide.text": ("", "a hint is a line before its question, as the test of check 13 shows"),
    "Guide.place": ("", "each hint is a line"),
    "Guide.folded": ("", KEYS),
    "Cast.*": ("", DRAWN),
    "GameCard.*": ("", "the command says it before a first match"),
    "Tally.*": ("", "the sentence of the event has the sum of counted cards"),
    "Cue.*": ("", "the sentences of the events and the numbers after them say it"),
    "SeatFlow.*": ("", "the sentence of the event and the numbers after it say what went where"),
    "SeatStanding.place": (r"Places: 1 Bo \(4 D\), 2 Ann \(0 D\)\.", ""),
    "SeatStanding.seat": (r"Places: 1 Bo", ""),
    "SeatStanding.text": (r"Places: 1 Bo \(4 D\)", ""),
    "SeatStanding.won": (r"Bo has won\.", ""),
    "AwardLine.title": (r"Award: Ann, wet feet", ""),
    "AwardLine.seat": (r"Award: Ann, wet feet", ""),
    "AwardLine.why": (r"wet feet: 4 mornings\.", ""),
    "StatisticLine.title": (r"Steps: Ann 4, Bo –\.", ""),
    "StatisticLine.values": (r"Steps: Ann 4, Bo –\.", ""),
    "Ending.headline": (r"It is evening\.", ""),
    "Ending.order": (r"Places: 1 Bo", ""),
    "Ending.awards": (r"Award: Bo, frontrunner: led for 4 turns\.", ""),
    "Ending.statistics": (r"Steps: ", ""),
    "Ending.course": (r"Coins for ", ""),
    "Decisive.*": ("", "the sentence of that event was said"),
    "Ending.decisive": ("", "the sentence of that event was said"),
    "Scene.lang": ("", DRAWN),
    "Scene.phase": ("", DRAWN),
    "Scene.seat": ("", "a question names whom it asks"),
    "Scene.seating": ("", DRAWN),
    "Scene.clockwise": ("", DRAWN),
    "Scene.rows": ("", DRAWN),
    "Scene.title": (r"Coins, goal 7: ", ""),
}
WHOLE = {"status", "panels", "board", "yours", "decision", "story", "guide", "end", "flows", "cast"}
WHOLE |= {"cue", "card"}
"""The fields of a scene whose parts have fields of their own."""


def every_field() -> set[str]:
    """The fields of all parts of a scene."""
    parts = [one for one in vars(scene).values() if isinstance(one, type) and issubclass(one, Struct)]
    return {f"{part.__name__}.{name}" for part in parts for name in part.__struct_fields__} - {
        f"Scene.{name}" for name in WHOLE
    }


def test_the_table_has_each_field_of_a_scene() -> None:
    """A new field needs a line, or a reason to have none."""
    there = every_field()
    told = {name for name in there if f"{name.partition('.')[0]}.*" not in FIELDS}
    assert told == {name for name in FIELDS if not name.endswith("*")}
    assert [name for name, (pattern, reason) in FIELDS.items() if bool(pattern) == bool(reason)] == []


@pytest.mark.parametrize("labelled", [False, True], ids=["plain", "screen reader"])
def test_what_a_screen_shows_is_said_in_lines(labelled: bool, tmp_path: Any, monkeypatch: Any) -> None:
    """A person who types what can be typed hears a line for each field that has one."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    said: list[str] = []
    typed = ["look", "x", "more", "f", "more 2", "1", "f", "1", "2", "2", "1", "2"]

    async def play() -> None:
        header = Header(
            id=secrets.token_hex(8), game="fairground", version="1", rules_id=1, options={},
            names=("Ann", "Bo"), bots=(None, "random"), seed=3, pace=None,
        )  # fmt: skip
        at = LocalSession(header, Fairground, "", [None, RandomBot()], think=0.0)
        keyboard = Keyboard()
        face = Plain(at, Translator("en"), said.append, keyboard, labelled=labelled)
        running = asyncio.create_task(face.run())
        async with asyncio.timeout(10):
            for number, line in enumerate(typed):
                while not face._asks and not running.done():  # noqa: ASYNC110 - the face has no event for it
                    await asyncio.sleep(0.001)
                if not number:  # as it is asked where somebody else waits: alone one has time
                    face._asks[0].seconds = 30.0
                    face.show_question(face._asks[0])
                    face._asks[0].seconds = None
                await keyboard.typed.put(line)
                await asyncio.sleep(0.002)
            await running

    run(play())
    heard = "\n".join(said)
    missing = [
        name for name, (pattern, _) in FIELDS.items()
        if pattern and not re.search(f"(?im){pattern}", heard)
    ]  # fmt: skip
    assert missing == [], heard
