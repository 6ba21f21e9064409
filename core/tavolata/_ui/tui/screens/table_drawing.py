"""The drawing of a table: the scene of this moment in its frame, a page over it, or the curtain before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from tavolata._engine.sessions.guided import Guided
from tavolata._ui.scene.identity import looks_of
from tavolata._ui.scene.make import wish_for
from tavolata._ui.scene.say import in_ascii
from tavolata._ui.scene.scene import GameCard
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.lines import key_line
from tavolata._ui.tui.drawing.runs import Block, fitted, stacked
from tavolata._ui.tui.drawing.stage import TableStage, stage
from tavolata._ui.tui.input.keyboard import Button
from tavolata._ui.tui.input.keys import KEYS
from tavolata._ui.tui.input.quick_hands import QuickHands
from tavolata._ui.tui.model.director import Feed
from tavolata._ui.tui.screens.frame import Frame
from tavolata._ui.tui.screens.pages import VIEWS, Pages
from tavolata._ui.tui.screens.surroundings import GOT_IT, Surroundings
from tavolata.messages import N_

SHOW_HAND = N_("show my hand")
BEGIN = N_("Begin")
BARE = 3
"""A board of fewer rows shows no track: between hints it has the rows of hints, too."""


class TableDrawing:
    def __init__(
        self, frame: Frame, feed: Feed, surroundings: Surroundings, hands: QuickHands, pages: Pages
    ) -> None:
        self._frame = frame
        self._session, self._model = feed.session, feed.model
        self._surroundings = surroundings
        self._hands = hands
        self._pages = pages

    @property
    def guided(self) -> bool:
        """Return True if one person alone gets hints and advice."""
        return isinstance(self._session, Guided) and len(self._session.people) == 1

    def plan(self, *, on_podium: bool) -> TableStage | None:
        """Return where everything is; None in a lobby, and on a screen that is too small for a table."""
        model, match = self._model, self._model.match
        if match is None or (model.lobby() is not None and model.ended is not None and not on_podium):
            return None
        model.rehearse(plain=self._frame.ascii)
        wish = wish_for(match.game.layout, len(match.terms.names))
        hinted = bool(model.hints) and not model.folded  # advice that is folded leaves its rows to the others
        laid = partial(stage, *self._frame.size, wish=wish, cast=model.cast)
        plan = laid(guided=self.guided or hinted)
        return laid() if plan is not None and plan.board.height < BARE and not hinted else plan

    def draw(
        self, plan: TableStage, button: Button, story: list[str], offers: list[str], keys: Sequence[str],
        *, on_board: bool,
    ) -> None:  # fmt: skip
        """Draw it; with `on_board` the board of a match that is over, without its result."""
        frame, prompt, pages = self._frame, self._frame.prompt, self._pages
        self._model.hint_room = (plan.guide.width - 2, plan.guide.height - 1) if plan.guide.height else None
        veiled = self._model.curtain()
        if veiled is not None and prompt.shown is None:
            self._draw_curtain(veiled, plan)
        else:
            viewpoint = self._surroundings.viewpoint(plan, button, story, offers)
            scene = self._hands.at_rest(self._model.scene(viewpoint, prompt.shown))
            if button is Button.GOT_IT and prompt.palette is None:
                scene = replace(scene, decision=replace(scene.decision, act=frame.plainly(GOT_IT)))
            if button is Button.BEGIN and prompt.palette is None:
                plainly = in_ascii if frame.ascii else str
                rows = tuple((plainly(label), plainly(said)) for label, said in self._model.card)
                decision = replace(scene.decision, act=frame.plainly(BEGIN))
                scene = replace(scene, card=GameCard(rows), decision=decision)
            scene = replace(scene, end=None, cue=None) if on_board else scene
            foot = Foot(
                keys=frame.shown_keys(keys), views=[(name, frame.say(KEYS[name].what)) for name in VIEWS],
                answer="" if frame.keymap["answer"] == KEYS["answer"].keys else frame.key("answer"),
                why_key=frame.key("why"), trouble=prompt.trouble, why=pages.why,
                numbered=prompt.palette is None,
            )  # fmt: skip
            drawn = draw_frame(scene, plan, frame.glyphs, frame.plainly, foot)
            prompt.columns, prompt.page = drawn.columns, drawn.page
            frame.sheet("table").show(drawn.block, cursor=drawn.cursor)
        if pages.view != "table":
            self._draw_page(plan)

    def _draw_curtain(self, seat: int, plan: TableStage) -> None:
        """Draw the curtain in place of the table: nothing that anyone holds is behind it."""
        from tavolata._ui.people_here import Person  # noqa: PLC0415 - a match starts faster without it
        from tavolata._ui.tui.drawing.people import draw_curtain  # noqa: PLC0415 - a match starts faster without it

        frame, session = self._frame, self._session
        names = session.names
        looks = looks_of(session.looks or [None] * len(names))
        people = [Person(names[at], looks[at], "") for at in session.people]
        pen = frame.pen(plan.width)
        wrong = pen.line(frame.prompt.trouble, "wrong")
        title = (*pen.line(f" {self._surroundings.title}", "title"), ("   ", ""), *wrong)
        told = [note.text for note in self._model.notes if note.to is None and not note.role]
        curtain = draw_curtain(
            session.people.index(seat), people, told[-1] if told else "", pen, plan.width, plan.height - 2,
            frame.key("answer"),
        )  # fmt: skip
        keys = frame.shown_keys(["log", "rules", "commands", "quit"])
        if not frame.typing:
            keys.insert(0, ("answer", frame.key("answer"), frame.say(SHOW_HAND)))
        keys_line = key_line(keys, plan.width - 1)
        block = stacked([Block((title,)), curtain, fitted(keys_line, plan.width, 1)])
        frame.sheet("table").show(block, cursor=(0, 0))

    def _draw_page(self, plan: TableStage) -> None:
        """Draw the open page over players and story, or over all above the decision."""
        page = self._frame.sheet("page")
        wide = plan.players.width + 1 if plan.beside else plan.width
        page.styles.width = wide
        page.styles.height = plan.height - 2 if plan.beside else plan.decision.y - 1
        page.styles.offset = (plan.width - wide, 1)
        self._pages.fill(page, wide - 5)  # its edges, and the scroll bar
