"""The form of several people at one keyboard: the name, the mark and the key of each, before a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual import on
from textual.events import Key
from typing_extensions import override

from tavolata._text import MAX_NAME, composed
from tavolata._ui.i18n import Translator
from tavolata._ui.people_here import FIELDS, Person, problem
from tavolata._ui.scene.identity import next_look
from tavolata._ui.tui.drawing.lines import key_line
from tavolata._ui.tui.drawing.people import draw_people
from tavolata._ui.tui.drawing.runs import Block
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.screens.frame import Frame, Left, Looks
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata._ui.words import Words
from tavolata.messages import N_

HERE = N_("{n} people at this keyboard")
POINT, CHANGE, BEGIN, LEAVE = N_("move"), N_("colour, mark"), N_("begin"), N_("quit")
BACK = N_("delete")


class PeopleApp(Frame):
    """The form on a full screen; when it's complete, `people` are the players.

    `row` is the place of the person pointed at, `field` the place in `FIELDS`.
    """

    def __init__(self, translator: Translator, looks: Looks, title: str, people: Sequence[Person]) -> None:
        super().__init__(translator, looks)
        self._title = title
        self.people = list(people)
        self.row, self.field = 0, FIELDS.index("name")
        self.complete = False
        self._fresh = True

    def on_mount(self) -> None:
        self.begin()

    @override
    def pen(self, room: int) -> Pen:
        return Pen(Words(self.translator, "", ()), None, self.glyphs, room)

    @property
    @override
    def main(self) -> Sheet:
        return self.sheet("board")

    @override
    def draw(self) -> None:
        if not self.is_whole:
            return
        prompt, wrong = self.query_one("#prompt"), self.prompt.trouble  # in view with any number of people
        prompt.display, prompt.styles.height = bool(wrong), self.draw_prompt().height if wrong else 0
        pen = self.pen(max(1, self.size.width - 2))
        told = self.say(HERE, {"n": len(self.people)})
        head = (*pen.line(self._title, "title"), ("   ", ""), *pen.line(told, "dim"))
        self.sheet("status").show(Block((head,)))
        self.query_one("#board").styles.height = "1fr"
        form, cursor = draw_people(self.people, (self.row, FIELDS[self.field]), pen)
        self.sheet("board").show(form, cursor=cursor)
        keys = [
            ("", f"{pen.glyphs.arrows[0][0]}{pen.glyphs.arrows[1][-1]} Tab", self.say(POINT)),
            ("space", f"{self.key('take')} C", self.say(CHANGE)), ("undo", self.key("undo"), self.say(BACK)),
            ("answer", self.key("answer"), self.say(BEGIN)), ("", "Esc", self.say(LEAVE)),
        ]  # fmt: skip
        self.sheet("keys").show(key_line(keys, self.size.width - 2))

    # -- keys -------------------------------------------------------------------------------------

    @override
    def takes(self, event: Key) -> bool:
        """Type into the field pointed at; arrows and Tab point at another one."""
        key, character, field = event.key, event.character or "", FIELDS[self.field]
        steps = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
        if key in steps:
            down, across = steps[key]
            self.point((self.row + down) % len(self.people), (self.field + across) % len(FIELDS))
        elif key in ("tab", "shift+tab"):  # from name to key to the next name
            by = 1 if key == "tab" else -1
            at = (self.row * 2 + (FIELDS[self.field] == "key") + by) % (2 * len(self.people))
            self.point(at // 2, FIELDS.index("key" if at % 2 else "name"))
        elif key == "backspace":
            self._type(self.people[self.row].name[:-1] if field == "name" else "", field)
        elif field == "look" and key in ("space", "c", "C"):
            self._change_look(mark=key == "C")
        elif len(character) == 1 and character.isprintable() and field == "name":
            before = "" if self._fresh else self.people[self.row].name
            self._type((before + character)[:MAX_NAME], field)
        elif len(character) == 1 and character.isalnum() and field == "key":
            self._type(character.lower(), field)
        else:
            return False
        self.prompt.trouble = ""
        return True

    def _type(self, text: str, field: str) -> None:
        self._fresh = False
        one = self.people[self.row]
        if field != "look":
            self.people[self.row] = replace(one, name=text) if field == "name" else replace(one, key=text)

    def _change_look(self, *, mark: bool) -> None:
        looks = [one.look for one in self.people]
        self.people[self.row] = replace(self.people[self.row], look=next_look(looks, self.row, mark=mark))

    def point(self, row: int, field: int) -> None:
        """Point at a field; the first letter typed then replaces a name."""
        self.row, self.field, self._fresh = row, field, True

    @override
    def go_on(self) -> None:
        people = [replace(one, name=composed(" ".join(one.name.split()))) for one in self.people]
        if (wrong := problem(people)) is not None:
            self.prompt.trouble = self.say(*wrong)
            return
        self.people = people
        self.complete = True
        self.exit(Left())

    @override
    def action_escape(self) -> None:
        self.exit(Left())

    @override
    def action_help(self) -> None:
        """Do nothing: the form itself names its keys."""

    @on(Sheet.Pointed, "#board")
    def _clicked(self, event: Sheet.Pointed) -> None:
        row, field = event.thing
        if field == "act":
            self.go_on()
        else:
            again = (row, FIELDS.index(field)) == (self.row, self.field)
            self.point(row, FIELDS.index(field))
            if field == "look" and again:
                self._change_look(mark=False)
        self.draw()
