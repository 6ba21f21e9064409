"""The second opinion in JavaScript: it agrees with match files and vectors, and finds a change of a field."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_absences import at_questions
from tests.core.engine.dealing.test_coins import flap
from tests.core.engine.dealing.test_draws import Refusers
from tests.core.engine.dealing.world import World
from tests.core.engine.review.signed import play, rewritten, with_another_byte
from tests.core.engine.review.test_people import (
    VICTIM,
    Generous,
    LeavesOut,
    OneWord,
    dies_and_returns,
    left_out_by_one,
    stubborn,
    with_junk,
)
from tests.core.engine.table.test_going_on import Heap, died, file_of, finish, running, running_or_last, wish
from tests.core.explore.test_people import FewerVotes
from tests.core.games import Liars

from tavolata._engine.dealing import fair_dealing, piles, steps
from tavolata._engine.dealing.authority import Authority, OwnWord
from tavolata._engine.match.entries import DEAL, OPENED, SEALED, MatchEntry
from tavolata._engine.storage.match_file import BASE, HEADER, MAGIC, Kept
from tavolata._engine.storage.record_framing import records

ROOT = Path(__file__).parents[4]
TOOL = ROOT / "tools" / "second-opinion"

pytestmark = [
    pytest.mark.battery,  # JavaScript says nothing about a Python
    pytest.mark.skipif(
        shutil.which("node") is None or not (TOOL / "node_modules").is_dir(),
        reason="it takes Node.js and its packages: npm ci in tools/second-opinion",
    ),
]


def asked(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """What the second opinion says."""
    node = shutil.which("node")
    assert node is not None
    return subprocess.run(
        [node, str(TOOL / "verify.js"), *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterable[Kept]:
    """The file of a match of two."""
    before = os.environ.get("TT_DATA_DIR")
    os.environ["TT_DATA_DIR"] = str(tmp_path_factory.mktemp("data"))
    _, kept = play(Peek, (1, 2), rounds=1)
    yield kept
    if before is None:
        del os.environ["TT_DATA_DIR"]
    else:
        os.environ["TT_DATA_DIR"] = before


def test_a_file_that_ends_early_is_unfinished(kept: Kept, tmp_path: Path) -> None:
    """Its header alone, the log before the match, and the middle of the match."""
    raw = kept.path.read_bytes()
    ends = [end for end, _ in records(raw, len(MAGIC))]
    for end in (*ends[:4], ends[len(ends) // 2]):
        path = tmp_path / "early.ttm"
        path.write_bytes(raw[:end])
        told = asked(path)
        assert told.returncode == 2, told.stdout + told.stderr


def test_it_proves_hidden_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice in cups, which their owner's machine noted."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    _, kept = play(Liars, (1, 2))
    told = asked(kept.path)
    assert told.returncode == 0, told.stdout + told.stderr


def test_junk_of_every_form_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for keys that nobody is making, and of seals and answers that nobody asked for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))

    def tamper(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party == 2 and entry[0] == SEALED:
            yield from ((SEALED, 0, entry[2] - 1, entry[3]), (SEALED, 7, 1, b""), (SEALED, 0), (OPENED, 1))
        if entry[0] == OPENED:
            yield (*entry[:3], entry[3][:-1] + b"!", entry[4])
        yield from with_junk(party, entry)

    world, kept = play(Peek, (1, 2), tamper, rounds=1)
    assert world.ended()
    said = asked(kept.path)
    assert (said.returncode, said.stderr) == (0, "")
    assert "opened by their authors: 2" in said.stdout
    assert "nobody has made such keys" in said.stdout


def test_it_makes_the_vectors_anew() -> None:
    """Every tag, message and proof, and what has to be refused, from the page alone."""
    said = asked("--vectors", ROOT / "tests" / "protocol" / "vectors" / "fair.json")
    assert (said.returncode, said.stderr) == (0, "")


def test_it_agrees_with_a_match(kept: Kept) -> None:
    """Signatures, chain, IN and id, keys, shuffles, seeds, lots and seals of a whole match."""
    said = asked(kept.path)
    assert (said.returncode, said.stderr) == (0, "")
    assert f"Signatures: {len(kept.log)} entries" in said.stdout
    assert "Keys: 1, with 2 boxes" in said.stdout
    assert "Caught" not in said.stdout


def test_it_counts_votes_and_agrees_with_a_match_of_a_dead_and_a_returned_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is left out of keys was voted away by t; it reads that from votes and words alone."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    world, kept = play(Peek, (1, 2, VICTIM), rounds=3, script=dies_and_returns)
    assert world.ended()
    said = asked(kept.path)
    assert (said.returncode, said.stderr) == (0, "")
    assert "decided by them: 1. Own words: 0 out, 1 back, 0 left." in said.stdout


def test_it_agrees_with_a_match_that_goes_on_without_somebody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both files: that of the match that was suspended, and that of the two who went on without the third."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    table = died(Heap)
    old = running(table)
    wish(table, 1, 2)
    finish(table)
    new = running_or_last(table)
    table.close()
    for header, keys in ((old, 1), (new, 1)):
        said = asked(file_of(header, 1).path)
        assert (said.returncode, said.stderr) == (0, "")
        assert f"Keys: {keys}, " in said.stdout

    def with_him(kind: int, value: Any) -> Any:
        return {**value, "before": {**value["before"], "absent": []}} if kind == HEADER else value

    assert asked(rewritten(file_of(new, 1), tmp_path, with_him).path).returncode == 1


@pytest.mark.parametrize(
    ("mutant", "script", "why"),
    [
        (LeavesOut, left_out_by_one, "party 3 was left out of the keys, and fewer than t have voted so"),
        (OneWord, left_out_by_one, "party 3 was left out of the keys, and fewer than t have voted so"),
        (FewerVotes, World.play, "is no threshold"),
    ],
)
def test_it_finds_keys_that_leave_out_somebody_whom_too_few_have_voted_away(
    mutant: type[Authority],
    script: Callable[[World], object],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All entries are well signed, by programs that need fewer votes than t: exit 1, and who was left out."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(fair_dealing, "Authority", mutant)
    parties = (1, 2, VICTIM, 4) if mutant is FewerVotes else (1, 2, VICTIM)
    _, kept = play(Peek, parties, stubborn, rounds=2, script=script)
    said = asked(kept.path)
    assert said.returncode == 1
    assert why in said.stderr


class LeavesOutLater(Authority):
    """As soon as two of five have left, the third has no part in keys, though nobody said so."""

    def deals(self, party: int) -> bool:
        """All but that one."""
        return super().deals(party) and (party != VICTIM or self.remaining > 3)


def goes_and_returns(world: World) -> None:
    """The third steps away twice while nothing is drawn; then two leave, one deal after the other."""
    at_questions(world)
    for _ in range(2):
        flap(world, VICTIM)
    for last in (5, 4):
        epochs = len(world.peers[1].deal.rings.done)
        world.leave(last, OwnWord.LEFT)
        for _ in range(60):
            if len(world.peers[1].deal.rings.done) > epochs and world.peers[1].source.open:
                break
            if not world.round():
                world.wait(1)


def test_two_absences_are_no_reason_to_leave_a_party_out_of_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts the draws that somebody could have refused: none here, so nobody decided that."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(fair_dealing, "Authority", LeavesOutLater)
    _, kept = play(Peek, (1, 2, VICTIM, 4, 5), stubborn, rounds=5, script=goes_and_returns)
    said = asked(kept.path)
    assert said.returncode == 1
    assert "party 3 was left out of the keys" in said.stderr


def test_it_lists_refusals_and_counts_the_draws_that_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seeds that were not opened: two further draws of piles, and whose they can be."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    world, kept = play(Peek, (1, 2, VICTIM), Refusers(steps.SEED, (VICTIM,)), rounds=3)
    assert world.ended()
    said = asked(kept.path)
    assert (said.returncode, said.stderr) == (0, "")
    assert "Draws that followed a refusal or a departure: 2 of piles, 0 of keys." in said.stdout
    assert "draws were done that it had committed to: party 3 (pile 2, pile 3)." in said.stdout


def test_it_finds_a_draw_that_nobody_could_have_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that draw twice for free: t parties have opened seeds that nobody may ask for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(piles, "PileMaking", Generous)
    _, kept = play(Peek, (1, 2, VICTIM), rounds=1)
    said = asked(kept.path)
    assert said.returncode == 1
    assert "draw 1 of pile 1, and 0 could have refused one" in said.stderr


def test_the_vector_of_a_task_is_what_votes_name() -> None:
    """The number that the page describes is the one that the program makes."""
    told = json.loads((ROOT / "tests" / "protocol" / "vectors" / "fair.json").read_text())["task"]
    task = steps.Task(told["step"], told["of"], tuple(told["rest"]))
    assert hex(task.number) == told["number"]


def test_it_finds_a_changed_field(kept: Kept, tmp_path: Path) -> None:
    """The id, the terms, the table, the head before START, one bit in the log: exit 1, and the place."""

    def changed(kind: int, change: Any) -> Kept:
        return rewritten(kept, tmp_path, lambda this, value: change(value) if this == kind else value)

    for one in (
        changed(HEADER, lambda header: {**header, "id": "0" * 32}),
        changed(HEADER, lambda header: {**header, "rules_id": 99}),
        changed(BASE, lambda base: [base[0], b"another table"]),
        changed(BASE, lambda base: [base[0][:-1] + b"\0", base[1]]),
        *(with_another_byte(kept, tmp_path, at) for at in (0, 1, 2, len(kept.log) // 2, len(kept.log) - 1)),
    ):
        said = asked(one.path)
        assert said.returncode == 1
        assert said.stderr.startswith("Wrong: ")


def test_it_finds_a_broken_file(kept: Kept, tmp_path: Path) -> None:
    """Cut short, another file, none at all, or wrong words: no stack trace, and 1 or 2."""
    short = tmp_path / "short.ttm"
    short.write_bytes(kept.path.read_bytes()[:-3])
    other = tmp_path / "other.ttm"
    other.write_bytes(b"something else")
    for path in (short, other, tmp_path / "none.ttm"):
        said = asked(path)
        assert (said.returncode, said.stderr.count("\n")) == (1, 1)
    assert asked().returncode == 2


def test_it_names_who_was_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A false proof that was really signed convicts its author; the match that went on is right."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))

    def tamper(party: int, entry: MatchEntry) -> list[MatchEntry]:
        if party != 3 or entry[0] != DEAL or entry[3] != steps.PROOF:
            return [entry]
        return [(*entry[:-1], entry[-1][:-1] + bytes([entry[-1][-1] ^ 1]))]

    world, kept = play(Peek, (1, 2, 3), tamper, rounds=1)
    assert list(world.peers[1].deal.authority.convicted) == [3]
    said = asked(kept.path)
    assert said.returncode == 0
    assert "Caught: party 3, " in said.stdout
