"""The end of a match: loans, Objectives, and the winner (rulings 20, 21, 29, 30, 32)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tavolata import N_, Award, Outcome, Seat, claim, fact, some_of, text
from tavolata_horse_fever.cards.effects import Moment, worth
from tavolata_horse_fever.cards.loans import LOANS
from tavolata_horse_fever.cards.objectives import OBJECTIVES, Goods, Objective
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.ruin import put_out
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import GOAL_ALONE, GOAL_SHARED

LAY_OPEN = N_("Which Objectives have you reached?")
NOT_REACHED = N_("You haven't reached all of these.")


async def end(g: HorseFeverTable, t: T) -> Outcome:
    t.tell(N_("The last race is over."))
    if t.options.board:
        await repay_loans(g, t)
        await score_objectives(g, t)
    return await decide(g, t)


async def repay_loans(g: HorseFeverTable, t: T) -> None:
    """Everybody repays their loans. All who can't have lost, however many they are (30)."""
    ruined = []
    for seat in t.ring.starting(g.first, where=g.is_in):
        debt = owed(g, seat)
        if not g.can_pay(seat, debt):
            t.tell(N_("{seat} can't repay {n} D and loses the match."), seat=seat, n=debt)
            ruined.append(seat)
        elif debt:
            g.pay(seat, debt, Flow.REPAID)
            g.give_loans_back(seat)
            t.tell(N_("{seat} repays {n} D."), seat=seat, n=debt)
    for seat in ruined:
        await put_out(g, t, seat)


def owed(g: HorseFeverTable, seat: Seat) -> int:
    """Return the amount that a seat has to repay for its loans (32)."""
    terms = [LOANS[loan] for who, loan in g.loans if who == seat]
    return sum(worth(g.effects_of(seat), one.moment, one.repaid) for one in terms)


async def score_objectives(g: HorseFeverTable, t: T) -> None:
    """Show the Objectives that are reached, before any of them is paid. Equal cards count once (29).

    The others stay face down: everything that they count is on the table, so each player knows which.
    """
    won: list[tuple[Seat, Objective, int]] = []
    for seat in t.ring.starting(g.first, where=g.is_in):
        held = g.objectives[seat]
        if not held:
            continue
        shown = await t.ask(
            seat, some_of(held, 0, len(held)), LAY_OPEN, N_("{seat} looks at the Objectives."),
            claim=claim(NOT_REACHED, all_reached, (), goals(g, seat)), seat=seat,
            verb=N_("Show the marked ones"),
        )  # fmt: skip
        if cards := await t.reveal(shown):
            t.tell(N_("{seat} shows {cards}."), seat=seat, cards=cards)
        aims = dict.fromkeys(card.face for card in cards)
        won += [(seat, aim, points) for aim in aims if (points := reached(g, seat, aim))]
    for seat, objective, points in won:
        g.score(seat, points, Flow.GOAL)
        t.tell(N_("{seat} has reached an Objective: {objective}. Points: {points}."),
               seat=seat, objective=objective, points=points)  # fmt: skip


@fact
def all_reached(chosen: Sequence[Objective], _: Sequence[Objective], goals: tuple[int, ...]) -> bool:
    """Return True if all Objectives that are laid open were reached (29)."""
    return all(OBJECTIVES.index(aim) in goals for aim in chosen)


def goals(g: HorseFeverTable, seat: Seat) -> tuple[int, ...]:
    """Return the numbers of the Objectives that a seat has reached now (29)."""
    return tuple(n for n, aim in enumerate(OBJECTIVES) if reached(g, seat, aim))


def reached(g: HorseFeverTable, seat: Seat, objective: Objective) -> int:
    """Return the points of an Objective for its holder: for the best alone, the best with others, or none."""
    sign = 1 if objective.most else -1
    held = {one: sign * holding(g, one, objective.goods) for one in g.players}
    best = max(held.values())
    if held[seat] < best or (objective.most and not best):  # none of something is not the most of it
        return 0
    return GOAL_ALONE if list(held.values()).count(best) == 1 else GOAL_SHARED


def holding(g: HorseFeverTable, seat: Seat, goods: Goods) -> int:
    """Count these goods of a seat. Some cards count as two."""
    match goods:
        case Goods.STABLES:
            return len(g.stables_of(seat))
        case Goods.ASSISTANTS:
            return sum(worth(card.face.effects, Moment.COUNT, 1) for card in g.assistants[seat])
        case Goods.HORSES:
            return sum(worth(card.face.effects, Moment.COUNT, 1) for card in g.horses[seat])
        case Goods.OBJECTIVES:
            return len(g.objectives[seat])
        case Goods.MONEY:
            return g.money[seat].value
        case Goods.POINTS:
            return g.points(seat)


async def decide(g: HorseFeverTable, t: T) -> Outcome:
    """The most points win; in the Family Game then the most money; then the die (21). One left wins (20)."""
    scores = tuple(g.points(seat) if g.is_in(seat) else 0 for seat in t.ring)

    def rank(seat: Seat) -> tuple[bool, int, int]:
        return not g.is_in(seat), -scores[seat], 0 if t.options.board else -g.money[seat].value

    order = sorted(rank(seat) for seat in t.ring)
    level = [seat for seat in t.ring if g.is_in(seat) and rank(seat) == order[0]]
    if not level:
        t.tell(N_("Everyone is ruined: no one wins."))
        return Outcome((), scores=scores, ranks=tuple(1 for _ in t.ring))
    winner, why = level[0], None
    if len(level) > 1:
        winner = level[await t.randrange(len(level))]
        why = text(N_("{seats} are level, and the die decides."), seats=level)
    elif len(level := [seat for seat in t.ring if g.is_in(seat) and scores[seat] == scores[winner]]) > 1:
        why = text(N_("{seats} are level on points; the richest of them wins."), seats=level)
    t.tell(N_("{seat} is the best bettor of all time. Points: {points}."),
           seat=winner, points=scores[winner])  # fmt: skip
    places = tuple(
        1 if seat == winner else max(2, order.index(rank(seat)) + 1 + (rank(seat) == order[0]))
        for seat in t.ring
    )
    fortunes = (*g.fortunes, tuple(g.money.values()))
    course = {N_("Points"): (*g.results, scores), N_("Danari"): fortunes}
    awards = tuple(_awards(g, t))
    return Outcome((winner,), scores=scores, ranks=places, awards=awards, series=course, why=why)


def _awards(g: HorseFeverTable, t: T) -> Iterator[Award]:
    flows = ((N_("best punter"), N_("{n} D won on bets"), Flow.WINNINGS),
             (N_("best breeder"), N_("{n} D from stables"), Flow.PRIZE))  # fmt: skip
    for title, why, flow in flows:
        gains = g.money_books.get(flow, [0] * len(t.ring))
        *_, second, most = sorted((0, *gains))
        if most and 2 * most >= 3 * second:  # it has to stand out
            best = next(seat for seat in t.ring if gains[seat] == most)
            yield Award(title, best, why=why, n=most)
