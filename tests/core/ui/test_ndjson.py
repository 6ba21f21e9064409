"""The ndjson face: real processes, real pipes, every line checked against the published schema."""

from __future__ import annotations

import json
import random
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from tests.core.ui.conversation import SCHEMA, Conversation, Json, checked, example_bot

from tavolata import Award, Outcome, text
from tavolata._cli import main
from tavolata._engine.match.offences import Conviction
from tavolata._engine.match.updates import Ended
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import end_data, object_in
from tavolata._ui.streams import Outlet
from tavolata._ui.words import Words
from tavolata.errors import Refused
from tavolata.messages import Text
from tavolata.ring import SEATS
from tavolata_protocol.fair.offences import Charge, Item, Offence

BUNDLED = ("zompa", "conto", "jumpy-jack")
PLUGIN = """
from tests.core.games import GAMES
from tavolata import hookimpl

@hookimpl
def tavolata_games():
    return GAMES
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder in which the small games of the tests are installed."""
    (tmp_path / "small_games.py").write_text(PLUGIN)
    info = tmp_path / "small_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: small_games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tavolata]\nsmall_games = small_games\n")
    return tmp_path


def play(talk: Conversation) -> Json:
    """Answer everything at random, by the rules alone, until the match is over."""
    legal = example_bot().legal
    for line in talk.lines():
        if line["type"] == "ask":
            talk.say({"type": "answer", "id": line["id"], "answer": legal(line)})
        assert line["type"] != "error", line
        if line["type"] == "end":
            break
    return talk.heard[-1]


def test_an_end_by_cheating_is_as_published() -> None:
    """It names the seat, the code of the offence with its fields for programs, and a sentence for people."""
    charge = Charge(Offence.WRONG_SIZE, item=Item.SEED, given=31, size=32)
    words = Words(Translator("en"), "tavolata_zompa", ["Ann", "Ada"])
    line = checked(json.dumps(end_data(Ended(None, bytes(16), Conviction(1, charge)), words)))
    assert line["conviction"] == {
        "seat": 1,
        "offence": "wrong-size",
        "fields": {"item": "seed", "given": 31, "size": 32},
        "text": "Ada's machine was convicted in this match. It sent a seed of 31 bytes instead of 32.",
    }


def test_an_end_has_the_awards_and_the_course_of_the_match() -> None:
    """A program reads who got which award and why, and the numbers of each turn."""
    award = Award("best punter", SEATS[1], why="{n} D won on bets", n=300)
    outcome = Outcome(
        (SEATS[1],), scores=(1, 4), awards=(award,), series={"Points": ((0, 2), (1, 4))},
        statistics={"Deaths": (3, None)}, why=text("{seat} gave up.", seat=SEATS[0]),
    )  # fmt: skip
    words = Words(Translator("en"), "tavolata_horse_fever", ["Ann", "Ada"])
    line = checked(json.dumps(end_data(Ended(outcome, bytes(16), None), words)))
    said = {"seat": 1, "award": "best punter", "text": "best punter", "why": "300 D won on bets"}
    assert line["outcome"]["awards"] == [said]
    assert line["outcome"]["series"] == {"Points": [[0, 2], [1, 4]]}
    assert line["outcome"]["statistics"] == {"Deaths": [3, None]}
    assert line["outcome"]["why"] == "Ann gave up."


@pytest.mark.battery
@pytest.mark.parametrize("game", BUNDLED)
def test_a_program_plays_a_whole_match(game: str) -> None:
    """A program that reads lines and answers by id plays to the end; all that it hears is as published."""
    random.seed(4)
    with Conversation("play", game, "--seats", "3", "--seed", "5", "--as", "Ann") as talk:
        end = play(talk)
        assert talk.done() == 0
    kinds = [line["type"] for line in talk.heard]
    assert kinds[:3] == ["hello", "begin", "full"]
    assert kinds[-1] == "end"
    assert [line["over"] for line in talk.heard if line["type"] == "full"][-1]
    assert end["outcome"]["winners"]
    assert end["statistics"]["turns"] > 0
    assert talk.errors == ""


@pytest.mark.parametrize("game", ["tricks", "race", "shouts"])
def test_every_kind_of_question_can_be_answered(game: str, games: Path, tmp_path: Path) -> None:
    """Choices, amounts, some of several, forms, claims about hidden faces, interjections."""
    random.seed(1)
    legal = example_bot().legal
    words = ("play", game, "--seats", "3", "--seed", "2", "--as", "Ann")
    with Conversation(*words, path=(games,), TT_CACHE_DIR=str(tmp_path / "cache")) as talk:
        standing: list[Json] = []
        for line in talk.lines():
            if line["type"] == "full":
                standing = line["standing"]
            elif line["type"] == "ask":
                if standing:
                    one = standing[0]
                    talk.say({"type": "do", "name": one["name"], "answer": legal(one["kind"])})
                talk.say({"type": "answer", "id": line["id"], "answer": legal(line)})
            elif line["type"] == "error":
                assert "id" not in line  # what could be done at any time no more, but no answer
            elif line["type"] == "end":
                break
        assert talk.done() == 0, talk.errors
    asked = {line["kind"] for line in talk.heard if line["type"] == "ask"}
    assert asked == {"tricks": {"amount", "one_of"}, "race": {"form", "one_of"}, "shouts": {"one_of"}}[game]
    if game == "shouts":
        assert talk.heard[-1]["statistics"]["interjections"][0]


def test_hidden_faces_are_not_told(games: Path, tmp_path: Path) -> None:
    """In every full and every question the cards of others are handles without a face."""
    words = ("play", "tricks", "--seats", "3", "--seed", "2", "--as", "Ann")
    with Conversation(*words, path=(games,), TT_CACHE_DIR=str(tmp_path / "cache")) as talk:
        random.seed(1)
        play(talk)
    hands = [zone for line in talk.heard if line["type"] == "full" for zone in line["zones"]
             if zone["kind"] == "hand"]  # fmt: skip
    others = [card for zone in hands if zone["seat"] != 0 for card in zone["content"]]
    assert others
    assert {card["face"] for card in others} == {None}
    assert any(card["face"] for zone in hands if zone["seat"] == 0 for card in zone["content"])
    assert any(line["not_now"] for line in talk.heard if line["type"] == "ask" and line["kind"] == "one_of")


BAD = [
    ("{", "isn't a JSON object"),
    ("[1]", "isn't a JSON object"),
    ("[" * 100_000, "isn't a JSON object"),
    ('{"type": 7}', "The type of a line must be"),
    ('{"type": "dance"}', "The type of a line must be"),
    ({"type": "answer", "wrong": 1}, "needs the field id"),
    ({"type": "answer", "id": True, "answer": 0, "wrong": 1}, "needs the field id"),
    ({"type": "answer", "id": 99, "answer": 0}, "No question with the id 99"),
    ({"type": "do", "name": "fly", "answer": 0}, "You can't do that now"),
    ({"type": "do", "name": "fly", "answer": 0, "seat": 1}, "Seat 1 isn't yours"),
    ({"type": "say", "words": ""}, "needs the field words"),
    ({"type": "say", "words": "hm", "to": [9]}, "There's no such seat"),
    ({"type": "say", "words": "hm", "to": 0, "wrong": 1}, "There's no such seat"),
    ({"type": "table", "command": "start"}, "No such command: start"),
]
WRONG: list[Any] = ["2", None, True, 5, -1, [0], 1.0, {"id": 0}, 10**30]


def test_what_is_wrong_is_told_and_asked_again() -> None:
    """Nothing that a program can say breaks the match: an error, the question again, and play goes on."""
    with Conversation("play", "jumpy-jack", "--seats", "2", "--seed", "5", "--as", "Ann") as talk:
        ask = talk.until("ask")
        while ask["kind"] != "one_of":
            talk.say({"type": "answer", "id": ask["id"], "answer": example_bot().legal(ask)})
            ask = talk.until("ask")
        for line, sentence in BAD:
            talk.say(line)
            assert sentence in talk.until("error")["text"]
        for answer in WRONG:
            talk.say({"type": "answer", "id": ask["id"], "answer": answer, "wrong": 1})
            assert talk.until("error")["id" if type(answer) in (int, list) else "text"]
            assert talk.until("ask") == ask
        for deep in ("[" * size + "]" * size for size in (101, 900, *range(930, 990))):
            for line in (f'{{"type":"answer","id":{ask["id"]},"answer":{deep}}}', f'{{"type":{deep}}}',
                         f'{{"type":"undo","seat":{deep}}}'):  # fmt: skip
                talk.say(line)
                assert talk.until("error")["text"]
        talk.say({"type": "full", "and": "a field that nobody knows"})
        assert talk.until("full")["seat"] == 0
        assert talk.until("ask") == ask
        talk.say({"type": "answer", "id": ask["id"], "answer": ask["choices"][0]["id"], "mood": "good"})
        assert talk.until("event")
        assert talk.done() == 7  # nobody answers any more
    assert "tt resume" in talk.errors


def test_texts_are_in_the_language_and_messages_are_not() -> None:
    """`text` follows --lang; `message` is the same in every language."""
    heard = {}
    for lang in ("en", "it"):
        words = (
            "play",
            "zompa",
            "--seats",
            "3",
            "--bot",
            "easy",
            "--seed",
            "5",
            "--as",
            "Ann",
            "--lang",
            lang,
        )
        with Conversation(*words) as talk:
            heard[lang] = [line for line in talk.lines() if line["type"] == "event"]
    english, italian = heard["en"], heard["it"]
    assert [line["message"] for line in english] == [line["message"] for line in italian]
    sentences = [
        (one["text"], other["text"]) for one, other in zip(english, italian, strict=True)
        if " " in one["message"].replace("{seat}: {card}.", "")
    ]  # fmt: skip
    assert sentences
    assert all(one != other for one, other in sentences)


def test_json_is_utf8_whatever_the_system_speaks() -> None:
    """Names and words come through where the system's own encoding has no signs for them."""
    words = ("play", "jumpy-jack", "--seats", "2", "--as", "Zoë")
    with Conversation(*words, PYTHONIOENCODING="ascii") as talk:
        assert talk.until("full")["names"][0] == "Zoë"
        talk.until("ask")
        talk.say('{"type":"say","words":"ça va ♥","to":null,"more":"日本"}')
        talk.say({"type": "dance", "wrong": "♥"})
        assert "♥" not in talk.until("error")["text"]
        assert talk.done() == 7


def test_other_commands_write_utf8_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name comes through in the history, too, where the system's own encoding has no signs for it."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    words = ("--seats", "2", "--bot", "easy", "--bots", "1", "--seed", "1", "--as", "Zoë", "--ui", "plain")
    assert main(["play", "zompa", *words]) == 0
    pipe = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(pipe, encoding="ascii"))
    assert main(["history", "--all", "--ui", "json"]) == 0
    told = [json.loads(line) for line in pipe.getvalue().decode().splitlines()]
    assert "Zoë" in {player["name"] for one in told if one["type"] == "match" for player in one["players"]}


@pytest.mark.battery
def test_a_program_reacts_in_windows() -> None:
    """A moment to react in is told with what can be done; a reaction counts, too late is told."""
    with Conversation("play", "bang", "--seats", "2", "--as", "Ann", "--seed", "4") as talk:
        reacted, closed = 0, 0
        for line in talk.lines():
            if line["type"] == "window":
                if line["seats"] and not reacted:
                    reacted = line["id"]
                    kind = line["seats"][0]["kind"]
                    talk.say({"type": "react", "id": reacted, "answer": example_bot().legal(kind)})
                elif line["go"] == 0:
                    talk.say({"type": "react", "id": line["id"], "answer": -1})
            elif line["type"] == "window_closed":
                closed += 1
                if line["id"] == reacted:
                    assert (line["seat"], line["milliseconds"] >= 100) == (0, True)
                if closed == 6:
                    break
        assert reacted
        talk.say({"type": "react", "id": reacted, "answer": -1})
        assert "is open here" in talk.until("error")["text"]
        assert talk.done() == 7


def test_the_schema_refuses_what_is_not_published() -> None:
    """The check of these tests can fail: a line with a field too many or too few is found."""
    good = {"type": "begin", "again": False}
    assert checked(json.dumps(good))
    for bad in ({"type": "begin"}, {**good, "more": 1}, {**good, "again": "no"}, {"type": "dance"}):
        with pytest.raises(AssertionError):
            checked(json.dumps(bad))
    assert set(SCHEMA["$defs"]["zone"]["properties"]["kind"]["enum"]) == {
        "pile", "hand", "counter", "tokens", "track", "grid", "text"
    }  # fmt: skip


@pytest.mark.parametrize("line", ['{"type":"say","words":"\\ud800"}', '{"type":"say","words":"\udcff"}'])
def test_half_a_sign_is_refused_like_any_other_spoilt_line(line: str) -> None:
    """It could neither be sent nor written; a whole pair is one sign."""
    with pytest.raises(Refused):
        object_in(line)
    assert object_in('{"words":"\\ud83d\\ude00"}') == {"words": "\U0001f600"}


def test_words_leave_without_signs_that_move_a_cursor(tmp_path: Path) -> None:
    """Whatever brought them in: a seat program, a game's exception, a file. And no sign ends the output."""
    said = Translator("en").text(
        "{name} says: {words}", {"name": "Ann", "words": "\x1b]0;owned\x07\u202e\n!"}
    )
    assert said == "Ann says:  ]0;owned  \n!"
    assert str(Text("{words}", {"words": "\x1b[2J\ud800"})) == " [2J "
    with (tmp_path / "out").open("w", encoding="utf-8") as file:
        outlet = Outlet(file)
        outlet.line("half \ud800 a sign")
        assert outlet.drain(10)
    assert (tmp_path / "out").read_text(encoding="utf-8") == "half   a sign\n"
