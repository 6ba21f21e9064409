"""Lines that command a table: each means one typed call, and what can't be meant says why."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.ui import rooms
from tests.core.ui.tui.screens.test_hosting import table

from tavolata._engine.sessions.commands import ANY, HOST_ONLY, LOT, YOU_GIVE_UP, TableCommands
from tavolata._engine.sessions.table_facts import SeatFacts, TableFacts
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator
from tavolata._ui.table_lines import KeyQuestion, TableLines
from tavolata.errors import Refused
from tavolata.teams import NAMES, TYPED


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def facts() -> TableFacts:
    """A table at which somebody has another key than before, and everything can be named."""
    at = table("away")
    return replace(
        at, taken=(*at.taken, NEW_KEY), levels=("random", "easy"), watchers={b"wim": Verbatim("Wim")},
        banned={b"mallory": Verbatim("Mallory the Great")}, teams=2,
    )  # fmt: skip


def say(message: str) -> str:
    """A language with the Italian words for teams."""
    return ITALIAN.get(message, message)


ITALIAN = {TYPED: Translator("it").text(TYPED), LOT: "sorte", ANY: "qualsiasi"}
NEW_KEY = SeatFacts(Verbatim("Eve"), "waits", "", "Eve", False, "key", "changed key", None, person=b"eve")
GINA = SeatFacts(Verbatim("Gina"), "away", "", "Gina", False, "key", "known", None, person=b"gina")


@pytest.mark.parametrize(
    ("word", "rest", "arguments"),
    [
        ("quit", "", ()),
        ("name", " Anna  Maria", ("Anna Maria",)),
        ("colour", "3 5", (2, 4)),
        ("teams", "3", (3,)),
        ("team", "Red", (0,)),
        ("team", "blu", (1,)),
        ("team", "Rossa", (0,)),
        ("team", "sorte", (None,)),
        ("team", "qualsiasi", (-1,)),
        ("team", "any", (-1,)),
        ("team", "lot", (None,)),
        ("option", "fiches = 3", ("fiches", "3")),
        ("option", "name=a=b", ("name", "a=b")),
        ("game", "Zompa", ("zompa",)),
        ("bots", "easy,random", (["easy", "random"],)),
        ("bots", "2", (["easy", "easy"],)),
        ("bots", "", ([],)),
        ("confirm", "@eve", (NEW_KEY,)),
        ("confirm", "", (NEW_KEY,)),
        ("wait", "", (1,)),
        ("blind", "gino", (1,)),
        ("end", "Gino", ()),
        ("nudge", "gino", (1,)),
        ("kick", "eve", (b"eve",)),
        ("ban", "Wim", (b"wim",)),
        ("unban", "mallory the great", (b"mallory",)),
        ("mute", "Wim", (b"wim",)),
        ("host", "eve", (b"eve",)),
    ],
)
def test_a_line_means_the_arguments_of_its_command(word: str, rest: str, arguments: tuple[Any, ...]) -> None:
    """What is typed after a word is read as values; what takes none does not look at it."""
    assert TableCommands.rows[word].arguments(rest, facts(), say) == arguments


@pytest.mark.parametrize(
    ("word", "rest", "reason"),
    [
        ("option", "fiches", "Write a house rule as NAME=VALUE, not fiches."),
        ("game", "", "Which game? For example: game zompa."),
        ("name", " ", "Which name? For example: name Ann."),
        ("bots", "hard", "This game has no hard bot. Its bots: random, easy."),
        ("confirm", "Gino", "Whose new key have you checked? Eve"),
        ("wait", "g", "Who? Away: Gino, Gina"),
        ("wait", "Ann", "Who? Away: Gino, Gina"),
        ("kick", "nobody", "Who? Gino, Eve, Gina, Wim"),
        ("unban", "Eve", "Who? Mallory the Great"),
        ("host", "Wim", "Who? Gino, Eve, Gina"),
        ("team", "green", "Which team? rossa, blu, qualsiasi, sorte"),
    ],
)
def test_what_a_line_can_not_mean_is_said(word: str, rest: str, reason: str) -> None:
    """A line whose rest means nothing is refused with what would."""
    at = facts()
    with pytest.raises(Refused) as refusal:
        TableCommands.rows[word].arguments(rest, replace(at, taken=(*at.taken, GINA)), say)
    assert reason in str(refusal.value)


@pytest.mark.usefixtures("data_folder")
def test_leaving_for_good_is_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first `leave` only warns; another word in between, or another warning, begins anew."""
    with rooms.fair() as session:
        deeds, at = rooms.Deeds(session), TableLines(session, lambda: None, str)
        deeds.take()
        for word in ("leave", "seats", "leave"):
            if word == "seats":
                at.do(word, "")
                continue
            with pytest.raises(Refused, match="can't come back"):
                at.do(word, "")
        monkeypatch.setattr(session.commands, "for_good", lambda: (YOU_GIVE_UP, {}))
        with pytest.raises(Refused, match="That ends the match"):
            at.do("leave", "")
        assert deeds.take() == []
        at.do("leave", "")
        assert deeds.take() == ["leaves: LEFT"]


@pytest.mark.usefixtures("data_folder")
def test_what_can_not_be_done_is_not_offered_and_says_why() -> None:
    """Such a word has no help now, and its line is refused with the table's reason, whatever follows."""
    session = rooms.lobby(rooms.BOB)
    rooms.Deeds(session)
    at = TableLines(session, lambda: None, str)
    offered = at.words()
    assert set(offered) == {"seats", *TableCommands.rows}
    assert not offered["option"]
    assert offered["ready"] == TableCommands.ready.help
    with pytest.raises(Refused, match=HOST_ONLY):
        at.do("option", "no rule at all")
    with pytest.raises(Refused, match="No such command: dance"):
        at.do("dance", "")


def test_where_there_is_no_table_no_word_commands_one() -> None:
    """A match in one process has no such words."""
    at: Any = SimpleNamespace(commands=None, table=lambda: None)
    assert TableLines(at, lambda: None, str).words() == {}
    with pytest.raises(Refused, match="No such command: start"):
        TableLines(at, lambda: None, str).do("start", "")


@pytest.mark.parametrize("lang", ["en", "it"])
def test_each_team_has_a_word_of_its_own_that_can_be_typed(lang: str) -> None:
    """As many as teams, all different, small letters, and none is the word for any team or a draw."""
    said = Translator(lang).text
    words = said(TYPED).split()
    assert len(words) == len(NAMES)
    assert len({*words, said(ANY), said(LOT)}) == len(NAMES) + 2
    assert all(word == word.casefold() for word in words)


class Asking:
    """The question about a new key at a table, with everything that it prints."""

    def __init__(self, *others: SeatFacts, lang: str = "en") -> None:
        at = table("waits")
        self.facts = replace(at, taken=(*at.taken, *others))
        self.taken, self.said = list[SeatFacts](), list[str]()
        session: Any = SimpleNamespace(
            table=lambda: self.facts, commands=SimpleNamespace(confirm=self.taken.append)
        )
        self.question = KeyQuestion(session, Translator(lang).text, self.said.append, self.said.append)


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
    assert asking.said[1].strip().casefold().startswith(Translator(lang).text("yes"))
    assert not asking.question.hear("1")
    assert asking.question.hear(typed)
    assert asking.taken == ([NEW_KEY] if taken else [])
    assert not asking.question.hear(typed)
    asking.question.look()
    assert len(asking.said) == (3 if taken else 4)


@pytest.mark.usefixtures("data_folder")
def test_confirm_asks_again_and_means_yes_while_it_is_asked() -> None:
    """After a no the command asks once more; typed while the question is open it is the answer."""
    session, said = rooms.lobby(rooms.BOB), list[str]()
    deeds, question = rooms.Deeds(session), KeyQuestion(session, Translator("en").text, said.append, len)
    by_lines = TableLines(session, lambda: None, str, question.ask)
    deeds.take()
    question.look()
    question.hear("no")
    said.clear()
    by_lines.do("confirm", "Ann")
    assert said[0].startswith("Ann has a different key from last time (now ")
    assert deeds.take() == []
    by_lines.do("confirm", "")
    assert deeds.take() == ["keeps ['Ann']", "tells lobby True"]


def test_a_question_about_a_key_stays_open_whatever_else_changes_at_that_seat() -> None:
    """Somebody gets ready, or is slower to reach: the key is the same. One taken elsewhere is closed."""
    asking = Asking(NEW_KEY)
    asking.question.look()
    now = replace(NEW_KEY, state="ready", trip=80)
    asking.facts = replace(asking.facts, taken=(*asking.facts.taken[:-1], now))
    asking.question.look()
    assert len(asking.said) == 3
    assert asking.question.hear("yes")
    assert asking.taken == [now]
    asking = Asking(NEW_KEY)
    asking.question.look()
    asking.facts = replace(asking.facts, taken=(*asking.facts.taken[:-1], replace(NEW_KEY, met="known")))
    asking.question.look()
    assert not asking.question.hear("yes")


def test_two_new_keys_are_asked_about_one_after_the_other_and_none_of_who_has_left() -> None:
    """The second question follows the first answer; a question about somebody who left is over."""
    fay = replace(NEW_KEY, name=Verbatim("Fay"))
    asking = Asking(NEW_KEY, fay)
    asking.question.look()
    assert not any("Fay" in line for line in asking.said)
    asking.question.hear("no")
    assert "Ask Fay" in asking.said[4]
    asking.facts = replace(asking.facts, taken=asking.facts.taken[:2])
    asking.question.look()
    assert not asking.question.hear("yes")
    with pytest.raises(Refused, match="No one here has a changed key"):
        TableCommands.confirm.arguments("", asking.facts, str)
