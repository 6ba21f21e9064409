"""What things are worth to a bot, in Danari: bets, cards in lanes, purchases, points.

An estimate from what its seat may know; the race itself is foreseen in `foresight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tavolata import Card, Chance, Seat, View
from tavolata_horse_fever.cards.effects import Effects, Moment, has, worth
from tavolata_horse_fever.cards.faces import ActionCard, HorseCard
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.foresight import Imagined, Outlook, imagine
from tavolata_horse_fever.options import HorseFeverOptions
from tavolata_horse_fever.rules.bets import Bet, Side
from tavolata_horse_fever.rules.ending import owed
from tavolata_horse_fever.rules.lanes import lane_effects, remaining
from tavolata_horse_fever.rules.match import HorseFever
from tavolata_horse_fever.tables import (
    BET_TOKENS,
    PLACE_PAYS,
    PLACE_POINTS,
    PLACED,
    PRIZES,
    TURNS,
    UNIT,
    WIN_POINTS,
    clamped,
)

RACES = 48
"""So many imagined races give a chance to within some hundredths, and a decision in a few milliseconds."""
POINT = {False: 1500, True: 1400}
"""What a point is worth in the Family Game, where money decides ties only, and in the Board Game."""
SPITE = 0.3
"""How much what all others win counts against what the bot wins."""
HOPE = 0.7
"""How much a bet that may still be laid counts against one that is laid."""


class Appraiser:
    """One seat's thoughts at one question.

    Args:
        view: what it may know.
        chance: its own.
    """

    def __init__(self, view: View, chance: Chance) -> None:
        assert isinstance(view.game, HorseFever)
        assert isinstance(view.options, HorseFeverOptions)
        assert view.seat is not None
        self.view, self.chance = view, chance
        self.game: HorseFever = view.game
        self.options: HorseFeverOptions = view.options
        self.seat: Seat = view.seat
        self.point = POINT[self.options.board]
        self._outlook: Outlook | None = None

    # -- what is known ----------------------------------------------------------------------------

    @property
    def money(self) -> int:
        """What it has in hand."""
        return self.game.money[self.seat].value

    @property
    def turns_left(self) -> int:
        """How many races there are, this one included."""
        last = self.options.turns or TURNS[len(self.view.ring)]
        return last - self.game.turn_number + 1

    @property
    def spare(self) -> int:
        """What it can do without: not the next minimum bet, and at the end not what it has to repay."""
        reserve = self.game.minimum_bet(self.seat) if self.turns_left > 1 else 0
        debt = owed(self.game, self.seat)
        return self.money - reserve - (debt if self.turns_left == 1 else debt // 2)

    def known_in(self, colour: Colour, *more: ActionCard) -> Effects:
        """What the cards in a lane do that it knows, with some more."""
        known = [self.view.face(card) for card in self.game.lanes[colour]]
        cards = [face for face in known if face is not None]
        acting = remaining([*cards, *more], removal_first=self.options.removal_first)
        return lane_effects(self.game.lined_up(colour), acting)

    def odds_with(self, colour: Colour, effects: Effects) -> int:
        """The odds at which a stable will be with such effects in its lane."""
        revealed = [effect for effect in effects if effect.adds and effect.when is Moment.ODDS]
        horse = self.game.lined_up(colour)
        if horse is not None:  # what it did to the odds, it has done
            revealed = [effect for effect in revealed if effect not in horse.effects]
        return clamped(self.game.odds[colour] - worth(revealed, Moment.ODDS, 0))

    @property
    def outlook(self) -> Outlook:
        """The race as far as it can be foreseen."""
        if self._outlook is None:
            self._outlook = self.look_at(imagine(RACES, self.chance))
        return self._outlook

    def look_at(self, races: list[Imagined]) -> Outlook:
        """How these races go, with the cards in the lanes that it knows."""
        lanes = [self.known_in(colour) for colour in LANES]
        odds = [self.odds_with(colour, effects) for colour, effects in zip(LANES, lanes, strict=True)]
        return Outlook(races, odds, lanes)

    # -- bets ---------------------------------------------------------------------------------------

    def chances(self, places: list[list[int]], bet: Bet) -> float:
        """How likely a bet is to be won."""
        table = self.places_paid(bet.seat) if bet.side is Side.PLACE else 1
        return sum(places[LANES.index(bet.horse)][:table]) / RACES

    def places_paid(self, seat: Seat) -> int:
        """How many places win this seat a bet to place."""
        return worth(self.game.effects_of(seat), Moment.PLACES, PLACED)

    def value_of(self, bet: Bet, places: list[list[int]], odds: int, effects: Effects) -> float:
        """What a bet promises; its stake is gone already."""
        win = bet.side is Side.WIN
        points = max(0, worth(effects, Moment.POINTS, WIN_POINTS if win else PLACE_POINTS))
        won = bet.stake * (odds if win else PLACE_PAYS) + points * self.point
        return self.chances(places, bet) * won + worth(effects, Moment.BETTORS, 0)

    def promise(self, places: list[list[int]], odds: Sequence[int], lanes: Sequence[Effects]) -> float:
        """What a race with these chances promises: own bets and stables, less what the others win."""
        game, own, others = self.game, 0.0, 0.0
        for bet in game.bets:
            lane = LANES.index(bet.horse)
            value = self.value_of(bet, places, odds[lane], lanes[lane])
            if bet.seat == self.seat:
                own += value
            else:
                others += value
        for stable in game.stables_of(self.seat):
            own += self.prizes(places, stable)
        hope = max((self.prospect(bet, places) for bet in self.possible_bets()), default=0.0)
        return own + HOPE * max(0.0, hope) - SPITE * others / max(1, len(self.view.ring) - 1)

    def prizes(self, places: list[list[int]], stable: Colour) -> float:
        """What a stable may win its owner in this race."""
        row = places[LANES.index(stable)]
        return sum(prize * row[place - 1] for place, prize in PRIZES.items()) / RACES

    def prospect(self, bet: Bet, places: list[list[int]]) -> float:
        """What it would gain by laying a bet."""
        lane = LANES.index(bet.horse)
        return self.value_of(bet, places, self.outlook.odds[lane], self.outlook.lanes[lane]) - bet.stake

    def possible_bets(self) -> list[Bet]:
        """The bets that it could still lay now, each at the least stake."""
        stake = self.game.minimum_bet(self.seat)
        mine = [(bet.horse, bet.side) for bet in self.game.bets if bet.seat == self.seat]
        if self.money < stake:
            return []
        return [
            Bet(self.seat, horse, side, stake)
            for horse in LANES
            if sum(bet.horse is horse for bet in self.game.bets) < BET_TOKENS[len(self.view.ring)]
            for side in Side
            if (horse, side) not in mine
        ]

    def stake_for(self, bet: Bet, places: list[list[int]]) -> int:
        """How much it dares: half of what a gambler who wants to last would, and never the next minimum."""
        pays = self.outlook.odds[LANES.index(bet.horse)] if bet.side is Side.WIN else PLACE_PAYS
        edge = (self.chances(places, bet) * pays - 1) / (pays - 1)
        dared = int(max(0, self.spare - bet.stake) * max(0.0, edge) / 2)
        return bet.stake + dared // UNIT * UNIT

    # -- cards in lanes -----------------------------------------------------------------------------

    def with_card(self, card: ActionCard, lane: Colour) -> float:
        """What the race promises with this card in that lane."""
        return self.with_effects(lane, self.known_in(lane, card))

    def with_horse(self, horse: HorseCard | None, stable: Colour) -> float:
        """What the race promises with this Horse in an own stable's lane."""
        effects = () if horse is None else horse.effects
        return self.with_effects(stable, effects) + worth(effects, Moment.OWNER, 0)

    def with_effects(self, colour: Colour, effects: Effects, odds: int = 0) -> float:
        """What the race promises with these effects, or odds, in a lane."""
        lane, outlook = LANES.index(colour), self.outlook
        if not odds:
            odds = self.odds_with(colour, effects) if has(effects, Moment.ODDS) else outlook.odds[lane]
        rows, lanes = list(outlook.odds), list(outlook.lanes)
        rows[lane], lanes[lane] = odds, effects
        return self.promise(outlook.places(lane, effects, odds), rows, lanes)


def face_of(view: View, card: Card[Any]) -> Any:
    """The face of a card that its seat sees."""
    face = view.face(card)
    assert face is not None
    return face
