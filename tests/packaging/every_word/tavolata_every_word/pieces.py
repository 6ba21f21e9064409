"""What can be done with pieces, seats and questions: each word once, each with its type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_type

from tavolata import (
    N_,
    YES_NO,
    Award,
    Ballots,
    Card,
    Choice,
    Counter,
    Counters,
    Cup,
    Deck,
    Die,
    Event,
    Grid,
    Hand,
    Layout,
    Options,
    Outcome,
    Pile,
    Question,
    Reaction,
    Refused,
    Ring,
    Seat,
    Secret,
    Spot,
    Table,
    Teams,
    Text,
    Track,
    Unavailable,
    Zone,
    one_of,
)
from tavolata.decks import (
    FRENCH_54,
    FRENCH_108,
    ITALIAN_40,
    JOKER,
    FrenchFace,
    ItalianFace,
    ItalianRank,
    ItalianSuit,
    Rank,
    Suit,
)
from tavolata.tricks import ace_high
from tavolata.zones import Show, calls, counted, flow

DECKS: tuple[Deck[FrenchFace], ...] = (FRENCH_54, FRENCH_108)
HORSE = ItalianFace(ItalianRank.HORSE, ItalianSuit.COPPE)
SUITS = (ItalianSuit.DENARI, ItalianSuit.COPPE, ItalianSuit.SPADE, ItalianSuit.BASTONI)
BLACK = (Suit.CLUBS, Suit.SPADES, Suit.JOKER)
TEAMS = Teams(counts=(2, 3), size=(2, 4), alternate=False, required=True)
TABLE = Layout(seating="ring", palette="pieces", decision=3, clockwise=False)
SHOW = Show(
    role="hero",
    draw="bar",
    goal=9,
    better="less",
    unit=N_("coins"),
    of="red",
    row=((3, "5"),),
)


def cards(pile: Pile[FrenchFace], hand: Hand[FrenchFace], cup: Cup[int], ballots: Ballots[bool]) -> list[int]:
    """Move cards and dice in every way; the heights of some faces."""
    top = assert_type(pile.top, Card[FrenchFace])
    assert_type(pile.take(top), Card[FrenchFace])
    pile.put(pile.take_top())
    pile.put_under(pile.take_bottom())
    pile.put_at(1, pile.take_at(-1))
    pile.cut(2)
    pile.move_to(hand, under=True)
    hand.move_to(pile, [hand.bottom])
    assert_type(hand.owner, Seat)
    assert_type(ballots.packs, tuple[Hand[bool], ...])
    assert_type(cup.take_top(), Card[int])
    faces = assert_type(ITALIAN_40.faces, tuple[ItalianFace, ...])
    if not pile.cards[0].is_public or HORSE not in faces or JOKER.rank != Rank.JOKER:
        return []
    return [ace_high(card.face) for card in pile]


def counters(coins: Counters, pot: Counter, die: Die[str]) -> int:
    """Move coins in every way; how many there are."""
    coins.move(0, 1, 2)
    coins.pay(0, 1, pot)
    pot.pay(1, coins[1])
    assert_type(pot.pay_up_to(3, coins[1]), int)
    assert_type(coins.only_holder(), Seat | None)
    assert_type(coins.values(), list[int])
    assert_type(Die.of(8), Die[int])
    assert_type(die.faces, tuple[str, ...])
    return coins.total() + pot.value


def boards(lane: Track, board: Grid) -> list[str]:
    """Move tokens and pieces in every way; who is in front."""
    square = lane.advance("red", 3)
    if lane.where("blue") == Track.OFF or square == lane.length or square in lane.marks:
        return lane.on(square)
    board.put((0, 0), "X")
    board.move((0, 0), (1, 1))
    board.put((0, 0), board.take((1, 1)))
    assert_type(board.neighbours((0, 0), diagonal=True), list[tuple[int, int]])
    assert_type(board.lines(3), list[list[tuple[int, int]]])
    board.put((1, 0), "X")
    assert_type(board.run((1, 0), "X"), int)
    assert_type(board.ray((0, 0), (0, 1)), list[tuple[int, int]])
    assert_type(board.things((1, 0)), tuple[Any, ...])
    spots = [assert_type(board.at((1, 0)), Spot), board.column(1)]
    if board.stacks or board.hexagonal or board.terrain or not board.labels:
        return [spot.label for spot in spots if spot.board == board.name and board.top(spot.cells[0])]
    full = len(board.cells()) - len(board.empty()) == board.rows * board.columns
    return lane.tokens if full else lane.leaders()


def seats(ring: Ring) -> list[Seat]:
    """Go round in every way."""
    first = assert_type(ring[0], Seat)
    ring.reverse()
    if ring.reversed:
        return ring.where(lambda seat: seat > 1)
    return [ring.next(first), ring.previous(first), ring.after(first, 2), *ring.starting(first)]


def values(question: Question[int]) -> int:
    """Number the answers of a question in every way."""
    parts = [part.value for part in question.parts()]
    assert_type(question.nth(0), int)
    return len(parts) + question.count() + question.index(3)


def choices() -> Question[str]:
    """A choice that says all that it may."""
    red = Choice(
        "red",
        N_("red: {n}"),
        at="red",
        verb=N_("Risk it"),
        mood="costs",
        key="r",
        more=N_("All."),
        params={"n": 3},
    )
    return one_of([red], unavailable=[Unavailable(N_("{n} black"), N_("They have run."), params={"n": 2})])


def sealed(secret: Secret[int], first: Reaction[str]) -> list[int]:
    """What is known of sealed answers and of a reaction."""
    if not secret.is_open or secret.is_late or first.cut:
        return [secret.question.count()]
    later = assert_type(first.later, tuple[tuple[Seat, str, int], ...])
    return [secret.value, secret.seat, first.milliseconds, first.claimed, *(ms for _, _, ms in later)]


def options(house: type[Options]) -> dict[str, bool | int | str]:
    """House rules as words."""
    given = {spec.name: spec.default for spec in house.describe()}
    return house.parse(given).plain()


def outcome(t: Table[Any], scores: Sequence[int], zone: Zone, event: Event) -> Outcome:
    """The outcome of points, with all that it may tell."""
    marks = (*event.marks, flow(t.first_seat, t.ring[1], 2), counted([], "5×5"), calls(t.first_seat))
    t.tell(N_("{seat} wins."), seat=t.first_seat, stamp=event.stamp, marks=marks)
    best = Award(N_("calm"), t.first_seat, why=N_("{n} waves"), n=len(zone.params))
    found = Outcome.by_score(t, scores, lowest=True, awards=(best,), series={N_("Points"): (tuple(scores),)})
    if TEAMS.required:
        found = Outcome.by_team(t, scores, lowest=True)
    if found.ranks is None or not found.series or not found.winners or not found.team_scores:
        raise Refused(N_("Nobody wins."))
    return found


def said(one: Text) -> str:
    """A message in English, with its fields."""
    return f"{one} {sorted(one.params)} {YES_NO.count()}"
