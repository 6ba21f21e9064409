"""The rules of Tressette. Points are counted in thirds, and whole ones are scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    NN_,
    Card,
    Claim,
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
    claim,
    fact,
    one_of,
    option,
)
from tavolata.decks import ITALIAN_40, ItalianFace, ItalianSuit
from tavolata.decks import ItalianRank as Rank
from tavolata.tricks import follows, winner
from tavolata.zones import Show, cards_zone, hand_zone, text_zone, tokens_zone

ORDER: Final = (Rank.THREE, Rank.TWO, Rank.ACE, Rank.KING, Rank.HORSE, Rank.FANTE, 7, 6, 5, 4)
"""The ranks from the highest down."""
POINT: Final = 3
"""A point in thirds; the last trick brings one, too."""
PLAYS = N_("{seat} plays {card}.")
TAKES = N_("{seat} takes the trick.")
SCORES = NN_("{n} point for {team}.", "{n} points for {team}.")
NAPOLETANA: Final = 3
"""The points of three, two and ace of one suit."""


class Kind(Enum):
    """The ranks of which three or four are declared."""

    THREES = N_("threes")
    TWOS = N_("twos")
    ACES = N_("aces")


def height(face: ItalianFace) -> int:
    """Return a number by which cards of a suit compare."""
    return -ORDER.index(face.rank)


def thirds(face: ItalianFace) -> int:
    """Return the worth of a card in thirds of a point."""
    if face.rank == Rank.ACE:
        return POINT
    return int(face.rank in ORDER[:6])


@fact
def declared(hand: Sequence[ItalianFace]) -> tuple[tuple[int, int], ...]:
    """Return what a hand declares: (rank, how many), and (0, place of the suit) for a napoletana."""
    found = [(rank, sum(face.rank == rank for face in hand)) for rank in ORDER[:3]]
    suits = [
        place
        for place, suit in enumerate(ItalianSuit)
        if all(ItalianFace(rank, suit) in hand for rank in ORDER[:3])
    ]
    return (*((rank, many) for rank, many in found if many >= 3), *((0, place) for place in suits))


@dataclass(frozen=True, kw_only=True)
class TressetteOptions(Options):
    """What a table agrees on."""

    points: int = option(21, "Points needed to win the match.", title=N_("points"), low=11, high=41, step=10)
    declare: bool = option(
        True,
        "You score points for three or four threes, twos or aces, and for a napoletana.",
        title=N_("declarations"),
    )


class Tressette(Game[TressetteOptions]):
    """Take aces and figures together with a partner, and follow suit.

    Attributes:
        deck: all cards, between the deals.
        hands: the cards of each seat.
        trick: the cards on the table; `played` says whose they are, in the order of playing.
        taken: by seat, the cards of its tricks.
        lead: who leads the next trick.
        dealer: who dealt.
        score: by team, its points.
        called: by seat, the points of its declarations in all deals.
        tricks: by seat, how many tricks it has taken in all deals.
    """

    name = "tressette"
    title = N_("Tressette")
    summary = N_("Two against two: follow suit, and take aces and face cards. Threes are the highest.")
    card = Opening(
        goal=N_("Score points with your partner: an ace is worth one, a face card a third."),
        turn=N_("Follow the suit that was led. Threes are the highest, then twos, aces and kings."),
        lose=N_("There are no trumps: a card of another suit never takes the trick."),
    )
    seats = (4, 4)
    minutes = 30
    options = TressetteOptions
    first_match: ClassVar[Mapping[str, Any]] = {"points": 11}
    teams = Teams(counts=(2,), size=(2, 2), required=True)
    guide = "tavolata_classics.tressette.guide"
    layout = Layout(decision=3)

    deck: Pile[ItalianFace]
    hands: list[Hand[ItalianFace]]
    trick: Pile[ItalianFace]
    played: dict[Seat, Card[ItalianFace]]
    taken: list[Pile[ItalianFace]]
    lead: Seat
    dealer: Seat
    score: list[int]
    called: list[int]
    tricks: list[int]

    def setup(self, t: Table[TressetteOptions]) -> None:
        self.deck = t.pile("deck", ITALIAN_40)
        self.hands = t.hands("hand")
        self.trick, self.played = t.pile("trick"), {}
        self.taken = [t.pile(f"taken.{seat}") for seat in t.ring]
        self.lead = self.dealer = t.first_seat
        self.score = [0] * len(t.teams)
        self.called, self.tricks = [0] * len(t.ring), [0] * len(t.ring)

    async def turn(self, t: Table[TressetteOptions]) -> Outcome | None:
        """One trick; a deal begins when the hands are empty."""
        first = not self.hands[0]
        if first:
            await self.deal(t)
        for seat in t.ring.starting(self.lead):
            await self.play(t, seat, first=first)
        self.lead = self.best()
        self.played = {}
        self.tricks[self.lead] += 1
        self.trick.move_to(self.taken[self.lead])
        t.tell(TAKES, seat=self.lead)
        return None if self.hands[0] else self.count(t)

    async def deal(self, t: Table[TressetteOptions]) -> None:
        """Ten cards each; the player after the dealer leads."""
        await t.shuffle(self.deck, *self.taken)
        await t.deal(self.deck, self.hands, each=len(self.deck) // len(self.hands))
        self.lead = t.ring.after(self.dealer)
        t.tell(N_("{seat} deals everyone ten cards."), seat=self.dealer)

    async def play(self, t: Table[TressetteOptions], seat: Seat, *, first: bool) -> None:
        """A card of the suit led, if there is one; what can be declared is declared with the first card."""
        hand = self.hands[seat]
        if first and t.options.declare:
            await self.declare(t, seat)
        must: Claim | None = None
        if self.played:
            led = next(iter(self.played.values())).face.suit
            must = claim(N_("Follow suit."), follows, hand, led)
        card = await t.ask(
            seat,
            one_of(hand),
            N_("Which card will you play?"),
            N_("{seat} chooses a card."),
            verb=N_("Play {choice}"),
            claim=must,
            about=[hand],
            seat=seat,
        )
        hand.move_to(self.trick, [card])
        await t.reveal([card])
        self.played[seat] = card
        t.tell(PLAYS, seat=seat, card=card)

    async def declare(self, t: Table[TressetteOptions], seat: Seat) -> None:
        """Three or four of a rank score as many points, a napoletana three."""
        nothing: tuple[tuple[int, int], ...] = ()
        for rank, number in await t.declare(seat, declared, self.hands[seat], otherwise=nothing):
            points = number if rank else NAPOLETANA
            self.called[seat] += points
            self.score[t.teams.index(t.team(seat))] += points
            if rank:
                t.tell(
                    N_("{seat} declares {n} {kind}."),
                    seat=seat, n=number, kind=[*Kind][ORDER.index(rank)], stamp=N_("declared"),
                )  # fmt: skip
            else:
                three = ItalianFace(Rank.THREE, [*ItalianSuit][number])
                t.tell(
                    N_("{seat} declares a napoletana with {card}."),
                    seat=seat,
                    card=three,
                    stamp=N_("napoletana"),
                )

    def best(self) -> Seat:
        """Return the seat that wins the cards on the table: there are no trumps."""
        return winner(self.played, next(iter(self.played.values())).face.suit, height=height)

    def scored(self, t: Table[TressetteOptions], *, last: bool) -> list[int]:
        """Return the thirds that each team has taken in this deal, with those of the last trick."""
        own = [sum(thirds(card.face) for seat in team for card in self.taken[seat]) for team in t.teams]
        if last:
            own[t.teams.index(t.team(self.lead))] += POINT
        return own

    def count(self, t: Table[TressetteOptions]) -> Outcome | None:
        """Whole points are scored, eleven in each deal; thirds that are left are lost."""
        for place, own in enumerate(self.scored(t, last=True)):
            self.score[place] += own // POINT
            t.tell(SCORES, team=t.teams[place], n=own // POINT)
        self.dealer = t.ring.after(self.dealer)
        if max(self.score) < t.options.points or len(set(self.score)) == 1:
            return None
        statistics = {N_("Tricks"): tuple(self.tricks), N_("Points declared"): tuple(self.called)}
        return Outcome.by_team(t, self.score, statistics=statistics)

    def unfinished(self, t: Table[TressetteOptions]) -> Outcome:
        """The thirds so far, those of this deal included; those of a deal that's over are in the score."""
        taken = self.scored(t, last=False) if self.trick or any(self.hands) else [0] * len(t.teams)
        return Outcome.by_team(t, [POINT * own + more for own, more in zip(self.score, taken, strict=True)])

    def zones(self, t: Table[TressetteOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield cards_zone("trick", N_("Trick"), self.trick, show=Show(role="hero"))
        for team in t.teams if viewer is None else [t.team(viewer)]:
            yield text_zone(
                f"team.{t.teams.index(team)}", N_("Team"), "{team}", show=Show(role="aside"), team=team
            )
        yield text_zone("lead", N_("On lead"), "{seat}", show=Show(role="fact"), seat=self.lead)
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"), order="suit")
        score = list(zip(t.teams, self.score, strict=True))
        yield tokens_zone("points", N_("Points"), score, show=Show(goal=t.options.points))
        tricks = [(seat, len(self.taken[seat]) // len(t.ring)) for seat in t.ring]
        yield tokens_zone("tricks", N_("Tricks"), tricks)
