"""The betting phase: first bets, tampering with the race, second bets (rulings 14 to 17, 31)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tavolata import N_, Ask, Card, Choice, Seat, Text, Unavailable, View, amount, form, one_of, text
from tavolata_horse_fever.cards.effects import Moment, has, worth
from tavolata_horse_fever.cards.faces import ActionCard
from tavolata_horse_fever.cards.meanings import meaning
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.rules.bets import Bet, Side, Stake
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.ruin import cannot_pay
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import HIGHEST, LOWEST, PLACE_PAYS, UNIT

STAKE = {"on": N_("Bet on"), "coins": N_("Stake in Danari")}
SLIP = {"card": N_("Card"), "lane": N_("Lane")}
BETS = {Side.WIN: N_("{horse} to win, pays 1:{odds}"), Side.PLACE: N_("{horse} to place, pays double")}
NO_TOKEN, LAID = N_("no bet tokens left for this horse"), N_("you've already bet on that")
YOUR_BET = N_("Your bet: at least {n} D.")
ANOTHER_BET = N_("Another bet? At least {n} D.")
YOUR_STAKE = N_("Your stake on {horse} {side}: at least {n} D.")
WHOSE_ODDS = N_("Whose odds will you change?")
BET = N_("Bet {choice} D")
STUDIES = N_("{seat} studies the horses.")
WHICH_CARD = N_("Which card, behind which horse?")
IF_WON = {
    Side.WIN: N_("If it wins at these odds, it pays {won} D. Until then, you'll have {left} D left."),
    Side.PLACE: N_("If the bet wins, it pays {won} D. Until then, you'll have {left} D left."),
}
NO_BET = Choice(None, N_("no more bets"), verb=N_("No more bets"))
LEAVE: Choice[tuple[Colour, int] | None] = Choice(
    None, N_("leave the odds alone"), verb=N_("Leave the odds alone")
)
LANE = one_of([Choice(colour, colour.value, at=colour.value) for colour in LANES])


@dataclass(frozen=True, slots=True)
class Slip:
    """A card, and the lane on which it is laid."""

    card: Card[ActionCard]
    lane: Colour


async def first_bets(g: HorseFeverTable, t: T) -> None:
    """Everybody must bet, from the First Player on. A player without the minimum pays in points (15)."""
    t.tell(N_("First bets."))
    for seat in g.around(t):
        minimum = g.minimum_bet(seat)
        if not g.can_pay(seat, minimum):
            t.tell(N_("{seat} has to bet at least {n} D."), seat=seat, n=minimum)
            await cannot_pay(g, t, seat)
        else:
            await bet(g, t, seat)


async def second_bets(g: HorseFeverTable, t: T) -> None:
    """Everybody may bet again, the First Player last."""
    t.tell(N_("Second bets."))
    for seat in g.around(t, backwards=True):
        for _ in range(worth(g.effects_of(seat), Moment.SECOND_BETS, 1)):
            if g.can_pay(seat, g.minimum_bet(seat)) and not await bet(g, t, seat, optional=True):
                break


async def bet(g: HorseFeverTable, t: T, seat: Seat, *, optional: bool = False) -> bool:
    """Ask for one bet, if there is a token for it (16); return True if a bet was laid."""
    choices, others = bets_for(g, seat)
    if not choices:
        t.tell(N_("There are no bet tokens left for {seat}."), seat=seat)
        return False
    least = g.minimum_bet(seat)
    stakes = amount(least, g.money[seat].value, UNIT, default=least)
    if optional:  # who bets no more is asked for no stake
        chosen = await t.ask(
            seat, one_of([NO_BET, *choices], unavailable=others), ANOTHER_BET, STUDIES,
            seat=seat, n=least, verb=N_("Bet on {choice}"), about=("track", "money"),
        )  # fmt: skip
        if chosen is None:
            t.tell(N_("{seat} makes no more bets."), seat=seat)
            return False
        horse, side = chosen
        stake = await t.ask(
            seat, stakes, YOUR_STAKE, STUDIES, seat=seat, horse=horse, side=side, n=least,
            verb=BET, about=("track", "money"),
        )  # fmt: skip
    else:
        laid = await t.ask(
            seat, form(Stake, labels=STAKE, on=one_of(choices, unavailable=others), coins=stakes),
            YOUR_BET, STUDIES, seat=seat, n=least, verb=BET, about=("track", "money"),
        )  # fmt: skip
        (horse, side), stake = laid.on, laid.coins
    g.pay(seat, stake, Flow.STAKE)
    g.bets.append(Bet(seat, horse, side, stake))
    t.tell(N_("{seat} bets: {bet}."), seat=seat, bet=g.bets[-1])
    return True


def preview(g: HorseFeverTable, view: View[Any], ask: Ask, draft: Sequence[Any]) -> Iterable[Text]:
    """Yield what a bet would pay by the present odds (4) and leave; what a card in a lane would do."""
    if ask.you == WHICH_CARD:
        card = view.face(draft[0]) if len(draft) == 1 else None
        if card is not None:
            yield from meaning(card)
        return
    if ask.you == YOUR_BET and len(draft) == 2:
        (horse, side), stake = draft
    elif ask.you == YOUR_STAKE and len(draft) == 1:
        horse, side, stake = ask.params["horse"], ask.params["side"], draft[0]
    else:
        return
    won = stake * (g.odds[horse] if side is Side.WIN else PLACE_PAYS)
    yield text(IF_WON[side], won=won, left=g.money[ask.seat].value - stake)


def bets_for(g: HorseFeverTable, seat: Seat) -> tuple[list[Choice], list[Unavailable]]:
    """Return the bets that a seat may lay, and those that it may not, with the reasons (14, 16)."""
    mine = [(one.horse, one.side) for one in g.bets if one.seat == seat]
    choices: list[Choice] = []
    others: list[Unavailable] = []
    for horse in LANES:
        if not g.free_tokens(horse):
            others.append(without_token(horse))
            continue
        for side in Side:
            if (horse, side) in mine:
                others.append(laid_already(horse, side))
            else:
                choices.append(choice_of(horse, side, g.odds[horse]))
    return choices, others


@cache
def choice_of(horse: Colour, side: Side, odds: int) -> Choice:
    """Return a bet that may be laid. Cached, because the same bets are asked about all the time."""
    params = {"horse": horse, "odds": odds}
    return Choice((horse, side), BETS[side], at=(horse.value, side.value), params=params)


@cache
def without_token(horse: Colour) -> Unavailable:
    """Refuse a bet on a horse without a token left. Cached like the bets that may be laid."""
    return Unavailable("{horse}", NO_TOKEN, tuple((horse, side) for side in Side), {"horse": horse})


@cache
def laid_already(horse: Colour, side: Side) -> Unavailable:
    """Refuse a second bet on the same side of a horse. Cached like the bets that may be laid."""
    return Unavailable("{horse} {side}", LAID, ((horse, side),), {"horse": horse, "side": side})


async def tips(g: HorseFeverTable, t: T) -> None:
    """Between first bets and Action cards, Eric Change may move any stable two rows (31)."""
    for seat in g.around(t):
        effects = g.effects_of(seat)
        if not has(effects, Moment.TIP):
            continue
        rows = worth(effects, Moment.TIP, 0)
        choices: list[Choice[tuple[Colour, int] | None]] = [LEAVE]
        for stable, odds in g.odds.items():
            at, params = stable.value, {"stable": stable, "odds": odds}
            if odds > HIGHEST:
                choices.append(Choice((stable, rows), N_("{stable} up, from 1:{odds}"), at=at, params=params))
            if odds < LOWEST:
                choices.append(
                    Choice((stable, -rows), N_("{stable} down, from 1:{odds}"), at=at, params=params)
                )
        chosen = await t.ask(
            seat, one_of(choices), WHOSE_ODDS, N_("{seat} talks to the bookmakers."),
            seat=seat, verb=N_("Move {choice}"),
        )  # fmt: skip
        if chosen is not None:
            g.shift(*chosen)
            g.shifts.append(chosen)
            t.tell(N_("{seat} has talked to the bookmakers: {stable} is at 1:{odds} now."),
                   seat=seat, stable=chosen[0], odds=g.odds[chosen[0]])  # fmt: skip


async def tamper(g: HorseFeverTable, t: T) -> None:
    """Each player lays one Action card face down on any lane, until all are played (17)."""
    t.tell(N_("Time to tamper: cards are slipped behind the horses."))
    while any(g.hands):
        for seat in g.around(t):
            hand = g.hands[seat]
            if not hand:
                continue
            slip = await t.ask(
                seat, form(Slip, labels=SLIP, card=one_of(hand), lane=LANE),
                WHICH_CARD, N_("{seat} strolls around the stables."), seat=seat,
                verb=N_("Slip it behind {choice}"), about=("track",),
            )  # fmt: skip
            g.lanes[slip.lane].put(hand.take(slip.card))
            g.slipped[slip.lane].append(seat)
            t.tell(N_("{seat} slips a card behind {horse}."), seat=seat, horse=slip.lane)
