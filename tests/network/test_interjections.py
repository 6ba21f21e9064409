"""What several may do at any time, at a table of processes: chosen things travel by value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .table import Hall, Tt
from .test_programs import Program

GONE = {
    "en": "Your choice is no longer possible.",
    "it": "La tua scelta non è più possibile.",
}


@pytest.fixture
def hall(tmp_path: Path, colours: Path) -> Iterator[Hall]:
    """A place for tables of the game of colours."""
    place = Hall(tmp_path, (colours,))
    yield place
    place.close()


def choices(program: Program) -> dict[str, Any]:
    """What the seat of a program may take, as it was told last: the id of each colour."""
    full = next(line for line in reversed(program.heard) if line["type"] == "full")
    return {one["text"]: one["id"] for one in full["standing"][0]["kind"]["choices"]}


def begun(hall: Hall) -> list[Program]:
    """Three programs at a table, in the match, each with the three colours before it."""
    words = ("--seats", "3", "--dealer", "host", "--ui", "json")
    tables = [hall.host("colours", *words, "--start", "full", typed=True)]
    tables += [hall.join("--ui", "json", typed=True) for _ in range(2)]
    programs = [Program(one) for one in tables]
    for one in programs:
        while one.next()["type"] not in ("ask", "waiting"):
            pass
        one.say(type="full")
        one.until("full")
        assert list(choices(one)) == ["red", "green", "blue"]
    return programs


def end(programs: list[Program]) -> list[dict[str, Any]]:
    """Whoever is asked ends the match; how it ended for each."""
    for one in programs:
        for line in one.heard:
            if line["type"] == "ask":
                one.say(type="answer", id=line["id"], answer=1)
                break
    ends = [one.until("end") for one in programs]
    for one in programs:
        one.tt.hang_up()
    assert [one.tt.done() for one in programs] == [0, 0, 0]
    return ends


def takings(program: Program) -> list[str]:
    """Who took what, as a program was told."""
    return [line["text"] for line in program.heard if line["type"] == "event"]


def test_who_meant_green_gets_green(hall: Hall) -> None:
    """Two peers see red, green, blue; one takes red; the other chose green, and gets it."""
    host, ann, bob = programs = begun(hall)
    green = choices(bob)["green"]
    ann.say(type="do", name="take", answer=choices(ann)["red"])
    for one in programs:
        assert one.until("event")["text"] == "Ann takes red."
    bob.say(type="do", name="take", answer=green)
    for one in programs:
        assert one.until("event")["text"] == "Bob takes green."
    ends = end([host, ann, bob])
    assert ends[0] == ends[1] == ends[2]
    assert ends[0]["outcome"]["winners"] == [1, 2]


@pytest.mark.long
def test_of_two_who_want_red_one_gets_it_and_the_other_is_told(hall: Hall) -> None:
    """Both say red at once: on all peers one has it; the other, and nobody else, is told that it is gone."""
    host, ann, bob = programs = begun(hall)
    red = choices(ann)["red"]
    for one in (ann, bob):
        one.say(type="do", name="take", answer=red)
    events = [one.until("event")["text"] for one in programs]
    assert len(set(events)) == 1
    assert events[0] in ("Ann takes red.", "Bob takes red.")
    loser = bob if events[0].startswith("Ann") else ann
    while not any(GONE["en"] == line.get("text") for line in loser.heard):
        loser.next()
    ends = end(programs)
    assert ends[0] == ends[1] == ends[2]
    names = next(line["names"] for line in host.heard if line["type"] == "full")
    done = dict(zip(names, ends[0]["statistics"]["interjections"], strict=True))
    assert done == {"Host": 0, "Ann": int(loser is bob), "Bob": int(loser is ann)}
    for one in (host, ann, bob):
        told = [line for line in one.heard if line.get("text") == GONE["en"]]
        assert len(told) == (one is loser), one.heard
    assert takings(host) == takings(ann) == takings(bob) == events[:1]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "it"])
def test_who_types_what_is_gone_reads_so_in_the_own_language(hall: Hall, language: str) -> None:
    """In lines, a number means the row that was shown; what is gone by then is told in one sentence."""
    host = hall.host("colours", "--seats", "2", "--dealer", "host", "--start", "full", typed=True)
    ann = hall.run(
        "-v", "--lang", language, "join", f"127.0.0.1:{hall.port}", "--as", "Ann", typed=True, home="Ann"
    )
    word = {"en": "do", "it": "fai"}[language]
    _listed(host, "do")
    _listed(ann, word)
    host.type("do 2")
    host.expect("Host takes green")
    ann.expect("Host takes green")
    ann.type(f"{word} 2")
    ann.expect(GONE[language])
    ann.type(f"{word} 3")
    host.expect("Ann takes blue")
    ann.expect("Ann takes blue")
    assert not host.has(re.escape(GONE["en"]))
    for one in (host, ann):
        one.interrupt()
    assert [one.done() for one in (host, ann)] == [130, 130]


def _listed(tt: Tt, word: str) -> None:
    """Have the list shown, once the match has begun."""
    tt.expect(r"Is it over\?|says when it is over\.")
    tt.type(word)
    tt.expect(r"3\. take blue")
