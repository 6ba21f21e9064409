"""The race: cards are turned over, then horses run in rounds until all have arrived (rulings 1 to 12)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tavolata import N_, Choice, Die, Track, one_of
from tavolata_horse_fever.cards.effects import Effects, Moment, has, worth
from tavolata_horse_fever.cards.faces import ActionCard
from tavolata_horse_fever.colours import LANES, TOKENS, Colour
from tavolata_horse_fever.rules.lanes import undone
from tavolata_horse_fever.rules.running import Squares, arrived, moved, sprinted
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import FINISH, clamped

SPRINT_DIE: Die[Colour] = Die(LANES)
MOVEMENT = N_("Movement card, from 1:2 to 1:7: {card}.")
MOVES = N_("{horse} runs {n} to square {square}.")
STANDS = N_("{horse} stands still on square {square}.")
CROSSES = N_("{horse} runs {n} and is home: square {square}.")
SPRINTS = N_("{horse} sprints {n} to square {square}.")
SPRINTS_HOME = N_("{horse} sprints {n} and is home: square {square}.")
WHO_IS_AHEAD = N_("Photo finish, equal odds: who's ahead?")
BY_ODDS = N_("Photo finish on square {square}: better odds put {horses} ahead of {others}.")
BY_CARD = N_("Photo finish on square {square}: a card puts {horses} ahead of {others}.")
FIRST: Final = {
    Colour.BLACK: N_("black first"), Colour.BLUE: N_("blue first"), Colour.GREEN: N_("green first"),
    Colour.RED: N_("red first"), Colour.YELLOW: N_("yellow first"), Colour.WHITE: N_("white first"),
}  # fmt: skip
NO_SPRINT = N_("{horse} should sprint, but doesn't.")


async def reveal(g: HorseFeverTable, t: T) -> None:
    """Turn the Action cards over. Some act before the race (3, 12)."""
    await t.pause(g.first)
    for colour in LANES:
        lane = g.lanes[colour]
        if lane:
            cards = await t.reveal(lane)
            t.tell(N_("Behind {horse}: {cards}."), horse=colour, cards=cards)
            idle = undone([card.face for card in lane], removal_first=t.options.removal_first)
            told: list[ActionCard] = []
            for card in cards:
                if card.face in idle:
                    g.spent.put(lane.take(card))
                    by = idle[card.face]
                    if idle.get(by) is not card.face:
                        t.tell(N_("{other} cancels {card}."), other=by.name, card=card)
                    elif by not in told:
                        t.tell(N_("{card} and {other} cancel each other."), card=card, other=by.name)
                        told.append(card.face)
        change_odds(g, t, colour)


def change_odds(g: HorseFeverTable, t: T, stable: Colour) -> None:
    """Add up the shifts of a lane, for good. They replace the shift of a Horse (3c, 4, 12)."""
    actions = [effect for card in g.lanes[stable] for effect in card.face.effects]
    if not has(actions, Moment.ODDS):
        return
    odds = g.before[stable]
    for shifted, rows in g.shifts:
        if shifted is stable:
            odds = clamped(odds - rows)
    g.odds[stable] = clamped(odds - worth(actions, Moment.ODDS, 0))
    t.tell(N_("{stable} is at 1:{odds} now."), stable=stable, odds=g.odds[stable])


async def race(g: HorseFeverTable, t: T) -> None:
    """Turn up a movement card and throw the sprint dice until the last horse has arrived."""
    lanes = [g.effects_in(colour) for colour in LANES]
    odds = g.odds_by_lane()
    await t.shuffle(g.movement, g.moved)
    g.ranking = []
    for token in TOKENS.values():
        g.track.put(token, 0)
    t.tell(N_("The horses are under starter's orders. And they're off!"))
    start = True
    while len(g.ranking) < len(LANES):
        if not g.movement:  # (2)
            await t.shuffle(g.movement, g.moved)
        card = await t.turn_up(g.movement, onto=g.moved, by=g.first)
        t.tell(MOVEMENT, card=card)
        run(g, t, moved(g.squares(), odds, lanes, card.face.steps, start=start))
        dice = await t.roll(SPRINT_DIE, SPRINT_DIE)
        t.tell(N_("Sprint dice: {dice}."), dice=dice)
        sprint(g, t, dice, sprinted(g.squares(), lanes, map(LANES.index, dice)))
        levels = arrived(g.squares(), odds, lanes)
        tell_photographs(g, t, levels, lanes)
        for level in levels:
            await place(g, t, [LANES[lane] for lane in level])
        start = False


def run(g: HorseFeverTable, t: T, after: Squares) -> None:
    """Move the horses as a movement card says, all at once."""
    for colour, was, is_ in zip(LANES, g.squares(), after, strict=True):
        if was == Track.OFF:
            continue
        if was == is_:
            t.tell(STANDS, horse=colour, square=is_)
        else:
            g.track.put(TOKENS[colour], is_)
            message = MOVES if is_ < FINISH else CROSSES
            t.tell(message, horse=colour, n=is_ - was, square=is_)


def sprint(g: HorseFeverTable, t: T, dice: list[Colour], after: Squares) -> None:
    """Move the horses that the dice show, once each."""
    before = g.squares()
    for colour in dict.fromkeys(dice):
        was, is_ = before[LANES.index(colour)], after[LANES.index(colour)]
        if was == Track.OFF:
            continue
        if was == is_:
            t.tell(NO_SPRINT, horse=colour)
        else:
            g.track.put(TOKENS[colour], is_)
            home = was < FINISH <= is_
            t.tell(SPRINTS_HOME if home else SPRINTS, horse=colour, n=is_ - was, square=is_)


FINISHES = (
    N_("{horse} finishes first."), N_("{horse} finishes second."), N_("{horse} finishes third."),
    N_("{horse} finishes fourth."), N_("{horse} finishes fifth."), N_("{horse} finishes last."),
)  # fmt: skip


def tell_photographs(
    g: HorseFeverTable, t: T, levels: Sequence[Sequence[int]], lanes: Sequence[Effects]
) -> None:
    """Say why horses on one square are not equal: a card, or their odds (10)."""
    squares = g.squares()
    for first, then in pairwise(levels):
        square = squares[first[0]]
        if square == squares[then[0]]:
            by_card = worth(lanes[first[0]], Moment.PHOTO, 0) != worth(lanes[then[0]], Moment.PHOTO, 0)
            t.tell(
                BY_CARD if by_card else BY_ODDS, square=square,
                horses=[LANES[lane] for lane in first], others=[LANES[lane] for lane in then],
                stamp=N_("photo finish"),
            )  # fmt: skip


async def place(g: HorseFeverTable, t: T, level: list[Colour]) -> None:
    """Give horses the next places. The First Player decides among equals (10)."""
    while level:
        horse = level[0]
        if len(level) > 1:
            horse = await t.ask(
                g.first, one_of([Choice(one, one.value, at=one.value) for one in level]),
                WHO_IS_AHEAD, N_("{seat} looks at the photograph."),
                seat=g.first, verb=N_("Put {choice} ahead"),
            )  # fmt: skip
        level.remove(horse)
        g.ranking.append(horse)
        number = len(g.ranking)
        stamp = FIRST[horse] if number == 1 else ""
        t.tell(FINISHES[number - 1], horse=horse, stamp=stamp)
