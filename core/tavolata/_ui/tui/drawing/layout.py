"""The layout of the table: where each region and each place of the board lies on a screen of some size.

Pure arithmetic. It depends on the size, never on what there is to show, so nothing moves while the window
keeps its size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from tavolata._ui.scene.scene import OpeningScene
from tavolata.zones import Layout


class Rect(NamedTuple):
    x: int
    y: int
    width: int
    height: int


NO_STRIP: Final = Rect(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of a screen.

    Attributes:
        chips: the players are two rows above the board, otherwise a column at the right.
        strip: the small things of the board if the board itself is nothing but a track or a grid, which
            then has the height of the players beside it; otherwise without height.
        guide: a hint; without height if the match isn't guided.
        beside: the story is below the players, otherwise a row above one's own things.
        alone: the match began with nothing beside the hero, which then has all of a large board.
    """

    width: int
    height: int
    status: Rect
    players: Rect
    board: Rect
    story: Rect
    guide: Rect
    yours: Rect
    decision: Rect
    keys: Rect
    chips: bool
    beside: bool
    strip: Rect = NO_STRIP
    alone: bool = False


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
EDGES: Final = 2
"""The rows that make a board look well which is whole without them."""
COLUMN: Final = (19, 25)
"""The cells of the players beside a track or a grid on a small screen: at its least width, and at most."""
ROOMY: Final = 17
"""The rows of a large board: that of an undeclared game has a large place for a pile, and where a hero lies
alone there is no place beside it."""
LARGE: Final = 8
"""The rows of one's own things from which cards are drawn large, with the title."""


def layout(
    width: int,
    height: int,
    *,
    guided: bool = False,
    wish: Layout = USUAL,
    opening: OpeningScene | None = None,
) -> Regions | None:
    """Return the regions of a screen of this size; None if it's too small for a table.

    With `guided` hints have a place. `wish` is the game's: a ring of players takes the column of the players
    where the story isn't below it, and the rows of one's own things: all of them, if nobody ever has a zone.
    If the match
    opened with a track or a grid that has no room below two rows of players, they're beside it; if nothing is
    beside the hero, it has the width of the board.
    """
    tier = next((one for one in TIERS if width >= one.width and height >= one.height), None)
    if tier is None:
        return None
    saved = max(0, tier.decision - max(QUESTION, wish.decision + 1)) if wish.decision else 0
    if wish.seating == "ring" and tier.right and tier.story:
        yours = LEAST_YOURS if opening is None or opening.own else 0
        saved += tier.yours - yours
        tier = tier._replace(right=0, players=0, yours=yours)
    tier = tier._replace(board=tier.board + saved)
    more = height - tier.height
    if not tier.right and tier.players and opening is not None:
        guide = GUIDE if guided else 0
        tall = _tall(width, height, tier.board - (guide - 1 if guide else 0), guide, wish, opening)
        if tall is not None:
            return tall
    own = min(max(0, LARGE - tier.yours), more - (more * 3 + 4) // 5) if tier.right else 0
    side = not tier.story
    told = 0 if side else (more - (more * 3 + 4) // 5 - own) // 2
    board, yours, story = tier.board + more - own - told, tier.yours + own, tier.story + told
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
    return Regions(
        width, height, Rect(0, 0, width, 1), players, Rect(0, top, left, board), *parts,
        Rect(0, after, main, yours), Rect(0, after + yours, main, height - 1 - after - yours),
        Rect(0, height - 1, width, 1), chips=not tier.right and bool(tier.players), beside=side,
        alone=opening is not None and not opening.asides,
    )  # fmt: skip


def _tall(
    width: int, height: int, usual: int, guide: int, wish: Layout, opening: OpeningScene
) -> Regions | None:
    """Return the layout of a small screen with the players beside a track or a grid.

    None if it would be no higher that way, or narrower than it needs, or if not all players had room there.
    `usual` counts the rows of the board below two rows of players at the least height of such a screen,
    `guide` those of a hint.
    """
    more = height - TIERS[-1].height
    extra = (more * 3 + 4) // 5
    yours = LEAST_YOURS if opening.own else 1
    decision = min(TIERS[-1].decision, max(QUESTION, wish.decision + 1))
    story = 1 + (more - extra) // 2
    board = TIERS[-1].height - 3 - guide - yours - decision
    board -= max(0, board - opening.asides - opening.rows - EDGES)  # what a board can't use, choices can
    board += extra
    hero = board - opening.asides
    right = min(COLUMN[1], max(COLUMN[0], width - 1 - opening.cells[1]))
    left = width - right - 1
    panels = board - 2  # below the title of the players, beside or above the row of the strip
    seats = opening.seats if opening.lines > 1 else -(-opening.seats // 2)  # one-line panels may be chips
    if (
        opening.rows < usual + extra
        or hero < opening.least
        or hero < usual + extra
        or opening.cells[0] > left
        or seats * opening.lines > panels
    ):
        return None
    strip = Rect(0, board, width, 1) if opening.asides else Rect(left + 1, board, right, 1)
    tops = [1 + board, story, guide, yours]
    y = [sum(tops[: at + 1]) for at in range(len(tops))]
    return Regions(
        width, height, Rect(0, 0, width, 1), Rect(left + 1, 1, right, board - 1), Rect(0, 1, left, hero),
        Rect(0, y[0], width, story), Rect(0, y[1], width, guide), Rect(0, y[2], width, yours),
        Rect(0, y[3], width, height - 1 - y[3]), Rect(0, height - 1, width, 1), chips=False, beside=False,
        strip=strip,
    )  # fmt: skip


def above_words(plan: Regions) -> Regions:
    """Return the layout while a row for words is open, with fewer rows for decision and story."""
    beside = plan.story._replace(height=plan.story.height - 1)
    return replace(
        plan,
        height=plan.height - 1,
        story=beside if plan.beside else plan.story,
        decision=plan.decision._replace(height=plan.decision.height - 1),
        keys=plan.keys._replace(y=plan.keys.y - 1),
    )


def board_places(width: int, height: int, *, wide: bool, undeclared: bool = False) -> Places:
    """Return the places of the board.

    With `wide` the hero has the whole width, as a track or a grid that needs it.

    An `undeclared` game says nothing of its table: beside the hero is then a large place for a pile, with two
    small ones below.
    """
    strip = (
        1
        if height <= (9 if wide else 5)
        else 2
        if height <= 9
        else 3
        if height <= (17 if wide else 13)
        else 4
    )
    strip = strip if height < 25 else 6
    hero = height - strip
    part = width if wide else max(24, width * 3 // 5)
    each = max(2, hero // 3)
    slots = {"hero.0": Rect(0, 0, part, hero)}
    column: tuple[Rect, ...] = ()
    if undeclared and not wide and height >= ROOMY:
        pile = hero - max(4, hero // 4)
        small = (hero - pile) // 2
        tops = ((0, pile), (pile, small), (pile + small, hero - pile - small))
        column = tuple(Rect(part, top, width - part, rows) for top, rows in tops)
    elif not wide:
        slots |= {
            f"centre.{number}": Rect(part, number * each, width - part, each)
            for number in range(hero // each)
        }

    rows = 1 if strip < 4 else 2
    cells = [
        Rect(column * (width // 2), hero + line * rows, width // 2, rows)
        for line in range(strip // rows)
        for column in (0, 1)
    ]
    return Places(slots, tuple(cells), column)


def strip_places(plan: Regions) -> Places:
    """Return the places where a track or a grid has the whole board, and everything else a strip."""
    board, strip = plan.board, plan.strip
    each = strip.width // 2 if strip.width >= TIERS[-1].width else strip.width
    left, top = strip.x - board.x, strip.y - board.y
    cells = [
        Rect(left + x, top + y, each, 1)
        for y in range(strip.height)
        for x in range(0, strip.width - each + 1, each)
    ]
    return Places({"hero.0": Rect(0, 0, board.width, board.height)}, tuple(cells))


def in_strip(place: Rect, plan: Regions) -> bool:
    """Return True if a place, counted from the first cell of the board, is in the strip."""
    x, y = place.x + plan.board.x, place.y + plan.board.y
    return bool(plan.strip.height) and x >= plan.strip.x and y >= plan.strip.y


@dataclass(frozen=True, slots=True)
class Places:
    """The places of the board: those with a name, and cells for everything else in the order of the ledger.

    `column` has an undeclared game's places beside the hero, the largest first.
    """

    slots: dict[str, Rect]
    cells: tuple[Rect, ...]
    column: tuple[Rect, ...] = ()
