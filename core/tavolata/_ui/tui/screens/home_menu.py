"""The questions of the home screen that need more than a key, such as which table to join."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tavolata._engine.table.roster import NO_NAME
from tavolata._text import MAX_NAME, is_name
from tavolata._ui.match_plan import GameChoices, MatchPlan, rule_line, with_rule
from tavolata._ui.tui.model.home_model import HomeModel
from tavolata._ui.tui.model.prompt import PromptQuestion, Rows, Say, chosen
from tavolata._ui.tui.screens.hosting import WHICH, question_of
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.options import OptionSpec

WHICH_TABLE = N_("Which table?")
WHICH_MATCH = N_("Which match?")
JOIN_AT = N_("enter an address")
LANGUAGE = N_("Which language?")
BACK = N_("back")
DONE = N_("leave it as is")
LANGUAGES = {"en": "English", "it": "italiano"}


class HomeMenu:
    """The questions of the home screen.

    `ask` with None goes back to the home screen. `write` gets the beginning of the words to type, and the
    function to call with them.
    """

    def __init__(
        self,
        model: HomeModel,
        say: Say,
        ask: Callable[[PromptQuestion | None], object],
        done: Callable[[list[str]], object],
        keep: Callable[[str, str], object],
        write: Callable[[str, Callable[[str], object]], object],
    ) -> None:
        self._model = model
        self._say = say
        self._ask = ask
        self._done = done
        self._keep = keep
        self._write = write

    def _list(self, prompt: str, rows: Rows, cursor: int = 0, back: str = BACK) -> None:
        self._ask(chosen(self._say(prompt), [*rows, (self._say(back), partial(self._ask, None))], cursor))

    def join(self) -> None:
        rows: Rows = [
            (table.line, partial(self._done, ["join", table.address])) for table in self._model.tables
        ]
        rows.append((self._say(JOIN_AT), lambda: self._write("", self._join_at)))
        self._list(WHICH_TABLE, rows)

    def _join_at(self, address: str) -> None:
        if address:
            self._done(["join", address])

    def go_on(self) -> None:
        """Resume the match that waits; if there are several, ask which."""
        waiting = self._model.facts.waiting
        rows: Rows = [(said, partial(self._done, ["resume", match])) for match, said in waiting]
        if len(rows) == 1:
            rows[0][1]()
        elif rows:
            self._list(WHICH_MATCH, rows)

    def rename(self) -> None:
        self._write(self._model.facts.name, self._be_called)

    def _be_called(self, name: str) -> None:
        if is_name(name):
            self._keep("name", name)
        elif name:
            raise Refused(NO_NAME, n=MAX_NAME)

    def language(self) -> None:
        facts = self._model.facts
        rows: Rows = [(LANGUAGES.get(lang, lang), partial(self._keep, "lang", lang)) for lang in facts.langs]
        self._list(LANGUAGE, rows, list(facts.langs).index(facts.lang))

    # -- house rules ------------------------------------------------------------------------------

    def rules(self, cursor: int = 0) -> None:
        """Ask which house rule to change, until the person is content."""
        plan, can = self._model.plan, self._model.can
        specs = [] if plan is None or can is None else can.offered(plan)
        if plan is None or can is None or not specs:
            return
        values, rows = can.settings(plan).plain(), Rows()
        for number, spec in enumerate(specs):
            said = rule_line(spec, values[spec.name], partial(self._of_game, can))
            rows.append((said, partial(self._value, spec, plan, can, number)))
        self._list(WHICH, rows, cursor, DONE)

    def _of_game(self, can: GameChoices, message: str) -> str:
        return self._say(message, None, can.package)

    def _value(self, spec: OptionSpec, plan: MatchPlan, can: GameChoices, number: int) -> None:
        now = can.settings(plan).plain()[spec.name]

        def done(value: Any) -> None:
            self._model.put(with_rule(plan, can, spec.name, value))
            self.rules(number)

        if spec.type is str:
            self._write(str(now), done)
            return
        self._ask(question_of(spec, now, self._say, partial(self._of_game, can), done))
