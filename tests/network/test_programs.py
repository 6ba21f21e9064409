"""Programs at a table on the network: lobby, match and talk as ndjson, every line as published."""

from __future__ import annotations

import json
from threading import Thread
from typing import Any

from tests.core.ui.conversation import checked, example_bot

from .table import Hall, Tt


class Program:
    """A `tt --ui json` that is talked to."""

    def __init__(self, tt: Tt) -> None:
        self.tt = tt
        self.at = 0
        self.heard: list[dict[str, Any]] = []

    def say(self, **line: Any) -> None:
        """Say a line."""
        self.tt.type(json.dumps(line))

    def next(self) -> dict[str, Any]:
        """The next line, which is as published."""
        self.heard.append(checked(self.tt.expect(r"^\{.*")[0]))
        return self.heard[-1]

    def until(self, kind: str, has: str = "") -> dict[str, Any]:
        """The next line of this type that has this in it."""
        while True:
            line = self.next()
            if line["type"] == kind and has in json.dumps(line, ensure_ascii=False):
                return line

    def play(self) -> None:
        """Answer whatever is asked, until the match is over."""
        legal = example_bot().legal
        while True:
            line = self.next()
            if line["type"] == "ask":
                self.say(type="answer", id=line["id"], answer=legal(line))
            elif line["type"] == "end":
                return


def test_programs_host_join_and_play(hall: Hall) -> None:
    """A host and a guest that speak JSON: they see the lobby, agree, talk, play a match, and part."""
    host = Program(hall.host("tricks", "--seats", "2", "--dealer", "host", "--ui", "json", typed=True))
    guest = Program(hall.join("--ui", "json", typed=True))
    assert guest.until("hello")["protocol"] == 1
    lobby = host.until("lobby", "2 of 2 seats taken")
    assert {one["command"] for one in lobby["commands"]} >= {"start", "option", "leave"}
    guest.until("lobby", "2 of 2 seats taken")
    guest.say(type="table", command="start")
    assert guest.until("error")["text"] == "Only the host can do that."
    guest.say(type="table", command="ready")
    host.until("lobby", "Ann: ready")
    guest.say(type="say", words="hello", to=[0])
    said = host.until("said")
    assert (said["name"], said["to"], said["words"], said["mine"]) == ("Ann", ["Host"], "hello", False)
    host.say(type="table", command="option", rest="hands=many")
    assert "whole number" in host.until("error")["text"]
    host.say(type="table", command="start")
    for one in (host, guest):
        assert one.until("begin")["again"] is False
    threads = [Thread(target=one.play) for one in (host, guest)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    ends = [one.heard[-1] for one in (host, guest)]
    assert ends[0] == ends[1]
    assert ends[0]["outcome"] is not None
    for one, seat in ((host, 0), (guest, 1)):
        fulls = [line for line in one.heard if line["type"] == "full" and line["turn"] >= 0]
        assert {line["seat"] for line in fulls} == {seat}
        others = [zone for line in fulls for zone in line["zones"] if zone["kind"] == "hand"
                  and zone["seat"] not in (None, seat)]  # fmt: skip
        assert {card["face"] for zone in others for card in zone["content"]} == {None}
    host.say(type="table", command="leave")
    assert [host.tt.done(), guest.tt.done()] == [0, 0]


def test_a_program_looks_on(hall: Hall) -> None:
    """A spectator hears what happens and what everybody may see, and is asked nothing."""
    words = ("--seats", "3", "--bot", "easy", "--bots", "1", "--start", "full", "--dealer", "host")
    host = hall.host("zompa", *words)
    watcher = Program(hall.join("--watch", "--ui", "json", name="Wim", typed=True))
    watcher.until("lobby", "2 of 3 seats taken")
    guest = hall.join("--bot", "easy")
    watcher.until("begin")
    watcher.until("end")
    kinds = {line["type"] for line in watcher.heard}
    assert "event" in kinds
    assert "ask" not in kinds
    assert {line["seat"] for line in watcher.heard if line["type"] == "full"} == {None}
    watcher.tt.hang_up()
    assert [host.done(), guest.done(), watcher.tt.done()] == [0, 0, 0]
