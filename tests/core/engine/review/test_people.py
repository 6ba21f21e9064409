"""What `tt verify` says about people: who was away, by whose votes, who played for whom; what it refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.test_absences import at_questions
from tests.core.engine.dealing.test_draws import Refusers
from tests.core.engine.dealing.world import World, seed_of
from tests.core.engine.review.signed import TABLE, play, re_signed, rewritten
from tests.core.match_records import records_of

from tavolata._engine.dealing import fair_dealing, piles, steps
from tavolata._engine.dealing.authority import Authority, OwnWord, VoteKind
from tavolata._engine.dealing.piles import PileMaking
from tavolata._engine.match.entries import DEAL, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.review.findings import Wrong
from tavolata._engine.review.verify import check
from tavolata._engine.storage.match_file import JUDGED, LOG, MAGIC, Kept, read
from tavolata._engine.storage.record_framing import framed, records
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import Heads, head
from tavolata._ui.i18n import Translator
from tavolata_protocol.entries import first_lineage, place, propose, read_entry
from tavolata_protocol.identity import Identity

pytestmark = pytest.mark.battery

VICTIM = 3


def dies_and_returns(world: World) -> None:
    """The third dies while it is asked, its questions are closed, and it comes back."""
    at_questions(world)
    world.kill(VICTIM)
    world.give_up(VICTIM)
    world.play(rounds=6)
    world.back(VICTIM)
    world.play()


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A match of three with a player that dies and returns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        world, kept = play(Peek, (1, 2, VICTIM), rounds=3, script=dies_and_returns)
    assert world.ended()
    return kept


def with_junk(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
    """The second party says every step in forms that are none, and for keys and piles that are not there."""
    if party == 2 and entry[0] == DEAL and entry[3] in (steps.KEYS_AGREED, steps.CARDS):
        for step, shape in steps.SHAPES.items():
            parts: list[Any] = [9 if one is int else bytes(64) if one is bytes else one() for one in shape]
            forms = [[], parts[:-1], [*map(str, shape)], parts]
            counts = step in (steps.SELF, steps.COMPLAINT, steps.EQUIVOCATION)  # in their own form
            for form in forms[:-1] if counts else forms:
                yield (*entry[:3], step, *form)
    yield entry


def test_junk_of_every_form_is_passed_over() -> None:
    """Whoever puts it into the log can't make a file that nobody can check."""
    world, kept = play(Peek, (1, 2), with_junk, rounds=1)
    assert world.ended()
    assert world.convicted == {}
    assert len(kept.log) > 150
    assert any("Signatures" in line or "signed" in line for line in lines(kept))


def test_a_watcher_with_a_false_head_spoils_no_check(tmp_path: Path) -> None:
    """Each step shows which log its author follows; one by somebody who doesn't deal shows nothing."""
    _, kept = play(Peek, (1, 2), rounds=1)
    bodies = [body for _, body in records(kept.path.read_bytes(), len(MAGIC))]
    logged = [at for at, body in enumerate(bodies) if unpack(body)[0] == LOG]
    cut, heads = logged[len(logged) // 2], Heads(kept.base)
    for wire in kept.log[: len(logged) // 2]:
        heads.note(heads.number + 1, read_entry(wire, heads.chain).chain)
    step = [DEAL, 1, head(heads.number, bytes(32)), steps.LOT, 1, 1, b""]
    said = pack([log_bodies.PLAY, kept.header["id"], step, b""])
    proposal = propose(Identity(seed_of(9)), first_lineage(TABLE), 1, said)
    entry = place(proposal, 1, heads.number + 1, heads.chain)
    path = tmp_path / "watched.ttm"
    path.write_bytes(MAGIC + b"".join(map(framed, [*bodies[:cut], pack([LOG, entry.wire])])))
    assert any("the end is missing" in line for line in lines(read(path)))


def lines(kept: Kept) -> list[str]:
    """What `tt verify` prints."""
    found = check(kept, Header.of(kept.header), Peek)
    return [Translator("en").text(message, params) for message, params in found.told]


def steps_of(kept: Kept, step: int) -> list[tuple[int, list[Any]]]:
    """The entries of one step in the log: their places, and what follows the step's number."""
    found = []
    for at, wire in enumerate(kept.log):
        body = log_bodies.read(read_entry(wire, bytes(32)).body)
        if (
            body is not None
            and body[0] == log_bodies.PLAY
            and body[1][1][0] == DEAL
            and body[1][1][3] == step
        ):
            found.append((at, body[1][1]))
    assert found
    return found


def test_it_says_who_was_away_and_by_whom(kept: Kept) -> None:
    """Crew by name and fingerprint, t, votes with seconds, the absence."""
    said = "\n".join(lines(kept))
    assert "Keys 1, requested at entry 4 (the first keys): P0 (npcbv-c1vy3-vc6mj-9fae9), P1 (" in said
    assert "any 2 of 3 can open a card" in said
    assert re.search(
        r"P2 was away from entry 67, by vote of P0 \(15 s, entry 66\), P1 \(15 s, entry 67\), "
        r"until entry \d+\.",
        said,
    )
    assert re.search(r"Number 0 of “lot of turn 0, seat 0”: \d of \d, under keys 1\.", said)
    assert "Start: 3 computers signed the hash of the terms with IN" in said
    assert said.endswith("No file can prove any of this.")


@pytest.mark.parametrize("step", [steps.VOTE, steps.SELF, steps.LOT, steps.CARDS])
def test_each_field_of_a_decision_is_another_in_vain(kept: Kept, tmp_path: Path, step: int) -> None:
    """Signed anew by its own author, with one field changed: what others signed later contradicts it."""
    at, entry = steps_of(kept, step)[0]
    fields = [number for number in range(1, len(entry)) if number != 3]
    for field in fields:

        def change(said: list[Any], field: int = field) -> list[Any]:
            return [*said[:field], other(said[field]), *said[field + 1 :]]

        changed = re_signed(kept, tmp_path, at, change)
        with pytest.raises(Wrong):
            check(changed, Header.of(changed.header), Peek)


@pytest.mark.parametrize("step", [steps.VOTE, steps.SELF, steps.LOT])
def test_a_decision_left_out_of_the_log_is_missed(kept: Kept, tmp_path: Path, step: int) -> None:
    """Without a vote, a word or a share the numbers of the log don't follow on."""
    at = steps_of(kept, step)[0][0]
    shorter = replace(kept, log=[*kept.log[:at], *kept.log[at + 1 :]])
    with pytest.raises(Wrong):
        check(shorter, Header.of(shorter.header), Peek)


def other(value: Any) -> Any:
    """Something of the same kind, and different."""
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [*value[:-1], other(value[-1])]
    return value + 1


# -- a program that decides wrongly ------------------------------------------------------------------


class OneWord(Authority):
    """One vote is enough."""

    def _is_decided(self, party: int, kind: VoteKind) -> bool:
        return not self.is_gone(party) and bool(self._accusers(party, kind))


class QuickVotes(Authority):
    """Votes without any observation count."""

    def cast(self, voter: int, motion: Any, seconds: int, least: int, unheard: int = 0, *, yes: bool) -> None:
        """Whatever its seconds."""
        super().cast(voter, motion, seconds, 0, unheard, yes=yes)


class LeavesOut(Authority):
    """The last party has no part in keys, though nobody said so."""

    def deals(self, party: int) -> bool:
        """All but the last."""
        return super().deals(party) and party != VICTIM


def hasty(world: World) -> None:
    """One votes with no seconds at all."""
    at_questions(world)
    for voter in (1, 2):
        world.say((DEAL, voter, world.head(), steps.VOTE, int(VoteKind.AWAY), VICTIM, 0, True, 0), voter)
    world.play(rounds=3)


def left_out_by_one(world: World) -> None:
    """One says alone that another is away, before keys are made."""
    world.say((DEAL, 1, world.head(), steps.VOTE, int(VoteKind.AWAY), VICTIM, 0, True, 99), 1)
    world.here.discard(VICTIM)
    world.play()
    world.wait(12)  # who heard it a moment ago waits ten seconds before it makes keys without it
    world.play()


def alone(kind: VoteKind) -> Callable[[World], None]:
    """One votes alone."""

    def script(world: World) -> None:
        at_questions(world)
        entry = (DEAL, 1, world.head(), steps.VOTE, int(kind), VICTIM, 0, True, 99)
        world.say(entry, 1)
        world.play(rounds=6)

    return script


def stubborn(_: int, entry: MatchEntry) -> Iterable[MatchEntry]:
    """Nobody takes a vote back."""
    return [] if entry[0] == DEAL and entry[3] == steps.VOTE and not entry[7] else [entry]


@pytest.mark.parametrize(
    ("mutant", "script"),
    [
        (OneWord, alone(VoteKind.AWAY)),
        (QuickVotes, hasty),
        (LeavesOut, World.play),
    ],
)
def test_decisions_are_counted_a_second_time(
    mutant: type[Authority], script: Callable[[World], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that decides otherwise than by t votes writes files in which that count does not come out."""
    monkeypatch.setattr(fair_dealing, "Authority", mutant)
    _, kept = play(Peek, (1, 2, VICTIM), stubborn, rounds=1, script=script)
    with pytest.raises(Wrong) as wrong:
        check(kept, Header.of(kept.header), Peek)
    assert wrong.value.params.keys() & {"number", "epoch"}
    monkeypatch.undo()


# -- other stories ----------------------------------------------------------------------------------


def test_own_words_and_a_party_that_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """OUT is an absence by the own word; who left for good is not among the next keys."""

    def script(world: World) -> None:
        at_questions(world)
        world.leave(VICTIM, OwnWord.OUT)
        world.play(rounds=2)
        world.back(VICTIM)
        world.leave(4, OwnWord.LEFT)
        for _ in range(20):
            world.play()
            world.wait(2)

    world, kept = play(Peek, (1, 2, VICTIM, 4), rounds=3, script=script)
    assert world.ended()
    said = "\n".join(lines(kept))
    assert "P2 was away from entry" in said
    assert "by P2's own word, until entry" in said
    assert "Left out: P3 has been gone since entry" in said
    assert "any 2 of 3 can open a card" in said


def test_each_refusal_is_listed_with_what_is_behind_it() -> None:
    """By the own word or by votes: who didn't open a seed, and which order of the pile came of it."""
    refusers = Refusers(steps.SEED, (VICTIM,))
    world, kept = play(Peek, (1, 2, VICTIM), refusers, rounds=2)
    assert world.ended()
    said = [line for line in lines(kept) if line.startswith("Refusal")]
    assert len(said) == len(refusers.refused) == 2
    pattern = (
        r"Refusal at entry (\d+): P2's machine didn't reveal its seed, so order 2 was drawn "
        r"\(P2 was away from entry \1, by P2's own word\)\."
    )
    assert re.fullmatch(pattern, said[0])


def test_each_pile_is_listed_with_its_order_and_its_keys() -> None:
    """Which order counts and who opened it; which keys dice come from; two refusals, and no more say."""
    refusers = Refusers(steps.SEED, (VICTIM,))
    _, kept = play(Peek, (1, 2, VICTIM), refusers, rounds=3)
    said = [line for line in lines(kept) if line.startswith("Pile ")]
    assert said[0] == "Pile 1, under keys 1: order 1, opened by P0, P1, P2."
    orders = [re.fullmatch(r"Pile \d+, under keys 1: order (\d), opened by P0, P1\.", line) for line in said]
    assert [one and one[1] for one in orders[1:5]] == ["2", "2", "1", "1"]
    (coins,) = [line for line in lines(kept) if "dice and lots use" in line]
    assert re.fullmatch(r"From entry \d+ on, dice and lots use keys 1\.", coins)


class Forgetful(Authority):
    def is_barred(self, party: int) -> bool:
        """Nobody ever is."""
        return False


class Generous(PileMaking):
    def _open(self, authority: Authority) -> bool:
        """Draw twice, although nobody has refused."""
        if self.chain.openers and not self.chain.draw and len(self.chain.awaited) == 1:
            self.chain.open(self.chain.openers)
            return True
        return super()._open(authority)


@pytest.mark.parametrize(
    ("module", "mutant", "wrong"),
    [
        (fair_dealing, Forgetful, "had a say in the order of pile 4 despite refusing twice"),
        (piles, Generous, "was drawn again, though no one had refused"),
    ],
)
def test_draws_beyond_the_bounds_are_wrong(
    module: Any, mutant: type, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that forgets refusals, or draws once more for free, writes files that show it."""
    monkeypatch.setattr(module, mutant.__mro__[1].__name__, mutant)
    refusers = Refusers(steps.SEED, (VICTIM,), most=2 if mutant is Forgetful else 0)
    _, kept = play(Peek, (1, 2, VICTIM), refusers, rounds=3)
    with pytest.raises(Wrong, match=wrong):
        check(kept, Header.of(kept.header), Peek)


def test_a_refusal_of_somebody_who_was_here_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has honest parties refuse writes files that say so."""

    class Slanders(Authority):
        def heard(self, party: int) -> None:
            """Count the first entry of the third as a refusal."""
            if party == VICTIM and not any(self._refusals.values()):
                self.refuse(party)

    monkeypatch.setattr(fair_dealing, "Authority", Slanders)
    _, kept = play(Peek, (1, 2, VICTIM), rounds=1)
    with pytest.raises(Wrong, match="counts as having refused, but was present"):
        check(kept, Header.of(kept.header), Peek)


def test_a_parcel_that_came_second_is_named() -> None:
    """Junk after a good box changes nothing, and the file shows that it came."""

    def twice(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        if party == 2 and entry[0] == DEAL and entry[3] == steps.CARDS:
            junk = tuple(
                (to, cards, piles, box[:-1] + bytes([box[-1] ^ 1])) for to, cards, piles, box in entry[5]
            )
            return [entry, (*entry[:5], junk)]
        return [entry]

    world, kept = play(Peek, (1, 2, VICTIM), twice, rounds=1)
    assert world.ended()
    assert not world.convicted
    assert any("P1 sent" in line and "a second parcel" in line for line in lines(kept))


def test_who_waited_for_a_share_is_told() -> None:
    """A lot that somebody kept back: named, with the seconds that others vouch for."""

    def withholding(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
        kept_back = entry[0] == DEAL and entry[3] == steps.LOT and not done
        return [] if party in (2, 3) and kept_back else [entry]

    done: list[bool] = []

    def script(world: World) -> None:
        world.play()
        world.wait(45)
        done.append(True)
        for party in (2, 3):
            world.back(party)
        world.play()

    world, kept = play(Peek, (1, 2, VICTIM, 4), withholding, rounds=1, script=script)
    assert world.ended()
    assert any(
        line.startswith("Number 0 of “lot of turn 0, seat 0”, requested at entry")
        and "P1 owed a share for 4" in line
        for line in lines(kept)
    )


# -- convictions ------------------------------------------------------------------------------------


def lies_in_a_proof(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
    """The victim's proofs of shuffles don't hold."""
    if party != VICTIM or entry[0] != DEAL or entry[3] != steps.PROOF:
        return [entry]
    return [(*entry[:-1], entry[-1][:-1] + bytes([entry[-1][-1] ^ 1]))]


def sends_junk(party: int, entry: MatchEntry) -> Iterable[MatchEntry]:
    """The victim's parcels hold junk under a good proof."""
    if party != VICTIM or entry[0] != DEAL or entry[3] != steps.CARDS:
        return [entry]
    junk = tuple((to, cards, piles, box[:-1] + bytes([box[-1] ^ 1])) for to, cards, piles, box in entry[5])
    return [(*entry[:5], junk)]


@pytest.mark.parametrize(("tamper", "entries"), [(lies_in_a_proof, 1), (sends_junk, 1)])
def test_a_conviction_is_kept_with_its_evidence_and_judged_again(
    tamper: Callable[[int, MatchEntry], Iterable[MatchEntry]], entries: int, tmp_path: Path
) -> None:
    """Who, why, from which entries: `tt verify` says what the file has, and any other conviction is wrong."""
    _, kept = play(Peek, (1, 2, VICTIM), tamper, rounds=1)
    records = (record for _, record in records_of(kept.path.read_bytes()))
    ((culprit, charge, hashes, _),) = (value for kind, value in records if kind == JUDGED)
    assert culprit == kept.header["keys"][VICTIM - 1]
    assert charge["offence"]
    assert len(hashes) == entries
    said = lines(kept)
    assert any(line.startswith("P2's machine was convicted in this match.") for line in said)
    assert any(line.startswith("The verdict rests on entries ") for line in said)
    for other_one in (
        [kept.header["keys"][0], charge, hashes, b""],
        [culprit, {**charge, "offence": "empty_share"}, hashes, b""],
        [culprit, charge, [bytes(32)], b""],
        [culprit, charge, hashes, b"more"],
    ):

        def change(kind: int, value: Any, new: Any = other_one) -> Any:
            return new if kind == JUDGED else value

        changed = rewritten(kept, tmp_path, change)
        with pytest.raises(Wrong):
            check(changed, Header.of(changed.header), Peek)
