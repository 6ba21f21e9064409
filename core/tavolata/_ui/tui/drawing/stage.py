"""The stage: where each region of the table and each zone of the board is on a screen of some size.

Pure arithmetic. It depends on the size and on the cast, never on what there is to show now, so nothing moves
while the window keeps its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from tavolata._ui.scene.cast import Cast, CastPart
from tavolata._ui.tui.drawing.cards import LEAST, SIZES
from tavolata.zones import Layout


class Rect(NamedTuple):
    x: int
    y: int
    width: int
    height: int


NO_STRIP: Final = Rect(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class TableStage:
    """The regions of a screen between its first line, the status, and its last, the keys; the board's places.

    Attributes:
        chips: the players are two rows above the board, otherwise a column at the right.
        tall: the board is nothing but a track, a grid or a list, and as high as the players beside it; its
            `strip` has the small things then, and otherwise no height.
        guide: a hint; without height if the match isn't guided.
        beside: the story is below the players, otherwise a row above one's own things.
        middle: the board without a ring of players around it.
        hero: the largest place of the board; like `middle` it's counted from the board's first cell.
        places: by the id of a zone, its place; one without has no room.
        earlier: where the board has room for sentences before those of the story; counted as `hero` is.
    """

    width: int
    height: int
    players: Rect
    board: Rect
    story: Rect
    guide: Rect
    yours: Rect
    decision: Rect
    chips: bool
    beside: bool
    tall: bool = False
    strip: Rect = NO_STRIP
    middle: Rect = NO_STRIP
    hero: Rect = NO_STRIP
    places: Mapping[str, Rect] = field(default_factory=dict)
    earlier: Rect = NO_STRIP


class _Tier(NamedTuple):
    """The rows of the regions from this size on."""

    width: int
    height: int
    right: int
    board: int
    players: int
    story: int
    yours: int
    decision: int


TIERS: Final = (
    _Tier(160, 50, 46, 31, 22, 0, 9, 8),
    _Tier(120, 36, 36, 17, 17, 0, 8, 9),
    _Tier(100, 30, 33, 13, 13, 2, 6, 7),
    _Tier(80, 24, 25, 9, 9, 1, 6, 6),
    _Tier(60, 20, 0, 5, 2, 1, 3, 7),
)
USUAL: Final = Layout()
QUESTION: Final = 6
"""The fewest rows of a decision: the program asks at every table, with three choices or more."""
GUIDE: Final = 4
LEAST_YOURS: Final = 3
BARE: Final = 4
"""The rows of one's own things where nothing but a number is ever before anybody."""
EDGES: Final = 2
"""The rows that make a board look well which is whole without them."""
COLUMN: Final = (19, 25)
"""The cells of the players beside a track or a grid on a small screen: at its least width, and at most."""
ROOMY: Final = 17
"""The rows of a large board: a hero that lies alone has all of it."""
LARGE: Final = 8
"""The rows of one's own things from which cards are drawn large, with the title."""


RING: Final = ((7, 36), (5, 26), (4, 20))
"""The rows of the boxes around a board, and the rows of the board from which they have them."""
SPARE: Final = 20
"""The rows of a board of cards above which a row beside what a rehearsal showed stays spare."""
ASIDE: Final = 2
"""The rows of a small thing beside the hero."""
BESIDE: Final = 5
"""The rows of a number in large digits, with its title and its coins."""
GUTTER: Final = 4
"""The cells at the right of a hero without content: what is beside it may begin there."""
NUMBERED: Final = 16
"""The cells beside a pile for the number of its cards, and around a part of a row for its number:"""
TIMES: Final = 12
SIDE: Final = 10
"""The rows of what is beside a hero, if it needs no more."""
EARLIER: Final = Rect(0, 0, 22, 6)
"""The least size of a place for sentences before those of the story; and its most cells:"""
WIDEST: Final = 40
UNKNOWN: Final = Cast(own=True)
NOTHING: Final = CastPart("", "", "words", "")


def stage(
    width: int, height: int, *, guided: bool = False, wish: Layout = USUAL, cast: Cast = UNKNOWN
) -> TableStage | None:
    """Return the stage on a screen of this size; None if it's too small for a table.

    With `guided` hints have a place. `wish` is the game's: a ring of players takes the column of the players
    where the story isn't below it, and the rows of one's own things: all of them, if nobody ever has a zone.
    If the hero is a track, a grid or a list that has no room below two rows of players, they're beside it; if
    nothing is beside the hero, it has the width of the board.
    """
    tier = next((one for one in TIERS if width >= one.width and height >= one.height), None)
    if tier is None:
        return None
    saved = max(0, tier.decision - max(QUESTION, wish.decision + 1)) if wish.decision else 0
    yours = tier.yours
    if wish.seating == "ring" and tier.right:
        yours = tier.yours if cast.own and not tier.story else LEAST_YOURS if cast.own else 0
        tier = tier._replace(right=0, players=0) if tier.story else tier
    elif tier.right and not cast.own:
        yours = BARE
    saved += tier.yours - yours
    tier = tier._replace(yours=yours)
    tier = tier._replace(board=tier.board + saved)
    more = height - tier.height
    if not tier.right and tier.players:
        guide = GUIDE if guided else 0
        tall = _tall(width, height, tier.board - (guide - 1 if guide else 0), guide, wish, cast)
        if tall is not None:
            return _furnished(tall, cast, ring=False)
    own = min(max(0, LARGE - yours), more - (more * 3 + 4) // 5) if tier.right and cast.own else 0
    side = not tier.story
    told = 0 if side else (more - (more * 3 + 4) // 5 - own) // 2
    board, yours, story = tier.board + more - own - told, yours + own, tier.story + told
    guide = 0
    if guided:
        guide = GUIDE
        saved = max(0, yours - LEAST_YOURS) if not side else 0
        yours -= saved
        board -= max(0, guide - saved - 1)
    top = 1 + (0 if tier.right else tier.players)
    left = width - tier.right - 1 if tier.right else width
    main = left if side else width
    below = top + board
    players = (
        Rect(left + 1, 1, tier.right, tier.players if side else board)
        if tier.right
        else Rect(0, 1, width, tier.players)
    )
    parts = Rect(0, below, main, story), Rect(0, below + story, main, guide)
    after = below + story + guide
    if side:
        first = 1 + players.height
        parts = Rect(left + 1, first, tier.right, height - 1 - first), parts[1]
    plan = TableStage(
        width, height, players, Rect(0, top, left, board), *parts,
        Rect(0, after, main, yours), Rect(0, after + yours, main, height - 1 - after - yours),
        chips=not tier.right and bool(tier.players), beside=side,
    )  # fmt: skip
    return _furnished(plan, cast, ring=wish.seating == "ring")


def _tall(width: int, height: int, usual: int, guide: int, wish: Layout, cast: Cast) -> TableStage | None:
    """Return the stage of a small screen with the players beside a track, a grid or a list.

    None if it would be no higher that way, or narrower than it needs, or if not all players had room there.
    `usual` counts the rows of the board below two rows of players at the least height of such a screen,
    `guide` those of a hint.
    """
    more, part, asides = height - TIERS[-1].height, cast.parts.get(cast.hero, NOTHING), bool(cast.others())
    extra = (more * 3 + 4) // 5
    yours = LEAST_YOURS if cast.own else 1
    decision = min(TIERS[-1].decision, max(QUESTION, wish.decision + 1))
    story = 1 + (more - extra) // 2
    board = TIERS[-1].height - 3 - guide - yours - decision
    board -= max(0, board - asides - part.rows - EDGES)  # what a board can't use, choices can
    board += extra
    hero = board - asides
    right = min(COLUMN[1], max(COLUMN[0], width - 1 - part.cells[1]))
    left = width - right - 1
    panels = board - 2  # below the title of the players, beside or above the row of the strip
    seats = cast.seats if cast.lines > 1 else -(-cast.seats // 2)  # one-line panels may be chips
    if (
        part.rows < usual + extra
        or hero < part.least
        or hero < usual + extra
        or part.cells[0] > left
        or seats * cast.lines > panels
    ):
        return None
    strip = Rect(0, board, width, 1) if asides else NO_STRIP
    tops = [1 + board, story, guide, yours]
    y = [sum(tops[: at + 1]) for at in range(len(tops))]
    return TableStage(
        width, height, Rect(left + 1, 1, right, hero), Rect(0, 1, left, hero),
        Rect(0, y[0], width, story), Rect(0, y[1], width, guide), Rect(0, y[2], width, yours),
        Rect(0, y[3], width, height - 1 - y[3]), chips=False, beside=False, tall=True, strip=strip,
    )  # fmt: skip


def _furnished(plan: TableStage, cast: Cast, *, ring: bool) -> TableStage:
    """Return the stage with the places of the cast.

    A hero that needs it has the whole width, and one that lies alone all of a large board. What belongs to
    the centre is beside the hero as far as there's room, with everything else at its foot; or else that is in
    cells below the hero, in the order of the cast, half as wide if they're many.
    """
    rect, rest = plan.board._replace(x=0, y=0), cast.others()
    if ring and cast.seats > 1 and not plan.chips and not plan.tall:
        high = next((rows for rows, least in RING if rect.height >= least), 3)
        wide = max(48, rect.width * 3 // 4)
        rect = Rect((rect.width - wide) // 2, high, wide, rect.height - 2 * high)
    known = cast.rehearsed is not None
    sides = sum(cast.parts[zone].slot in CENTRE for zone in rest[: cast.rehearsed]) if known else len(CENTRE)
    low = [zone for zone in rest[: cast.rehearsed] if known and cast.parts[zone].slot not in CENTRE]
    if plan.tall:
        hero, rows, sides, low = rect, 1, 0, []
        strip = plan.strip._replace(x=plan.strip.x - plan.board.x, y=plan.strip.y - plan.board.y)
    else:
        draw = (part := cast.parts.get(cast.hero, NOTHING)).draw
        wide_hero = draw in ("lanes", "grid", "rows") or (
            not sides and (rect.height >= ROOMY or (known and draw in ("fan", "backs")))
        )
        high = _strip(rect.height, wide=wide_hero) if rest or not known else 0
        if wide_hero or not known or rect.height - ASIDE * len(low) < BESIDE * sides:
            need = high
            if known and draw in ("fan", "backs", "row"):  # these need the rows; a spare one stays
                need = len(low) + (rect.height >= ROOMY)
            elif known and rect.height - high < part.rows <= rect.height - len(rest[: cast.rehearsed]):
                need = len(rest[: cast.rehearsed])  # without blank rows below it, it's whole
            high, low = min(high, need), []
        else:
            high = min(high, int(rect.height > SPARE))
        left = rect.width if wide_hero else max(24, rect.width * 3 // 5)
        hero, rows = Rect(rect.x, rect.y, left, rect.height - high), 1 if high < 4 else 2
        strip = Rect(rect.x, rect.y + hero.height, rect.width, high)
        sides = 0 if wide_hero else min(sides, hero.height // 2)
        if known and plan.beside and wide_hero and draw in ("fan", "backs", "row"):
            free = min(WIDEST, rect.width - _needed(part, hero.height - 1) - GUTTER - 1)
            hero = hero._replace(width=rect.width - (free if free >= EARLIER.width else 0))
    x, wide = hero.x + hero.width, rect.width - hero.width
    foot = hero.y + hero.height - ASIDE * len(low)
    needs = [cast.parts[zone].rows + 1 for zone in rest[: cast.rehearsed] if cast.parts[zone].slot in CENTRE]
    each = (foot - hero.y) // max(1, sides)
    each = min(each, max(SIDE, *needs, 0)) if plan.beside and known else each
    beside = iter(Rect(x, hero.y + at * each, wide, each) for at in range(sides))
    earlier = Rect(x, hero.y + each * sides, wide, foot - hero.y - each * sides)
    if not (plan.beside and known and earlier.width >= EARLIER.width and earlier.height >= EARLIER.height):
        earlier = NO_STRIP
    below = {zone: Rect(x, foot + ASIDE * at, wide, ASIDE) for at, zone in enumerate(low)}
    few = known and len(rest[: cast.rehearsed]) - sides < max(2, strip.height // rows)
    across = 1 if few or (plan.tall and strip.width < TIERS[-1].width) else 2
    cells = _cells(strip, strip.width // across, rows)
    places = {cast.hero: hero, **below} if cast.hero else below
    for zone in rest:
        if zone not in below:
            place = next(beside if cast.parts[zone].slot in CENTRE[:sides] else cells, None)
            places |= {} if place is None else {zone: place}
    return replace(plan, middle=rect, hero=hero, places=places, earlier=earlier)


def _needed(part: CastPart, rows: int) -> int:
    """Return the cells of a hero of cards that are as large as these rows allow."""
    wide = next(wide for wide, high in SIZES if high <= max(SIZES[-1][1], rows - (part.draw == "row")))
    if part.draw == "row":
        return part.slots * (wide + TIMES) - 3
    return wide + LEAST * max(0, part.slots - 1) + NUMBERED


CENTRE: Final = ("centre.0", "centre.1", "centre.2")


def _strip(height: int, *, wide: bool) -> int:
    """Return the rows below the hero of a board."""
    rows = (9, 9, 17, 24) if wide else (5, 9, 13, 24)
    return next((size for size, most in zip((1, 2, 3, 4), rows, strict=True) if height <= most), 6)


def _cells(strip: Rect, each: int, rows: int) -> Iterator[Rect]:
    for y in range(0, strip.height - rows + 1, rows):
        for x in range(0, strip.width - each + 1, each):
            yield Rect(strip.x + x, strip.y + y, each, rows)
