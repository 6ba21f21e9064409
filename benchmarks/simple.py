"""How each game's levels do against bots of a few lines, which weren't made to be beaten by them.

Run: python benchmarks/simple.py [--games N] [--minutes N] [--first SEED] [--only TEXT]

One seat has the level, the others the simple bot; seats change with the seed. Two levels play the
same seeds with the same seats, and the last column has the mean of their differences with its interval. The
tables take turns of a few seconds each. The last line of a table counts. Nothing is asserted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from shares import take_turns
from typing_extensions import override

from tavolata import Amount, Ask, Card, Question, View
from tavolata._engine.match.simulate import play
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._lab.numbers import Estimate, mean, share
from tavolata.bots import Bot, Chance, ChatMessage, Interject, RandomBot, Reflex, Window
from tavolata_bang.patterns import reason
from tavolata_conto.bots import ContoBot
from tavolata_conto.hints import my_cards
from tavolata_conto.menu import Call
from tavolata_horse_fever.appraisal import Appraiser
from tavolata_horse_fever.bots import EasyBot as HorseEasy
from tavolata_horse_fever.cards.faces import ActionCard
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.rules.bets import Side, Stake
from tavolata_horse_fever.rules.betting import Slip
from tavolata_jumpy_jack.bots import EasyBot as JackEasy
from tavolata_jumpy_jack.rules import JumpyJack
from tavolata_zompa.bots import EasyBot as ZompaEasy
from tavolata_zompa.rules import Bet


class Favourite(HorseEasy):
    """Horse Fever: it backs the favourite to win with the least, and does everything else at random."""

    level = "favourite"

    @override
    def good(self, mind: Appraiser, bets: list[Any], chance: Chance) -> Any:
        return min(bets, key=lambda bet: (bet[1] is not Side.WIN, mind.game.odds[bet[0]]))

    @override
    def second_bet(self, mind: Appraiser, bets: list[Any], chance: Chance) -> Any:
        return None

    @override
    def tamper(self, mind: Appraiser, cards: list[Card[ActionCard]], chance: Chance) -> Slip:
        return Slip(chance.pick(cards), chance.pick(LANES))


class Plunger(Favourite):
    """Horse Fever: as much as it may on the favourite to win."""

    level = "plunger"

    @override
    def first_bet(self, mind: Appraiser, bets: list[Any], stakes: Amount, chance: Chance) -> Stake:
        return Stake(self.good(mind, bets, chance), stakes.high)


class Outsider(Favourite):
    """Horse Fever: the horse with the longest odds to win."""

    level = "outsider"

    @override
    def good(self, mind: Appraiser, bets: list[Any], chance: Chance) -> Any:
        return max(bets, key=lambda bet: (bet[1] is Side.WIN, mind.game.odds[bet[0]]))


class Whip(JackEasy):
    """Jumpy Jack: it always moves the horse that is ahead."""

    level = "whip"
    sign = 1

    @override
    def horse(
        self, view: View, game: JumpyJack, ways: list[int], throw: int, order: tuple[int, ...], chance: Chance
    ) -> int:
        return max(ways, key=lambda horse: self.sign * game.standing.at[horse])


class Sweeper(Whip):
    """Jumpy Jack: it always moves the last horse."""

    level = "sweeper"
    sign = -1


class Faithful(JackEasy):
    """Jumpy Jack: it moves its first horse as long as it can, then the horse that it didn't predict."""

    level = "faithful"

    @override
    def horse(
        self, view: View, game: JumpyJack, ways: list[int], throw: int, order: tuple[int, ...], chance: Chance
    ) -> int:
        return order[0] if order[0] in ways else next((one for one in ways if one not in order), ways[0])


class Honest(ContoBot):
    """Il Conto: it calls what it holds itself, as little as it can, else it asks for the bill."""

    level = "honest"

    @override
    def discards(self, view: View, number: int, chance: Chance) -> list[Card[Any]]:
        return [card for card, _ in my_cards(view)][:number]

    @override
    def call(self, view: View, calls: dict[Call, list[Card[Any]]], chance: Chance) -> Call | None:
        own = sorted(calls, key=lambda call: (call.total, call.dishes))
        mine = [dish for _, dish in my_cards(view)]
        return next(
            (one for one in own if all(mine.count(part.dish) >= part.number for part in one.courses)), None
        )


class Believer(Honest):
    """Il Conto: it believes everything, and calls as little more as it can."""

    level = "believer"

    @override
    def call(self, view: View, calls: dict[Call, list[Card[Any]]], chance: Chance) -> Call | None:
        return min(calls, key=lambda call: (call.total, call.dishes))


class Doubter(Believer):
    """Il Conto: it asks for the bill whenever there is one."""

    level = "doubter"

    @override
    def call(self, view: View, calls: dict[Call, list[Card[Any]]], chance: Chance) -> Call | None:
        return None if view.game.last_call.courses else super().call(view, calls, chance)


class Statue(RandomBot):
    """Bang: it never bangs."""

    level = "statue"

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        return self.go_on(view, window, chance)


class Jumpy(Statue):
    """Bang: it bangs at one card in twenty, whatever it shows."""

    level = "jumpy"

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        if view.seat in window.questions and chance.percent(5):
            return Reflex(True, 250 + chance.below(100))
        return super().react(view, window, chance)


class Careful(Statue):
    """Bang: it bangs at every reason after 700 ms, and never without."""

    level = "careful"

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        faces = [card.face for card in view.game.pile]
        if view.seat in window.questions and reason(faces, view.options.patterns):  # type: ignore[attr-defined] # Bang's own
            return Reflex(True, 650 + chance.below(100))
        return super().react(view, window, chance)


class Silent(ZompaEasy):
    """Zompa: it says nothing and bets nothing."""

    level = "silent"
    interjects = False
    bet: Bet | None = Bet.NONE

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        return self.bet if self.bet in view.legal(ask) else ask.question.any(chance)

    @override
    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        return None


class Gambler(Silent):
    """Zompa: it bets on something each time."""

    level = "gambler"

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        bets = [bet for bet in view.legal(ask) if bet is not Bet.NONE]
        return chance.pick(bets) if bets else ask.question.any(chance)


class Chatterbox(ZompaEasy):
    """Zompa: dead, it calls at every card; alive, it answers every other time."""

    level = "chatterbox"
    answers, calls = 50, 100


GAMES: dict[str, tuple[int, dict[str, str], tuple[type[Bot], ...]]] = {
    "horse-fever": (4, {"mode": "family"}, (Favourite, Plunger, Outsider)),
    "jumpy-jack": (4, {}, (Whip, Sweeper, Faithful)),
    "conto": (4, {}, (Honest, Believer, Doubter)),
    "bang": (4, {}, (Statue, Jumpy, Careful)),
    "zompa": (4, {"fives": "yes", "talk": "chat"}, (Silent, Gambler, Chatterbox)),
}
"""The seats, the house rules and the simple bots of each game."""


@dataclass
class Table:
    """Two levels of a game against a simple bot: by match, what each won."""

    catalogue: Catalogue
    game: str
    simple: type[Bot]
    lower: str
    upper: str
    seconds: float = 0.0
    won: dict[str, list[float]] = field(default_factory=dict)
    turn: float = 10.0

    @property
    def name(self) -> str:
        return f"{self.game}: {self.simple.level}"

    @property
    def games(self) -> int:
        return len(self.won.get(self.upper, ()))

    def play(self, seed: int) -> None:
        seats, words, _ = GAMES[self.game]
        rules, bots = self.catalogue.game(self.game).game, self.catalogue.bots(self.game)
        start = process_time()
        for level in (self.lower, self.upper):
            mine = seed % seats
            players = [bots[level]() if seat == mine else self.simple() for seat in range(seats)]
            winners = play(rules, rules.options.parse(words), players, seed).outcome.winners
            won = [*map(int, winners)].count(mine) / max(1, len(winners))
            self.won.setdefault(level, []).append(won)
        self.seconds += process_time() - start

    def told(self) -> str:
        lower, upper = self.won[self.lower], self.won[self.upper]
        shares = [percent(share([(one, 1) for one in those])) for those in (lower, upper)]
        more = percent(mean([(high - low, 1) for low, high in zip(lower, upper, strict=True)]))
        words = [self.game, self.simple.level, f"{self.lower} {shares[0]}", f"{self.upper} {shares[1]}"]
        return " | ".join([*words, f"difference {more}", f"{len(upper)} seeds", f"{self.seconds:.0f} s"])


def percent(one: Estimate) -> str:
    return f"{100 * one.value:.1f} % ({100 * one.low:.1f} to {100 * one.high:.1f})"


def tables() -> Iterator[Table]:
    catalogue = Catalogue()
    for game, (_, _, bots) in GAMES.items():
        levels = ("normal", "hard") if "hard" in catalogue.bots(game) else ("easy", "normal")
        for bot in bots:
            yield Table(catalogue, game, bot, *levels)


if __name__ == "__main__":
    take_turns(__doc__, tables(), 50)
