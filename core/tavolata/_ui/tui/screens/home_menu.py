"""The menu of the home screen: a series of questions that leads to the words of a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tavolata._ui.levels import level_to_choose
from tavolata._ui.tui.model.home_facts import FoundFacts, GameFacts, HomeFacts
from tavolata._ui.tui.model.questions import PromptQuestion, Rows, Say, chosen
from tavolata.kinds.amount import Amount
from tavolata.messages import N_

WHAT = N_("What would you like to do, {name}?")
PLAY = N_("play here, against bots or at one keyboard")
HOST = N_("open a table on the network")
JOIN = N_("join a table on the network ({number} found)")
WHICH_TABLE = N_("Which table?")
JOIN_AT = N_("one at an address that you know")
RESUME = N_("go on: {match}")
RULES = N_("read the rules of a game")
NAME = N_("change your name")
LANGUAGE = N_("change the language")
LEAVE = N_("leave")
WHICH_GAME = N_("Which game?")
GAME = N_("{title}, {low} to {high} players")
PEOPLE = N_("How many people sit at this keyboard?")
SEATS = N_("How many seats in all?")
OTHERS = N_("How many bots?")
LEVEL = N_("How well do the bots play?")
WHO = N_("Who may join?")
ANYBODY = N_("anybody on the network")
CODE = N_("only who has the code")
BROWSERS = N_("anybody, on telephones and in browsers, too")
BACK = N_("back")
LANGUAGES = {"en": "English", "it": "italiano"}


class HomeMenu:
    """The questions of the home screen.

    Args:
        facts: the data of the home screen.
        say: translates a message.
        ask: asks a question; None goes back to the first one.
        done: called with the words of the chosen command.
        keep: called with the name and the value of a setting to save.
        write: lets the person type: the beginning of the words, and the function to call with them.
        leave: closes the screen.
    """

    def __init__(
        self,
        facts: HomeFacts,
        say: Say,
        ask: Callable[[PromptQuestion | None], object],
        done: Callable[[list[str]], object],
        keep: Callable[[str, str], object],
        write: Callable[[str, Callable[[str], object]], object],
        leave: Callable[[], object],
    ) -> None:
        self._facts = facts
        self._say = say
        self._ask = ask
        self._done = done
        self._keep = keep
        self._write = write
        self._leave = leave

    def first(self, tables: Sequence[FoundFacts]) -> PromptQuestion:
        """The first question. A newly found table does not change the numbers of other choices."""
        facts, rows = self._facts, list[tuple[str, Callable[[], object]]]()
        if facts.games:
            rows.append((self._say(PLAY), lambda: self._game(self._play)))
            rows.append((self._say(HOST), lambda: self._game(self._host)))
        rows.append((self._say(JOIN, {"number": len(tables)}), lambda: self._table(tables)))
        rows += [
            (self._say(RESUME, {"match": said}), self._doing("resume", match))
            for match, said in facts.waiting
        ]
        if facts.games:
            rows.append((self._say(RULES), lambda: self._game(lambda game: self._done(["rules", game.name]))))
        rows += [(self._say(what), self._doing(command)) for command, what in facts.commands]
        rows.append((self._say(NAME), lambda: self._write(facts.name, self._rename)))
        if len(facts.langs) > 1:
            rows.append((self._say(LANGUAGE), self._language))
        rows.append((self._say(LEAVE), self._leave))
        return chosen(self._say(WHAT, {"name": facts.name}), rows)

    def _doing(self, *words: str) -> Callable[[], object]:
        return lambda: self._done(list(words))

    def _list(self, prompt: str, rows: Rows, cursor: int = 0) -> None:
        self._ask(chosen(prompt, [*rows, (self._say(BACK), lambda: self._ask(None))], cursor))

    def _amount(self, prompt: str, low: int, high: int, usual: int, then: Callable[[int], object]) -> None:
        kind = Amount(low, high, default=min(high, max(low, usual)))
        self._ask(PromptQuestion(self._say(prompt), kind, then))

    def _table(self, tables: Sequence[FoundFacts]) -> None:
        rows: Rows = [(table.line, self._doing("join", table.address)) for table in tables]
        rows.append((self._say(JOIN_AT), lambda: self._write("", self._join)))
        self._list(self._say(WHICH_TABLE), rows)

    def _join(self, address: str) -> None:
        if address:
            self._done(["join", address])

    def _rename(self, name: str) -> None:
        if name:
            self._keep("name", name)

    def _language(self) -> None:
        rows: Rows = [
            (LANGUAGES.get(lang, lang), partial(self._keep, "lang", lang)) for lang in self._facts.langs
        ]
        self._list(self._say(LANGUAGE), rows, list(self._facts.langs).index(self._facts.lang))

    # -- play, host -------------------------------------------------------------------------------

    def _game(self, then: Callable[[GameFacts], object]) -> None:
        rows: Rows = []
        for game in self._facts.games:
            low, high = game.seats
            said = self._say(GAME, {"title": game.title, "low": low, "high": high})
            rows.append((said, lambda game=game: then(game)))  # type: ignore[misc]  # a default binds this game
        self._list(self._say(WHICH_GAME), rows)

    def _play(self, game: GameFacts) -> None:
        low, high = game.seats

        def seats(people: int) -> None:
            def bots(total: int) -> None:
                words = ["play", game.name, "--seats", str(total), "--humans", str(people)]
                self._levels(game, total - people, words)

            self._amount(SEATS, max(low, people), high, max(people, game.best or 4), bots)

        self._amount(PEOPLE, 1, high, 1, seats)

    def _levels(self, game: GameFacts, bots: int, words: list[str]) -> None:
        levels = [level for level in self._facts.levels(game.name) if level != "random"]
        if not bots or len(levels) < 2:
            self._done(words)
            return
        rows: Rows = [
            (level_to_choose(level, self._say), self._doing(*words, "--bots", ",".join([level] * bots)))
            for level in levels
        ]
        self._list(self._say(LEVEL), rows)

    def _host(self, game: GameFacts) -> None:
        low, high = game.seats

        def bots(total: int) -> None:
            def who(count: int) -> None:
                words = ["host", game.name, "--seats", str(total)]
                words += ["--bots", str(count)] if count else []
                rows: Rows = [
                    (self._say(ANYBODY), self._doing(*words)),
                    (self._say(CODE), self._doing(*words, "--code")),
                ]
                if self._facts.can_serve:
                    rows.append((self._say(BROWSERS), self._doing(*words, "--web")))
                self._list(self._say(WHO), rows)

            self._amount(OTHERS, 0, max(0, total - 2), 0, who)

        self._amount(SEATS, max(2, low), high, game.best or 4, bots)
