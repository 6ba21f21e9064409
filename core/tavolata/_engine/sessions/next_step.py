"""The next step at a table: what everyone waits for, for how long, and what one may do about it. Pure.

Every face draws the same step: the full screen, plain lines, pages and programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil
from typing import Any, Final

from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._engine.table.log_bodies import MOST_WAITS, Light, Wish
from tavolata.messages import N_, Text

NUDGE_AFTER: Final = 10
"""Seconds of waiting after which somebody may be nudged; a bot answers only after `Header.idle`."""

READY = N_("Ready? Say so, and we can start.")
NOT_READY = N_("We're waiting for {names}.")
MORE = N_("We need more players to start.")
BEGIN = N_("Everyone's ready: start the match.")
HOST_BEGINS = N_("Everyone's ready. {name} can start the match.")
STARTING = N_("Everyone's ready. The match is about to start.")
NEXT_MATCH = N_("You'll play as soon as a seat is free.")
WHEN_FREE = N_("The table is full. You'll play as soon as a seat is free.")
YOURS = N_("It's your turn.")
PLAYING = N_("The others are playing.")
THINKS = N_("{name} is thinking.")
ASLEEP = N_("{name}'s phone is asleep. A bot will play until {name} is back.")
GONE = N_("{name}'s phone has no connection. A bot will play until {name} is back.")
UNHEARD = N_("We can't reach {name}'s laptop.")
TOO_FEW = N_("Cards can't be opened: too many laptops are offline.")
GO_BACK = N_("If everyone agrees, you'll continue from the end of turn {turn}.")
STOPPING = N_("We're stopping for today: {names} asked to stop.")
WISHED = {
    Wish.STOP: N_("{names} would like to stop for today."),
    Wish.WITHOUT: N_("{names} would like to continue without the absent players."),
    Wish.END: N_("{names} would like to end the match."),
    Wish.BACK: N_("{names} would like to go back a turn."),
}


class Deed(Enum):
    """An act about the step; some need a seat."""

    READY = "ready"
    NUDGE = "nudge"
    WAIT = "wait"
    BOT = "bot"
    STOP = "stop"
    WITHOUT = "without"
    BACK = "rewind"
    END = "end"
    PLAY_ON = "continue"


@dataclass(frozen=True, slots=True)
class NextStep:
    """What happens next.

    Attributes:
        text: one sentence.
        left: the seconds until it happens; None without a limit.
        since: the seconds that everyone has waited for someone; None if nobody does.
        urgent: somebody isn't there, so it's news.
        acts: what this person may do about it, each with its seat, or -1.
    """

    text: Text
    left: int | None = None
    since: int | None = None
    urgent: bool = False
    acts: Sequence[tuple[Deed, int]] = ()

    @property
    def clock(self) -> str:
        """The count, as minutes and seconds; empty without one."""
        count = self.left if self.left is not None else self.since
        return "" if count is None else f"{count // 60}:{count % 60:02}"


def next_step(facts: TableFacts, *, asked: bool = False) -> NextStep:
    """Return the next step for a person who is asked something, or not."""
    return _in_match(facts, asked=asked) if facts.running else _between(facts)


def _between(facts: TableFacts) -> NextStep:
    if facts.back_to is not None:
        return NextStep(Text(GO_BACK, {"turn": facts.back_to}), urgent=True, acts=_back(facts))
    if facts.waits:
        return NextStep(Text(WHEN_FREE))
    late = [seat.name for seat in facts.taken if seat.state == "waits" and not seat.mine]
    ready = [(Deed.READY, -1)] if facts.seated else []
    if facts.starts_in is not None:
        return NextStep(Text(STARTING), left=ceil(facts.starts_in), urgent=True, acts=ready)
    if ready and not facts.ready:
        return NextStep(Text(READY), acts=ready)
    if len(facts.taken) < facts.rules.seats[0]:
        return NextStep(Text(MORE))
    if late:
        return NextStep(Text(NOT_READY, {"names": ", ".join(late)}))
    return NextStep(Text(BEGIN) if facts.hosts else Text(HOST_BEGINS, {"name": facts.host}))


def _in_match(facts: TableFacts, *, asked: bool) -> NextStep:
    acts = _about_absence(facts)
    if facts.stops_in is not None:
        hold = [(Deed.PLAY_ON, -1)] if facts.may_hold else []
        wishing = {"names": ", ".join(facts.wishes.get(Wish.STOP, ()))}
        return NextStep(Text(STOPPING, wishing), left=int(facts.stops_in), urgent=True, acts=hold)
    if facts.short is not None:
        return NextStep(Text(TOO_FEW), since=int(facts.short), urgent=True, acts=acts)
    if facts.back_to is not None:
        return NextStep(Text(GO_BACK, {"turn": facts.back_to}), urgent=True, acts=acts)
    others = [one for one in facts.awaited if not facts.taken[one.seat].mine]
    wish = next((wish for wish in WISHED if wish in facts.wishes), None)
    if wish is not None and all(one.light is Light.HERE for one in others):
        names = {"names": ", ".join(facts.wishes[wish])}
        return NextStep(Text(WISHED[wish], names), urgent=True, acts=acts)
    if not others:
        return NextStep(Text(YOURS if asked else NEXT_MATCH if facts.waits else PLAYING), acts=acts)
    one = max(others, key=lambda other: (other.light is not Light.HERE, other.asked))
    nudge = [(Deed.NUDGE, one.seat)] if facts.takes_part and one.asked >= NUDGE_AFTER else []
    named: dict[str, Any] = {"name": one.name}
    if one.light is Light.HERE:
        text = Text(YOURS) if asked else Text(THINKS, named)
        return NextStep(text, since=int(one.asked), acts=[*nudge, *acts])
    if one.light is Light.UNHEARD:
        return NextStep(Text(UNHEARD, named), since=int(one.unseen), urgent=True, acts=acts)
    left = None if one.left is None else int(one.left)
    longer = facts.seated and one.served and one.waits < MOST_WAITS
    bot = [(Deed.WAIT, one.seat)] if longer else []
    bot += [(Deed.BOT, one.seat)] if one.ours and facts.owns else []
    text = Text(ASLEEP if one.light is Light.ASLEEP else GONE, named)
    return NextStep(text, left=left, urgent=True, acts=[*nudge, *bot, *acts])


def _about_absence(facts: TableFacts) -> list[tuple[Deed, int]]:
    """Return what this person may do about those who are absent, or agree to since others wish it."""
    away = any(seat.state == "away" and not seat.mine for seat in facts.taken)
    wishes = set(facts.wishes) - facts.wished if facts.takes_part else set()
    acts = [(Deed.STOP, -1)] if facts.may_suspend or Wish.STOP in wishes else []
    holds = Wish.STOP in facts.wished or (facts.may_hold and Wish.STOP in wishes)
    acts += [(Deed.PLAY_ON, -1)] if holds else []
    acts += [(Deed.WITHOUT, -1)] if facts.may_go_on else []
    acts += _back(facts)
    return [*acts, (Deed.END, -1)] if (facts.takes_part and away) or Wish.END in wishes else acts


def _back(facts: TableFacts) -> list[tuple[Deed, int]]:
    wishes = facts.back_to is not None and facts.seated and Wish.BACK not in facts.wished
    return [(Deed.BACK, -1)] if wishes else []
