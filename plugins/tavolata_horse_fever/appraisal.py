"""The appraisal of a race for one seat: its chance to win the match with these bets and those cards.

It uses what the seat may know, and guesses the rest from who has bet on which horse. The races come from
`foresight`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import exp
from typing import Any

from tavolata import Card, Seat, View
from tavolata_horse_fever.cards.action import ACTION_CARDS, PLAIN_ACTION
from tavolata_horse_fever.cards.effects import Effects, Moment, Tone, worth
from tavolata_horse_fever.cards.faces import ActionCard, HorseCard
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.foresight import ALL, RACES, Gait, Lane, Places, gait, mixed, places, running
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
    UNIT,
    WIN_POINTS,
    clamped,
)

POINT = {False: 5000, True: 1400}
"""The Danari worth a point: in the Family Game, where money decides ties only, and in the Board Game."""
LAST_HEAT, HEAT = 0.3, 1.5
"""The points that make a claim to win e times as great: in the last race, and more with the races to come."""

Rumour = tuple[int, int]
"""The unknown cards that help a horse, and those that hinder it, in quarters of a card."""
CARD = 4
COLOURED = [card.tone for card in PLAIN_ACTION.faces].count(Tone.GREEN) / len(PLAIN_ACTION.faces)
"""The share of green cards, and that of red ones, in the deck."""
LIKELY, UNLIKELY = 0.7, 0.1
"""How likely a card helps the horse of a player who has bet on it, and how likely it doesn't."""
FIRST_TARGET = 0.7
"""The share of red cards behind the best horse of others; the rest is behind the next one."""
CERTAIN = 50.0
"""The exponent of a claim beside which no other counts; a greater one could overflow."""
BLOCKS = 16
"""The imagined races have so many parts; in each of them other unknown cards lie in a lane."""


class Appraiser:
    def __init__(self, view: View) -> None:
        assert isinstance(view.game, HorseFever)
        assert isinstance(view.options, HorseFeverOptions)
        assert view.seat is not None
        self.view = view
        self.game: HorseFever = view.game
        self.options: HorseFeverOptions = view.options
        self.seat: Seat = view.seat
        self.point = POINT[self.options.board]

    # -- what is known ----------------------------------------------------------------------------

    @property
    def money(self) -> int:
        return self.game.money[self.seat].value

    @property
    def turns_left(self) -> int:
        """The races to come, this one included."""
        return self.game.last_turn(self.options) - self.game.turn_number + 1

    @property
    def spare(self) -> int:
        """The money that is needed neither for the next least bet nor, at the end, for loans."""
        reserve = self.game.minimum_bet(self.seat) if self.turns_left > 1 else 0
        debt = owed(self.game, self.seat)
        return self.money - reserve - (debt if self.turns_left == 1 else debt // 2)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        return self.game.odds_by_lane()

    @cached_property
    def best(self) -> list[Colour]:
        """The horses, the best odds first."""
        return sorted(LANES, key=self.game.odds.__getitem__)

    def hand(self) -> list[ActionCard]:
        return [face_of(self.view, card) for card in self.game.hands[self.seat]]

    # -- what others may have slipped in ----------------------------------------------------------

    def rumours(self, *more: Bet) -> dict[Colour, Rumour]:
        """Return how unknown cards may be placed, when some more bets are laid.

        Players help the best horse that they have bet on, and hinder the best ones of the others.
        """
        game = self.game
        green, red = dict.fromkeys(LANES, 0.0), dict.fromkeys(LANES, 0.0)
        backed: dict[Seat, list[Colour]] = {}
        for bet in [*game.bets, *more]:
            backed.setdefault(bet.seat, []).append(bet.horse)
        for colour in LANES:
            for card, seat in zip(game.lanes[colour], game.slipped[colour], strict=False):
                if self.view.face(card) is None:
                    likely, unlikely = (green, red) if colour in backed.get(seat, ()) else (red, green)
                    likely[colour] += LIKELY
                    unlikely[colour] += UNLIKELY
        every = [horse for horses in backed.values() for horse in horses]
        open_ = [colour for colour in self.best if every.count(colour) < BET_TOKENS[len(self.view.ring)]]
        for seat in self.view.ring:
            if seat == self.seat or not (cards := len(game.hands[seat]) * COLOURED):
                continue
            own = backed.get(seat) or open_[:1]
            green[min(own, key=game.odds.__getitem__)] += cards
            free = [colour for colour in self.best if colour not in own]
            targets = [colour for colour in free if colour in every] or free[:1]
            red[targets[0]] += cards * (FIRST_TARGET if len(targets) > 1 else 1)
            if len(targets) > 1:
                red[targets[1]] += cards * (1 - FIRST_TARGET)
        return {colour: (round(green[colour] * CARD), round(red[colour] * CARD)) for colour in LANES}

    @cached_property
    def rumoured(self) -> dict[Colour, Rumour]:
        return self.rumours()

    # -- lanes -------------------------------------------------------------------------------------

    def lane(self, colour: Colour, *more: ActionCard, rumour: Rumour | None = None) -> Lane:
        faces = [self.view.face(card) for card in self.game.lanes[colour]]
        cards = [face.number for face in [*faces, *more] if face is not None]
        return lane_with(
            LANES.index(colour), tuple(sorted(cards)), self.game.lined_up(colour), self.rows,
            self.options.removal_first, *(rumour or self.rumoured[colour]),
        )  # fmt: skip

    @cached_property
    def lanes(self) -> list[Lane]:
        return [self.lane(colour) for colour in LANES]

    def with_lanes(self, changed: Mapping[Colour, Lane]) -> list[Lane]:
        return [changed.get(colour, one) for colour, one in zip(LANES, self.lanes, strict=True)]

    # -- the chance to win --------------------------------------------------------------------------

    def promise(self, lanes: Sequence[Lane], more: Sequence[Bet] | None = None, money: int = 0) -> float:
        """Return the chance to win the match, from all ways in which the race may end for the bettors.

        Each seat has a claim that grows by a factor with each point. Its chance is its share of all claims.
        `more` are bets of this seat that are laid, too; None for the best one that it may still lay. It gets
        `money` besides.
        """
        found = places(lanes)
        if more is None:
            bets = self.possible_bets
            more = [max(bets, key=lambda bet: self.gain(bet, found))] if bets else []
        gains: dict[int, list[tuple[Seat, float]]] = {}
        for bet in [*self.game.bets, *more]:
            points, pays = self.terms(bet)
            factor = exp(min(CERTAIN, (points + bet.stake * pays / self.point) / self.heat))
            gains.setdefault(self.won(bet, found), []).append((bet.seat, factor))
        cells = [(ALL, self.claims(found, money - sum(bet.stake for bet in more)))]
        for won, factors in gains.items():
            split = []
            for races, claims in cells:
                if both := races & won:
                    raised = list(claims)
                    for seat, factor in factors:
                        raised[seat] *= factor
                    split.append((both, raised))
                if rest := races & ~won:
                    split.append((rest, claims))
            cells = split
        return sum(races.bit_count() * claims[self.seat] / sum(claims) for races, claims in cells) / RACES

    def claims(self, found: Places, more: int) -> list[float]:
        """Return the claims before bets are paid, by points, money and prizes; this seat has `more` money."""
        game = self.game
        wealth = [float(game.money[seat].value) for seat in self.view.ring]
        wealth[self.seat] += more
        for stable, owner in game.owners.items():
            if owner is not None:
                row = found[LANES.index(stable)]
                wealth[owner] += sum(prize * row[n - 1].bit_count() for n, prize in PRIZES.items()) / RACES
        points = [game.points(seat) + wealth[seat] / self.point for seat in self.view.ring]
        most = max(points)
        return [exp((points[seat] - most) / self.heat) * game.is_in(seat) for seat in self.view.ring]

    @cached_property
    def heat(self) -> float:
        """The points that make a claim e times as great."""
        return float(LAST_HEAT + HEAT * (self.turns_left - 1) ** 0.5)

    # -- bets ---------------------------------------------------------------------------------------

    def terms(self, bet: Bet) -> tuple[int, int]:
        """Return the points of a bet that is won, and the Danari for each one staked."""
        win = bet.side is Side.WIN
        return (WIN_POINTS, self.game.odds[bet.horse]) if win else (PLACE_POINTS, PLACE_PAYS)

    def won(self, bet: Bet, found: Places) -> int:
        paid = 1 if bet.side is Side.WIN else worth(self.game.effects_of(bet.seat), Moment.PLACES, PLACED)
        return sum(found[LANES.index(bet.horse)][:paid])  # no race is in two places

    def gain(self, bet: Bet, found: Places) -> float:
        """Return the Danari that a bet promises, points included."""
        points, pays = self.terms(bet)
        return self.won(bet, found).bit_count() * (points * self.point + bet.stake * pays) / RACES - bet.stake

    @cached_property
    def possible_bets(self) -> list[Bet]:
        """The bets that the seat could still lay now, each at the least stake."""
        stake = self.game.minimum_bet(self.seat)
        mine = [(bet.horse, bet.side) for bet in self.game.bets if bet.seat == self.seat]
        if self.money < stake:
            return []
        return [
            Bet(self.seat, horse, side, stake)
            for horse in LANES
            if self.game.free_tokens(horse)
            for side in Side
            if (horse, side) not in mine
        ]

    def promises(self, bets: Sequence[Bet]) -> list[float]:
        """Return the chance to win with each of these bets, with its own cards where they help most."""
        hand, tables = self.hand(), dict[Colour, list[Lane]]()
        for horse in dict.fromkeys(bet.horse for bet in bets):
            told = self.rumours(Bet(self.seat, horse, Side.WIN, 0))
            rival = next(colour for colour in self.best if colour is not horse)
            cards = {
                horse: [card for card in hand if helps(card) > 0],
                rival: [card for card in hand if helps(card) < 0],
            }
            tables[horse] = self.with_lanes({
                colour: self.lane(colour, *cards.get(colour, ()), rumour=told[colour])
                for colour in LANES
                if cards.get(colour) or told[colour] != self.rumoured[colour]
            })  # fmt: skip
        return [self.promise(tables[bet.horse], [bet]) for bet in bets]

    def stake_for(self, bet: Bet) -> int:
        """Return the stake: half of what Kelly's rule says, and never what the next least bet needs."""
        _, pays = self.terms(bet)
        share = self.won(bet, places(self.lanes)).bit_count() / RACES
        edge = (share * pays - 1) / (pays - 1)
        dared = int(max(0, self.spare - bet.stake) * max(0.0, edge) / 2)
        return bet.stake + dared // UNIT * UNIT

    # -- cards in lanes -----------------------------------------------------------------------------

    def with_card(self, card: ActionCard, colour: Colour) -> float:
        return self.promise(self.with_lanes({colour: self.lane(colour, card)}))

    def with_horse(self, horse: HorseCard | None, stable: Colour) -> float:
        effects = () if horse is None else horse.effects
        one = self.with_odds(stable, worth(effects, Moment.ODDS, 0), horse)
        return self.promise(self.with_lanes({stable: one}), money=worth(effects, Moment.OWNER, 0))

    def with_odds(self, stable: Colour, shift: int, horse: HorseCard | None = None) -> Lane:
        number = LANES.index(stable)
        rows = (*self.rows[:number], clamped(self.rows[number] - shift), *self.rows[number + 1 :])
        return lane_with(number, (), horse, rows, self.options.removal_first)


def lane_with(
    number: int,
    cards: tuple[int, ...],
    horse: HorseCard | None,
    rows: tuple[int, ...],
    removal_first: bool,
    green: int = 0,
    red: int = 0,
) -> Lane:
    """Return how the horse of a lane may fare with these numbers of Action cards.

    `rows` are the odds of all lanes. The unknown cards that help (`green`) and hinder (`red`) count in
    quarters of a card.
    """
    asks = not POSITIONAL.isdisjoint(cards) or (horse is not None and positional(horse.effects))
    return _lane_with(number, cards, horse, rows[number], rows if asks else (), removal_first, green, red)


@lru_cache(16384)
def _lane_with(
    number: int,
    cards: tuple[int, ...],
    horse: HorseCard | None,
    odds: int,
    rows: tuple[int, ...],
    removal_first: bool,
    green: int,
    red: int,
) -> Lane:
    """Return the same, without the odds of the other lanes unless a card asks who is first or last."""
    if green or red:
        parts: dict[Lane, int] = {}
        size = RACES // BLOCKS
        for block in range(BLOCKS):
            helping = (green * BLOCKS // CARD + block * 5 % BLOCKS) // BLOCKS
            hindering = (red * BLOCKS // CARD + block * 11 % BLOCKS) // BLOCKS
            more = [GREEN[(block + number + n) % len(GREEN)] for n in range(helping)]
            more += [RED[(block * 3 + number + n) % len(RED)] for n in range(hindering)]
            every = tuple(sorted({*cards, *more}))
            one = _lane_with(number, every, horse, odds, rows, removal_first, 0, 0)
            parts[one] = parts.get(one, 0) | ((1 << size) - 1) << block * size
        return mixed((races, one) for one, races in parts.items())
    shift, how, photo = _acting(cards, horse, removal_first)
    return running(number, clamped(odds - shift), how, photo, rows)


@lru_cache(16384)
def _acting(cards: tuple[int, ...], horse: HorseCard | None, removal_first: bool) -> tuple[int, Gait, int]:
    """Return the rows by which a lane's cards move its odds, and what they do to run and photo finishes."""
    acting = remaining([NUMBERED[card] for card in cards], removal_first=removal_first)
    shift = sum(effect.adds for card in acting for effect in card.effects if effect.when is Moment.ODDS)
    effects = lane_effects(horse, acting)
    return shift, gait(effects), worth(effects, Moment.PHOTO, 0)


def positional(effects: Effects) -> bool:
    return any(effect.when in (Moment.FIRST, Moment.LAST) for effect in effects)


NUMBERED = {card.number: card for card in ACTION_CARDS}
POSITIONAL = frozenset(number for number, card in NUMBERED.items() if positional(card.effects))
GREEN, RED = (
    [card.number for card in ACTION_CARDS if card.tone is tone and not positional(card.effects)]
    for tone in (Tone.GREEN, Tone.RED)
)
"""The cards that unknown ones are imagined to be; those that ask who is first take too long."""


def helps(card: ActionCard) -> int:
    """Return 1 if a card does its horse good, -1 for harm, or 0; to take red ones away does good."""
    if card.tone is Tone.GREY:
        rows = worth(card.effects, Moment.ODDS, 0)
        removed = {effect.removes for effect in card.effects}
        good, bad = rows > 0 or Tone.RED in removed, rows < 0 or Tone.GREEN in removed
        return good - bad
    return 1 if card.tone is Tone.GREEN else -1


def face_of(view: View, card: Card[Any]) -> Any:
    face = view.face(card)
    assert face is not None
    return face
