"""Calling out: the emotes of the people here, and whose words this screen does not show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tavolata._engine.match.updates import EMOTES
from tavolata._text import Verbatim
from tavolata._ui.tui.model.director import loop_time
from tavolata._ui.tui.model.prompt import PromptQuestion, Rows, Say, chosen, nothing
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.errors import Refused
from tavolata.messages import N_

EVERY = 2.0
"""Seconds between two emotes of one person."""
CALL_OUT = N_("Which emote?")
TOO_OFTEN = N_("One emote every two seconds is enough.")
WHOSE = N_("Who do you want to mute here?")
HUSH, HEAR = N_("mute {name} on this screen"), N_("unmute {name}")
NOTHING = N_("no one")


class CallingOut:
    """The emotes of the people at this screen.

    `last` is the message id of the last one; "" if there was none.
    """

    def __init__(self, model: TableModel, say: Say, ask: Callable[[PromptQuestion], object]) -> None:
        self._model = model
        self._say = say
        self._ask = ask
        self.last = ""
        self.called_at = -EVERY

    def choose(self) -> None:
        """Ask which emote to call out; not while hands are quick."""
        if self._model.window is None:
            rows: Rows = [(self._say(said), partial(self.call, said)) for said in EMOTES.values()]
            self._ask(chosen(self._say(CALL_OUT), [*rows, (self._say(NOTHING), nothing)]))

    def repeat(self) -> None:
        self.call(self.last)

    def call(self, said: str) -> None:
        """Call out an emote by its message id; one in two seconds, and none while hands are quick.

        Raise `Refused` if it's too early, or if this table hears no one now.
        """
        now = loop_time()
        if self._model.window is not None or not said:
            return
        if now - self.called_at < EVERY:
            raise Refused(TOO_OFTEN)
        self._model.session.say(said, (), self._model.seat())
        self.called_at, self.last = now, said

    def hush(self) -> None:
        """Ask whose words to hide on this screen, or to show again; at a table wherever they sit next."""
        session, rows = self._model.session, Rows()
        facts, commands, here = session.table(), session.commands, self._model.named_here()
        hushed: set[Any] = self._model.hushed if commands is None else commands.ignored
        for seat, name in enumerate(session.names):
            whom = seat if facts is None else facts.taken[seat].person
            if seat not in here and (facts is None or not facts.taken[seat].level):
                said = HEAR if whom in hushed else HUSH
                rows.append((self._say(said, {"name": Verbatim(name)}), partial(hushed.__ixor__, {whom})))
        if rows:
            self._ask(chosen(self._say(WHOSE), [*rows, (self._say(NOTHING), nothing)]))
