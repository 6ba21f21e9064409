"""Games that are broken in one way each, and the checks that must notice.

Every check has at least one game here that it alone, or it first, catches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from tavolata import (
    N_,
    Ask,
    Choice,
    Deck,
    Event,
    Game,
    Options,
    Outcome,
    Pile,
    Problem,
    Question,
    Refused,
    Seat,
    Table,
    Text,
    Unavailable,
    View,
    Zone,
    amount,
    claim,
    fact,
    form,
    free_text,
    interjection,
    one_of,
    option,
    some_of,
    text,
)
from tavolata.bots import Chance, RandomBot
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.errors import HiddenFact
from tavolata.kinds.question import AnswerPart, Number
from tavolata.zones import counters_zone, pile_zone, tokens_zone


@fact
def remember(chosen: Any, _: object, notes: list[int]) -> bool:
    """Write a hidden face down."""
    notes[:] = [chosen.rank]
    return True


MOOD = [0]
"""What a fact may not read: it is another number whenever somebody looks."""


@fact
def as_the_mood_is(hand: Sequence[Any]) -> int:
    """It depends on what the process has done before."""
    MOOD[0] += 1
    return MOOD[0]


@fact
def lowest(hand: Sequence[Any]) -> int:
    """The lowest rank of a hand."""
    return min((face.rank for face in hand), default=0)


@fact
def never(chosen: Any, _: object) -> bool:
    """Nothing is true."""
    return False


class Sound(Game[Options]):
    """A sound game, to be broken: cards in hands, one turned up a turn, a choice, an interjection."""

    name, title, seats = "sound", N_("Sound"), (2, 3)

    deck: Pile[ItalianFace]
    open: Pile[ItalianFace]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.open = t.pile("deck", ITALIAN_40), t.pile("open")
        self.hands = t.hands("hand")
        self.fiches, self.pot = t.counters("fiches", 6), t.counter("pot")
        self.seat = t.first_seat
        self.notes: Any = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if not self.open:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.hands, each=3)
        if len(self.open) > 8 or not any(self.hands):
            return Outcome((self.seat,))
        await t.turn_up(self.deck, onto=self.open, by=self.seat)
        await self.play(t)
        self.seat = t.ring.next(self.seat)
        return None

    async def play(self, t: Table[Options]) -> None:
        """What is broken in most of the games below."""
        hand = self.hands[self.seat]
        if hand:
            card = await t.ask(self.seat, one_of(hand.cards), N_("Lay one down."))
            hand.move_to(self.open, [card])
        self.fiches[self.seat].pay_up_to(1, self.pot)

    @interjection(N_("Pay"))
    def pay(self, t: Table[Options], seat: Seat, many: int) -> None:
        self.fiches[seat].pay(many, self.pot)

    @pay.choices
    def _how_many(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        return amount(1, self.fiches[seat].value) if self.fiches[seat] else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.open, N_("Open"))
        yield counters_zone(self.fiches, N_("Fiches"))


class ReadsHidden(Sound):
    """It reads a hidden face."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = [self.deck.top.face.rank]


class ReadsHiddenAndHushes(Sound):
    """It tries to read a hidden face and catches the error."""

    async def play(self, t: Table[Options]) -> None:
        try:
            self.notes = [self.deck.top.face.rank]
        except HiddenFact:
            self.notes = [0]
        await super().play(t)


class PeeksAtTheDealer(Sound):
    """It looks into the dealer's book, round the API."""

    async def play(self, t: Table[Options]) -> None:
        faces: Any = getattr(t._source, "_faces", None)
        self.notes = [] if faces is None else [faces[self.deck.top.id]]
        await super().play(t)


class RemembersInAClaim(Sound):
    """Its claim writes down the face that only its owner may know."""

    async def play(self, t: Table[Options]) -> None:
        hand = self.hands[self.seat]
        if hand:
            await t.ask(self.seat, one_of(hand.cards), claim=claim(N_("No."), remember, (), self.notes))
        await super().play(t)


class ShowsOthersHands(Sound):
    """Its zones say more on the machine that deals."""

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        source: Any = t._source
        known = sum(len(faces) for faces in source.known.values())
        yield Zone("known", "counter", N_("Known"), known)


class HoldsAFloat(Sound):
    """It keeps a number that is not exact."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = 0.5
        await super().play(t)


class HoldsASet(Sound):
    """It keeps something without an order."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = {1, 2}
        await super().play(t)


class SharesAList(Sound):
    """Two of its attributes are one list."""

    async def play(self, t: Table[Options]) -> None:
        self.twin = self.notes
        await super().play(t)


@dataclass(frozen=True)
class OutOfTen:
    """Data that changes when it is made again."""

    number: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", self.number + 1)


class ChangesWhenLoaded(Sound):
    """Its data comes back as other data."""

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        self.notes = OutOfTen(3)


CHOSEN: list[int] = []


class RemembersWhatWasChosen(Sound):
    """It keeps what is chosen beside its attributes, where nothing that is taken back is forgotten."""

    async def play(self, t: Table[Options]) -> None:
        for _ in range(2):
            CHOSEN.append(await t.ask(self.seat, amount(1, 3), N_("How many?")))
            self.notes = CHOSEN[-3:]


class RemembersElsewhere(Sound):
    """It keeps part of its state outside its attributes."""

    elsewhere: list[int] = []  # noqa: RUF012 - that is what is broken

    async def play(self, t: Table[Options]) -> None:
        self.elsewhere.append(1)
        self.notes = len(self.elsewhere)
        await super().play(t)


class RemembersInThisProcess(Sound):
    """It remembers by object, which is right until the match is taken up again."""

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        t.turns_seen = 0  # type: ignore[attr-defined]

    async def play(self, t: Table[Options]) -> None:
        t.turns_seen += 1  # type: ignore[attr-defined]
        if t.turns_seen > 3:  # type: ignore[attr-defined]
            self.fiches[self.seat].pay_up_to(1, self.pot)
        await super().play(t)


class OwnChance(Sound):
    """It throws dice of its own."""

    async def play(self, t: Table[Options]) -> None:
        import random

        self.notes = random.randrange(1000)
        await super().play(t)


class OwnChanceInWords(Sound):
    """It throws dice of its own, only to say something."""

    async def play(self, t: Table[Options]) -> None:
        import random

        t.tell(N_("A number: {n}."), n=random.randrange(10**6))
        await super().play(t)


class WalksASet(Sound):
    """The order of a set decides."""

    async def play(self, t: Table[Options]) -> None:
        names = {"bridge", "castle", "river", "wood", "mill", "well", "inn"}
        for name in names:
            self.notes = name
        await super().play(t)


class CarriesAcross(Sound):
    """It pays what a seat had before the wait, in which the seat may pay itself."""

    async def play(self, t: Table[Options]) -> None:
        mine = self.fiches[self.seat].value
        await super().play(t)
        if mine > 1:
            self.fiches[self.seat].pay(mine - 1, self.pot)


class ChangesBeforeRefusing(Sound):
    """Its interjection changes the state and then refuses."""

    @interjection(N_("Boast"))
    def boast(self, t: Table[Options], seat: Seat, many: int) -> None:
        self.notes.append(many)
        if many == 2:
            raise Refused(N_("Too much."))

    @boast.choices
    def _how_much(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        return amount(1, 2)


class TellsBeforeRefusing(Sound):
    """Its interjection says that something happened and then refuses it."""

    @interjection(N_("Boast"))
    def boast(self, t: Table[Options], seat: Seat, many: int) -> None:
        t.tell(N_("A boast!"))
        raise Refused(N_("Too much."))

    @boast.choices
    def _how_much(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        return amount(1, 2)


class ChangesWhenAsked(Sound):
    """To ask what may be done changes the state."""

    @interjection(N_("Look"))
    def look(self, t: Table[Options], seat: Seat, many: int) -> None:
        pass

    @look.choices
    def _looks(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        self.notes.append(1)
        return amount(1, 2)


class ChangesWhenSpeaking(Sound):
    """To ask whether somebody may speak changes the state."""

    def may_talk(self, t: Table[Options], speaker: Seat, to: tuple[Seat, ...]) -> Text | None:
        self.notes.append(1)
        return None


class SilentForNoReason(Sound):
    """It forbids words, and says it in plain English."""

    def may_talk(self, t: Table[Options], speaker: Seat, to: tuple[Seat, ...]) -> Any:
        return None if to else "no talk at all"


class FactOfAGlobal(Sound):
    """Its fact reads what is no argument of it."""

    async def play(self, t: Table[Options]) -> None:
        await t.declare(self.seat, as_the_mood_is, self.hands[self.seat])
        await super().play(t)


class NarratesAGlobal(Sound):
    """Its narrator's fact reads what is no argument of it."""

    narrator = True

    async def play(self, t: Table[Options]) -> None:
        await t.narrate(as_the_mood_is, self.hands[self.seat])
        await super().play(t)


class DrawsWhatIsNotToldYet(Sound):
    """Its zones count on what the narrator says next."""

    narrator = True
    waits: bool = False

    async def play(self, t: Table[Options]) -> None:
        self.waits = True
        await t.narrate(as_long_as, self.hands[self.seat])
        self.waits = False
        await super().play(t)

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield from super().zones(t, viewer)
        yield from () if not self.waits else [self.none_yet]  # type: ignore[attr-defined]


@fact
def as_long_as(faces: Sequence[object]) -> int:
    """How many cards there are."""
    return len(faces)


class TrustsTheSilent(Sound):
    """It calculates with what is there only for those who speak."""

    async def play(self, t: Table[Options]) -> None:
        least = await t.declare(self.seat, lowest, self.hands[self.seat], otherwise=0)
        self.notes.append(40 // least)
        await super().play(t)


class CatchesEverything(Sound):
    """It catches what it doesn't know, and a lie with it."""

    async def play(self, t: Table[Options]) -> None:
        await t.declare(self.seat, lowest, self.hands[self.seat])
        try:
            await t.reveal(self.hands[self.seat])
        except Exception:  # noqa: BLE001 - that is what is wrong with it
            self.notes = [1]
        await super().play(t)


class LeavesNoAnswer(Sound):
    """Its claim lets no answer through."""

    async def play(self, t: Table[Options]) -> None:
        if self.hands[self.seat]:
            await t.ask(self.seat, one_of(self.hands[self.seat].cards), claim=claim(N_("No."), never))
        await super().play(t)


class ChoosesByPlace(Sound):
    """What its interjection is told is a place in a list, from which others take things."""

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        self.notes = [N_("red"), N_("green"), N_("blue")]

    @interjection(N_("Take {value}"))
    def take(self, t: Table[Options], seat: Seat, place: int) -> None:
        self.notes.pop(place)

    @take.choices
    def _places(self, t: Table[Options], seat: Seat) -> Question[int] | None:
        return one_of([Choice(at, name) for at, name in enumerate(self.notes)]) if self.notes else None


class OffersTwoOfOneValue(Sound):
    """Two things that its interjection offers mean the same to the rules."""

    @interjection(N_("Shout {value}"))
    def shout(self, t: Table[Options], seat: Seat, loud: bool) -> None:
        pass

    @shout.choices
    def _shouts(self, t: Table[Options], seat: Seat) -> Question[bool] | None:
        return one_of([Choice(True, N_("hooray")), Choice(True, N_("ouch"))])


class CrashesWhenInterrupted(Sound):
    """It takes for granted that a seat still has fiches after the wait."""

    async def play(self, t: Table[Options]) -> None:
        if self.fiches[self.seat]:
            await super().play(t)
            self.fiches[self.seat].pay(1, self.pot)


class NeverEnds(Sound):
    """No turn of it is the last."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.randrange(2)
        return None


class NeverEndsAndAwaitsNothing(Sound):
    """No turn of it is the last, and nothing is logged."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        return None


class GoesRoundInCircles(Sound):
    """A turn of it has no end."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        while True:
            self.notes = 1


class LaysACardTwice(Sound):
    """It puts a card down and keeps it."""

    async def play(self, t: Table[Options]) -> None:
        self.open.put(self.deck.bottom)
        await super().play(t)


class ZonesOfOneName(Sound):
    """Two of its zones have one name."""

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.open, N_("Open"))
        yield pile_zone(self.open, N_("Open, too"))


class ZoneOfAWrongShape(Sound):
    """A zone of it can't be drawn."""

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield Zone("open", "pile", N_("Open"), list(self.open.cards))


class LeavesAGapInWords(Sound):
    """A sentence of it has a field that nobody fills."""

    async def play(self, t: Table[Options]) -> None:
        t.tell(N_("{seat} plays {what}."), seat=self.seat)
        await super().play(t)


class LeavesAGapInAPrompt(Sound):
    """A question of it has a field that nobody fills."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(self.seat, one_of([Choice(1)]), N_("What about {what}?"))
        await super().play(t)


class LeavesAGapInAChoice(Sound):
    """A choice of it has a field that nobody fills."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(self.seat, one_of([Choice(1, N_("take {what}"))]), N_("Which?"))
        await super().play(t)


class LeavesAGapInAReason(Sound):
    """Why something can't be chosen has a field that nobody fills."""

    async def play(self, t: Table[Options]) -> None:
        no = Unavailable(N_("two"), N_("There are only {n}."))
        await t.ask(self.seat, one_of([Choice(1)], unavailable=[no]), N_("Which?"))
        await super().play(t)


class WinnerWithoutASeat(Sound):
    """Somebody wins who does not play."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        return Outcome((Seat(7),))


class ScoresOfOthers(Sound):
    """It counts points for fewer than play."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        return Outcome((), scores=(1,))


class MeddlesInHints(Sound):
    """Who asks for a hint changes the match."""

    def hints(self, view: View, about: Ask | Event) -> Iterable[Text]:
        self.notes.append("asked")
        return ()


class HintsWithAGap(Sound):
    """A hint whose field stands for nothing."""

    def hints(self, view: View, about: Ask | Event) -> Iterable[Text]:
        yield text(N_("Think of {what}."))


class HintsOfAHiddenCard(Sound):
    """A hint that tells what lies on top of the pack."""

    def hints(self, view: View, about: Ask | Event) -> Iterable[Text]:
        if self.deck:
            yield text(N_("Next comes {card}."), card=str(self.deck.top.face))


class LastsForever(Sound):
    """Its minutes are those of a week."""

    minutes = 9999


class SeatsTheWrongWayRound(Sound):
    """Its fewest seats are more than its most; it got them when the class was made already."""


SeatsTheWrongWayRound.seats = (3, 2)


@dataclass(frozen=True, kw_only=True)
class OffByOne(Options):
    """An option whose default is beyond its limit."""

    points: int = option(11, N_("Points."), low=1, high=10)


class DefaultBeyondItsLimit(Sound):
    """Its usual house rules can't be set."""

    options = OffByOne


class FirstMatchOfOtherRules(Sound):
    """Its match for beginners has a house rule that there is not."""

    first_match = {"points": 1}  # noqa: RUF012 - nobody changes it


@dataclass(frozen=True, kw_only=True)
class HangsOnNothing(Options):
    """An option that hangs on one that there is not."""

    points: int = option(5, N_("Points."), low=1, high=10, when={"cards": True})


class OptionOfNoOther(Sound):
    """Its option can never be offered."""

    options = HangsOnNothing


@dataclass(frozen=True, kw_only=True)
class HangsOnNoValue(Options):
    """An option that hangs on a value that the other one can't have."""

    cards: bool = option(True, N_("Cards."))
    points: int = option(5, N_("Points."), low=1, high=10, when={"cards": "many"})


class OptionOfNoValue(Sound):
    """Its option can never be offered."""

    options = HangsOnNoValue


@dataclass(frozen=True, kw_only=True)
class ForACrowd(Options):
    """An option for more than can play."""

    points: int = option(5, N_("Points."), low=1, high=10, seats=(4, 8))


class OptionForNobody(Sound):
    """Its option can never be offered."""

    options = ForACrowd


@dataclass(frozen=True, kw_only=True)
class NeverPlayable(Options):
    """House rules that three can't play."""

    points: int = option(5, N_("Points."), low=1, high=10)

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        if seats > 2:
            yield Problem("points", N_("Too many people for {n} points."), n=self.points)


class UsualRulesWithAProblem(Sound):
    """Three may sit down, and never play."""

    options = NeverPlayable


@dataclass(frozen=True, kw_only=True)
class GapInAProblem(Options):
    """A problem whose sentence has a field that nobody fills."""

    points: int = option(5, N_("Points."), low=1, high=10)

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        if self.points > 9:
            yield Problem("points", N_("{n} points are too many."))


class LeavesAGapInAProblem(Sound):
    """It says a half sentence in the lobby."""

    options = GapInAProblem


@dataclass(frozen=True, kw_only=True)
class RaisingProblems(Options):
    """Problems that can't be looked for."""

    points: int = option(5, N_("Points."), low=1, high=10)

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        return [Problem("points", N_("Odd."))] if 1 // (self.points - 1) else []


class BreaksInTheLobby(Sound):
    """Its house rules break while a table is set up."""

    options = RaisingProblems


class LooksBehindACard(Sound):
    """It reads what a card keeps to itself."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = [self.deck.top._face]
        await super().play(t)


class ForgetsToAwait(Sound):
    """It shuffles, and does not wait for it."""

    async def play(self, t: Table[Options]) -> None:
        t.shuffle(self.deck)  # type: ignore[unused-coroutine]  # this is what is broken


class ForgetsToAwaitItself(Sound):
    """It has a method that waits, and does not wait for it."""

    async def play(self, t: Table[Options]) -> None:
        self.again(t)  # type: ignore[unused-coroutine]  # this is what is broken

    async def again(self, t: Table[Options]) -> None:
        await super().play(t)


class AwaitsWhatIsPlain(Sound):
    """It waits for words that are said at once."""

    async def play(self, t: Table[Options]) -> None:
        await t.tell(N_("Well."))  # type: ignore[func-returns-value, misc]  # this is what is broken


class TurnsWithoutWaiting(Sound):
    """Its turn is a plain method; it got it when the class was made already, which is how it got so far."""


setattr(TurnsWithoutWaiting, "turn", lambda game, t: None)  # noqa: B010 - no type checker would allow it


class EndsWithATuple(Sound):
    """It ends with winners, and with no outcome."""

    async def turn(self, t: Table[Options]) -> Any:
        return (Seat(0),)


class AsksWithAWrongName(Sound):
    """A field of its prompt is called by another name."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(
            self.seat, one_of([Choice(1)]), N_("Well?"), N_("{seat} thinks."), seat=self.seat, othrs=1
        )


class ChangesWhenDrawn(Sound):
    """Looking at the table changes it."""

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        self.notes = [*self.notes, 1][-5:] if len(self.notes) < 5 else []
        return super().zones(t, viewer)


class DrawnByChance(Sound):
    """The table looks otherwise each time."""

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield from super().zones(t, viewer)
        import random

        yield Zone("luck", "counter", N_("Luck"), random.randrange(1 << 30))


class DrawnForPlayersOnly(Sound):
    """Who looks on can't see the table."""

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield from super().zones(t, viewer)
        yield Zone("mine", "counter", N_("Mine"), self.fiches[viewer].value)  # type: ignore[index] # so it is


class ImportsTheEngine(Sound):
    """It looks into the match through a module that is private."""

    async def play(self, t: Table[Options]) -> None:
        from tavolata._engine.match.match import Match

        self.notes = [Match.__name__]
        await super().play(t)


class AsksForNothing(Sound):
    """A question of it has no answer once the hand is empty."""

    async def play(self, t: Table[Options]) -> None:
        card = await t.ask(self.seat, one_of(self.hands[self.seat].cards[2:]), N_("Lay one down."))
        self.hands[self.seat].move_to(self.open, [card])


class RaisesRarely(Sound):
    """It breaks in one match of a few."""

    async def play(self, t: Table[Options]) -> None:
        await super().play(t)
        if t.turn == 2 and await t.randrange(8) == 0:
            raise RuntimeError("An impossible case.")


class LosesACard(Sound):
    """It takes a card away and puts it nowhere."""

    async def play(self, t: Table[Options]) -> None:
        self.deck.take_top()
        await super().play(t)


class StatisticOfAFloat(Sound):
    """It ends with a mean."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        half: Any = 0.5
        return Outcome((self.seat,), statistics={N_("Mean"): (half,) * len(t.names)})


class LeaversWin(Sound):
    """Who leaves its table wins."""

    def forfeit(self, t: Table[Options], seats: tuple[Seat, ...]) -> Outcome:
        return Outcome(seats)


class ScoresTheUnfinishedWrong(Sound):
    """Where the table ends it early, somebody wins who does not play."""

    def unfinished(self, t: Table[Options]) -> Outcome | None:
        return Outcome((Seat(9),))


class GuessesHowItEnds(Sound):
    """Its quick way to the end of a match is not that of its rules."""

    def playout(self, t: Table[Options], chance: Chance) -> Outcome | None:
        return Outcome((), statistics={N_("Guesses"): (chance.below(9),) * len(t.names)})


class MovesOnInAPlayout(Sound):
    """Its quick way to the end leaves another state behind."""

    def playout(self, t: Table[Options], chance: Chance) -> Outcome | None:
        self.seat = t.ring.next(self.seat)
        return None


class HoldsALocalClass(Sound):
    """It keeps data of a class that no other process can find."""

    async def play(self, t: Table[Options]) -> None:
        @dataclass(frozen=True)
        class Note:
            number: int

        self.notes = Note(3)
        await super().play(t)


class ReadsTheClock(Sound):
    """Its rules look at a clock."""

    async def play(self, t: Table[Options]) -> None:
        import time

        self.notes = [time.perf_counter_ns()]
        await super().play(t)


class ReadsUrandom(Sound):
    """Its rules have random bytes of their own."""

    async def play(self, t: Table[Options]) -> None:
        import os

        self.notes = [os.urandom(8)]
        await super().play(t)


class RemembersInAnArgument(Sound):
    """A list that is a default argument is one list for all matches."""

    async def play(self, t: Table[Options]) -> None:
        t.tell(N_("Match {n}."), n=self.begun(str(t.first_seat) if t.turn == 0 else ""))
        await super().play(t)

    def begun(self, what: str, before: list[str] = []) -> int:  # noqa: B006 - this is what is broken
        before += [what] * bool(what)
        return len(before)


BEGUN: dict[str, int] = {}
"""What no match may write into."""


class RemembersInTheModule(Sound):
    """It counts matches in its module."""

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        BEGUN["matches"] = BEGUN.get("matches", 0) + 1

    async def play(self, t: Table[Options]) -> None:
        t.tell(N_("Match {n}."), n=BEGUN["matches"])
        await super().play(t)


class ChoosesByHash(Sound):
    """The hash of a text decides, which is another one in each process."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = [hash("sound") % 1000]
        await super().play(t)


class ReadsTheNames(Sound):
    """What players are called decides."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = [len(t.names[self.seat])]
        await super().play(t)


class KeepsARepr(Sound):
    """It keeps how a hidden card prints; that this is no leak is what is tested."""

    async def play(self, t: Table[Options]) -> None:
        if self.deck:
            self.notes = [repr(self.deck.top), str(self.deck.top), f"{self.deck.top}"]
        await super().play(t)


class AsksInAnInterjection(Sound):
    """Its interjection asks something back, for which it can't wait."""

    @interjection(N_("Doubt"))
    def doubt(self, t: Table[Options], seat: Seat, many: int) -> None:
        t.ask(seat, amount(1, 2))  # type: ignore[unused-coroutine]  # this is what is broken

    @doubt.choices
    def _doubts(self, t: Table[Options], seat: Seat) -> Question | None:
        return amount(1, 2)


class ValueOfASet(Sound):
    """A choice of it is a set, which can't be written down."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(self.seat, one_of([Choice({1, 2}, N_("both"))]), N_("Which?"))
        await super().play(t)


class TooManyParts(Question[int], name="too-many-parts"):
    """A kind of question that lists all of its answers."""

    def count(self) -> int:
        return 2000

    def parts(self, begun: tuple[int, ...] = ()) -> Sequence[AnswerPart]:
        return [AnswerPart((number,), number, number) for number in range(2000)]

    def check(self, answer: object) -> Any:
        return answer

    def value_of(self, answer: Any) -> int:
        return int(answer)

    def answer_for(self, value: Any, means: object = None) -> Any:
        return value

    def answer_at(self, number: int) -> Any:
        return number

    def number_of(self, answer: Any) -> int:
        return int(answer)

    def shape(self) -> Number:
        return Number(0, 1999)

    def kept(self) -> tuple[Any, ...]:
        return ()


class ListsAllAnswers(Sound):
    """A question of it can't be asked in parts."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(self.seat, TooManyParts(), N_("How many?"))
        await super().play(t)


@dataclass(frozen=True)
class Pledge:
    """What one field after the other makes."""

    first: int
    second: int


class Huge(Sound):
    """A sound game whose questions have a thousand million answers and more, which nobody may list."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(self.seat, amount(0, 2**30), N_("How many?"))
        await t.ask(self.seat, some_of(range(60), 5, 30), N_("Which?"))
        await t.ask(self.seat, form(Pledge, first=amount(1, 2**20), second=amount(1, 2**20)), N_("What?"))
        await super().play(t)

    @interjection(N_("Shout {value}"))
    def shout(self, t: Table[Options], seat: Seat, loud: int) -> None:
        pass

    @shout.choices
    def _shouts(self, t: Table[Options], seat: Seat) -> Question | None:
        return amount(0, 2**30)


class Side(Enum):
    """A side of a coin, which says no word."""

    HEADS = 1
    TAILS = 2


@dataclass(frozen=True)
class Coin:
    """A face that does not say how it reads."""

    side: Side


COINS = Deck("coins", [Coin(side) for side in Side])


class ShowsCode(Sound):
    """Its cards read as a programmer writes them."""

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        self.coins = t.pile("coins", COINS)


class LooksLikeText(Sound):
    """The looks of its cards are no looks."""

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        look: Any = str
        self.signs = t.pile("signs", Deck("signs", ["one", "two"], look=look))


class CountsItsMatches(Sound):
    """What it says hangs on how many matches this process has begun."""

    begun: list[int] = []  # noqa: RUF012 - this is what is broken

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        self.begun.append(1)

    async def play(self, t: Table[Options]) -> None:
        t.tell(N_("Match {n}."), n=len(self.begun))
        await super().play(t)


class ReadsTheLanguage(Sound):
    """Its rules differ by the language of the machine."""

    async def play(self, t: Table[Options]) -> None:
        import os

        self.notes = [os.environ.get("LANG", "")]
        await super().play(t)


@dataclass(frozen=True)
class Left:
    """What the games below leave to the next match."""

    notes: Any = ()


class LeavesTooMuch(Sound):
    """It leaves more than fits into the terms of a match."""

    legacy = Left

    async def turn(self, t: Table[Options]) -> Outcome | None:
        return Outcome((self.seat,), legacy=Left(tuple(range(3000))))


class LeavesASet(Sound):
    """It leaves what has no order."""

    legacy = Left

    async def turn(self, t: Table[Options]) -> Outcome | None:
        return Outcome((self.seat,), legacy=Left({1, 2}))


class LeavesUndeclared(Sound):
    """It leaves something, and its class does not say so."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        return Outcome((self.seat,), legacy=Left())


class ReadsAnother(Sound):
    """It reads a legacy of another class than the declared one."""

    legacy = Left

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        t.legacy(Text)


class LeavesToSeats(Sound):
    """It takes the seats of another evening for those of this one."""

    legacy = Left

    def setup(self, t: Table[Options]) -> None:
        super().setup(t)
        for seat in t.legacy(Left).notes:
            self.fiches[seat].pay(1, self.pot)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        return Outcome((self.seat,), legacy=Left(tuple(t.ring)))


class LeavesBadLuck(Sound):
    """A match after another one breaks where a lot falls badly."""

    legacy = Left

    async def turn(self, t: Table[Options]) -> Outcome | None:
        if await t.randrange(5) == 2 and t.legacy(Left).notes:
            raise ZeroDivisionError("bad luck")
        return Outcome((self.seat,), legacy=Left((1,)))


TOLD: list[int] = []


class LeavesWhatItRemembers(Sound):
    """What it leaves hangs on the matches that this process played before."""

    legacy = Left

    async def turn(self, t: Table[Options]) -> Outcome | None:
        TOLD.append(1)
        return Outcome((self.seat,), legacy=Left(len(TOLD)))


class ReadsTheEnvironment(Sound):
    """It deals as a variable says."""

    async def play(self, t: Table[Options]) -> None:
        from os import environ

        t.tell(N_("It is {n}."), n=len(environ.get("LUCK", "")))


class Sleeps(Sound):
    """It lets time pass."""

    async def play(self, t: Table[Options]) -> None:
        import time

        self.notes = time.sleep


class OrdersByHash(Sound):
    """The order of texts is another one in each process."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = sorted(["one", "two"], key=hash)


class WritesToTheTerminal(Sound):
    """What it prints is on nobody's screen."""

    async def play(self, t: Table[Options]) -> None:
        print(self.seat)


class ComparesInLowerCase(Sound):
    """Which letters have a lower case differs between Pythons."""

    async def play(self, t: Table[Options]) -> None:
        self.notes = t.names[0].lower()


class Lot(NamedTuple):
    """Two numbers, with a word that texts have, too."""

    low: int
    high: int

    def upper(self) -> int:
        return self.high


class WritesFreely(Sound):
    """It isn't broken: its own names, a choice between two words that wait, and what a named tuple has."""

    _least, _most = 0, 10

    async def play(self, t: Table[Options]) -> None:
        self._low, self._high = self._least, self._most
        for self._at in range(2):
            self.notes = [self._low, self._high, self._at]
        lot = Lot(1, 2)._replace(high=self._at)
        self.notes = [lot.upper(), *lot._asdict(), *lot._fields]
        await (t.turn_up(self.deck, onto=self.open) if self.notes else t.shuffle(self.deck))


class ForgetsToAwaitEither(Sound):
    """It shuffles, or turns a card up, and does not wait for it."""

    async def play(self, t: Table[Options]) -> None:
        t.turn_up(self.deck, onto=self.open) if self.notes else t.shuffle(self.deck)


class Dawdles(RandomBot):
    """A bot that never goes on."""

    level = "dawdles"

    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        return False


class Waits(Game[Options]):
    """It ends when somebody wants it to."""

    name, title, seats = "waits", N_("Waits"), (2, 3)

    def setup(self, t: Table[Options]) -> None:
        self.asked = 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        self.asked += 1
        return Outcome((t.first_seat,)) if await t.ask(t.first_seat, one_of([False, True])) else None


class Misreads(Game[Options]):
    """It takes a text for a number of the list."""

    name, title, seats = "misreads", N_("Misreads"), (2, 3)

    def setup(self, t: Table[Options]) -> None:
        self.word = ""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        self.word = await t.ask(t.first_seat, free_text(9, suggestions=["one", "two"]), N_("Which word?"))
        return Outcome((t.ring[["one", "two"].index(self.word)],))


class Unsaid:
    """It has no words: whoever shows it fails."""

    def __repr__(self) -> str:
        raise ZeroDivisionError("no words")


class DrawsWhatHasNoWords(Sound):
    """The label of a row can be looked at, and not be said."""

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield from super().zones(t, viewer)
        yield tokens_zone("rows", N_("Rows"), [(UNSAID, 1)])


UNSAID = Unsaid()


class AsksAboutNothing(Sound):
    """It says that a question is about a zone, and there is none of this name."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(self.seat, one_of([1, 2]), N_("Well?"), about=["nothing"])
        await super().play(t)


class PutsMessagesTogether(Sound):
    """Its sentence is an f-string, which no catalogue can have."""

    async def play(self, t: Table[Options]) -> None:
        t.tell(f"{len(self.open)} cards lie there.")
        await super().play(t)


class PutsMessagesTogetherByPercent(Sound):
    """Its sentence is filled in before it is marked."""

    async def play(self, t: Table[Options]) -> None:
        t.tell(N_("%d cards lie there.") % len(self.open))
        await super().play(t)


class PutsMessagesTogetherByFormat(Sound):
    """Its prompt is filled in before it is marked."""

    async def play(self, t: Table[Options]) -> None:
        await t.ask(self.seat, one_of([1, 2]), "{} cards lie there.".format(len(self.open)))  # noqa: UP032 - the mistake
        await super().play(t)


class PutsMessagesTogetherByAdding(Sound):
    """Its sentence ends with what Python writes."""

    async def play(self, t: Table[Options]) -> None:
        t.tell("Cards: " + str(len(self.open)))
        await super().play(t)


class TellsHowASecretPrints(Sound):
    """It tells all how Python writes a sealed answer."""

    async def play(self, t: Table[Options]) -> None:
        (secret,) = (await t.seal_all({self.seat: one_of([1, 2])}, N_("Well?"))).values()
        t.tell(N_("Now {what}."), what=repr(secret))
        await t.reveal([secret])
        await super().play(t)


class TellsHowACardPrints(Sound):
    """It tells all how Python writes a card."""

    async def play(self, t: Table[Options]) -> None:
        t.tell(N_("Now {what}."), what=str(self.open.top))
        await super().play(t)


class HoldsACardInMidAir(Sound):
    """While it asks, a card that it has taken lies nowhere: no screen and no file has it."""

    async def play(self, t: Table[Options]) -> None:
        card = self.deck.take_top() if self.deck else None
        await t.ask(self.seat, one_of([1, 2]), N_("Well?"))
        if card is not None:
            self.open.put(card)
