"""The drawing of the home screen: tables and matches that wait, games as tiles, the form. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from tavolata._ui.match_plan import FREE, GUIDED, LEVELS, PLACES, USUAL, GameChoices, MatchPlan, rule_line
from tavolata._ui.scene.identity import MARKS, looks_of
from tavolata._ui.tui.drawing.runs import (
    Block,
    Hotspot,
    Line,
    beside,
    clipped,
    fitted,
    padded,
    sides,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.model.home_model import MODE, GameFacts, HomeModel, Thing
from tavolata._ui.tui.model.prompt import Say
from tavolata.messages import N_, NN_

WHAT = N_("What shall we play?")
NEAR, WAITING = N_("near you"), N_("waiting")
NOTHING_WAITS = N_("no matches")
MORE = N_("and {n} more: {key}")
SEATS, ALWAYS = N_("{low} to {high} players"), N_("{n} players")
LASTS = N_("{seats}, {n} min")
RECORD = N_("won {won} of {n}")
MORE_GAMES, HOW = N_("more games"), N_("Install any package that includes games.")
WITH, AS, WHERE = N_("with"), N_("as"), N_("where")
BOT = N_("{level} bot")
FREE_SEAT = N_("free")
BOTS_OF, OTHERS = N_("bots: {n} ({level})"), N_("others ({n}): {levels}")
NUMBER = N_("seats: {n}")
NO_GUIDE = N_("(no hints yet)")
NO_TEAMS, TEAMS = N_("teams"), N_("{n} teams")
RULES = N_("house rules")
PEOPLE = NN_("{n} person here", "{n} people here")
PLAY, OPEN, JOIN, GO_ON, SHOW = (
    N_("Play now"), N_("Open the table"), N_("Join this table"), N_("Continue"), N_("Show how"),
)  # fmt: skip
CHANGE = N_("Change it")
TILE = 34
"""The least width of a tile."""
TALL, SHORT = 8, 4
"""The most and the fewest lines of a tile with a box."""
LOW = 5
"""The lines of a tile up to which its numbers stand in its lower edge, since its sentences need the rows."""
FORM = 4
"""The lines of the form with its title."""
LABEL = 8
"""The least cells for the name of a line."""


@dataclass(frozen=True, slots=True)
class DrawnHome:
    """The screen, the place of its cursor, and how many games have room."""

    block: Block
    cursor: tuple[int, int]
    games: int


def draw_home(model: HomeModel, pen: Pen, rows: int, *, key: str, form: bool = True) -> DrawnHome:
    """Draw the home screen, `pen.room` cells wide and `rows` high; without `form`, a question is there."""
    head = [_near(model, pen), _waiting(model, pen)] if rows >= 8 else []
    narrow = pen.room < 2 * TILE + 1  # there games are lines, and leave rows
    spare = rows - len(head) - len(model.facts.games) - FORM if narrow else 0
    below = _form(model, pen, key, spare) if form else Block(())
    below = Block(below.lines[: max(1, rows - 4)], below.spots)
    tiles = _tiles(model, pen, rows - len(head) - below.height)
    room = rows - below.height
    block = stacked([fitted(stacked([*head, tiles]), pen.room, room), below])
    block = Block(block.lines, tuple(spot for spot in block.spots if spot.y < block.height))
    at = next((spot for spot in block.spots if spot.thing == model.cursor), None)
    games = sum(spot.thing[0] == "game" for spot in block.spots)
    return DrawnHome(block, (0, 0) if at is None else (at.x, at.y), games)


def act_of(model: HomeModel) -> str:
    """Return a message id: what Enter does now."""
    told = {"table": JOIN, "match": GO_ON, "more": SHOW, "rules": CHANGE}
    if model.cursor[0] in told:
        return told[model.cursor[0]]
    return PLAY if model.plan is None or model.plan.where == "here" else OPEN


# -- tables near, and matches that wait -------------------------------------------------------------


def _near(model: HomeModel, pen: Pen) -> Block:
    found: list[tuple[Thing, str]] = [(("table", one.address), one.short) for one in model.tables]
    return _listed(NEAR, found, model.looking, "j", model, pen)


def _waiting(model: HomeModel, pen: Pen) -> Block:
    found: list[tuple[Thing, str]] = [(("match", one), said) for one, said in model.facts.waiting]
    return _listed(WAITING, found, pen.say(NOTHING_WAITS), "c", model, pen)


def _listed(
    label: str, found: Sequence[tuple[Thing, str]], nothing: str, key: str, model: HomeModel, pen: Pen
) -> Block:
    """Draw the things that can be entered at once in one line: as many as fit, and how to see the others."""
    if not found:
        return _row(pen, label, [(("", ""), nothing, "dim")], model)
    room = pen.room - _label_width(pen)
    shown, more = found[: 2 if room >= 60 else 1], ""
    if len(found) > len(shown):
        more = pen.say(MORE, {"n": len(found) - len(shown), "key": key})
    each = (room - (cell_len(more) + 2 if more else 0)) // len(shown) - 2  # two cells are after each
    items = []
    for thing, said in shown:
        text = clipped(pen.line(f"{pen.glyphs.arrows[1][-1]} {said}"), each)
        items.append((thing, "".join(part for part, _ in text), "strong"))
    if more:
        items.append((("", ""), more, "dim"))
    return _row(pen, label, items, model)


# -- games ------------------------------------------------------------------------------------------


def _tiles(model: HomeModel, pen: Pen, rows: int) -> Block:
    """Draw the games as tiles; without room for boxes, as lines around the chosen one."""
    games = model.facts.games
    columns = 2 if pen.room >= 2 * TILE + 1 else 1
    most = max(columns, pen.room // (TILE + 1))
    lines = -(-len(games) // columns)
    while columns < most and lines * (SHORT + 1) > rows:
        columns += 1
        lines = -(-len(games) // columns)
    size = (pen.room - columns + 1) // columns
    tall = min(TALL, rows // max(1, lines))
    if tall < SHORT:
        return _brief(model, pen, rows)
    cells = [_tile(number, one, model, pen, size, tall) for number, one in enumerate(games, 1)]
    if len(cells) % columns:
        cells.append(_more_games(model, pen, size, tall))
    return stacked([beside(cells[first : first + columns]) for first in range(0, len(cells), columns)])


def _tile(number: int, game: GameFacts, model: HomeModel, pen: Pen, size: int, rows: int) -> Block:
    chosen, thing = game.name == model.game, ("game", game.name)
    box, edge = (pen.glyphs.heavy, "turn") if chosen else (pen.glyphs.round, "edge")
    role = "cursor" if thing == model.cursor else "title" if chosen else "strong"
    inner = size - 4
    name = clipped(pen.line(f"{number} {game.title}", role), inner - 2)
    told = wrapped(pen.plainly(game.summary), "", inner)
    numbers = _numbers(game, model, pen)
    below = rows <= LOW
    room = rows - 2 - (not below)
    if len(told) > room:
        kept = told[:room]
        cut = " ".join(row[0][0] for row in told[len(kept) - 1 :])
        told = [*kept[:-1], clipped(((cut, ""),), inner)]
    body = [*told, *[()] * (room - len(told)), *([] if below else [sides(*numbers, inner)])]
    framed = (((" ", ""), *padded(row, inner), (" ", "")) for row in body)
    lines = box.around(framed, size - 2, edge, ((box.across, edge), (" ", ""), *name, (" ", "")))
    if below:
        left, right = [((" ", ""), *one, (" ", "")) if one else () for one in numbers]
        foot = sides(left, right, inner, (box.across, edge))
        lines[-1] = ((box.left_low + box.across, edge), *foot, (box.across + box.right_low, edge))
    return Block(tuple(lines), (Hotspot(0, 0, size, rows, thing),))


def _numbers(game: GameFacts, model: HomeModel, pen: Pen) -> tuple[Line, Line]:
    n, won = model.records.get(game.name, (0, 0))
    record = pen.line(pen.say(RECORD, {"n": n, "won": won}), "good") if n else ()
    return pen.line(numbers_of(game, pen.say), "dim"), record


def numbers_of(game: GameFacts, say: Say) -> str:
    """Return how many people play a game, and for how long."""
    low, high = game.seats
    said = say(SEATS if low < high else ALWAYS, {"low": low, "high": high, "n": low})
    return say(LASTS, {"seats": said, "n": game.minutes}) if game.minutes else said


def _more_games(model: HomeModel, pen: Pen, size: int, rows: int) -> Block:
    box, thing = pen.glyphs.dotted, ("more", "")
    head = pen.line(pen.say(MORE_GAMES), "cursor" if thing == model.cursor else "dim")
    told = wrapped(f"i  {pen.say(HOW)}", "dim", size - 4)[: rows - 2]
    told += [()] * (rows - 2 - len(told))
    body = (((" ", ""), *padded(row, size - 4), (" ", "edge")) for row in told)
    head = ((f"{box.across} ", "edge"), *head, (" ", "edge"))
    lines = box.around(body, size - 2, "edge", head)
    return Block(tuple(lines), (Hotspot(0, 0, size, rows, thing),))


def _brief(model: HomeModel, pen: Pen, rows: int) -> Block:
    games = model.facts.games
    at = next((number for number, one in enumerate(games) if one.name == model.game), 0)
    first = max(0, min(at - rows // 2, len(games) - rows))
    lines: list[Line] = []
    spots: list[Hotspot] = []
    digits = len(str(len(games)))
    names = [pen.line(f"{number:{digits}} {one.title}") for number, one in enumerate(games, 1)]
    longest = max(map(width, names), default=0)
    seats_room = max((width(_numbers(one, model, pen)[0]) for one in games), default=0)
    for number in range(first, min(len(games), first + max(1, rows))):
        game = games[number]
        thing = ("game", game.name)
        mark = pen.glyphs.cursor if game.name == model.game else " "
        role = "cursor" if thing == model.cursor else "strong"
        name: Line = ((f"{mark} ", "turn"), *pen.line(f"{number + 1:{digits}} {game.title}", role))
        seats, record = _numbers(game, model, pen)
        told = record or pen.line(game.summary, "dim")
        whole = (*padded(name, longest + 2), ("  ", ""), *padded(seats, seats_room), ("  ", ""), *told)
        spots.append(Hotspot(0, len(lines), pen.room, 1, thing))
        lines.append(clipped(whole, pen.room))
    return Block(tuple(lines), tuple(spots))


# -- the form ---------------------------------------------------------------------------------------

Shown = tuple[Thing, str, str]
"""Something in a line of the form: the thing, its text, and its role."""


def _form(model: HomeModel, pen: Pen, key: str, spare: int) -> Block:
    """Draw the form below the games; an item too long for its line continues in one of the `spare` ones."""
    plan, can = model.plan, model.can
    if plan is None or can is None:
        return Block(())
    act = pen.say(act_of(model))
    across = pen.glyphs.across
    button = f" {key or pen.glyphs.enter} {act} "
    title = model.facts_of(plan.game).title
    head: Line = ((across, "edge"), (" ", ""), *pen.line(title, "title"), (" ", ""))
    line = sides(head, ((button, "act"), (across, "edge")), pen.room, (across, "edge"))
    size = cell_len(button)
    rule = Block((line,), (Hotspot(pen.room - 1 - size, 0, size, 1, ("act", "")),))
    rows = [rule]
    parts = (
        (WITH, _with(model, plan, pen)),
        (AS, _as(plan, can, pen)),
        (WHERE, _where(model, plan, can, pen)),
    )
    for label, items in parts:
        lines = _in_lines(items, pen, spare)
        spare -= len(lines) - 1
        rows += [_row(pen, "" if number else label, line, model) for number, line in enumerate(lines)]
    return stacked(rows)


def _in_lines(items: Sequence[Shown], pen: Pen, spare: int) -> list[Sequence[Shown]]:
    room, used = pen.room - _label_width(pen), 0
    for number, (_, text, _) in enumerate(items):
        used += width(pen.line(text)) + 2
        if used - 2 > room and number and spare > 0:
            return [items[:number], items[number:]]
    return [items]


def _label_width(pen: Pen) -> int:
    return max(LABEL, *(cell_len(pen.say(one)) + 2 for one in (NEAR, WAITING, WITH, AS, WHERE)))


def _row(pen: Pen, label: str, items: Sequence[Shown], model: HomeModel) -> Block:
    runs: Line = padded(pen.line(pen.say(label) if label else "", "dim"), _label_width(pen))
    spots = []
    for thing, text, role in items:
        x = width(runs)
        if x >= pen.room - 2:
            break
        said = pen.line(text, "cursor" if thing == model.cursor and thing[0] else role)
        if thing[0]:
            spots.append(Hotspot(x, 0, min(width(said), pen.room - x), 1, thing))
        runs = (*runs, *said, ("  ", ""))
    return Block((clipped(runs, pen.room),), tuple(spots))


def _taken(pen: Pen, thing: Thing, text: str, *, on: bool) -> Shown:
    """Mark something as chosen or not in a way that's clear without colour."""
    return thing, f"{pen.glyphs.on if on else pen.glyphs.off} {text}", "taken" if on else ""


def _with(model: HomeModel, plan: MatchPlan, pen: Pen) -> list[Shown]:
    looks = looks_of([None] * plan.seats)
    marks = [pen.glyphs.marks[MARKS[mark]] for _, mark in looks]
    own = model.facts.name
    names = [own, *model.facts.others, *(f"{own} {number}" for number in range(2, plan.people + 1))]
    names = names[: plan.people]
    items: list[Shown] = [
        (("people", ""), f"{marks[seat]} {name}", f"hue{looks[seat][0]}") for seat, name in enumerate(names)
    ]
    if plan.people == 1:
        items[0] = (("", ""), *items[0][1:])
    for seat, level in enumerate(plan.others, plan.people):
        said = pen.say(FREE_SEAT) if level == FREE else pen.say(BOT, {"level": _level(level, pen)})
        sign = pen.glyphs.off if level == FREE else marks[seat]
        role = "dim" if level == FREE else f"hue{looks[seat][0]}"
        items.append((("seat", str(seat)), f"{sign} {said}", role))
    ends: list[Shown] = [
        (("seats", "-1"), "-", "key"), (("", ""), pen.say(NUMBER, {"n": plan.seats}), ""),
        (("seats", "1"), "+", "key"),
    ]  # fmt: skip
    room = pen.room - _label_width(pen)
    if sum(cell_len(text) + 2 for _, text, _ in [*items, *ends]) <= room:
        return [*items, *ends]
    return [*items[: max(1, min(plan.people, 3))], (("bots", ""), _brief_bots(plan.others, pen), ""), *ends]


def _brief_bots(others: Sequence[str], pen: Pen) -> str:
    levels = list(dict.fromkeys(others))
    if len(levels) == 1 and levels[0] != FREE:
        return pen.say(BOTS_OF, {"n": len(others), "level": _level(levels[0], pen)})
    said = [
        f"{others.count(one)} {pen.say(FREE_SEAT) if one == FREE else _level(one, pen)}" for one in levels
    ]
    return pen.say(OTHERS, {"n": len(others), "levels": ", ".join(said)})


def _level(level: str, pen: Pen) -> str:
    return pen.say(LEVELS[level]) if level in LEVELS else level


def _as(plan: MatchPlan, can: GameChoices, pen: Pen) -> list[Shown]:
    plainly = not plan.guided and not plan.teams and not plan.rules
    say, values = pen.words.of(can.package).text, can.settings(plan).plain()
    items = [_taken(pen, ("as", "usual"), pen.say(USUAL), on=plainly)]
    if can.guided:
        items.append(_taken(pen, ("as", "guided"), pen.say(GUIDED), on=plan.guided))
    else:
        items.append((("", ""), pen.say(NO_GUIDE), "dim"))
    if can.teams is not None:
        said = pen.say(TEAMS, {"n": plan.teams}) if plan.teams else pen.say(NO_TEAMS)
        items.append(_taken(pen, ("as", "teams"), said, on=bool(plan.teams)))
    mode = can.rule(MODE)
    if mode is not None and mode.choices():
        items.append(_taken(pen, ("as", "mode"), rule_line(mode, values[MODE], say), on=MODE in plan.rules))
    if offered := can.offered(plan):
        changed = ", ".join(
            rule_line(spec, values[spec.name], say)
            for spec in offered if spec.name in plan.rules and spec.name != MODE
        )  # fmt: skip
        items.append(_taken(pen, ("rules", ""), changed or pen.say(RULES), on=bool(changed)))
    return items


def _where(model: HomeModel, plan: MatchPlan, can: GameChoices, pen: Pen) -> list[Shown]:
    alone = plan.people == 1
    items = [
        _taken(pen, ("where", place), pen.say(said), on=place == plan.where and (alone or place != "here"))
        for place, said in PLACES.items() if place in can.places
    ]  # fmt: skip
    if model.most > 1:
        said = pen.say(PEOPLE, {"n": max(2, plan.people)})
        items.append(_taken(pen, ("people", ""), said, on=not alone))
    return items
