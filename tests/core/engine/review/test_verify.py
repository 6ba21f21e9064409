"""`tt verify`: what is right passes, and a change anywhere is found, with its place and its author."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.engine.dealing.peek import Peek, PeekOptions
from tests.core.engine.review.signed import play, rewritten, with_another_byte
from tests.core.games import Liars

from tavolata import Outcome, Table, Teams
from tavolata._engine.match.header import NO_SUCH_TEAMS, Header, OtherRules
from tavolata._engine.match.state import unpack
from tavolata._engine.review.findings import Wrong
from tavolata._engine.review.noted_faces import PROVEN
from tavolata._engine.review.table_match import BEGUN, ENDS_EARLY, SIGNED, UNLIKE
from tavolata._engine.review.verify import check, check_without_rules
from tavolata._engine.storage.match_file import (
    BASE,
    END,
    ENTRY,
    HEADER,
    LOG,
    MAGIC,
    SEEN,
    TURN,
    Kept,
    StoreError,
    read,
)
from tavolata._engine.storage.record_framing import records


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A match of two peers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        world, kept = play(Peek, (1, 2), rounds=1)
    assert world.ended()
    return kept


def test_a_match_that_was_played_fairly_passes(kept: Kept) -> None:
    """Keys, shuffles, shares, lots and seals are counted, and nothing is wrong."""
    found = check(kept, Header.of(kept.header), Peek)
    counts = {name: value for _, params in found.told for name, value in params.items()}
    assert counts["cards"] == 2
    assert counts["lots"] == 2
    assert counts["opened"] == 2


def test_a_match_that_all_have_dealt_has_no_dealers_seed(kept: Kept) -> None:
    """Only a lone dealer's file has one, and `tt verify` tries it."""
    with pytest.raises(Wrong, match="No single machine dealt this match"):
        check(replace(kept, book=bytes(32)), Header.of(kept.header), Peek)


def test_hidden_dice_are_proven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine's notes of its dice follow from the shares beside them, and a changed side does not."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    _, kept = play(Liars, (1, 2))
    found = check(kept, Header.of(kept.header), Liars)
    assert next(params["n"] for message, params in found.told if message == PROVEN) > 1

    def another_side(kind: int, value: Any) -> Any:
        if kind == SEEN:
            value[0][0][2] = (value[0][0][2] + 1) % 6
        return value

    changed = rewritten(kept, tmp_path, another_side)
    with pytest.raises(Wrong):
        check(changed, Header.of(changed.header), Liars)


class Pairs(Peek):
    """Peek in two teams: that of the first winner wins."""

    teams = Teams(counts=(2,), size=(2, 2))

    async def turn(self, t: Table[PeekOptions]) -> Outcome | None:
        ended = await super().turn(t)
        return None if ended is None else Outcome(t.team(ended.winners[0]))


def test_a_match_in_teams_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rules have the teams of its terms; with others the file is not that of the signed log."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    world, kept = play(Pairs, (1, 2, 1, 2), rounds=1, teams=(0, 1, 0, 1))
    assert world.ended()
    assert kept.end is not None
    assert kept.end["outcome"]["winners"] in ([0, 2], [1, 3])
    check(kept, Header.of(kept.header), Pairs)
    others = rewritten(
        kept, tmp_path, lambda kind, value: {**value, "teams": [0, 0, 1, 1]} if kind == HEADER else value
    )
    with pytest.raises(Wrong):
        check(others, Header.of(others.header), Pairs)


def test_a_match_of_unequal_code_judges_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terms say whose code differed; the check takes them from the signed START, and says it."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    _, kept = play(Peek, (1, 2), rounds=1, codes=(bytes(16), bytes([1]) * 16))
    assert UNLIKE in [message for message, _ in check(kept, Header.of(kept.header), Peek).told]


def test_without_its_rules_signatures_and_beginning_are_checked(kept: Kept, tmp_path: Path) -> None:
    """Of older rules too it is known who signed what, and that the terms are those that all have signed."""
    older = OtherRules(NO_SUCH_TEAMS, game="peek")
    found = check_without_rules(kept, Header.of(kept.header), older)
    assert found.without is older
    assert [message for message, _ in found.told] == [SIGNED, BEGUN]

    def other_names(kind: int, value: Any) -> Any:
        return {**value, "names": ["P0", "Eve"]} if kind == HEADER else value

    def other_signatures(kind: int, value: Any) -> Any:
        return value[:-1] + bytes([value[-1] ^ 1]) if kind == LOG else value

    for change in (other_names, other_signatures):
        other = rewritten(kept, tmp_path, change)
        with pytest.raises(Wrong):
            check_without_rules(other, Header.of(other.header), older)


@given(st.data())
def test_one_byte_changed_anywhere_makes_it_fail_and_says_where(kept: Kept, data: st.DataObject) -> None:
    """Whatever byte is another: the check fails, or the file can't be read at all."""
    raw = bytearray(kept.path.read_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    path = kept.path.with_name("flipped.ttm")
    path.write_bytes(raw)
    try:
        broken = read(path)
    except StoreError:  # not even the first record can be read
        return
    with pytest.raises(Wrong) as wrong:
        check(broken, Header.of(broken.header), Peek)
    assert "damaged from byte" in str(wrong.value)
    broken_from = wrong.value.params["at"]
    assert isinstance(broken_from, int)
    assert broken_from <= at


@pytest.mark.parametrize("lost", [1, 5, 9])
def test_a_record_that_a_kill_cut_short_is_told_and_is_no_fault(kept: Kept, lost: int) -> None:
    """A file that ends within its last record is that of a match that is not over; all before it holds."""
    path = kept.path.with_name("short.ttm")
    path.write_bytes(kept.path.read_bytes()[:-lost])
    found = check(read(path), Header.of(kept.header), Peek)
    assert "The last entry is incomplete, as can happen after a crash; it was left out." in dict(found.told)
    assert found.is_unfinished
    sentence = "Correct up to entry {number} of the log; the end is missing."
    assert dict(found.told)[sentence] == {"number": len(kept.log)}


def test_a_file_that_ends_at_any_record_is_unfinished_and_no_fault(kept: Kept) -> None:
    """A power cut may take any number of records, also those before the match began."""
    raw = kept.path.read_bytes()
    ends = [end for end, _ in records(raw, len(MAGIC))]
    path = kept.path.with_name("early.ttm")
    for end in [*ends[:12], *ends[12:-1:9]]:
        path.write_bytes(raw[:end])
        found = check(read(path), Header.of(kept.header), Peek)
        assert found.is_unfinished, end
    path.write_bytes(raw[: ends[2]])
    assert (ENDS_EARLY, {}) in check(read(path), Header.of(kept.header), Peek).told


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("kind", [HEADER, BASE, LOG, ENTRY, TURN, END])
def test_a_record_changed_with_care_is_found_too(kept: Kept, tmp_path: Path, kind: int, part: int) -> None:
    """With checksums made to fit, each kind of record still says something that others contradict."""
    count = sum(1 for one in _kinds(kept) if one == kind)
    target, seen = (part * count) // 3, -1

    def change(one: int, value: Any) -> Any:
        nonlocal seen
        seen += one == kind
        return _other(value) if one == kind and seen == target else value

    changed = rewritten(kept, tmp_path, change)
    with pytest.raises(Wrong):
        check(changed, Header.of(changed.header), Peek)


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_signed_entry_changed_anywhere_names_its_number(kept: Kept, tmp_path: Path, place: float) -> None:
    """A byte of the signed log itself: the sentence has the number of the entry."""
    target = int(place * len(kept.log))
    changed = with_another_byte(kept, tmp_path, target)
    with pytest.raises(Wrong) as wrong:
        check(changed, Header.of(changed.header), Peek)
    assert wrong.value.params["number"] == target + 1


def test_a_log_that_was_cut_does_not_reach_the_end(kept: Kept, tmp_path: Path) -> None:
    """Without its last entries, the log leads to another end than the file says."""
    shorter = Kept(kept.path, kept.header, kept.entries, turns=kept.turns, end=kept.end, whole=kept.whole,
                   size=kept.size, base=kept.base, log=kept.log[:-2])  # fmt: skip
    with pytest.raises(Wrong):
        check(shorter, Header.of(shorter.header), Peek)


def _kinds(kept: Kept) -> list[int]:
    data = kept.path.read_bytes()
    return [unpack(body)[0] for _, body in records(data, len(MAGIC))]


def _other(value: Any) -> Any:
    """Something of the same kind, and different."""
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    if isinstance(value, bool):
        return not value
    if isinstance(value, dict):
        last = list(value)[-1]
        return {**value, last: _other(value[last])}
    if isinstance(value, list):
        return [*value[:-1], _other(value[-1])] if value else [0]
    if isinstance(value, str):
        return value + "x"
    return (value or 0) + 1
