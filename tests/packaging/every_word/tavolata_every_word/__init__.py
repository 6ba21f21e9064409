"""A game that uses every word for authors, so that type checkers see each as a stranger's package does.

`assert_type` says where a value has a type of its own, and no `Any` leaks out of a question. What the match
below has no use for is in `pieces` and `kit`, and what checkers must refuse is in `meant`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, assert_type

from tavolata import (
    API,
    D6,
    N_,
    NN_,
    YES_NO,
    Amount,
    Ask,
    Award,
    Ballots,
    Branch,
    Card,
    Choice,
    Claim,
    Counter,
    Counters,
    Cup,
    Deck,
    Die,
    Event,
    Form,
    FreeText,
    Game,
    Grid,
    Hand,
    Layout,
    Look,
    OneOf,
    Opening,
    Options,
    Outcome,
    Pile,
    Problem,
    Question,
    Reaction,
    Refused,
    Ring,
    Seat,
    Secret,
    SomeOf,
    Table,
    Teams,
    Text,
    Track,
    Unavailable,
    View,
    Zone,
    amount,
    claim,
    fact,
    form,
    free_text,
    hookimpl,
    interjection,
    one_of,
    option,
    same_words,
    some_of,
    text,
)
from tavolata import __version__ as tavolata_version
from tavolata.bots import GO_ON, Bot, Chance, ChatMessage, Interject, RandomBot, Reflex, SearchBot, Window
from tavolata.decks import FRENCH_52, FrenchFace, Suit
from tavolata.errors import GameError, HiddenFact, OptionError, PieceError, TavolataError
from tavolata.sim import Action, ActionIndex, Simulation, World
from tavolata.tricks import follows, holds, places, void, winner
from tavolata.zones import (
    CardView,
    Show,
    cards_zone,
    counter_zone,
    counters_zone,
    grid_zone,
    hand_zone,
    pile_zone,
    text_zone,
    tokens_zone,
    track_zone,
)

ERRORS: tuple[type[TavolataError], ...] = (GameError, HiddenFact, OptionError, PieceError)
MADE_FOR = (API, tavolata_version)


class Speed(Enum):
    """A house rule of words."""

    SLOW = N_("slow")
    FAST = N_("fast")


def look(speed: Speed) -> Look:
    """A speed as people see it."""
    shown = Look(speed.name[:1], speed.value, "red", sign="!", title=speed.value, tag=N_("once"))
    assert_type(shown.ink, str | None)
    return shown if shown.short and shown.text and shown.sign and shown.title and shown.tag else Look("?", "")


SPEEDS: Deck[Speed] = Deck("speeds", list(Speed), look=look)


@dataclass(frozen=True, kw_only=True)
class EveryOptions(Options):
    """House rules."""

    speed: Speed = option(Speed.SLOW, "How fast.")
    cards: int = option(3, "How many cards.", low=3, high=5, step=1, seats=(2, 3), when={"speed": Speed.SLOW})

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        """A pack has 52 cards."""
        if self.cards * seats > 52:
            yield Problem("cards", N_("{n} cards are too many."), n=self.cards)


@dataclass(frozen=True)
class Stake:
    """What a form makes."""

    on: Seat
    coins: int


@dataclass(frozen=True)
class Cellar:
    """What a match leaves to the next."""

    coins: Mapping[str, int] = field(default_factory=dict[str, int])


@fact
def is_red(face: FrenchFace) -> bool:
    """Whether a card is red."""
    return face.suit in (Suit.HEARTS, Suit.DIAMONDS)


@fact
def is_any(chosen: FrenchFace, hand: Sequence[FrenchFace], least: int) -> bool:
    """Whether the hand that a card comes from has so many cards."""
    return len(hand) >= least


class EveryWord(Game[EveryOptions]):
    """One turn in which every word of the table is said."""

    name, title, seats, best_with = "every-word", N_("Every Word"), (2, 4), 2
    minutes = 5
    summary = N_("A game that says every word once.")
    card = Opening(goal=N_("Say every word."), turn=N_("Say one."), lose=N_("Nobody loses."))
    options, layout, listens, teams = EveryOptions, Layout("ring"), True, Teams((2,), size=(1, 2))
    take_back, narrator, legacy = False, True, Cellar
    api, rules_id, guide = 1, 2, ""
    first_match: ClassVar[Mapping[str, Any]] = {"cards": 3}
    local: ClassVar[Mapping[str, Any]] = {"speed": "fast"}

    deck: Pile[FrenchFace]
    hands: list[Hand[FrenchFace]]
    cups: list[Cup[int]]
    votes: Ballots[bool]
    coins: Counters
    pot: Counter
    lane: Track
    board: Grid
    waves: int

    def setup(self, t: Table[EveryOptions]) -> None:
        """Each piece once."""
        assert_type(t.legacy(Cellar), Cellar)
        self.deck = t.pile("deck", FRENCH_52)
        self.hands = t.hands("hand")
        self.speeds = t.pile("speeds", SPEEDS)
        self.spare = t.hand("spare", t.first_seat)
        self.cups = t.cups("cup", D6, 2)
        self.one_cup = t.cup("one", t.first_seat, Die(("sun", "moon")), 1)
        self.votes = t.ballots("votes", (True, False))
        self.coins, self.pot, self.bank = t.counters("coins", 9), t.counter("pot"), t.bank("bank")
        self.lane = t.track("lane", 9, ("red", "blue"), {9: N_("home")})
        self.board = t.grid("board", 2, 2)
        self.waves = 0

    async def turn(self, t: Table[EveryOptions]) -> Outcome | None:
        """Every word that waits, and what comes of it."""
        first = assert_type(t.first_seat, Seat)
        assert_type(t.ring, Ring)
        assert_type(t.options, EveryOptions)
        assert_type(t.teams, tuple[tuple[Seat, ...], ...])
        assert_type(t.team(first) + t.mates(first), tuple[Seat, ...])
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands, each=t.options.cards)
        await t.mix(self.hands[first])
        top = assert_type(await t.turn_up(self.deck, by=first), Card[FrenchFace])
        self.spare.put(top)
        assert_type(await t.reveal([top]), list[Card[FrenchFace]])
        await t.show(self.hands[first], t.ring)
        await t.shake(*self.cups, self.one_cup)
        assert_type(await t.roll(D6, D6), list[int])
        assert_type(await t.randrange(6), int)
        await self.questions(t, first)
        await self.facts(t, first)
        votes = assert_type(await t.ballot(self.votes, t.ring, N_("Yes?"), N_("All vote.")), list[bool])
        votes += await t.ballot(self.votes, {seat: [True] for seat in t.ring})
        fast: Reaction[str] | None = await t.react(dict.fromkeys(t.ring, one_of(["bang"])), go=first)
        t.tell(NN_("{n} vote.", "{n} votes."), n=len(votes))
        t.tell(N_("Only you see this."), only=[first])
        self.board.put((0, 0), "X")
        self.lane.put("red", 3)
        self.coins.pay(first, 1, self.pot)
        await t.pause(first)
        await t.open_floor(N_("Wave."), N_("All may wave."), seconds=20)
        await t.judge()
        scores = tuple(self.coins.values())
        best = Award(N_("calm"), first, why=N_("{n} waves"), n=self.waves)
        return Outcome(
            (fast.seat,) if fast else (first,),
            scores=scores,
            legacy=Cellar({t.names[first]: 1}),
            statistics={N_("Waves"): (self.waves, *(None for _ in scores[1:]))},
            awards=(best,),
            why=text(N_("{seat} has waved."), seat=first),
        )

    async def questions(self, t: Table[EveryOptions], first: Seat) -> None:
        """Each kind of question; its value has the type that was put in."""
        card = await t.ask(first, one_of(self.hands[first]), N_("Which?"), N_("{seat} thinks."), seat=first)
        assert_type(card, Card[FrenchFace])
        three = await t.ask(first, some_of(self.hands[first], 1, 3, ordered=True))
        assert_type(three, list[Card[FrenchFace]])
        assert_type(await t.ask(first, amount(0, 9, 3, default=3)), int)
        assert_type(await t.ask(first, YES_NO), bool)
        unavailable = [Unavailable(N_("none"), N_("There is none."))]
        word = await t.ask(first, one_of([Choice("a", N_("an A"))], Choice(0), unavailable=unavailable))
        assert_type(word, str | int)
        words: FreeText = free_text(9, shortest=2, signs="abc", suggestions=["ab", "cab"])
        told = assert_type(await t.ask(first, words), str)
        if len(told) > words.longest or len(told) < words.shortest or same_words(told, words.signs):
            t.tell(N_("{seat} writes {word}."), seat=first, word=words.suggestions[0])
        stake = form(Stake, on=one_of(t.ring), coins=amount(0, 3))
        assert_type(await t.ask(first, stake), Stake)
        then = await t.ask(first, Branch([Choice("go"), Choice("stay")], [amount(1, 2), None]))
        assert_type(then, tuple[Any, ...])
        assert_type(await t.ask_all(dict.fromkeys(t.ring, YES_NO)), dict[Seat, bool])
        sealed = assert_type(await t.seal_all(dict.fromkeys(t.ring, amount(0, 1))), dict[Seat, Secret[int]])
        await t.reveal(sealed.values())
        kinds: list[Question[Any]] = [stake, amount(0, 1), one_of("ab"), some_of("ab", 1, 2)]
        if [type(one) for one in kinds] != [Form, Amount, OneOf, SomeOf]:
            raise GameError("A question is of another kind.")

    async def facts(self, t: Table[EveryOptions], first: Seat) -> None:
        """What is said of hidden cards."""
        hand = self.hands[first]
        must: Claim = claim(N_("Too few."), is_any, hand, 1)
        follow = claim(N_("Follow suit."), follows, hand, Suit.CLUBS)
        await t.ask(first, one_of(hand), claim=must)
        await t.ask(first, one_of(hand), claim=follow)
        assert_type(await t.declare(first, is_red, hand.top), bool)
        assert_type(await t.declare(first, void, hand, Suit.CLUBS), bool)
        assert_type(await t.narrate(is_red, hand.top), bool)
        assert_type(await t.narrate(is_red, hand.top, to=first), Secret[bool])
        assert_type(await t.declare(first, places, hand, Suit.CLUBS), tuple[int, ...])
        everybody: Mapping[Seat, Hand[FrenchFace]] = {seat: self.hands[seat] for seat in t.ring}
        assert_type(await t.declare_all(holds, everybody, FrenchFace(2, Suit.CLUBS)), dict[Seat, bool])
        await t.reveal(hand)
        assert_type(winner({first: hand.top}, hand.top.face.suit), Seat)

    @interjection(N_("wave to {value}"))
    def wave(self, t: Table[EveryOptions], seat: Seat, to: Seat) -> None:
        """Anybody waves to anybody else."""
        if seat == to:
            raise Refused(N_("Nobody waves to themselves."))
        self.waves += 1

    @wave.choices
    def may_wave(self, t: Table[EveryOptions], seat: Seat) -> Question[Seat] | None:
        """All others."""
        return one_of([to for to in t.ring if to != seat])

    def zones(self, t: Table[EveryOptions], viewer: Seat | None) -> Iterable[Zone]:
        """Each maker once."""
        yield pile_zone(self.deck, N_("Deck"))
        for seat in t.ring:
            mine = hand_zone(self.hands[seat], N_("Cards"), order="suit")
            if mine.order != "kept":
                yield mine
            yield cards_zone(f"first.{seat}", N_("First"), self.hands[seat].cards[:1], seat=seat)
        yield counter_zone(self.pot, N_("Pot"))
        yield counters_zone(self.coins, N_("Coins"), show=Show(goal=9))
        yield tokens_zone("waves", N_("Waves"), [(t.first_seat, self.waves)])
        yield track_zone(self.lane, N_("Lane"))
        yield grid_zone(self.board, N_("Board"))
        yield text_zone("said", N_("Said"), N_("{n} waves"), n=self.waves)

    def hints(self, view: View[EveryWord], about: Ask[Any] | Event) -> Iterable[Text]:
        """A hint for each question."""
        if isinstance(about, Ask):
            assert_type(view.game.deck, Pile[FrenchFace])
            yield text(N_("{n} cards are left."), n=len(view.game.deck), holds=lambda: True)

    def preview(self, view: View[EveryWord], ask: Ask[Any], draft: Sequence[Any]) -> Iterable[Text]:
        """What a stake would leave."""
        if len(draft) == 2:
            yield text(N_("{n} cards are left."), n=len(view.game.deck))

    def may_talk(self, t: Table[EveryOptions], speaker: Seat, to: tuple[Seat, ...]) -> Text | None:
        """Nobody talks to itself."""
        return Text(N_("Which one?")) if speaker in to else None

    def heard(self, t: Table[EveryOptions], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        """Words count as waves."""
        self.waves += not to

    def migrate(self, old_rules_id: int, state: dict[str, Any]) -> dict[str, Any] | None:
        """The first rules counted no waves."""
        if old_rules_id != 1:
            return None
        state["game"]["waves"] = 0
        return state

    def turns_begun(self, t: Table[EveryOptions]) -> int:
        """There is one."""
        return super().turns_begun(t)

    def forfeit(self, t: Table[EveryOptions], seats: tuple[Seat, ...]) -> Outcome:
        """The others win."""
        return super().forfeit(t, seats)

    def unfinished(self, t: Table[EveryOptions]) -> Outcome | None:
        """Nobody has lost it."""
        return super().unfinished(t)

    def playout(self, t: Table[EveryOptions], chance: Chance) -> Outcome | None:
        """The rules have to play."""
        return super().playout(t, chance)


class Waver(Bot):
    """Waves, answers and reacts."""

    level = "waver"
    interjects = True

    def choose(self, view: View[EveryWord], ask: Ask[Any], chance: Chance) -> object:
        """Any legal value."""
        hand = assert_type(view.game.hands[0], Hand[FrenchFace])
        assert_type(view.face(hand.top) if hand else None, FrenchFace | None)
        return RandomBot().choose(view, ask, chance)

    def react(self, view: View[EveryWord], window: Window, chance: Chance) -> Reflex | None:
        """It goes on, or is as fast as can be."""
        if window.go == view.seat:
            return Reflex(GO_ON, 300) if chance.percent(50) else self.go_on(view, window, chance)
        seat = chance.pick(list(window.questions))
        fast = Reflex(window.questions[seat].nth(0), window.floor + chance.below(300))
        return fast if seat == view.seat and fast.ms < 200 else None

    def invited(self, options: Options) -> int:
        """Always."""
        return 100

    @staticmethod
    def interjecting(game: EveryWord, options: Options) -> Iterable[Seat] | None:
        """Nobody after the first wave."""
        return () if game.waves else None

    def interject(
        self, view: View[EveryWord], standing: Mapping[str, Question[Any]], chance: Chance
    ) -> Interject | ChatMessage | None:
        """It waves once."""
        if view.game.waves or "wave" not in standing:
            return None
        return Interject("wave", standing["wave"].any(chance))


class Deep(SearchBot):
    """Thinks ahead, and says how sure it is."""

    level = "deep"
    seconds = 0.5
    playouts = 2
    policy = RandomBot()
    adviser = Waver()
    looks_ahead = False

    def worth(self, outcome: Outcome, seat: int) -> int:
        """A win is more than is usual."""
        return max(super().worth(outcome, seat), 900 * (seat in outcome.winners))

    def tried(self, view: View[EveryWord], ask: Ask[int], chance: Chance) -> int:
        """How often it tried the best answer; and how the match would end if it were broken off."""
        assert_type(view.imagine(chance).unfinished(), Any)
        assert_type(Simulation(EveryWord, 2, seed=1).unfinished(), Outcome | None)
        assert_type(view.imagine(chance).playout(chance), Any)
        assert_type(Simulation(EveryWord, 2, seed=1).playout(chance), Outcome)
        return len(self.weigh(view, ask, chance).weighed)


def backs(view: View[EveryWord]) -> int:
    """How many cards of the deck somebody doesn't know: this viewer, or another where it does."""
    content: tuple[CardView, ...] = view.zones()["deck"].content
    return sum(card.face is None or card.down for card in content)


def asked(view: View[EveryWord], ask: Ask[int]) -> list[int]:
    """The legal values of a question, and the sealed answers that are known."""
    legal = [value for value in assert_type(view.legal(ask), Sequence[int]) if view.allows(ask, value)]
    prompts = (ask.you, ask.others, ask.verb, ask.params, ask.seconds, ask.otherwise, ask.shown_to, ask.claim)
    if len(view.events) > len(view.names) + len(prompts):
        return [ask.value]
    secret: Secret[int] = Secret(ask)
    assert_type(view.answer(secret), int | None)
    return legal


def best_of(view: View[EveryWord], chance: Chance) -> Action:
    """The first action in a world that may be the true one, played on from there."""
    world: World[EveryWord] = view.imagine(chance)
    assert_type(world.game, EveryWord)
    action: Action = world.legal()[0]
    world.step(action)
    chance.reseed(chance.bits())
    return action if world.digest() and not world.untrue else world.view(None).imagine(chance).legal()[0]


def learned(file: Path) -> tuple[str, Outcome | None]:
    """How many actions a learner numbers, and how a match ended that bots played on."""
    match = Simulation(EveryWord, 2, legacy=Cellar({"Ann": 3}), seed=1)
    assert_type(match.game, EveryWord)
    outcome = match.clone().rollout(RandomBot(), Chance(1), steps=9)
    index = ActionIndex.learn(EveryWord, 2, EveryOptions(), matches=1)
    index.save(file)
    action, size = match.legal()[0], ActionIndex.load(file).size
    known = index.mask([action])[index.id(action)] and action.key in index.keys
    assert_type(match.interjections(0), list[Action])
    if match.open and match.turn == 0 and match.outcome is None:
        match.step(action)
    return f"{size} {known} {action.key} {action.seat} {action.name} {match.view(0).seat}", outcome


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    """The game."""
    return [EveryWord]


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Its bot."""
    return [("every-word", Waver)]
