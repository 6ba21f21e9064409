"""The ndjson frontend: one JSON object per line, for programs in any language.

`docs/ndjson.md` explains each line, and `docs/ndjson.schema.json` is the schema. The protocol version
rises when a program that follows them would break.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from typing_extensions import override

from tavolata._engine.match import updates
from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.sessions.next_step import NextStep
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import (
    NOT_JSON,
    answer_by_values,
    end_data,
    event_data,
    full_data,
    hello_data,
    kind_data,
    object_in,
    plain_data,
)
from tavolata._ui.line_frontend import LineFrontend, Typed
from tavolata._ui.scene.text import Json, value_data
from tavolata._ui.table_lines import TableLines
from tavolata.asks import Ask
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.ring import SEATS
from tavolata.texts import tidied
from tavolata.windows import Window

NO_TYPE = N_("The type of a line must be answer, react, do, say, undo, advice, table or full, not {type}.")
LACKS = N_("A line of type {type} needs the field {field}.")
NOT_OPEN = N_("No question with the id {id} is open here.")
NOT_YOURS = N_("Seat {seat} isn't yours.")


def line_of(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Ndjson(LineFrontend):
    def __init__(
        self,
        session: TableSession,
        translator: Translator,
        out: Callable[[str], object],
        lines: Typed | None,
        drained: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(session, translator, out, lines, drained)
        self._known: dict[int | None, Json] = {}
        self._lobby: list[Any] = []
        self._table_lines = TableLines(session, self._tell_lobby, translator.text)
        self._windows: dict[int, float] = {}
        self._moves: set[int] = set()
        self._verbs: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "answer": self._answer,
            "do": self._do,
            "react": self._react,
            "say": self._say,
            "table": self._table,
            "undo": self._undo,
            "advice": self._advise,
            "full": lambda _: self._whole(),
        }

    @override
    def greet(self) -> None:
        self._out(hello_data(self._translator.lang))

    def _out(self, data: Json) -> None:
        self._print(line_of(data))

    # -- showing ------------------------------------------------------------------------------

    @override
    async def _show_all(self) -> updates.Ended | None:
        try:
            return await super()._show_all()
        except Exception as error:
            match = self._session.match
            if match is not None and is_rules_fault(error, match.rules):
                fault = rules_fault(error, match.rules)
                self.show(updates.Notice(fault.message, fault.params, wrong=True))
            raise

    @override
    def show(self, update: updates.Update) -> None:
        match update:
            case updates.Told(event):
                people, game = self._session.people, self._session.match
                if game is not None and (event.to is None or any(seat in event.to for seat in people)):
                    self._out(event_data(event, self.words(), game.view(self.seat_for(event))))
            case updates.Asked(ask, mine):
                self._show_ask(ask, mine=mine)
            case updates.Closed(ask, late):
                self._drop(ask)
                self._out({"type": "closed", "id": ask.id, "late": late})
            case updates.WindowOpened(window, mine):
                self._show_window(window, mine)
            case updates.WindowClosed(window):
                self._windows.pop(window.id, None)
                self._moves.discard(window.id)
                first = window.reaction()
                self._out({
                    "type": "window_closed",
                    "id": window.id,
                    "seat": None if first is None else int(first.seat),
                    "milliseconds": None if first is None else first.milliseconds,
                })  # fmt: skip
            case updates.Telling():
                said = update.saying()
                self._out({**update.data(), **self._message(said.message, said.params)})
            case updates.LobbyChanged():
                self.show_lobby()
            case updates.Began(again=again):
                self._drop_all()  # whatever is still open is asked again
                self._windows.clear()
                self._moves.clear()
                self._known.clear()
                self._out({"type": "begin", "again": again})
                self._show_full(self.seat())
            case updates.Ended():
                self._drop_all()
                self._show_full(self.seat())
                self._out(end_data(update, self.words()))

    @override
    def step(self, step: NextStep | None, *, changed: bool) -> None:
        """Print it when it changes; without a message once everyone is there again."""
        if not changed:
            return
        if step is None:
            self._out({"type": "next", "message": "", "text": "", "seconds": None, "acts": []})
            return
        told = self._message(step.text.message, step.text.params)
        acts = [{"act": deed.value, "seat": None if seat < 0 else seat} for deed, seat in step.acts]
        self._out({"type": "next", **told, "seconds": step.left, "acts": acts})

    def _message(self, message: str, params: Mapping[str, Any]) -> Json:
        match = self._session.match
        view = None if match is None else match.view(self.seat())
        return {"message": str(message), "text": self.words().text(message, params, view)}

    def show_lobby(self) -> None:
        """Print the lobby as sentences, if it has changed."""
        lines = [self.words().text(message, params) for message, params in self._session.lobby()]
        commands = {word: what for word, what in self._table_lines.words().items() if what}
        told = [lines, list(commands)]
        if told != self._lobby:
            self._lobby = told
            self._out({
                "type": "lobby",
                "lines": lines,
                "commands": [
                    {"command": word, "text": self._translator.text(what)} for word, what in commands.items()
                ],
            })  # fmt: skip

    def _tell_lobby(self) -> None:
        self._lobby = []
        self.show_lobby()

    def _show_full(self, seat: int | None) -> None:
        """Print everything that a seat may know, if it has changed."""
        match = self._session.match
        if match is None:
            return
        full = full_data(match, seat, self._session.people, self.words())
        if self._known.get(seat) != full:
            self._known[seat] = full
            self._out(full)

    def _whole(self) -> None:
        self._known.clear()
        self._lobby = []
        if self._session.match is None:
            self.show_lobby()
        for seat in self._session.people or (None,):
            self._show_full(seat)
        for ask in self._asks:
            self._put(ask)

    def _show_ask(self, ask: Ask, *, mine: bool) -> None:
        if not mine:
            said = {"seat": ask.seat, **ask.params}
            text = self.words().text(ask.others, said, self.view_of(self.seat()))
            self._out({"type": "waiting", "id": ask.id, "seat": int(ask.seat), "text": text})
            return
        self._owe(ask)
        self._show_full(int(ask.seat))
        self._put(ask)
        self._nobody_answers()

    def _put(self, ask: Ask) -> None:
        view, words = self.view_of(ask.seat), self.words()
        self._out({
            "type": "ask",
            "id": ask.id,
            "seat": int(ask.seat),
            "message": str(ask.you or ask.others),
            "params": value_data(ask.params, words, view),
            "text": words.text(ask.you or ask.others, {"seat": ask.seat, **ask.params}, view),
            "seconds": ask.seconds,
            "sealed": ask.sealed,
            **kind_data(ask.question, words, view, ask),
        })  # fmt: skip

    def _nobody_answers(self) -> None:
        super()._nobody_answers()
        if self._ended and self._moves:
            self.end_input()

    def _show_window(self, window: Window, mine: tuple[int, ...]) -> None:
        """Print a window for reactions; its time runs from the moment when this line is written."""
        for seat in mine:
            self._show_full(seat)
        words, view = self.words(), self.view_of(self.seat())
        self._out({
            "type": "window",
            "id": window.id,
            "text": words.text(window.you if mine else window.others, window.params, view),
            "go": None if window.go is None else int(window.go),
            "goes": words.text(window.goes, window.params, view),
            "seconds": window.seconds,
            "seats": [
                {"seat": seat, "kind": kind_data(window.questions[SEATS[seat]], words, self.view_of(seat))}
                for seat in mine
                if SEATS[seat] in window.questions
            ],
        })  # fmt: skip
        self._moves |= {window.id} if window.go in mine else set()
        self._nobody_answers()
        self._windows[window.id] = asyncio.get_running_loop().time()
        self._session.drawn(window.id)

    # -- hearing ------------------------------------------------------------------------------

    @override
    async def hear(self, line: str) -> None:
        if not line.strip():
            return
        said: Mapping[str, Any] = {}
        try:
            said = object_in(line)
            verb = self._verbs.get(said["type"]) if isinstance(said.get("type"), str) else None
            if verb is None:
                raise Refused(NO_TYPE, type=json.dumps(said.get("type")))  # noqa: TRY301 - one handler reports all errors
            verb(said)
        except Refused as refusal:
            self.refused(said, refusal)

    def refused(self, said: Mapping[str, Any], refusal: Refused) -> None:
        """Report an error in a program's line, and repeat the question that the line answered."""
        number = said.get("id") if said.get("type") == "answer" else None
        again = next((ask for ask in self._asks if type(number) is int and ask.id == number), None)
        line = {"type": "error", **self._message(refusal.message, refusal.params)}
        self._out(line if again is None else {**line, "id": again.id})
        if again is not None:
            self._put(again)

    def _answer(self, said: Mapping[str, Any]) -> None:
        ask = self._open(said)
        self._session.answer(ask, ask.question.check(_written(_field(said, "answer", int, str, list))))
        self._drop(ask)

    def _open(self, said: Mapping[str, Any]) -> Ask:
        number = _field(said, "id", int)
        ask = next((ask for ask in self._asks if ask.id == number), None)
        if ask is None:
            raise Refused(NOT_OPEN, id=number)
        return ask

    def _react(self, said: Mapping[str, Any]) -> None:
        number, answer = _field(said, "id", int), _field(said, "answer", int, list)
        seat, since = self._own(said), self._windows.get(number)
        if seat is None or since is None:
            raise Refused(NOT_OPEN, id=number)
        taken = round(1000 * (asyncio.get_running_loop().time() - since))
        self._session.react(number, seat, answer if type(answer) is int else tuple(answer), taken)

    def _do(self, said: Mapping[str, Any]) -> None:
        if "answer" not in said:
            raise Refused(LACKS, type="do", field="answer")
        name, seat = _field(said, "name", str), self._own(said)
        match = self._session.match
        kind = None if match is None or seat is None else match.standing(seat).get(name)
        if match is None or kind is None or seat is None:
            raise Refused(N_("You can't do that now."))

        def write(value: Any) -> Any:
            return plain_data(match.chosen(value))

        answer = answer_by_values(kind, said["answer"], write)
        self._session.interject(seat, name, kind.value_of(answer))

    def _say(self, said: Mapping[str, Any]) -> None:
        seats = [] if said.get("to") is None else said["to"]
        if not isinstance(seats, list) or not all(
            type(one) is int and 0 <= one < len(self._session.names) for one in seats
        ):
            raise Refused(N_("There's no such seat."))
        words = _field(said, "words", str)
        if not words.strip():
            raise Refused(LACKS, type="say", field="words")
        self._session.say(words, seats, self._own(said))

    def _undo(self, said: Mapping[str, Any]) -> None:
        seat = self._own(said) if "seat" in said else None
        self._session.take_back(None if seat is None else (seat,))

    def _advise(self, said: Mapping[str, Any]) -> None:
        self._session.advise(self._open(said))

    def _table(self, said: Mapping[str, Any]) -> None:
        command, rest = _field(said, "command", str), said.get("rest", "")
        if command not in self._table_lines.words():
            raise Refused(
                N_("No such command: {word}. Try: {known}."),
                word=command, known=", ".join(self._table_lines.words()) or "",
            )  # fmt: skip
        self._table_lines.do(command, rest if isinstance(rest, str) else "")

    def _own(self, said: Mapping[str, Any]) -> int | None:
        """Return the seat of a line: the one that it names, otherwise the current one."""
        seat = said.get("seat")
        if seat is None:
            return self.seat()
        if type(seat) is not int or seat not in self._session.people:
            raise Refused(NOT_YOURS, seat=json.dumps(seat))
        return seat


def _written(answer: Any, left: int = 100) -> Any:
    """Return an answer with its texts tidied; raise Refused if it's far deeper than any question."""
    if not left:
        raise Refused(NOT_JSON, problem="too deep")
    if isinstance(answer, list):
        return [_written(part, left - 1) for part in answer]
    return tidied(answer) if isinstance(answer, str) else answer


def _field(said: Mapping[str, Any], name: str, *kinds: type) -> Any:
    """Return a field of a line; raise Refused if it is missing or has the wrong type."""
    value = said.get(name)
    if type(value) not in kinds:
        raise Refused(LACKS, type=said["type"], field=name)
    return value
