"""The drawing of the lobby: seats, players' keys, house rules, the way of dealing, the invitation. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.cells import cell_len

from tavolata._engine.sessions.table_facts import (
    FULL_TABLE,
    IN_BROWSERS,
    ON_TELEVISION,
    TRUST,
    SeatFacts,
    TableFacts,
    said_of_machines,
)
from tavolata._ui.match_plan import level_text, rule_line
from tavolata._ui.scene.identity import MARKS, looks_of
from tavolata._ui.tui.drawing.glyphs import BoxSigns
from tavolata._ui.tui.drawing.runs import (
    Block,
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
from tavolata.messages import N_, NN_
from tavolata_protocol.codes import show_code

SEATS = NN_("{n} of {seats} seats taken", "{n} of {seats} seats taken")
UNTOLD = N_("Catching up with the table…")
FREE = N_("free")
FREE_FOR_BOT = N_("free: {key} puts a bot here")
BESIDE_CODE = 38
"""The least cells of the seats beside a QR code."""
MOST_FREE = 3
"""Free seats that are drawn one by one."""
READY, NOT_READY, AWAY, PLAYS, STAND_IN = (
    N_("is ready"), N_("not ready"), N_("away"), N_("plays"), N_("bot playing"),
)  # fmt: skip
HERE, HOSTS, ON_MACHINE, HOSTS_HERE = (
    N_("you, at this terminal"), N_("hosts"), N_("on {host}'s computer"), N_("you, the host"),
)  # fmt: skip
BOT = N_("bot, {level}")
STATES = {
    "ready": N_("ready to play"),  # not "ready", which is the command that a player types
    "waits": N_("not ready yet"),
    "plays": N_("plays"),
    "bot": N_("{owner}'s bot ({level})"),
    "away": N_("away"),
    "stand-in": N_("away, bot playing"),
}
MET = {
    "known": N_("the same as before"),
    "first seen": N_("not seen before"),
    "changed key": N_("this key is new: check that it's really {name}!"),
}
KEY = N_("key {key}, {met}")
ME = N_("you, key {key}")
IN_TEAMS = N_("Playing in {n} teams.")
RULES = N_("House rules")
DEALING = N_("How cards are dealt")
JOIN = N_("Others join with: tt join {address}")
ASKED = N_("Others can join with tt join and this computer's address, or pick the table from the list.")
CODE = N_("Table code: {code}")
LINK = N_("Or use this invitation with tt join --link:")
WATCH = N_("Watching: {names}")


def draw_lobby(facts: TableFacts, pen: Pen, rows: int, news: Sequence[Line] = (), bot: str = "") -> Block:
    """Draw the table before a match, `pen.room` cells wide; a slow line needs seconds to load it.

    The sentences about trust, the ways to join and the reasons why nothing can begin are always whole.
    Everything else makes way for them, in this order: house rules and spectators, the QR code, news,
    keys, and at last the lines of seats. `news` are the newest lines of talk. `bot` is the key that puts a
    bot on a free seat; "" if that isn't allowed.
    """
    if not facts.seats:
        return Block(tuple(wrapped(pen.say(UNTOLD), "dim", pen.room)))
    code = _code_beside(facts, pen, rows)
    if code is not None:
        left = replace(pen, room=pen.room - code.width - 2)
        if len(_seated(facts, left, bot)[-2]) + len(_needed(facts, left)) <= rows:
            return beside([fitted(_fitting(facts, left, rows, news, bot), left.room + 2, rows), code], 0)
    return _fitting(facts, pen, rows, news, bot)


def least_rows(facts: TableFacts, pen: Pen) -> int:
    """Return the rows that a lobby needs at least."""
    return len(_seated(facts, pen, "")[-1]) + len(_needed(facts, pen)) if facts.seats else 1


def _fitting(facts: TableFacts, pen: Pen, rows: int, news: Sequence[Line], bot: str) -> Block:
    """Draw as much as there's room for: house rules whole, or in a line each, or all in short."""
    last = Block(tuple(clipped(row, pen.room) for row in news[-3:]))
    for whole in (True, False):
        told = _whole(facts, pen, bot, whole=whole)
        if told.height + last.height <= rows:
            return stacked([told, last])
    return _short(facts, pen, rows, news, bot)


def _code_beside(facts: TableFacts, pen: Pen, rows: int) -> Block | None:
    if not facts.web:
        return None
    block = Block(tuple(qr_lines(facts.web, ascii_only=not pen.glyphs.suits, border=1)))
    beside_it = max(BESIDE_CODE, len(_command(facts)) + 2)
    return block if block.height <= rows and block.width + beside_it <= pen.room else None


def _command(facts: TableFacts) -> str:
    return f"tt join {facts.invitation.address}"


def _short(facts: TableFacts, pen: Pen, rows: int, news: Sequence[Line], bot: str) -> Block:
    last = [clipped(row, pen.room) for row in news[-3:]]
    needed, more = _needed(facts, pen), _more(facts, pen)
    panels, together, *lower = _seated(facts, pen, bot)
    for seats, least in ((panels, len(more)), (together, 0)):
        room = rows - len(seats) - len(needed) - len(last)
        if room >= least:
            return Block((*seats, *needed, *_as_far(more, room, pen), *last))
    for seats in lower:
        room = rows - len(seats) - len(needed)
        kept = last[-max(1, room) :]
        if room >= len(kept):
            spare = room - len(kept)
            rest = [(), *_as_far(more, spare - 2, pen)] if spare > 2 else []
            return Block((*seats, *([()] if spare else []), *needed, *rest, *kept))
    return Block((*lower[-1][: max(2, rows - len(needed))], *needed))


def _seated(facts: TableFacts, pen: Pen, bot: str) -> list[list[Line]]:
    """Return the ways to draw the seats below their number, the highest first and the lowest last."""
    title = pen.line(pen.say(SEATS, {"n": len(facts.taken), "seats": facts.seats}), "title")
    ways = [
        _panels(facts, pen, bot), _panels(facts, pen, bot, together=True), _seats(facts, pen, bot),
        _seats(facts, pen, bot, brief=True), _pairs(facts, pen),
    ]  # fmt: skip
    return [[title, *way] for way in ways]


def _pairs(facts: TableFacts, pen: Pen) -> list[Line]:
    """Draw two seats in a line, with marks and readiness, and below them the keys that are different."""
    half, looks, cells = pen.room // 2, looks_of([seat.look for seat in facts.taken]), list[Line]()
    for seat, (hue, mark) in zip(facts.taken, looks, strict=True):
        name: Line = ((f" {pen.glyphs.marks[MARKS[mark]]} {pen.plainly(seat.name)}", f"hue{hue}"),)
        state = _ready(seat, pen)
        state = state if width(name) + width(state) + 3 <= half else _sign(state, pen)
        cells.append(sides(clipped(name, half - width(state) - 2), (*state, ("  ", "")), half))
    if free := facts.seats - len(facts.taken):
        text = f" {pen.glyphs.off} {pen.say(FREE)}" + (f" {pen.glyphs.times} {free}" if free > 1 else "")
        cells.append(((text, "dim"),))
    lines = [(*cells[at], *(cells[at + 1] if at + 1 < len(cells) else ())) for at in range(0, len(cells), 2)]
    for seat in filter(lambda one: one.has_new_key, facts.taken):
        lines += wrapped(f" {pen.plainly(seat.name)}: {_who(seat, pen)}", "wrong", pen.room, " ")
    return lines


def _sign(state: Line, pen: Pen) -> Line:
    """Return a state as its sign alone, where it has one."""
    signs = (pen.glyphs.on, pen.glyphs.ellipsis)
    return tuple((text[:1] if text[:1] in signs else text, role) for text, role in state)


def _as_far(lines: list[Line], rows: int, pen: Pen) -> list[Line]:
    """Return as many of these lines as there are rows for; the last says that there are more."""
    shown = lines[: max(0, rows)]
    if shown and len(lines) > len(shown):
        more = (f" {pen.glyphs.ellipsis}", "dim")
        shown[-1] = clipped((*shown[-1], more), pen.room)
    return shown


def _needed(facts: TableFacts, pen: Pen) -> list[Line]:
    """Return what no one may miss: why nothing can begin, how others join, and the trust it takes."""
    invitation, lines = facts.invitation, list[Line]()
    for problem in facts.problems:
        lines += wrapped(pen.say(problem.message, problem.params), "wrong", pen.room)
    lines += _campaign(facts, pen) + _teams(facts, pen)
    if invitation.address:
        lines += wrapped(_command(facts), "strong", pen.room)
    if invitation.code:
        lines += wrapped(pen.say(CODE, {"code": show_code(invitation.code)}), "own", pen.room)
    if facts.web:
        lines += _address(facts, pen)
    for message, params in _trust(facts):
        lines += wrapped(pen.say(message, params), "dim", pen.room)
    return lines


def _address(facts: TableFacts, pen: Pen) -> list[Line]:
    """Draw the address of the pages; while no seat is free, newcomers can watch, which takes no more rows."""
    address = facts.web.partition("/?")[0].removeprefix("http://")
    said, full = pen.say(ON_TELEVISION, {"link": address}), f" ({pen.say(FULL_TABLE)})" if facts.full else ""
    short = full and cell_len(said + full) > pen.room
    return wrapped((address if short else said) + full, "choice", pen.room)


def _trust(facts: TableFacts) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the sentences about trust; on a machine with pages one about browsers stands for its people."""
    served = {owner: names for owner, names in facts.served.items() if not facts.web or owner != facts.me}
    own = [(TRUST, {"host": facts.me or facts.host})] if facts.web else []
    return [facts.dealt, *said_of_machines(facts.beside, served), *own]


def _more(facts: TableFacts, pen: Pen) -> list[Line]:
    rules = ", ".join(rule_line(spec, facts.options.get(spec.name), pen.say) for spec in facts.offered)
    lines = wrapped(f"{pen.say(RULES)}: {rules}", "dim", pen.room) if rules else []
    if facts.watchers:
        lines += wrapped(pen.say(WATCH, {"names": ", ".join(facts.watchers.values())}), "dim", pen.room)
    return lines


def _whole(facts: TableFacts, pen: Pen, bot: str, *, whole: bool) -> Block:
    taken = {"n": len(facts.taken), "seats": facts.seats}
    parts = [Block((pen.line(pen.say(SEATS, taken), "title"), *_seats(facts, pen, bot)))]
    if facts.watchers:
        said = pen.say(WATCH, {"names": ", ".join(facts.watchers.values())})
        parts.append(Block(tuple(wrapped(said, "dim", pen.room, "  "))))
    parts += [Block(tuple(lines)) for lines in (_campaign(facts, pen), _teams(facts, pen)) if lines]
    if facts.options:
        parts.append(Block((pen.line(pen.say(RULES), "title"), *_options(facts, pen, whole=whole))))
    told: list[Line] = []
    for message, params in (facts.dealt, *said_of_machines(facts.beside, facts.served)):
        told += wrapped(pen.say(message, params), "", pen.room)
    parts.append(Block((pen.line(pen.say(DEALING), "title"), *told)))
    parts.append(draw_invitation(facts, pen, with_qr=False))
    return stacked(parts, gap=1)


def _panels(facts: TableFacts, pen: Pen, bot: str, *, together: bool = False) -> list[Line]:
    """Draw the seats as panels with marks and readiness; a free one names the key that puts a bot there.

    All free ones can be `together` in one panel.
    """
    lines: list[Line] = []
    glyphs, looks, inner = pen.glyphs, looks_of([seat.look for seat in facts.taken]), pen.room - 4
    for seat, (hue, mark) in zip(facts.taken, looks, strict=True):
        name: Line = ((f"{glyphs.marks[MARKS[mark]]} ", f"hue{hue}"), *pen.line(seat.name, f"hue{hue}"))
        about = pen.say(seat.team) if seat.team else _about(seat, facts, pen)
        said, state = pen.line(about, "dim"), _ready(seat, pen)
        head = (*padded(name, 11), ("  ", ""), *said)
        if width(head) + 1 + width(state) > inner:  # beside a QR code: the mark alone says it, too
            head = (*name, ("  ", ""), *said)
            state = _sign(state, pen)
        body = sides(head, state, inner)
        lines += _boxed(body, glyphs.heavy if seat.mine and not seat.level else glyphs.round, inner)
        if seat.has_new_key:
            lines += wrapped(f" {_who(seat, pen)}", "wrong", pen.room, " ")
    for free in _free(facts, pen, bot, together=together):
        lines += _boxed(padded(pen.line(f"{glyphs.off} {free}", "dim"), inner), glyphs.dotted, inner)
    return lines


def _free(facts: TableFacts, pen: Pen, bot: str, *, together: bool) -> Iterator[str]:
    """Yield the words for each free seat; if there are many or `together`, those for all of them."""
    for left in range(facts.seats - len(facts.taken), 0, -1):
        first = bot and left == facts.seats - len(facts.taken)
        free = pen.say(FREE_FOR_BOT, {"key": bot}) if first else pen.say(FREE)
        if left > 1 and (together or left > MOST_FREE):
            yield f"{free} {pen.glyphs.times} {left}"
            return
        yield free


def _boxed(body: Line, box: BoxSigns, inner: int) -> list[Line]:
    return box.around([((" ", "edge"), *body, (" ", "edge"))], inner + 2, "edge")


def _about(seat: SeatFacts, facts: TableFacts, pen: Pen) -> str:
    if seat.level:
        return pen.say(BOT, {"level": level_text(seat.level)})
    if seat.mine:
        return pen.say(HOSTS_HERE if facts.hosts else HERE)
    machines = [*facts.beside.items(), *facts.served.items()]
    owner = next((owner for owner, names in machines if seat.name in names), "")
    return (
        pen.say(ON_MACHINE, {"host": owner}) if owner else pen.say(HOSTS) if seat.name == facts.host else ""
    )


def _ready(seat: SeatFacts, pen: Pen) -> Line:
    said, role = {
        "ready": (f"{pen.glyphs.on} {pen.say(READY)}", "taken"),
        "bot": (f"{pen.glyphs.on} {pen.say(READY)}", "taken"),
        "waits": (f"{pen.glyphs.ellipsis} {pen.say(NOT_READY)}", "dim"),
        "away": (pen.say(AWAY), "wrong"), "stand-in": (pen.say(STAND_IN), "wrong"),
        "plays": (pen.say(PLAYS), ""),
    }[seat.state]  # fmt: skip
    return pen.line(said, role)


def _seats(facts: TableFacts, pen: Pen, bot: str, *, brief: bool = False) -> list[Line]:
    """Draw the seats with their marks; a free one names the key that puts a bot there.

    In brief the free ones are one line, and a key is shown only if it's different from before.
    """
    lines: list[Line] = []
    glyphs, looks = pen.glyphs, looks_of([seat.look for seat in facts.taken])
    longest = max((cell_len(seat.name) + 4 for seat in facts.taken), default=0)
    for seat, (hue, mark) in zip(facts.taken, looks, strict=True):
        state = pen.say(STATES[seat.state], {"level": level_text(seat.level), "owner": seat.owner})
        role = {"ready": "taken", "away": "wrong", "stand-in": "wrong"}.get(seat.state, "")
        shown = f"{glyphs.bar} {glyphs.marks[MARKS[mark]]} {pen.plainly(seat.name)}"
        name: Line = ((shown, f"hue{hue}"),)
        if seat.team:
            state = f"{pen.say(seat.team)}, {state}"
        named = padded(name, max(16, min(longest, pen.room // 2)))
        head: Line = (("  ", ""), *named, (" ", ""), (state, role))
        who = "" if brief and not seat.has_new_key else _who(seat, pen)
        left = max(36, width(head))
        if who and left + 2 + cell_len(who) <= pen.room:
            lines.append((*padded(head, left), ("  ", ""), (who, _warns(seat))))
        elif who:
            lines += [head, *wrapped(f"     {who}", _warns(seat), pen.room, "     ")]
        else:
            lines.append(head)
    for free in _free(facts, pen, bot, together=brief):
        lines.append((("  ", ""), (f"{glyphs.dotted.side} {glyphs.off} ", "edge"), (free, "dim")))
    return lines


def _teams(facts: TableFacts, pen: Pen) -> list[Line]:
    if not facts.teams:
        return []
    lines = wrapped(pen.say(IN_TEAMS, {"n": facts.teams}), "", pen.room)
    return lines + (wrapped(pen.say(*facts.uneven), "wrong", pen.room) if facts.uneven else [])


def _campaign(facts: TableFacts, pen: Pen) -> list[Line]:
    return [
        line
        for number, (message, params) in enumerate(facts.campaign)
        for line in wrapped(pen.say(message, params), "wrong" if number else "", pen.room)
    ]


def _warns(seat: SeatFacts) -> str:
    return "wrong" if seat.has_new_key else "dim"


def _who(seat: SeatFacts, pen: Pen) -> str:
    """Return the owner of the seat's key; "" for bots and people in browsers, who have no own key."""
    if seat.level or seat.owner != seat.name:
        return ""
    if seat.mine:
        return pen.say(ME, {"key": seat.key})
    said = pen.say(KEY, {"key": seat.key, "met": pen.say(MET[seat.met], {"name": seat.name})})
    return f"{said}, {seat.trip} ms" if seat.trip is not None else said


def _options(facts: TableFacts, pen: Pen, *, whole: bool) -> list[Line]:
    lines, usual = list[Line](), facts.rules.options().plain()
    for spec in facts.offered:
        text = f"  {rule_line(spec, facts.options.get(spec.name), pen.say)}. {pen.say(spec.help)}"
        role = "choice" if facts.options.get(spec.name) != usual[spec.name] else ""
        lines += wrapped(text, role, pen.room, "    ") if whole else [clipped(pen.line(text, role), pen.room)]
    for problem in facts.problems:
        lines += wrapped(f"  {pen.say(problem.message, problem.params)}", "wrong", pen.room, "    ")
    return lines


def draw_invitation(facts: TableFacts, pen: Pen, *, with_qr: bool) -> Block:
    """Draw how others join, with a QR code for phones if there's a link to scan.

    With `with_qr` it's a page of its own, which also shows the code of a private table.
    """
    invitation = facts.invitation
    text = pen.say(JOIN, {"address": invitation.address}) if invitation.address else pen.say(ASKED)
    lines = wrapped(text, "", pen.room)
    if invitation.code:
        lines += wrapped(pen.say(CODE, {"code": show_code(invitation.code)}), "own", pen.room)
        link = invitation.link()
        if invitation.address and len(link) <= pen.room:  # in pieces it couldn't be pasted
            lines += [*wrapped(pen.say(LINK), "", pen.room), *wrapped(link, "choice", pen.room)]
    told = Block(tuple(lines))
    if facts.web:
        web = _browsers(facts, pen)
        return stacked([web, told] if with_qr else [told, web], gap=1)  # the whole QR code must be visible
    return told


def _browsers(facts: TableFacts, pen: Pen) -> Block:
    """Draw the link for browsers, to scan and to type, and say whom its users trust."""
    lines = [*wrapped(pen.say(IN_BROWSERS, {"link": facts.web}), "choice", pen.room), *_address(facts, pen)]
    trust = wrapped(pen.say(TRUST, {"host": facts.me or facts.host}), "dim", pen.room)
    return Block((*qr_lines(facts.web, ascii_only=not pen.glyphs.suits), *lines, *trust))


def qr_lines(text: str, *, ascii_only: bool, border: int = 2) -> list[Line]:
    """Draw a QR code as text: half blocks with two rows in a line, or in ASCII two characters per module."""
    import segno  # noqa: PLC0415 - most lobbies draw no QR code, and every start would be slower

    rows = [bytes(row) for row in segno.make(text, error="l", micro=False).matrix_iter(border=border)]
    if ascii_only:
        return [(("".join("##" if dark else "  " for dark in row), "qr"),) for row in rows]
    if len(rows) % 2:
        rows.append(bytes(len(rows[0])))
    signs = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
    return [
        (("".join(signs[pair] for pair in zip(above, below, strict=True)), "qr"),)
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    ]
