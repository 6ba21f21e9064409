"""Lines that command a table: each means one typed call, and what can't be meant says why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.core.ui.tui.screens.test_hosting import table

from tavolata._engine.sessions.table_commands import TableCommand
from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
from tavolata._ui.i18n import Translator
from tavolata._ui.key_question import KeyQuestion
from tavolata._ui.table_lines import ANY, LOT, TableLines
from tavolata.errors import Refused
from tavolata.teams import NAMES, TYPED


class Called:
    """Commands that are only written down; some of them can't be done."""

    def __init__(self, *refused: TableCommand) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._refused = refused
        self.warning: tuple[str, Mapping[str, Any]] | None = None

    def why_not(self, command: TableCommand) -> tuple[str, Mapping[str, Any]] | None:
        """See `TableCommands`."""
        return ("Not now, {who}.", {"who": "Ann"}) if command in self._refused else None

    def for_good(self) -> tuple[str, Mapping[str, Any]] | None:
        """See `TableCommands`."""
        return self.warning

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **named: self.calls.append((name, *args, *named.values()))


class At:
    """A place at a table of which only commands and facts are looked at."""

    def __init__(self, commands: Called | None, facts: TableFacts) -> None:
        self.commands = commands
        self._facts = facts

    def table(self) -> TableFacts:
        """See `TableSession`."""
        return self._facts

    @property
    def people(self) -> tuple[int, ...]:
        """See `TableSession`."""
        return (0,)

    def say(self, text: str, to: int | None, seat: int | None) -> None:
        """See `TableSession`."""
        assert self.commands is not None
        self.commands.calls.append((text, to, seat))


def lines(commands: Called | None, *others: SeatFacts) -> TableLines:
    """The lines of a table at which these sit, too."""
    facts = table("away")
    taken = (*facts.taken, *others)
    at: Any = At(
        commands,
        TableFacts(
            **{
                **_fields(facts),
                "taken": taken,
                "levels": ("random", "easy"),
                "watchers": ("Wim",),
                "banned": ("Mallory the Great",),
                "teams": 2,
            }
        ),
    )
    told: list[tuple[str]] = [] if commands is None else commands.calls
    return TableLines(at, lambda: told.append(("lobby",)), lambda message: ITALIAN.get(message, message))


def _fields(facts: TableFacts) -> dict[str, Any]:
    return {name: getattr(facts, name) for name in TableFacts.__slots__}


EVE_SITS = len(table("away").taken)
"""The place of the one who sits here beside those of `table`."""
ITALIAN = {TYPED: Translator("it").text(TYPED), LOT: "sorte", ANY: "qualsiasi"}
NEW_KEY = SeatFacts("Eve", "waits", "", "Eve", False, "key", "changed key", None)
GINA = SeatFacts("Gina", "away", "", "Gina", False, "key", "known", None)


@pytest.mark.parametrize(
    ("word", "rest", "call"),
    [
        ("seats", "", ("lobby",)),
        ("quit", "", ("quit",)),
        ("leave", "", ("leave",)),
        ("ready", "", ("ready",)),
        ("name", " Anna  Maria", ("rename", "Anna Maria")),
        ("start", "", ("start",)),
        ("alone", "", ("go_on_alone",)),
        ("teams", "3", ("set_teams", 3)),
        ("team", "Red", ("join_team", 0)),
        ("team", "blu", ("join_team", 1)),
        ("team", "Rossa", ("join_team", 0)),
        ("team", "sorte", ("draw_teams",)),
        ("team", "qualsiasi", ("join_team", -1)),
        ("team", "any", ("join_team", -1)),
        ("team", "lot", ("draw_teams",)),
        ("option", "fiches = 3", ("set_option", "fiches", "3")),
        ("option", "name=a=b", ("set_option", "name", "a=b")),
        ("game", "Zompa", ("choose_game", "zompa")),
        ("bots", "easy,random", ("seat_bots", ["easy", "random"])),
        ("bots", "2", ("seat_bots", ["easy", "easy"])),
        ("bots", "", ("seat_bots", [])),
        ("confirm", "@eve", ("confirm", "Eve")),
        ("wait", "", ("decide", "wait", 1)),
        ("bot", "gi", ("decide", "bot", 1)),
        ("end", "Gino", ("end",)),
        ("suspend", "", ("suspend",)),
        ("nudge", "gino", ("nudge", 1)),
        ("kick", "eve", ("kick", "Eve")),
        ("kick", "Wim", ("kick", "Wim")),
        ("ban", "Eve", ("ban", "Eve")),
        ("unban", "mallory the great", ("unban", "Mallory the Great")),
        ("lock", "", ("lock", True)),
        ("unlock", "", ("lock", False)),
        ("mute", "Wim", ("mute", "Wim", True)),
        ("unmute", "Wim", ("mute", "Wim", False)),
        ("code", "", ("change_code",)),
        ("host", "eve", ("hand_over", "Eve")),
    ],
)
def test_a_line_is_one_call(word: str, rest: str, call: tuple[Any, ...]) -> None:
    """What is typed becomes the one call that it means, with typed arguments."""
    called = Called()
    lines(called, NEW_KEY).do(word, rest)
    assert called.calls == [call]


def test_leaving_for_good_is_asked_twice() -> None:
    """The first `leave` only warns; another word in between, or another warning, begins anew."""
    called = Called()
    called.warning = ("This is for good.", {})
    at = lines(called)
    for word in ("leave", "seats", "leave"):
        if word == "seats":
            at.do(word, "")
            continue
        with pytest.raises(Refused, match="for good"):
            at.do(word, "")
    called.warning = ("This gives it up.", {})
    with pytest.raises(Refused, match="gives it up"):
        at.do("leave", "")
    assert called.calls == [("lobby",)]
    at.do("leave", "")
    assert called.calls == [("lobby",), ("leave",)]


@pytest.mark.parametrize(
    ("word", "rest", "reason"),
    [
        ("option", "fiches", "A house rule is said as NAME=VALUE, not fiches."),
        ("game", "", "Say which game, as in: game zompa."),
        ("name", " ", "Say how you want to be called: name NEW."),
        ("bots", "hard", "This game has no bot hard; it has random, easy."),
        ("confirm", "Gino", "Say whose new key is really theirs: Eve."),
        ("wait", "g", "Say who of those who are away: Gino, Gina."),
        ("wait", "Ann", "Say who of those who are away: Gino, Gina."),
        ("kick", "nobody", "Say who: "),
        ("unban", "Eve", "Say who: Mallory the Great."),
        ("host", "Wim", "Say who: "),
    ],
)
def test_what_a_line_can_not_mean_is_said(word: str, rest: str, reason: str) -> None:
    """A line whose rest means nothing is refused with what would, and calls nothing."""
    called = Called()
    with pytest.raises(Refused) as refusal:
        lines(called, NEW_KEY, GINA).do(word, rest)
    assert reason in str(refusal.value)
    assert called.calls == []


def test_what_can_not_be_done_is_not_offered_and_says_why() -> None:
    """Such a word does nothing, in words, and its line is refused with the table's reason."""
    called = Called(TableCommand.START, TableCommand.OPTION)
    offered = lines(called).words()
    assert {word for word, what in offered.items() if not what} == {"start", "option"}
    assert set(offered) == {"seats", *TableCommand}
    with pytest.raises(Refused, match=r"Not now, Ann\."):
        lines(called).do("option", "no rule at all")
    assert called.calls == []


def test_where_there_is_no_table_no_word_commands_one() -> None:
    """A match in one process has no such words."""
    assert lines(None).words() == {}


@pytest.mark.parametrize("lang", ["en", "it"])
def test_each_team_has_a_word_of_its_own_that_can_be_typed(lang: str) -> None:
    """As many as teams, all different, small letters, and none is the word for any team or a draw."""
    say = Translator(lang).text
    words = say(TYPED).split()
    assert len(words) == len(NAMES)
    assert len({*words, say(ANY), say(LOT)}) == len(NAMES) + 2
    assert all(word == word.casefold() for word in words)


def test_a_team_that_is_not_played_with_is_not_joined() -> None:
    """The refusal lists what can be typed, in the language of the person."""
    with pytest.raises(Refused) as refusal:
        lines(Called()).do("team", "green")
    assert refusal.value.params["names"] == "rossa, blu, qualsiasi, sorte"


class Asking:
    """The question about a new key at a table, with everything that it prints."""

    def __init__(self, *others: SeatFacts, lang: str = "en") -> None:
        facts = table("waits")
        self.called, self.said = Called(), list[str]()
        at: Any = At(self.called, replace(facts, taken=(*facts.taken, *others)))
        self.at = at
        self.question = KeyQuestion(at, Translator(lang).text, self.said.append, self.said.append)


@pytest.mark.parametrize(
    ("lang", "typed", "taken"),
    [("en", "yes", True), ("en", "n", False), ("it", "si", True), ("it", "Sì", True), ("it", "no", False)],
)
def test_another_key_than_before_is_asked_about_with_yes_and_no(lang: str, typed: str, taken: bool) -> None:
    """The question comes once, unasked; the first word of an answer is enough, with accents or without."""
    asking = Asking(NEW_KEY, lang=lang)
    asking.question.look()
    asking.question.look()
    assert len(asking.said) == 3
    assert asking.said[1].casefold().startswith(Translator(lang).text("yes"))
    assert not asking.question.hear("1")
    assert asking.question.hear(typed)
    assert asking.called.calls == ([("confirm", "Eve")] if taken else [])
    assert not asking.question.hear(typed)
    asking.question.look()
    assert len(asking.said) == (3 if taken else 4)


def test_confirm_asks_again_and_means_yes_while_it_is_asked() -> None:
    """After a no the command asks once more; typed while the question is open it is the answer."""
    asking = Asking(NEW_KEY)
    by_lines = TableLines(asking.at, lambda: None, Translator("en").text, asking.question.ask)
    asking.question.look()
    asking.question.hear("no")
    asking.said.clear()
    by_lines.do("confirm", "Eve")
    assert asking.said[0].startswith("Eve has another key than last time (key now): it may be somebody else.")
    assert asking.called.calls == []
    by_lines.do("confirm", "")
    assert asking.called.calls == [("confirm", "Eve")]


def test_two_new_keys_are_asked_about_one_after_the_other_and_none_of_who_has_left() -> None:
    """The second question follows the first answer; a question about somebody who left is over."""
    fay = replace(NEW_KEY, name="Fay")
    asking = Asking(NEW_KEY, fay)
    asking.question.look()
    assert not any("Fay" in line for line in asking.said)
    asking.question.hear("no")
    assert "Ask Fay" in asking.said[4]
    asking.at._facts = replace(asking.at._facts, taken=asking.at._facts.taken[:2])
    asking.question.look()
    assert not asking.question.hear("yes")
    with pytest.raises(Refused, match="Nobody here has another key"):
        TableLines(asking.at, lambda: None, str).do("confirm", "")
