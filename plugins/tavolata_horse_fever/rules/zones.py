"""The zones: the track, the blackboard, bets, money and points, and the cards before each player.

Public things are always shown. Only players who were shown a face-down card see its face.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tavolata import N_, Seat, Zone
from tavolata.zones import (
    Show,
    cards_zone,
    counters_zone,
    pile_zone,
    text_zone,
    tokens_zone,
    track_zone,
)
from tavolata_horse_fever.colours import LANES, TOKENS
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import FINISH


def zones(g: HorseFeverTable, t: T) -> Iterable[Zone]:
    """Return all zones without those that are empty and say nothing."""
    yield from race_zones(g, t)
    yield from blackboard(g, t)
    yield counters_zone(g.money, N_("Danari"))
    yield tokens_zone("points", N_("Points"), [(seat, g.points(seat)) for seat in t.ring])
    for seat in t.ring:
        yield from seat_zones(g, seat)
    if t.options.board and g.turn_number:  # before they are shuffled, their order says nothing
        for pile, title in (
            (g.objective_deck, N_("Objectives to buy")),
            (g.assistant_deck, N_("Assistants to buy")),
            (g.horse_deck, N_("Horses to buy")),
        ):
            yield pile_zone(pile, title)


def race_zones(g: HorseFeverTable, t: T) -> Iterator[Zone]:
    yield track_zone(g.track, N_("Track"), show=Show(goal=FINISH))
    runs = any(g.track.where(token) for token in TOKENS.values())
    if g.ranking and (runs or g.turn_number > g.last_turn(t.options)):
        # While one bets, the places of the race before would look like those of this one.
        yield tokens_zone("ranking", N_("Places"), [(horse, g.place(horse)) for horse in g.ranking])
    for colour in LANES:
        cards = (*g.gates[colour], *g.lanes[colour])
        if cards:
            title = N_("Behind {horse}")
            yield cards_zone(g.lanes[colour].name, title, cards, horse=colour)


def blackboard(g: HorseFeverTable, t: T) -> Iterator[Zone]:
    rows = sorted(g.odds.items(), key=lambda row: row[1])
    yield tokens_zone("odds", N_("Odds"), rows)
    last = g.last_turn(t.options)
    turn = N_("{number} of {last}, {seat} first")
    yield text_zone("turn", N_("Turn"), turn, number=g.turns_begun(t), last=last, seat=g.first)
    if g.turn_number:
        yield tokens_zone("tokens", N_("Tokens"), [(c, g.free_tokens(c)) for c in LANES])
    if t.options.board and g.odds:
        unowned = [(c, g.price_of(c)) for c, _ in rows if g.owners[c] is None]
        yield tokens_zone("stables", N_("Stables to buy (D)"), unowned)
    if g.gone:
        yield text_zone("gone", N_("Out"), "{seats}", seats=[*g.gone])


def seat_zones(g: HorseFeverTable, seat: Seat) -> Iterator[Zone]:
    for card in g.character[seat]:
        yield Zone(f"character.{seat}", "text", N_("Character"), "{card}", seat, {"card": card})
    if stables := g.stables_of(seat):
        yield Zone(f"stables.{seat}", "text", N_("Stables"), "{stables}", seat, {"stables": tuple(stables)})
    if bets := [bet for bet in g.bets if bet.seat == seat]:
        yield Zone(f"bets.{seat}", "text", N_("Bets"), "{bets}", seat, {"bets": tuple(bets)})
    for cards, title in (
        (g.hands[seat], N_("Action cards")),
        (g.objectives[seat], N_("Objectives")),
        (g.assistants[seat], N_("Assistants")),
        (g.horses[seat], N_("Horses")),
    ):
        if cards:
            yield cards_zone(cards.name, title, cards, seat=seat)
    if loans := tuple(loan for who, loan in g.loans if who == seat):
        yield Zone(f"loans.{seat}", "text", N_("Loans"), "{loans}", seat, {"loans": loans})
