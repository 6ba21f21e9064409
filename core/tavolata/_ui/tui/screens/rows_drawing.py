"""The drawing in rows: a lobby, or on a small screen the question alone; status, board, prompt, keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tavolata._ui.tui.drawing.lines import log_block, news_block, status_line
from tavolata._ui.tui.drawing.lobby import draw_invitation, draw_lobby, least_rows
from tavolata._ui.tui.drawing.runs import Block
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.input.keys import KEYS
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.tui.screens.frame import SMALL, Frame
from tavolata._ui.tui.screens.pages import VIEWS, Pages
from tavolata._ui.tui.screens.surroundings import Surroundings
from tavolata.messages import N_
from tavolata.ring import SEATS

LEAST: Final = 4
"""Lines of the board that stay visible beside a hint."""
CHOICES: Final = 3
"""Lines of choices that stay visible below a question of any length."""
WIDE: Final = 100
"""The number of columns from which log and rules are shown beside the board."""
JOINING = N_("Joining the table…")
MORE = N_("There's more to this hint: {key} shows all of it.")


class RowsDrawing:
    def __init__(self, frame: Frame, model: TableModel, surroundings: Surroundings, pages: Pages) -> None:
        self._frame = frame
        self._model = model
        self._surroundings = surroundings
        self._pages = pages

    @property
    def _wide(self) -> bool:
        """Return True if there's room for a column beside the board."""
        return self._frame.size.width >= WIDE

    @property
    def _shows_log(self) -> bool:
        """Return True if the board is the log: in a match on a small screen."""
        model = self._model
        return model.match is not None and (model.lobby() is None or model.ended is None)

    def draw(self, keys: Sequence[str], bot_key: str) -> None:
        """Draw the rows, with the keys that matter now. `bot_key` puts a bot on a free seat; "" for none."""
        frame, model, pages = self._frame, self._model, self._pages
        width, height = frame.size
        prompt = frame.draw_prompt()
        frame.query_one("#status").display = height >= 6
        frame.query_one("#keys").display = height >= 8
        room = height - (height >= 6) - (height >= 8) - frame.query_one("#talk").display
        alone = height < SMALL and pages.view == "table"
        most, facts = room if alone else room - max(3, room // 2), model.lobby()
        choices = 1 if height < SMALL and frame.prompt.trouble else CHOICES
        if facts is not None and not (alone or self._shows_log):
            pen = self._pen(self._board_room)  # nothing of it may be cut, nor of a knock
            whole = draw_invitation(facts, pen, with_qr=True).height if pages.inviting else 0
            least = whole or least_rows(facts, pen)
            most, choices = max(frame.head + 1, room - least), 1
        lines = max(1, min(prompt.height, most))
        frame.query_one("#prompt").styles.height = lines
        frame.sheet("prompt").pin(min(frame.head, max(0, lines - choices)))
        told = self._shows_log and not model.hints  # the board ends with the newest line already
        silent = self._wide or pages.view != "table" or height < 10 or facts is not None or told
        news = 0 if silent else 1 if height < 16 else 3
        if news:
            more = frame.say(MORE, {"key": frame.key("log")})
            pen, high = self._pen(width - 2), max(news, room - lines - LEAST)
            said = news_block(model.visible(), pen, news, high, more)
            news = max(news, said.height)
            frame.sheet("news").show(said)
        frame.query_one("#news").display = bool(news)
        frame.query_one("#news").styles.height = news
        frame.query_one("#middle").display = room > lines + news  # else it pushes the choices off the screen
        self._draw_middle(room - lines - news, bot_key)
        self._draw_status()
        frame.draw_keys(keys)

    def _draw_middle(self, height: int, bot_key: str) -> None:
        frame, wide, reads = self._frame, self._wide, self._pages.view != "table"
        board, side, beside = frame.sheet("board"), frame.sheet("side"), self._beside
        board.display, side.display = wide or not reads, wide or reads
        side.styles.width = beside
        side.set_class(not wide, "-narrow")
        if board.display:
            board.show(self._board(self._board_room, height, bot_key))
        if side.display:
            self._pages.fill(side, beside - (7 if wide else 3))

    @property
    def _beside(self) -> int:
        width = self._frame.size.width
        return min(40, width // 3) if self._wide else width  # a lobby has long lines

    @property
    def _board_room(self) -> int:
        return max(1, self._frame.size.width - 3 - (self._beside if self._wide else 0))

    def _pen(self, room: int) -> Pen:
        return replace(self._frame.pen(room), view=self._model.view())

    def _board(self, room: int, height: int, bot_key: str) -> Block:
        model, pen = self._model, self._pen(room)
        facts = model.lobby()
        if self._shows_log:
            return Block(log_block(model.visible()[-height:], pen).lines[-max(1, height) :])
        if facts is not None:
            if self._pages.inviting:
                return draw_invitation(facts, pen, with_qr=True)
            news = [] if self._wide else log_block(model.visible()[-3:], pen).lines
            return draw_lobby(facts, pen, height, news, bot_key)
        return Block((pen.line(self._frame.say(JOINING), "dim"),))

    def _draw_status(self) -> None:
        frame, model, around = self._frame, self._model, self._surroundings
        left = [around.title]
        if model.match is not None and model.ended is None:
            left.append(frame.say(N_("turn {number}"), {"number": model.turn()}))
        if asked := [model.words().describe(SEATS[seat]) for seat in sorted(model.asked())]:
            more = f" +{len(asked) - 3}" if len(asked) > 3 else ""
            left.append(f"{frame.glyphs.cursor} {', '.join(asked[:3])}{more}")
        views = [(name, frame.say(KEYS[name].what)) for name in VIEWS]
        room = frame.size.width - 2
        frame.sheet("status").show(
            status_line(left, around.clock(), around.link(), views, self._pages.view, room, frame.glyphs)
        )
