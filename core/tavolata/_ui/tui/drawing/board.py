"""The drawing of the whole table: players, zones in the game's order, and the viewer's own cards last.

Pure. Cards are drawn as boxes if there is enough height, else flat; the viewer's own become flat last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.roster import Players, draw_roster
from tavolata._ui.tui.drawing.runs import Block, clipped, flowing, padded, stacked
from tavolata._ui.tui.drawing.zones import alike, draw_alike, draw_zone
from tavolata.zones import CardRow, Count, Lanes, Sentence, Zone

STRIDE = 4


def draw_board(zones: Iterable[Zone], players: Players, pen: Pen, height: int) -> Block:
    """Draw everything on the table, `pen.room` cells wide and if possible at most `height` lines high."""
    every, flat = list(zones), replace(pen, flat=True)
    block = Block(())
    for others, own, gap in [
        (pen, pen, 2),
        (pen, pen, 1),
        (pen, pen, 0),
        (flat, pen, 1),
        (flat, pen, 0),
        (flat, flat, 0),
    ]:
        block = _arranged(every, players, others, own, height, gap)
        if block.height <= (height if gap < 2 else height * 3 // 4):
            break
    else:
        if players.asked & players.mine:  # one's cards decide the answer; the rest is on the next page
            block = _arranged(every, players, flat, flat, height, 0, roster_first=True)
    return Block(tuple(clipped(row, pen.room) for row in block.lines), block.spots)


def _drawn(pieces: list[Zone], pen: Pen) -> Iterator[Block]:
    """Draw the zones one by one; zones that count the same things share a table if there is room."""
    groups: list[list[Zone]] = []
    for zone in pieces:
        group = next((one for one in groups if alike(one[0], zone)), None)
        if group is None:
            groups.append([zone])
        else:
            group.append(zone)
    for group in groups:
        together = draw_alike(group, pen) if len(group) > 1 else None
        if together is not None and together.width <= pen.room:
            yield together
        else:
            yield from (draw_zone(zone, pen) for zone in group)


def _steady(block: Block) -> Block:
    """Round a block's width up, so that its neighbours don't move when a number gets longer."""
    wider = -(-(block.width + 1) // STRIDE) * STRIDE - 1
    return Block((padded(block.lines[0], wider), *block.lines[1:]), block.spots)


def _arranged(
    zones: list[Zone],
    players: Players,
    pen: Pen,
    mine: Pen,
    height: int,
    gap: int,
    *,
    roster_first: bool = False,
) -> Block:
    rows = max(4, height // 3) if len(players.names) > height // 2 else len(players.names) + 1
    roster, left = draw_roster(players, zones, pen, rows)
    own = [
        zone
        for zone in left
        if isinstance(zone.shape(), CardRow) and zone.seat in players.mine and zone.seat is not None
    ]
    others = [zone for zone in left if not any(zone is one for one in own)]
    tracks = [zone for zone in others if isinstance(zone.shape(), Lanes)]
    rest = [zone for zone in others if not isinstance(zone.shape(), Lanes)]
    facts = [zone for zone in rest if isinstance(zone.shape(), Count | Sentence)]
    pieces = [zone for zone in rest if not isinstance(zone.shape(), Count | Sentence)]
    parts = [draw_zone(zone, pen) for zone in tracks]
    narrow = replace(pen, room=min(pen.room, max(24, pen.room * 9 // 20)))
    said = stacked(draw_zone(zone, narrow) for zone in facts)
    if roster_first:
        parts.insert(0, roster)
        roster = Block(())
    blocks = [*_drawn(pieces, pen), said, roster]
    parts.append(flowing([_steady(block) for block in blocks if block.height], pen.room, gap=2, between=gap))
    there = stacked([part for part in parts if part.height], gap)
    hand = stacked([draw_zone(zone, mine) for zone in own], min(gap, 1))
    if not hand.height:
        return there
    left_over = height - there.height - hand.height
    return stacked([there, hand], max(gap, left_over))  # one's own cards are next to the question
