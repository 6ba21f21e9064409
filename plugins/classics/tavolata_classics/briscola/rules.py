"""The rules of Briscola."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    NN_,
    Card,
    Deck,
    Game,
    Hand,
    Layout,
    Opening,
    Options,
    Outcome,
    Pile,
    Seat,
    Table,
    Teams,
    Zone,
    one_of,
    option,
)
from tavolata.decks import ITALIAN_40, ItalianFace, ItalianSuit
from tavolata.decks import ItalianRank as Rank
from tavolata.tricks import winner
from tavolata.zones import Show, cards_zone, hand_zone, pile_zone, text_zone, tokens_zone

OUT_OF_THREE: Final = ItalianFace(Rank.TWO, ItalianSuit.COPPE)
ITALIAN_39: Final = Deck("italian39", [face for face in ITALIAN_40.faces if face != OUT_OF_THREE])
"""The pack for three players, without the two of coppe."""
WORTH: Final = {Rank.ACE: 11, Rank.THREE: 10, Rank.KING: 4, Rank.HORSE: 3, Rank.FANTE: 2}
ALL: Final = 120
EACH: Final = 3
PLAYS = N_("{seat} plays {card}.")
TAKES = NN_("{seat} takes the trick: {n} point.", "{seat} takes the trick: {n} points.")
COUNTS = NN_("{n} point for {team}.", "{n} points for {team}.")


def worth(face: ItalianFace) -> int:
    """Return the points of a card."""
    return WORTH.get(face.rank, 0)


def height(face: ItalianFace) -> int:
    """Return a number by which cards of a suit compare: ace, three, king, and so on."""
    return 100 * worth(face) + face.rank


@dataclass(frozen=True, kw_only=True)
class BriscolaOptions(Options):
    """What a table agrees on."""

    wins: int = option(2, "Hands needed to win the match.", title=N_("hands to win"), low=1, high=5)
    count: bool = option(True, "Everyone sees the points taken so far.", title=N_("points shown"))
    look: bool = option(False, "Partners look at each other's last three cards.", title=N_("partners look"))


class Briscola(Game[BriscolaOptions]):
    """Take the tricks with the aces and threes; no one has to follow suit.

    Attributes:
        deck: the cards to draw; the lowest one is the briscola, face up.
        briscola: the card that names the trumps; None before the first hand.
        hands: the cards of each seat.
        trick: the cards on the table; `played` says whose they are, in the order of playing.
        taken: by seat, the cards of its tricks.
        lead: who leads the next trick.
        dealer: who dealt this hand.
        wins: by team, the hands it has won.
        points: by seat, the points it has taken in all hands.
    """

    name = "briscola"
    title = N_("Briscola")
    summary = N_("Use trumps to capture the aces and threes, alone or with a partner.")
    card = Opening(
        goal=N_("Take the most points: aces, threes and face cards are worth 120 in all."),
        turn=N_("Play any card. The highest briscola wins the trick, or else the highest of the suit led."),
        lose=N_("A trump takes your aces and threes, so don't lead them too early."),
    )
    seats = (2, 4)
    best_with = 2
    minutes = 15
    options = BriscolaOptions
    first_match: ClassVar[Mapping[str, Any]] = {"wins": 1}
    teams = Teams(counts=(2,), size=(2, 2))
    guide = "tavolata_classics.briscola.guide"
    layout = Layout(decision=3)

    deck: Pile[ItalianFace]
    briscola: Card[ItalianFace] | None
    hands: list[Hand[ItalianFace]]
    trick: Pile[ItalianFace]
    played: dict[Seat, Card[ItalianFace]]
    taken: list[Pile[ItalianFace]]
    lead: Seat
    dealer: Seat
    wins: list[int]
    points: list[int]

    def setup(self, t: Table[BriscolaOptions]) -> None:
        self.deck = t.pile("deck", ITALIAN_39 if len(t.ring) == 3 else ITALIAN_40)
        self.briscola = None
        self.hands = t.hands("hand")
        self.trick, self.played = t.pile("trick"), {}
        self.taken = [t.pile(f"taken.{seat}") for seat in t.ring]
        self.dealer = self.lead = t.first_seat
        self.wins, self.points = [0] * len(t.teams), [0] * len(t.ring)

    async def turn(self, t: Table[BriscolaOptions]) -> Outcome | None:
        """One trick; a hand begins when all cards have been played."""
        if not self.hands[0]:
            await self.deal(t)
        for seat in t.ring.starting(self.lead):
            hand = self.hands[seat]
            card = await t.ask(
                seat,
                one_of(hand),
                N_("Which card will you play?"),
                N_("{seat} chooses a card."),
                verb=N_("Play {choice}"),
                about=[hand],
                seat=seat,
            )
            hand.move_to(self.trick, [card])
            await t.reveal([card])
            t.tell(PLAYS, seat=seat, card=card)
            self.played[seat] = card
        self.take(t)
        if self.deck:
            await t.deal(self.deck, [self.hands[seat] for seat in t.ring.starting(self.lead)])
            if not self.deck:
                await self.look(t)
        return None if self.hands[0] else self.count(t)

    async def deal(self, t: Table[BriscolaOptions]) -> None:
        """Three cards each; the next one names the trumps and goes under the deck."""
        await t.shuffle(self.deck, *self.taken)
        self.lead = t.ring.after(self.dealer)
        await t.deal(self.deck, [self.hands[seat] for seat in t.ring.starting(self.lead)], each=EACH)
        self.briscola = await t.turn_up(self.deck)
        self.deck.put_under(self.briscola)
        t.tell(N_("{seat} deals. The briscola is {card}."), seat=self.dealer, card=self.briscola)

    def best(self) -> Seat:
        """Return the seat that wins the cards on the table."""
        assert self.briscola is not None  # cards are on the table in a hand only
        led = next(iter(self.played.values())).face.suit
        return winner(self.played, led, self.briscola.face.suit, height)

    def take(self, t: Table[BriscolaOptions]) -> None:
        """The highest briscola takes the trick, or the highest card of the suit led."""
        self.lead = self.best()
        points = sum(worth(card.face) for card in self.trick)
        self.trick.move_to(self.taken[self.lead])
        self.played = {}
        self.points[self.lead] += points
        t.tell(TAKES, seat=self.lead, n=points)

    async def look(self, t: Table[BriscolaOptions]) -> None:
        """Partners look at each other's cards before the last three tricks."""
        if not t.options.look or len(t.teams) == len(t.ring):  # without teams, no one has a partner
            return
        for seat in t.ring:
            await t.show(self.hands[seat], t.mates(seat))  # tt: ok that is what partners agree on
        t.tell(N_("Partners look at each other's cards."))

    def scored(self, t: Table[BriscolaOptions]) -> list[int]:
        """Return the points of each team in this hand."""
        return [sum(worth(card.face) for seat in team for card in self.taken[seat]) for team in t.teams]

    def count(self, t: Table[BriscolaOptions]) -> Outcome | None:
        """The most points win the hand, and at equal points no one does."""
        scored = self.scored(t)
        for team, points in zip(t.teams, scored, strict=True):
            t.tell(COUNTS, team=team, n=points)
        best = scored.index(max(scored))
        if scored.count(max(scored)) == 1:
            self.wins[best] += 1
            t.tell(N_("The hand goes to {team}."), team=t.teams[best], stamp=N_("hand won"))
        else:
            t.tell(N_("It's a tie on points: no one wins the hand."))
        self.dealer = t.ring.after(self.dealer)
        if max(self.wins) < t.options.wins:
            return None
        return Outcome.by_team(t, self.wins, statistics={N_("Points taken"): tuple(self.points)})

    def unfinished(self, t: Table[BriscolaOptions]) -> Outcome:
        """The hands won so far, and the points of this one; those of a hand that's over are counted."""
        now = self.scored(t) if self.trick or any(self.hands) else [0] * len(t.teams)
        return Outcome.by_team(t, [ALL * wins + points for wins, points in zip(self.wins, now, strict=True)])

    def zones(self, t: Table[BriscolaOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield cards_zone("trick", N_("Trick"), self.trick, show=Show(role="hero"))
        if self.deck:
            yield pile_zone(self.deck, N_("Deck"))
        if self.briscola is not None:
            yield text_zone(
                "briscola", N_("Briscola"), "{card}", show=Show(role="fact"), card=self.briscola.face
            )
        for team in t.teams if viewer is None else [t.team(viewer)]:
            if len(team) > 1:
                aside = Show(role="aside")
                yield text_zone(f"team.{t.teams.index(team)}", N_("Team"), "{team}", show=aside, team=team)
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"))
        if t.options.count:
            points = [sum(worth(card.face) for card in pile) for pile in self.taken]
            yield tokens_zone("points", N_("Points"), list(zip(t.ring, points, strict=True)))
        wins = list(zip(t.teams, self.wins, strict=True))
        yield tokens_zone("wins", N_("Hands won"), wins, show=Show(goal=t.options.wins))
