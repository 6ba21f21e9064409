"""The rules of Scopa."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from tavolata import (
    N_,
    Card,
    Choice,
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
from tavolata.decks import ITALIAN_40, ItalianFace, ItalianRank, ItalianSuit
from tavolata.zones import Show, cards_zone, hand_zone, pile_zone, text_zone, tokens_zone
from tavolata_classics.scopa.score import SETTEBELLO, captures, most, napola, primiera

ON_TABLE: Final = 4
TOO_MANY_KINGS: Final = 3
LAYS = N_("{seat} lays {card}.")
TAKES = N_("{seat} plays {card} and takes {cards}.")
SCOPA = N_("Scopa for {seat}!")
CATEGORIES: Final = (N_("Cards: {team}."), N_("Denari: {team}."), N_("Primiera: {team}."))


def rank(card: Card[ItalianFace]) -> int:
    return card.face.rank


@dataclass(frozen=True, kw_only=True)
class ScopaOptions(Options):
    """What a table agrees on."""

    points: int = option(11, "Points needed to win the match.", title=N_("points"), low=11, high=21, step=5)
    scopone: bool = option(
        False,
        "Deal everyone nine cards at once instead of three at a time.",
        title=N_("scopone"),
        seats=(4, 4),
    )
    ace: bool = option(
        False, "An ace takes the whole table, but that isn't a scopa.", title=N_("ace takes all")
    )
    napola: bool = option(
        False, "Three or more denari in a row, starting with the ace, score a point each.", title=N_("napola")
    )


class Scopa(Game[ScopaOptions]):
    """Take cards from the table, above all denari, sevens and the last ones.

    Attributes:
        deck: the cards that are still to be dealt.
        hands: the cards of each seat.
        table: the cards on the table; `played` has the one that is about to take some.
        taken: by seat, the cards it has taken in this deal.
        sweeps: by seat, its scope in this deal.
        mover: whose turn it is.
        dealer: who dealt.
        taker: who took cards last.
        score: by team, its points.
        scope: by seat, its scope in all deals.
    """

    name = "scopa"
    title = N_("Scopa")
    summary = N_("Take cards that match or add up to yours. Denari, sevens and a cleared table score points.")
    card = Opening(
        goal=N_("Take cards from the table, above all denari and sevens."),
        turn=N_("Play a card: it takes one of the same rank, or several that add up to it."),
        lose=N_("A card that takes nothing stays on the table, where others can take it."),
    )
    seats = (2, 4)
    best_with = 2
    minutes = 20
    options = ScopaOptions
    first_match: ClassVar[Mapping[str, Any]] = {}
    teams = Teams(counts=(2,), size=(2, 2))
    guide = "tavolata_classics.scopa.guide"
    layout = Layout(decision=3)

    deck: Pile[ItalianFace]
    hands: list[Hand[ItalianFace]]
    table: Pile[ItalianFace]
    played: Pile[ItalianFace]
    taken: list[Pile[ItalianFace]]
    sweeps: list[int]
    mover: Seat
    dealer: Seat
    taker: Seat
    score: list[int]
    scope: list[int]

    def setup(self, t: Table[ScopaOptions]) -> None:
        self.deck = t.pile("deck", ITALIAN_40)
        self.hands = t.hands("hand")
        self.table, self.played = t.pile("table"), t.pile("played")
        self.taken = [t.pile(f"taken.{seat}") for seat in t.ring]
        self.dealer = self.mover = self.taker = t.first_seat
        self.score = [0] * len(t.teams)
        self.sweeps, self.scope = [0] * len(t.ring), [0] * len(t.ring)

    async def turn(self, t: Table[ScopaOptions]) -> Outcome | None:
        """One card; new cards are dealt when all hands are empty."""
        if not any(self.hands):
            if len(self.deck) == len(ITALIAN_40):
                await self.begin(t)
            each = 9 if t.options.scopone else 3
            await t.deal(self.deck, [self.hands[seat] for seat in t.ring.starting(self.mover)], each=each)
        seat, hand = self.mover, self.hands[self.mover]
        card = await t.ask(
            seat,
            one_of(hand),
            N_("Which card will you play?"),
            N_("{seat} chooses a card."),
            verb=N_("Play {choice}"),
            about=[hand, self.table],
            seat=seat,
        )
        hand.move_to(self.played, [card])
        await t.reveal([card])
        await self.capture(t, seat, card)
        self.mover = t.ring.after(seat)
        return None if self.deck or any(self.hands) else self.count(t)

    async def begin(self, t: Table[ScopaOptions]) -> None:
        """Four cards face up, but not with three kings: no one could sweep them."""
        self.mover = t.ring.after(self.dealer)
        self.sweeps = [0] * len(t.ring)
        while not self.table:
            await t.shuffle(self.deck)
            for _ in range(ON_TABLE):
                await t.turn_up(self.deck, onto=self.table)
            if sum(rank(card) == ItalianRank.KING for card in self.table) >= TOO_MANY_KINGS:
                t.tell(N_("Three kings on the table: the cards are dealt again."))
                self.table.move_to(self.deck)
        t.tell(N_("{seat} deals. On the table: {cards}."), seat=self.dealer, cards=[*self.table])

    async def capture(self, t: Table[ScopaOptions], seat: Seat, card: Card[ItalianFace]) -> None:
        """A card that can take something has to; one that clears the table scores a scopa."""
        ways = captures(rank(card), [*self.table], rank, sweeps=t.options.ace)
        if not ways:
            self.played.move_to(self.table)
            t.tell(LAYS, seat=seat, card=card)
            return
        way = ways[0]
        if len(ways) > 1:
            choices = [Choice(way, N_("{cards}"), at=way[0], params={"cards": way}) for way in ways]
            way = await t.ask(
                seat,
                one_of(choices),
                N_("What does {card} take?"),
                N_("{seat} chooses what to take."),
                verb=N_("Take {choice}"),
                about=[self.table],
                seat=seat,
                card=card,
            )
        whole = sum(map(rank, way)) == rank(card)
        self.table.move_to(self.taken[seat], way)
        self.played.move_to(self.taken[seat])
        self.taker = seat
        t.tell(TAKES, seat=seat, card=card, cards=[*way])
        if not self.table and whole and (self.deck or any(self.hands)):
            self.sweeps[seat] += 1
            self.scope[seat] += 1
            t.tell(SCOPA, seat=seat, stamp=N_("scopa!"))

    def count(self, t: Table[ScopaOptions]) -> Outcome | None:
        """The last taker gets the rest of the table; then cards, denari, settebello, primiera and scope."""
        if self.table:
            t.tell(
                N_("{seat} was the last to take cards and gets the rest: {cards}."),
                seat=self.taker,
                cards=[*self.table],
            )
            self.table.move_to(self.taken[self.taker])
        for place, points in enumerate(self.points(t)):
            self.score[place] += points
        for pile in self.taken:
            pile.move_to(self.deck)
        self.dealer = t.ring.after(self.dealer)
        if max(self.score) < t.options.points or most(self.score) is None:
            return None
        return self.unfinished(t)

    def points(self, t: Table[ScopaOptions]) -> list[int]:
        """Return what each team scores in this deal, and say why."""
        faces = [[card.face for seat in team for card in self.taken[seat]] for team in t.teams]
        denari = [sum(face.suit is ItalianSuit.DENARI for face in own) for own in faces]
        counts = ([*map(len, faces)], denari, [*map(primiera, faces)])
        points = [sum(self.sweeps[seat] for seat in team) for team in t.teams]
        for message, numbers in zip(CATEGORIES, counts, strict=True):
            if (best := most(numbers)) is not None:
                points[best] += 1
                t.tell(message, team=t.teams[best])
        for place, own in enumerate(faces):
            if SETTEBELLO in own:
                points[place] += 1
                t.tell(N_("Settebello: {team}."), team=t.teams[place])
            if t.options.napola and (length := napola(own)):
                points[place] += length
                t.tell(N_("Napola of {n}: {team}."), team=t.teams[place], n=length)
        for place, team in enumerate(t.teams):
            t.tell(N_("Points for {team} in this deal: {n}."), team=team, n=points[place])
        return points

    def unfinished(self, t: Table[ScopaOptions]) -> Outcome:
        """The points so far."""
        return Outcome.by_team(t, self.score, statistics={N_("Scope"): tuple(self.scope)})

    def zones(self, t: Table[ScopaOptions], viewer: Seat | None) -> Iterable[Zone]:
        yield cards_zone("table", N_("On the table"), self.table, show=Show(role="hero"))
        if self.played:
            yield cards_zone("played", N_("Played"), self.played)
        if self.deck:
            yield pile_zone(self.deck, N_("Deck"))
        for team in t.teams if viewer is None else [t.team(viewer)]:
            if len(team) > 1:
                aside = Show(role="aside")
                yield text_zone(f"team.{t.teams.index(team)}", N_("Team"), "{team}", show=aside, team=team)
        for seat in t.ring:
            yield hand_zone(self.hands[seat], N_("In hand"))
        points = list(zip(t.teams, self.score, strict=True))
        yield tokens_zone("points", N_("Points"), points, show=Show(goal=t.options.points))
        yield tokens_zone("taken", N_("Taken"), [(seat, len(self.taken[seat])) for seat in t.ring])
        yield tokens_zone("sweeps", N_("Scope"), [(seat, self.sweeps[seat]) for seat in t.ring])
