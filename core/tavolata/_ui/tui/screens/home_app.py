"""The home screen: games with their form, tables as they are found, and unfinished matches."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.binding import Binding, BindingType
from textual.events import Key
from typing_extensions import override

from tavolata._trouble import trouble
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.identity import MARKS
from tavolata._ui.tui.drawing.home import WHAT, act_of, draw_home, numbers_of
from tavolata._ui.tui.drawing.lines import key_line
from tavolata._ui.tui.drawing.runs import Block, Hotspot, Line, sides, stacked, width, wrapped
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.input.keys import HOME_KEYS, KEYS
from tavolata._ui.tui.model.home_model import FoundFacts, HomeFacts, HomeModel, Thing
from tavolata._ui.tui.model.prompt import PaletteItem, PromptQuestion
from tavolata._ui.tui.screens.frame import Frame, Left, Looks
from tavolata._ui.tui.screens.home_menu import LANGUAGES, HomeMenu
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata._ui.words import Words
from tavolata.messages import N_

LOOKING = N_("looking…")
FINDABLE = N_("Find: _ (type a title, 4 players, 20 min, or a command)")
SHOWING = N_("{n} of {all} games")
CANT_LOOK = N_("couldn't look for tables: {problem}")
DARK, LIGHT = N_("dark"), N_("light")
TITLE = N_("Keys")
POINT = N_("Arrows move, Tab goes to the form, Space changes an item, Enter presses the button.")
FORM = ("people", "seat", "bots", "seats", "as", "rules", "where")
"""The kinds of things in the form."""
SHOWN = ("/", "g", "o", "b", "h", "j", "c", "r")
"""The keys in the last line, the most useful first."""

Search = Callable[[], AsyncGenerator[Sequence[FoundFacts], None]]


class HomeApp(Frame):
    """The Textual application of the home screen; its result is the words of a command, or none.

    `search` yields all current tables after each change.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", show=False),
        Binding("tab", "form", show=False, priority=True),
    ]

    def __init__(self, translator: Translator, looks: Looks, facts: HomeFacts, search: Search) -> None:
        super().__init__(translator, looks)
        self.model = HomeModel(facts)
        self.model.looking = self.say(LOOKING)
        self._search = search
        self.menu = HomeMenu(self.model, translator.text, self._ask, self._done, self._keep, self._write)
        self._asked: PromptQuestion | None = None
        self._words: Callable[[str], object] | None = None
        self._helping = False

    def on_mount(self) -> None:
        self.begin()
        self.run_worker(self._look(), exit_on_error=False)
        self.run_worker(self._remember(), exit_on_error=False)

    async def _look(self) -> None:
        try:
            async with contextlib.aclosing(self._search()) as found:
                async for tables in found:
                    self.model.found(tables)
                    self.draw()
        except Exception as error:  # noqa: BLE001 - a machine without a network still has games
            self.model.looking = self.say(CANT_LOOK, {"problem": trouble(error)})
            self.draw()

    async def _remember(self) -> None:
        """Read the person's record after the screen is there: the history may have to catch up."""
        self.model.records = await asyncio.to_thread(self.model.facts.records)
        self.draw()

    def _ask(self, question: PromptQuestion | None) -> None:
        self._asked = question
        self.draw()

    def _done(self, words: list[str]) -> None:
        self.exit(Left(command=tuple(words)))

    def _keep(self, name: str, value: str) -> None:
        self.exit(Left(setting=(name, value)))

    def _write(self, begin: str, then: Callable[[str], object]) -> None:
        self._words = then
        self.action_talk(begin)

    @override
    def action_help(self) -> None:
        self._helping = not self._helping
        self.draw()

    # -- what can be done -------------------------------------------------------------------------

    def do(self, thing: Thing) -> None:
        model, (kind, name) = self.model, thing
        if kind in ("game", "act"):
            self._play()
        elif kind == "table":
            self._done(["join", name])
        elif kind == "match":
            self._done(["resume", name])
        elif kind == "more":
            self._done(["games", "--more"])
        elif kind == "rules":
            self.menu.rules()
        else:
            model.change(thing)

    def _play(self) -> None:
        plan = self.model.plan
        if plan is not None:
            self.model.facts.keep(plan)
            self._done(plan.words())

    def press(self, letter: str) -> bool:
        """Carry out a letter of `HOME_KEYS`, or point at the game of a digit; return True if it is one."""
        model = self.model
        if letter.isdecimal():
            model.digit(letter)
            return True
        acts: dict[str, Callable[[], object]] = {
            "/": self.action_commands,
            "+": partial(model.change, ("seats", "1")),
            "-": partial(model.change, ("seats", "-1")),
            "b": partial(model.change, ("bots", "")),
            "p": partial(model.change, ("people", "")),
            "w": model.next_place,
            "h": self._host,
            "g": partial(model.change, ("as", "guided")),
            "m": partial(model.change, ("as", "mode")),
            "u": partial(model.change, ("as", "usual")),
            "o": self.menu.rules,
            "j": self.menu.join,
            "c": self.menu.go_on,
            "r": lambda: self._done(["rules", model.game]) if model.game is not None else None,
            "n": self.menu.rename,
            "l": self.menu.language,
            "i": lambda: self._done(["games", "--more"]),
        }
        if letter not in acts:
            return False
        self.prompt.trouble = ""
        acts[letter]()
        return True

    def _host(self) -> None:
        """Plan a table on the network; if one is planned already, a match here."""
        if self.model.plan is not None:
            self.model.change(("where", "network" if self.model.plan.where == "here" else "here"))

    @override
    def takes(self, event: Key) -> bool:
        """Handle the letters of the home screen before those that move the cursor."""
        return self.question() is None and self.press(event.character or "")

    @override
    def go_on(self) -> None:
        self.do(
            self.model.cursor if self.model.cursor[0] in ("table", "match", "more", "rules") else ("act", "")
        )

    @override
    def action_take(self) -> None:
        if self.question() is None and self.prompt.palette is None:
            self.do(self.model.cursor)
            self.draw()
        else:
            super().action_take()

    @override
    def action_step(self, where: str) -> None:
        if self.question() is not None or self.prompt.palette is not None:
            super().action_step(where)
            return
        sheet = self.sheet("board")
        spots = [spot for spot in sheet.block.spots if spot.thing[0] != "act"]
        at = next((spot for spot in spots if spot.thing == self.model.cursor), None)
        found = spots[0] if at is None and spots else None if at is None else neighbour(at, spots, where)
        if found is not None:
            self.model.point(found.thing)
        self.draw()

    def action_form(self) -> None:
        """Point at the first thing of the form, or at the game again."""
        if self.question() is None and self.prompt.palette is None:
            spots = self.sheet("board").block.spots
            first = next((spot.thing for spot in spots if spot.thing[0] in FORM), None)
            if first is None or self.model.cursor[0] in FORM:
                self.model.home()
            else:
                self.model.point(first)
        self.draw()

    @on(Sheet.Pointed, "#board")
    def _thing_clicked(self, event: Sheet.Pointed) -> None:
        """Change the plan at once; enter a table, a match or a game with the second click."""
        thing = event.thing
        again = self.model.point(thing) if thing[0] != "act" else True
        if again or thing[0] not in ("game", "table", "match", "more"):
            self.do(thing)
        self.draw()

    @on(Sheet.Pointed, "#status")
    def _status_clicked(self, event: Sheet.Pointed) -> None:
        if event.thing == "theme":
            self.action_theme()
        elif event.thing == "help":
            self.action_help()
        else:
            self.press(event.thing)
        self.draw()

    # -- layout ---------------------------------------------------------------------------------------

    @override
    def question(self) -> PromptQuestion | None:
        return self._asked

    @property
    @override
    def main(self) -> Sheet:
        return self.sheet("board" if self.prompt.shown is None else "prompt")

    @property
    @override
    def findable(self) -> str:
        return FINDABLE if self.question() is None else super().findable

    @override
    def palette_items(self) -> list[PaletteItem]:
        if self.question() is not None:
            return self.prompt.choices(None)
        facts = self.model.facts
        things: list[tuple[Thing, str]] = [
            *((("match", one), said) for one, said in facts.waiting),
            *((("table", one.address), one.line) for one in self.model.tables),
        ]
        return [
            *(
                PaletteItem(
                    f"{one.title}: {numbers_of(one, self.say)}",
                    partial(self.model.point, ("game", one.name)),
                    f"{one.name} {one.summary}",
                    one.fits,
                )
                for one in facts.games
            ),
            *(PaletteItem(said, partial(self.do, thing)) for thing, said in things),
            *(PaletteItem(self.say(one.why), partial(self.press, key)) for key, one in HOME_KEYS.items()),
            *(PaletteItem(self.say(what), partial(self._done, [name])) for name, what in facts.commands),
            PaletteItem(self.say(N_("Switch between the light and dark themes.")), self.action_theme),
        ]

    @override
    def pen(self, room: int) -> Pen:
        return Pen(Words(self.translator, "", ()), None, self.glyphs, room)

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        height, asks = self.size.height, self.prompt.shown is not None
        prompt = self.draw_prompt() if asks else Block(())
        self.query_one("#status").display = height >= 6
        self.query_one("#keys").display = height >= 8
        self.query_one("#prompt").display = asks
        room = height - (height >= 6) - (height >= 8) - self.query_one("#talk").display
        lines = max(1, min(prompt.height, room - min(4, room // 3))) if asks else 0
        self.query_one("#prompt").styles.height = lines
        if not self.typing:
            self.set_focus(self.main)
        self._draw_status()
        self._draw_board(room - lines, form=not asks)
        self._draw_keys()

    def _draw_board(self, rows: int, *, form: bool) -> None:
        sheet, pen = self.sheet("board"), self.pen(max(1, self.size.width - 2))
        if self._helping:
            sheet.show(Block(tuple(self._help())))
            return
        problem = self.model.problem
        wrong = "" if problem is None or self.model.can is None else self.translator.text(
            problem.message, problem.params, self.model.can.package
        )  # fmt: skip
        said = self.prompt.trouble or wrong if form else ""
        key = "" if self.keymap["answer"] == KEYS["answer"].keys else self.key("answer")
        has_head = bool(said) or rows >= 8
        drawn = draw_home(self.model, pen, rows - has_head, key=key, form=form)
        head = [pen.line(said, "wrong") if said else self._head(pen, drawn.games)] if has_head else []
        block = stacked([Block(tuple(head)), drawn.block])
        sheet.show(block, cursor=(drawn.cursor[0], drawn.cursor[1] + len(head)))

    def _head(self, pen: Pen, shown: int) -> Line:
        """Return the question, and how to find the games that have no room."""
        asked, count = pen.line(self.say(WHAT), "title"), len(self.model.facts.games)
        if shown == count:
            return asked
        showing, find = self.say(SHOWING, {"n": shown, "all": count}), self.say(HOME_KEYS["/"].what)
        return sides(asked, pen.line(f"{showing}  / {find}", "dim"), pen.room)

    def _draw_status(self) -> None:
        pen, facts = self.pen(self.size.width - 2), self.model.facts
        name = f"{pen.glyphs.marks[MARKS[0]]} {facts.name}"
        left: Line = (*pen.line("TAVOLATA", "title"), ("   ", ""), *pen.line(name, "hue0"))
        theme = LIGHT if self.theme == "light" else DARK
        told = [
            ("l", LANGUAGES.get(facts.lang, facts.lang)), ("theme", self.say(theme)),
            ("help", f"{self.key('help')} {self.say(KEYS['help'].what)}"),
        ]  # fmt: skip
        right: Line = ()
        spots: list[Hotspot] = []
        for thing, text in told:
            right = (*right, *(((f" {pen.glyphs.dot} ", "dim"),) if right else ()))
            spots.append(Hotspot(width(right), 0, cell_len(text), 1, thing))
            right = (*right, *pen.line(text, "tab"))
        begin = pen.room - width(right)
        spots = [Hotspot(11, 0, cell_len(name), 1, "n"), *(spot.moved(begin, 0) for spot in spots)]
        self.sheet("status").show(Block((sides(left, right, pen.room),), tuple(spots)))

    def _draw_keys(self) -> None:
        if self.prompt.shown is not None or self.typing:
            self.draw_keys(["answer", "commands", "help", "quit"])
            return
        count, waiting = len(self.model.facts.games), bool(self.model.facts.waiting)
        keys = [
            *([("1", f"1-{count}", self.say(N_("game")))] if count > 1 else []),
            ("answer", self.key("answer"), self.say(act_of(self.model)).lower()),
            *((key, key, self.say(HOME_KEYS[key].what)) for key in SHOWN if key != "c" or waiting),
            *((name, self.key(name), self.say(KEYS[name].what)) for name in ("commands", "quit")),
        ]
        self.sheet("keys").show(key_line(keys, self.size.width - 2))

    def _help(self) -> list[Line]:
        trouble, plainly = self.prompt.trouble, self.pen(1).plainly
        rows = [(trouble or self.say(TITLE), "wrong" if trouble else "title"), (self.say(POINT), "")]
        rows += [(f"{key}: {self.say(one.why)}", "") for key, one in HOME_KEYS.items()]
        rows += [
            (f"{self.key(name)}: {self.say(KEYS[name].why)}", "") for name in ("commands", "help", "quit")
        ]
        return [row for text, role in rows for row in wrapped(plainly(text), role, self.size.width - 3, "  ")]

    @override
    def action_escape(self) -> None:
        if not self.close_talk():
            if self._asked is None and not self._helping:
                self.model.home()
            self._asked, self._helping = None, False
        self.prompt.trouble = ""
        self.draw()

    @override
    def typed(self, words: str) -> None:
        if self._words is not None:
            self._words(words)


def neighbour(at: Hotspot, spots: Sequence[Hotspot], where: str) -> Hotspot | None:
    """Return the nearest spot in the direction of an arrow; None if there isn't one."""
    if where in ("left", "right"):
        by = 1 if where == "right" else -1
        row = [spot for spot in spots if spot.y == at.y and (spot.x - at.x) * by > 0]
        return min(row, key=lambda spot: abs(spot.x - at.x), default=None)
    by = 1 if where == "down" else -1
    there = [spot for spot in spots if (spot.y - at.y) * by > 0]
    middle = at.x + min(at.width, 8) // 2

    def apart(spot: Hotspot) -> tuple[int, int]:
        return abs(spot.y - at.y), max(spot.x - middle, middle - spot.x - spot.width, 0)

    return min(there, key=apart, default=None)
