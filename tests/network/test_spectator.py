"""The spectator in JavaScript, which shares no code with the program, at a real table for a whole match."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.state import pack
from tavolata._engine.table import log_bodies

from .table import PATIENCE, Hall, Tt
from .test_people import play, seated

SPECTATOR = Path(__file__).parents[2] / "examples" / "spectator"

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (SPECTATOR / "node_modules").is_dir(),
    reason="it takes Node.js and its packages: npm ci in examples/spectator",
)


@pytest.mark.parametrize(("dealer", "private"), [("host", ()), ("fair", ("--code",))])
def test_a_spectator_in_another_language_follows_a_whole_match(
    hall: Hall, dealer: str, private: tuple[str, ...]
) -> None:
    """It is a watcher, also by a code, tells who did what, and has the same chain of entries as a player."""
    words = ("--seats", "2", "--start", "full", "--bot", "random", "--dealer", dealer)
    host = hall.host("tricks", *words, *private)
    code, by_code = "", tuple[str, ...]()
    if private:
        code = host.note(r"its code is ([0-9A-Z]{3}-[0-9A-Z]{3})\.")[1]
        (hall.folder / "code.txt").write_text(code)
        by_code = ("--code-file", str(hall.folder / "code.txt"))
    with watching(hall, code.lower()) as spectator:
        host.expect("Spectator is watching")
        ann = hall.join("--bot", "random", *by_code)
        assert [one.done(3 * PATIENCE) for one in (host, ann)] == [0, 0]
        said, errors = spectator.communicate(timeout=PATIENCE)
    assert (spectator.returncode, errors) == (0, ""), errors + said
    saw_the_match_of(ann, said)
    assert "Ann answers question" in said


def test_a_late_spectator_goes_on_from_the_snapshot(hall: Hall) -> None:
    """In the second match the first is behind a snapshot: it learns from that who sits there."""
    host, guest = seated(hall)
    a_match(host, guest)
    host.type("start")
    for one in (host, guest):
        one.expect("How many do you take")
    with watching(hall) as spectator:
        host.expect("Spectator is watching")
        play(host, guest)
        for one in (host, guest):
            one.expect("State of the table")
        host.type("quit")
        assert [one.done() for one in (host, guest)] == [0, 0]
        said, errors = spectator.communicate(timeout=PATIENCE)
    assert (spectator.returncode, errors) == (0, ""), errors + said
    saw_the_match_of(guest, said)
    assert re.search(
        rf"^= before entry \d+: Host's table for .*; here: Host, {guest.name}\.$", said, re.MULTILINE
    ), said
    assert re.search(r"^= a snapshot for \d+ entries, then \d+ entries, each signed", said, re.MULTILINE), (
        said
    )


def test_it_tells_of_a_campaign() -> None:
    """Whose copy it is and after which match, and that there is none; the name is what others have sent."""
    copy = Campaign("autumn").after("a", ("Ann", "Bea"), b"")
    bodies = [pack([log_bodies.CAMPAIGN, one]).hex() for one in (copy.packed(), b"")]
    program = (
        'import { Teller } from "./words.js"; const teller = new Teller(), author = Buffer.alloc(32);'
        "for (const body of process.argv.slice(1))"
        ' console.log(teller.tell({ author, body: Buffer.from(body, "hex") }));'
    )
    words = ["node", "--input-type=module", "-e", program, *bodies]
    told = subprocess.run(words, cwd=SPECTATOR, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == [
        "00000000 has a copy of campaign autumn, after match 1.",
        "00000000 takes the campaign off the table.",
    ]


def a_match(*players: Tt) -> None:
    """Start a match and play it to its end."""
    players[0].type("start")
    for one in players:
        one.expect("How many do you take")
    play(*players)
    for one in players:
        one.expect("has won|have won|Nobody has won")


def watching(hall: Hall, code: str = "") -> subprocess.Popen[str]:
    """The spectator at the hall's table, which may be private."""
    node = shutil.which("node")
    assert node is not None
    words = [node, str(SPECTATOR / "watch.js"), f"127.0.0.1:{hall.port}", *(["--code"] if code else [])]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stdin is not None
    process.stdin.write(f"{code}\n")
    process.stdin.flush()
    return process


def saw_the_match_of(player: Tt, said: str) -> None:
    """Check that the spectator has the chain behind the last match in a player's file, and its end."""
    kept = player.matches()[-1]
    chain, number = kept.base[-32:], int.from_bytes(kept.base[:-32], "big")
    for wire in kept.log:
        chain = hashlib.blake2b(chain + wire, digest_size=32, person=b"tavolata chain").digest()
    assert re.search(rf"^{number + len(kept.log)}: .* \[{chain.hex()[:16]}\]$", said, re.MULTILINE), said
    assert kept.end is not None
    ends = {bytes.fromhex(found) for found in re.findall(r"ended the match in the state (\w+)", said)}
    assert kept.end["digest"] in ends
