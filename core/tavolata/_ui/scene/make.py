"""The making of a scene from a view and a viewpoint.

Pure. An item says by its shape, or by the `Show` of its zone, what it becomes: a lane's column, a line of a
player's panel, a thing of the board, or one of the viewer's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from itertools import takewhile, zip_longest
from typing import Any, Final, assert_never

from msgspec import structs

from tavolata._ui.endings import called as name_of
from tavolata._ui.scene.cast import Cast, Draw
from tavolata._ui.scene.decision import make_decision
from tavolata._ui.scene.ending import course_of, make_ending
from tavolata._ui.scene.faces import card_face, letters_of, short_of, signs_of, thing_colour
from tavolata._ui.scene.identity import MARKS, NO_HUE, looks_of, short_names
from tavolata._ui.scene.items import ZoneItem, are_dice, item_of
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import (
    BoardCell,
    CardFace,
    Cue,
    Decisive,
    Lane,
    Panel,
    Row,
    Scene,
    SceneItem,
    SeatFlow,
    Status,
    Tally,
    Value,
)
from tavolata._ui.scene.viewpoint import Ruling, Viewpoint
from tavolata.boards import counted
from tavolata.looks import Look
from tavolata.messages import N_
from tavolata.ring import SEATS, Seat
from tavolata.view import View
from tavolata.zones import (
    CardRow,
    CardStack,
    CardView,
    Cells,
    Count,
    Lanes,
    Layout,
    Rows,
    Sentence,
    Zone,
    ZoneShape,
)

COINS: Final = 10
"""The largest number that is drawn as coins."""
FACT: Final = 18
"""The most cells of a fact in the first line."""
FACTS: Final = 3
RING: Final = 10
"""The most players who are drawn around the board."""
YOUR_TURN = N_("your turn")
WINS = N_("{name} wins")
TURN = N_("turn {number}")
TURN_OF = N_("{name}'s turn")
SEVERAL = N_("waiting for {names}")


def wish_for(table: Layout, seats: int) -> Layout:
    """Return a game's wish for this number of seats: a ring has room for ten, more have a column."""
    return replace(table, seating=Layout().seating) if seats > RING else table


def make_scene(
    view: View | None, zones: Iterable[Zone], point: Viewpoint, say: SceneWords, cast: Cast
) -> Scene:
    """Make the scene of this moment.

    `view` is None before a match; the zones may be those of an earlier moment. New zones get their places in
    the cast.
    """
    return _Maker(view, zones, point, say, cast).scene()


def laid(view: View, zones: Iterable[Zone], point: Viewpoint, say: SceneWords, cast: Cast) -> list[SceneItem]:
    """Give new zones of a moment their places in the cast; return the items of the board and one's own."""
    maker = _Maker(view, zones, point, say, cast)
    maker.panels.clear()  # what is known of each seat takes no place on the board
    items = maker.laid()
    mains = (value.text for values in maker.scores[:1] for value in values.values())
    cast.main = max([cast.main, *mains], key=len)
    return [*items, *maker.unlike(maker.yours)]


class _Maker:
    def __init__(
        self, view: View | None, zones: Iterable[Zone], point: Viewpoint, say: SceneWords, cast: Cast
    ) -> None:
        self.view, self.point, self.say, self.cast = view, point, say, cast
        self.items = [item_of(zone, say) for zone in zones]
        self.wish = Layout() if view is None else wish_for(view.game.layout, len(point.names))
        self.seat = None if view is None or view.seat is None else int(view.seat)
        ask = None if point.question is None else point.question.ask
        # A question may be about what comes later, as the first call.
        there = {item.zone.id for item in self.items}
        self.about = () if ask is None else tuple(zone for zone in ask.about if zone in there)
        self.panels: dict[int, list[Value]] = {seat: [] for seat in range(len(point.names))}
        self.scores: list[dict[int, Value]] = []
        self.facts: list[tuple[str, str]] = []
        self.columns: dict[str, dict[str, str]] = {}
        self.board: list[SceneItem] = []
        self.yours: list[SceneItem] = []
        self.heads: list[str] = []
        marks = [mark for mark in point.marks if mark.kind == "counted"]
        counted = None if point.verdict is None else point.verdict.counted
        self.counted = tuple(card for mark in marks for card in mark.cards)[:counted]

    def laid(self) -> list[SceneItem]:
        """Put every zone where it belongs; return the items of the board."""
        for item in self.items:
            if isinstance(item.shape, Lanes):
                self.cast.things |= dict.fromkeys(map(key_of, item.shape.tokens))
        has_board = any(isinstance(item.shape, Lanes | Cells) for item in self.items)
        self.open_hero = not has_board and not any(item.show.role == "hero" for item in self.items)
        self.text_hero = self._text_hero()
        for item in self.items:
            self._put(item)
        return [self._with_extent(one) for one in self.board]

    def scene(self) -> Scene:
        point, board = self.point, self.laid()
        there = {one.id for one in [*board, *self.yours]}
        gone = [
            SceneItem(zone, kept.slot, kept.role, kept.draw, kept.title, gone=True, slots=kept.slots)
            for zone, kept in self.cast.parts.items()
            if zone not in there and kept.role not in ("fact", "yours")
        ]
        order = {zone: at for at, zone in enumerate(self.cast.parts)}
        everything = sorted([*board, *gone], key=lambda one: order[one.id])  # who comes back has its place
        self.yours = sorted(self.unlike(self.yours), key=lambda one: one.draw != "hand")
        panels = tuple(self._panels())
        ending = None
        if point.end is not None:
            mains = {panel.seat: panel.main for panel in panels}
            in_order = [mains.get(seat) for seat in range(len(point.names))]
            series = course_of(point.end, len(point.names)) or point.series
            panels = tuple(structs.replace(panel, series=series.get(panel.seat, ())) for panel in panels)
            ending = make_ending(point.end, in_order, series, self.say, point.turn, self._decisive())
        decision = make_decision(point, self.say, [*board, *self.yours], self.about)
        return Scene(
            lang=point.lang, phase=point.phase, seat=self.seat, status=self._status(),
            seating=self.wish.seating, rows=self.wish.decision, title=self.heads[0] if self.heads else "",
            panels=panels, board=tuple(everything), yours=tuple(self.yours),
            decision=decision, story=tuple(point.story), guide=point.guide, end=ending, flows=self._flows(),
            cast=self.cast, cue=None if point.verdict is None else self._cue(point.verdict),
            clockwise=self.wish.clockwise,
        )  # fmt: skip

    def _text_hero(self) -> str:
        """Return the sentence that is the hero of an empty table: the last that changed, or "".

        Numbers of seats aren't things on the table; they're in the panels.
        """
        free = [item for item in self.items if item.zone.seat is None and not item.show.role]
        texts = [item.zone for item in free if isinstance(item.shape, Sentence)]
        others = any(
            not isinstance(item.shape, Sentence) and self._by_seat(item.shape) is None for item in free
        )
        if not self.open_hero or self.cast.hero or others or not texts:
            return ""
        return max(texts, key=self._changed).id

    def _by_seat(self, shape: ZoneShape | None) -> dict[int, Any] | None:
        return by_seat(shape.rows, len(self.point.names)) if isinstance(shape, Rows) else None

    def _flows(self) -> tuple[SeatFlow, ...]:
        return tuple(
            SeatFlow(int(mark.seat), int(mark.to), mark.n, tuple(map(int, mark.over)))
            for mark in self.point.marks
            if mark.kind == "flow" and mark.seat is not None and mark.to is not None
        )

    def _decisive(self) -> Decisive | None:
        found = self.point.decisive
        if found is None:
            return None
        return Decisive(found.turn, self.say.plainly(found.line), self._cue(found.ruling))

    def _cue(self, now: Ruling) -> Cue:
        shapes = (zone.shape() for zone in now.zones.values())
        stacks = (shape.cards for shape in shapes if isinstance(shape, CardRow | CardStack))
        faces = {card.id: self._face(card) for cards in stacks for card in cards}
        left, tallies = now.counted, list[Tally]()
        for mark in (one for one in now.marks if one.cards or one.need):
            counted = (faces[card] for card in mark.cards[:left] if card in faces)
            shown = tuple(f"{card.corner}{card.sign}" or card.text for card in counted if card.text)
            tallies.append(Tally(self.say.plainly(mark.of), mark.need, shown))
            left = None if left is None else max(0, left - len(mark.cards))
        better = (now.delta > 0) == (now.better == "more")
        tone = "" if not now.delta else "good" if better else "bad"
        return Cue(
            now.step, tuple(tallies), self.say(now.stamp) if now.stamp else "", now.seat, tone, now.number,
            now.delta, now.is_dim,
        )  # fmt: skip

    @staticmethod
    def unlike(items: list[SceneItem]) -> Iterator[SceneItem]:
        """Yield the items without those whose cards are all in an item with more cards."""
        for item in items:
            cards = {card.card for card in item.cards}
            more = (other for other in items if len(other.cards) > len(item.cards))
            if not cards or not any(cards <= {card.card for card in other.cards} for other in more):
                yield item

    # -- zones ------------------------------------------------------------------------------------

    def _put(self, item: ZoneItem) -> None:
        zone, shape, show = item.zone, item.shape, item.show
        owner = None if zone.seat is None else int(zone.seat)
        scores = self._by_seat(shape) if owner is None and show.role in ("", "score") else None
        if scores is not None:
            self._score(item, scores)
        elif isinstance(shape, Rows) and self._is_column(zone, shape):
            self.columns[item.title] = {key_of(label): self.say.name(value) for label, value in shape.rows}
        elif (lane := show.of or self._lane_of(zone)) and (text := self._in_column(item)) is not None:
            title = self.say(zone.title, dict.fromkeys(zone.params, "")).strip()
            self.columns.setdefault(title, {})[lane] = text
        elif owner is None or show.role == "board":
            self._free(item)
        else:
            if owner in self.point.looking or owner == self.seat:
                self.yours.append(self._item(item, "yours"))
            if owner in self.panels:
                self.panels[owner].append(self._of_seat(item))

    def _score(self, item: ZoneItem, scores: Mapping[int, Any]) -> None:
        zone, show = item.zone, item.show
        self.heads.append(item.title)
        old = self._by_seat(self._before(zone))
        unit = self.say(show.unit)
        values = {}
        for seat, number in scores.items():
            text, whole = self.say.name(number), number if type(number) is int else None
            was = None if old is None or type(old.get(seat)) is not int else old[seat]
            values[seat] = Value(
                zone.id, item.title, show.draw or "number", f"{text}{unit}", whole, show.goal, show.better,
                whole - was if whole is not None and was is not None and whole != was else None,
            )  # fmt: skip
        self.scores.append(values)

    def _is_column(self, zone: Zone, shape: Rows) -> bool:
        kept = self.cast.parts.get(zone.id)
        labels = {key_of(label) for label, _ in shape.rows}
        return kept is None and bool(labels) and labels == set(self.cast.things)

    def _lane_of(self, zone: Zone) -> str:
        found = (key_of(value) for value in zone.params.values()) if "{" in zone.title else iter(())
        return next((key for key in found if key in self.cast.things), "")

    def _in_column(self, item: ZoneItem) -> str | None:
        """Return the text of a token's zone for a column of the lanes; None if it has no place there."""
        match item.shape:
            case CardRow(cards):
                return self.say.glyph_back * min(3, len(cards)) + str(len(cards))
            case Count() | Sentence():
                return str(item.content())
            case CardStack() | Rows() | Lanes() | Cells():
                return None
            case _ as never:
                assert_never(never)

    def _free(self, item: ZoneItem) -> None:
        """Put a zone without an owner on the board, or among the facts of the first line."""
        kept = self.cast.parts.get(item.zone.id)
        role = kept.role if kept is not None else self._role(item)
        if role == "fact":
            text = item.values() if isinstance(item.shape, Sentence) else self.say.name(item.shape[0])
            self.cast.place(item.zone.id, role, "words", item.title)
            self.facts.append((item.title, text))
        elif role == "yours":
            self.yours.append(self._item(item, role))
        else:
            self.board.append(self._item(item, role))

    def _role(self, item: ZoneItem) -> str:
        role: str = item.show.role
        if role not in ("hero", "centre", "aside", "fact", "yours"):
            role = self._usual_role(item)
        return "centre" if role == "hero" and self.cast.hero else role

    def _usual_role(self, item: ZoneItem) -> str:
        match item.shape:
            case Lanes() | Cells():
                return "hero"
            case CardStack(cards):
                shown = not cards or self._face(cards[-1]).text
                return "hero" if shown and self.open_hero else "centre"
            case CardRow() | Count():
                return "centre"
            case Sentence():
                taken = sum(kept.role == "fact" for kept in self.cast.parts.values())
                short = len(item.values()) <= FACT
                return (
                    "hero" if item.zone.id == self.text_hero
                    else "fact" if short and taken < FACTS else "aside"
                )  # fmt: skip
            case Rows():
                return "aside"
            case _ as never:
                assert_never(never)

    def _item(self, item: ZoneItem, role: str) -> SceneItem:
        zone, (draw, content) = item.zone, self._content(item)
        kept = self.cast.place(zone.id, role, draw, item.title)
        return SceneItem(
            zone.id, kept.slot, role, draw, item.title, about=zone.id in self.about,
            new=self._changed(zone), **content,
        )  # fmt: skip

    def _content(self, item: ZoneItem) -> tuple[Draw, dict[str, Any]]:
        """Return the form of an item on the screen, and the fields with its content."""
        zone, shape = item.zone, item.shape
        match shape:
            case CardStack(cards):
                faces = self._faces(zone, cards)
                shown = tuple(takewhile(lambda face: face.text, reversed(faces[-4:])))[::-1]
                return ("fan" if shown else "backs"), {
                    "cards": shown, "count": len(faces), "dice": are_dice(cards),
                }  # fmt: skip
            case CardRow(cards):
                faces = self._faces(zone, cards)
                open_faces = tuple(face for face in faces if face.text)
                seen = bool(open_faces) or zone.seat is not None
                return "hand" if seen else "backs", {
                    "cards": faces if seen else (), "count": len(faces), "dice": are_dice(cards),
                }  # fmt: skip
            case Count(number):
                whole = number if type(number) is int else None
                draw: Draw = "coins" if whole is not None and 0 <= whole <= COINS else "number"
                before = self._before(zone)
                was = before.number if isinstance(before, Count) else whole
                delta = whole - was if whole is not None and type(was) is int and whole != was else None
                return draw, {"text": self.say.name(number), "number": whole, "delta": delta}
            case Rows(rows):
                listed = tuple(
                    Row(self.say.name(label), self.say.name(value), thing_colour(label))
                    for label, value in rows
                )
                return "rows", {"rows": listed}
            case Lanes(squares):
                return "lanes", {**self._lanes(zone, squares), "goal": item.show.goal or 0}
            case Cells():
                return "grid", self._grid(zone, shape)
            case Sentence():
                row = tuple((number, self.say.plainly(of)) for number, of in item.show.row)
                kept = self.cast.parts.get(zone.id)
                keeps_row = row or (
                    kept is not None and kept.draw == "row"
                )  # outlines, while nothing is there
                return ("row" if keeps_row else "words"), {"text": item.values(), "row": row}
            case _ as never:
                assert_never(never)

    def _lanes(self, zone: Zone, squares: Any) -> dict[str, Any]:
        where = {key_of(token): (at, token) for at, (_, _, tokens) in enumerate(squares) for token in tokens}
        before = self._before(zone)
        was = {}
        lined_up = len(where) > 1 and not any(at for at, _ in where.values())  # for a race: no move is seen
        if isinstance(before, Lanes) and not lined_up:
            was = {key_of(token): at for at, (_, _, tokens) in enumerate(before.squares) for token in tokens}
        things = list(self.cast.things)
        names = {thing: self.say.name(thing) for thing in things}
        letters = dict(zip(things, letters_of(list(names.values())), strict=True))
        lanes = []
        for thing in things:
            at = where[thing][0] if thing in where else None
            shared = [] if at is None else [key_of(token) for token in squares[at][2]]
            lanes.append(Lane(
                thing, names[thing], letters[thing], thing_colour(thing), at,
                was.get(thing) if was.get(thing) != at else None,
                shared.index(thing) + 1 if len(shared) > 1 else 0,
            ))  # fmt: skip
        marks = {at: self.say(mark) for at, (_, mark, _) in enumerate(squares) if mark}
        return {"lanes": tuple(lanes), "length": len(squares) - 1, "marks": marks}

    def _with_extent(self, item: SceneItem) -> SceneItem:
        """Return the item with the room that it needs at most; a track has its columns, also empty ones."""
        extent = self.cast.parts[item.id]
        if item.draw != "lanes":
            widest = max(extent.columns.get("", 0), len(str(self.cast.most)) * (item.draw == "grid"))
            return structs.replace(item, slots=extent.slots, widths=(widest,) if widest else ())
        titles = tuple({**extent.columns, **self.columns})
        none, blank = self.say.plainly("–"), dict.fromkeys(self.cast.things, "")
        lanes = tuple(
            structs.replace(
                lane, columns=tuple(self.columns.get(title, blank).get(lane.thing, none) for title in titles)
            )
            for lane in item.lanes
        )
        return structs.replace(
            item, lanes=lanes, columns=titles, widths=tuple(extent.columns.get(title, 0) for title in titles),
            choices=tuple(map(self.say, self.cast.choices)),
        )  # fmt: skip

    def _grid(self, zone: Zone, shape: Cells) -> dict[str, Any]:
        before = self._before(zone)
        was = before.rows if isinstance(before, Cells) else shape.rows
        cells = tuple(
            tuple(
                self._cell(things, ground, new=things != old)
                for things, ground, old in zip_longest(row, grounds, olds)
            )
            for row, grounds, olds in zip_longest(shape.rows, shape.terrain, was, fillvalue=())
        )
        across = max(map(len, cells), default=0)
        down = tuple(counted(shape.labels[:1], row) for row in range(len(cells)))
        labels = (down, tuple(counted(shape.labels[1:], column) for column in range(across)))
        legend: tuple[Row, ...] = ()
        if words := shape.cells == "text":
            there = {cell.name: cell for row in cells for cell in row if cell.short}
            signs = signs_of({name: cell.short for name, cell in there.items()})
            cells = tuple(
                tuple(structs.replace(cell, short=signs.get(cell.name, "")) for cell in row) for row in cells
            )
            legend = tuple(
                Row(signs[name], name, cell.colour) for name, cell in there.items() if signs[name] != name
            )
        return {
            "cells": cells, "hexagonal": shape.hexagonal, "labels": labels if shape.labels else ((), ()),
            "words": words, "rows": legend,
        }  # fmt: skip

    def _cell(self, things: Sequence[Any], ground: Any, *, new: bool) -> BoardCell:
        if not things and ground is None:
            return BoardCell(new=new)
        words = [self.say.name(one) for one in (*reversed(things), ground) if one is not None]
        short, colour = self._in_short(things[-1] if things else ground, words[0])
        name = words[0].replace(f" ({short})", "")  # its letter isn't needed then
        return BoardCell(", ".join(words), short, name, colour, not things, max(0, len(things) - 1), new)

    def _in_short(self, thing: Any, words: str) -> tuple[str, str]:
        if isinstance(thing, CardView):
            face = self._face(thing)
            said = f"{face.corner}{face.sign}" or short_of(face.text)
            return said or self.say.glyph_back * 2, face.colour
        if isinstance(thing, Look):
            return short_of(self.say.name(thing.short)), thing.ink or ""
        if isinstance(thing, Seat):
            shorts = map(self.say.plainly, short_names(self.point.names))
            signs = signs_of({str(seat): short_of(name) for seat, name in enumerate(shorts)})
            return signs[str(int(thing))], thing_colour(thing)
        return short_of(words), thing_colour(thing)

    def _of_seat(self, item: ZoneItem) -> Value:
        zone, title, new = item.zone, item.title, self._changed(item.zone)
        match item.shape:
            case CardRow(cards) | CardStack(cards):
                ids = {card.id for card in cards}
                others = self._cards_beside(zone)
                inside = [other for other in others if other < ids]
                held = [card for card in cards if not any(card.id in other for other in inside)]
                faces = self._faces(zone, held)
                hides = int(zone.seat or 0) == self.seat and not any(ids < other for other in others)
                seen = (face for card, face in zip(held, faces, strict=True) if not (hides and card.down))
                shown = tuple(face for face in seen if face.text)
                hidden = len(faces) - len(shown)
                return Value(zone.id, title, "cards", str(len(faces)), hidden, cards=shown, new=new)
            case Count(number):
                return Value(zone.id, title, item.show.draw or "number", self.say.name(number), new=new)
            case Sentence():
                return Value(zone.id, title, "words", item.values(), new=new)
            case Rows(rows):
                text = ", ".join(f"{self.say.name(label)} {self.say.name(value)}" for label, value in rows)
                return Value(zone.id, title, "words", text, new=new)
            case Lanes() | Cells():
                return Value(zone.id, title, "words", "", new=new)
            case _ as never:
                assert_never(never)

    def _cards_beside(self, zone: Zone) -> list[set[int]]:
        """Return the cards of this seat's other zones; a zone before its player counts only there."""
        others = (one.shape for one in self.items if one.zone.seat == zone.seat and one.zone.id != zone.id)
        stacks = (shape.cards for shape in others if isinstance(shape, CardRow | CardStack))
        return [{card.id for card in cards} for cards in stacks if cards]

    # -- cards and changes ------------------------------------------------------------------------

    def _face(self, card: Any) -> CardFace:
        return card_face(card, self.say, None)

    def _faces(self, zone: Zone, cards: Sequence[Any]) -> tuple[CardFace, ...]:
        """Return the cards of a zone, and only what it says: it may be a moment of the past.

        Where several people share a screen, moments are stored without their hands. Then one's own cards come
        from the view of the present.
        """
        before = self._before(zone)
        known = (
            {card.id: card.face for card in before.cards} if isinstance(before, CardRow | CardStack) else None
        )
        own = len(self.point.people) > 1 and zone.seat is not None and zone.seat == self.seat
        return tuple(
            card_face(
                card,
                self.say,
                self.view if own else None,
                new=known is not None and _is_new(card, known),
                counted=card.id in self.counted,
            )
            for card in cards
        )

    def _before(self, zone: Zone) -> ZoneShape | None:
        """Return the shape of a zone before this moment; None if nothing is known of it."""
        old = None if self.point.before is None else self.point.before.get(zone.id)
        return None if old is None else old.shape()

    def _changed(self, zone: Zone) -> bool:
        before = self.point.before
        if before is None:
            return False
        old = before.get(zone.id)
        return old is None or (old.content, old.params) != (zone.content, zone.params)

    # -- people -----------------------------------------------------------------------------------

    def _panels(self) -> Iterator[Panel]:
        point, shorts = self.point, short_names(self.point.names)
        looks = looks_of([*point.looks, *[None] * len(point.names)][: len(point.names)])
        called = {int(mark.seat) for mark in point.marks if mark.kind == "calls" and mark.seat is not None}
        if point.verdict is not None and point.verdict.step == "mark" and not point.verdict.is_dim:
            called.add(-1 if point.verdict.seat is None else point.verdict.seat)
        ring = [] if self.view is None else [int(seat) for seat in self.view.ring]
        order = list(dict.fromkeys([*(seat for seat in ring if seat in self.panels), *self.panels]))
        first = order.index(self.seat) if self.seat in order else 0
        for seat in order[first:] + order[:first]:
            values = [scores[seat] for scores in self.scores if seat in scores]
            here = seat in point.people
            kind = "you" if seat == self.seat and here else "here" if here else (
                "bot" if seat in point.bots else "person"
            )  # fmt: skip
            yield Panel(
                seat, self.say.plainly(point.names[seat]), self.say.plainly(shorts[seat]), kind,
                MARKS[looks[seat][1]], NO_HUE if self.wish.palette == "pieces" else looks[seat][0],
                "asked" if seat in point.asked else "called" if seat in called else "idle",
                point.notes.get(seat, ""), values[0] if values else None,
                (*values[1:], *self.panels[seat]), point.says.get(seat, ""), point.series.get(seat, ()),
            )  # fmt: skip

    def _status(self) -> Status:
        point, asked = self.point, sorted(self.point.asked)
        turn = () if point.phase == "end" else (("", self.say(TURN, {"number": point.turn})),)
        who, seat = "", None
        outcome = None if point.end is None else point.end.outcome
        if point.end is not None and outcome is not None and len(outcome.winners) == 1:
            seat = int(outcome.winners[0])  # the headline says who has won, or why
            won = "" if outcome.why is None else self.say(WINS, {"name": name_of(seat, point.end)})
            return Status(point.game, won, seat, (), "", point.link)
        if len(asked) == 1:
            seat = asked[0]
            own = seat == self.seat and seat in point.people
            who = self.say(YOUR_TURN) if own else self.say(TURN_OF, {"name": SEATS[seat]})
        elif asked:
            if self.seat in asked:
                who, seat = self.say(YOUR_TURN), self.seat
            else:
                shown = ", ".join(self.say.name(SEATS[one]) for one in asked[:3])
                who = self.say(SEVERAL, {"names": shown + (" ..." if asked[3:] else "")})
        return Status(point.game, who, seat, (*self.facts, *turn), point.clock, point.link, point.pace)


def key_of(value: Any) -> str:
    """Return the name of a thing in the rules: a token's name, or an enum member's value."""
    one = value.value if isinstance(value, Enum) else value
    return one if isinstance(one, str) else ""


def _is_new(card: Any, known: Mapping[int, Any]) -> bool:
    """Return True for a card that wasn't there; after a shuffle its handle may stand for another one."""
    face = known.get(card.id)
    return card.id not in known or (face is not None and card.face is not None and card.face != face)


def by_seat(rows: Iterable[tuple[Any, Any]], seats: int) -> dict[int, Any] | None:
    """Return each seat's number, if rows count seats only; every seat of a team gets the team's number."""
    numbers: dict[int, Any] = {}
    for label, number in rows:
        team = label if isinstance(label, tuple) else (label,)
        if not all(isinstance(seat, Seat) and int(seat) not in numbers for seat in team):
            return None
        numbers |= dict.fromkeys(map(int, team), number)
    return numbers if len(numbers) == seats else None
