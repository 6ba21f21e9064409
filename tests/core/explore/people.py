"""An explorer of the authority about people: an adversary orders the log and says whatever it wants.

The real state machine (`Authority`) is driven by entries. Honest machines observe truly: one does not hear
another only where the adversary has cut the two, or where the other is a conspirator that is silent. What an
honest machine says follows from what it observes; conspirators say anything about anybody, and the adversary
chooses what is said next. To say what the protocol wants costs nothing; a lie, a cut or a mended cut costs 1.
States are visited in order of cost, each once.

Two states count as one if renumbering the honest parties among themselves, and the conspirators among
themselves, makes one of the other, and if absence numbers differ by more than that they are 0. Nothing else
is left out. docs/security-argument.md says why that is sound.
"""

from __future__ import annotations

import argparse
import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import permutations
from random import Random
from typing import Any, Final, TypeAlias

from tavolata._engine.dealing.authority import Authority, Motion, OwnWord, VoteKind
from tavolata._engine.match.header import BLIND
from tavolata.errors import Refused
from tavolata_protocol.fair.offences import Charge, Offence

TASK: Final = 7
"""The number of a task that a party owes, in states in which it owes one."""
ASK: Final = 3
"""The number of an open question."""
WINDOW: Final = -1
"""The number of an open window, in states that have one."""

Move: TypeAlias = tuple[Any, ...]
"""What happens: a name and numbers, so that a counter-example can be read and played again."""
Path: TypeAlias = "tuple[Path, Move] | None"
"""The moves that led to a state, the last one first."""
Act: TypeAlias = "Callable[[World], None]"
"""What a move does to a state."""
Fact: TypeAlias = tuple[Any, ...]
"""A part of a state: a name and numbers, with the parties in it last."""


def unheard_in(kept: Authority) -> list[tuple[int, int]]:
    """Return each vote for an attested silence: about whom, and whose."""
    votes = ((motion.target, standing) for motion, standing in kept._votes.items())
    return [(target, voter) for target, standing in votes for voter, attests in standing.items() if attests]


class Broken(AssertionError):
    """An invariant does not hold.

    Args:
        what: which one, and for whom.
        path: the moves that led there.
    """

    def __init__(self, what: str, path: Path) -> None:
        moves = list[Move]()
        while path is not None:
            path, move = path
            moves.insert(0, move)
        super().__init__(f"{what}\n" + "\n".join(f"    {move}" for move in moves))
        self.what, self.moves = what, moves


@dataclass
class World:
    """One state: the log's state machine, and what is true outside the log.

    Attributes:
        authority: the state machine.
        cuts: pairs (one, other): the first does not hear the second.
        owing: the parties that owe a step of the dealing.
        asked: the party that a question is open for, 0 for none.
        said: the honest parties that have said OUT or LEFT themselves.
        window: whether a window is open.
        late: the honest parties for whose clocks its time is over.
    """

    authority: Authority
    cuts: frozenset[tuple[int, int]] = frozenset()
    owing: frozenset[int] = frozenset()
    asked: int = 0
    said: frozenset[int] = frozenset()
    window: bool = False
    late: frozenset[int] = frozenset()

    def copied(self) -> World:
        """The same state, to go on with."""
        return World(
            twin(self.authority), self.cuts, self.owing, self.asked, self.said, self.window, self.late
        )

    def settle(self) -> None:
        """What the log's state machine does after every entry."""
        questions = {(self.asked, ASK)} if self.asked else set()
        if self.window:
            questions.add((0, WINDOW))
        self.authority.settle(lambda party, task: task == TASK and party in self.owing, questions)
        self.authority.news.clear()

    def facts(self) -> Iterator[Fact]:
        """What tells this state from others."""
        kept = self.authority
        for (kind, target, about), standing in kept._votes.items():
            if kind is VoteKind.AWAY:
                about = about == kept._absences[target]  # noqa: PLW2901 - all that matters of this number
            for voter, attests in standing.items():
                yield ("vote", kind, about, target, voter)
                if attests:
                    yield ("unheard", about, target, voter)
        for name in SETS:
            for party in getattr(kept, name):
                yield (name, party)
        for party, absence in kept._absences.items():
            if absence:
                yield ("was away", party)
        for cut in self.cuts:
            yield ("cut", *cut)
        for name in ("owing", "said", "late"):
            for party in getattr(self, name):
                yield (name, party)
        if self.asked:
            yield ("asked", self.asked)
        if self.window:
            yield ("window", 0)


CALMING: Final = {"talks", "pays", "answers", "mend", "unsays", "is caught"}
"""The moves after which there is less to decide; walks make few of them."""
SETS: Final = ("_left", "_out", "_away", "_aside", "convicted")
"""The sets of parties that a state machine keeps."""


def twin(kept: Authority) -> Authority:
    """A copy of a state machine."""
    new = copy.copy(kept)
    own = vars(new)
    for name, value in own.items():
        if isinstance(value, set | dict | list):
            own[name] = value.copy()
    own["_votes"] = {motion: standing.copy() for motion, standing in kept._votes.items()}
    return new


class Votes:
    """The votes after an entry, before anything is decided by them; who may vote is worked out here anew.

    Args:
        kept: the state machine.
    """

    def __init__(self, kept: Authority) -> None:
        self._of = {motion: tuple(standing) for motion, standing in kept._votes.items()}
        self._absent = kept._left | kept._out | kept._away | kept.convicted.keys()

    def on(self, motion: Motion) -> list[int]:
        """The voters on a subject who are here."""
        return [voter for voter in self._of.get(motion, ()) if voter not in self._absent]


class Sameness:
    """Which states are one, but for the numbers of parties: each gets a number that all of these share.

    A state is the set of its facts, each of them a bit; of the numbers that its renumberings have, the
    smallest counts. Nothing is hashed, so two states never fall together by chance.

    Args:
        groups: the parties that may change places among themselves.
    """

    def __init__(self, *groups: tuple[int, ...]) -> None:
        self._renumberings = [{0: 0}]
        for group in groups:
            self._renumberings = [
                {**before, **dict(zip(group, order, strict=True))}
                for before in self._renumberings
                for order in permutations(group)
            ]
        self._bits: dict[Fact, int] = {}
        self._of: dict[Fact, tuple[int, ...]] = {}

    def number(self, world: World) -> int:
        """The number of a state."""
        rows = [self._of.get(fact) or self._renumbered(fact) for fact in world.facts()]
        return min(map(sum, zip(*rows, strict=True))) if rows else 0

    def _renumbered(self, fact: Fact) -> tuple[int, ...]:
        at = -2 if fact[0] in ("vote", "cut", "unheard") else -1
        of = [
            (*fact[:at], *(to[party] for party in fact[at:]))
            for to in self._renumberings
        ]  # fmt: skip
        self._of[fact] = row = tuple(self._bits.setdefault(one, 1 << len(self._bits)) for one in of)
        return row


@dataclass
class Found:
    """What an exploration has reached.

    Attributes:
        states: how many different states.
        whole: whether these are all states that cost so much.
        moves: by name, how many moves changed something.
        refused: by name, how many were void.
        decided: by name, how often a decision came into force.
    """

    states: int = 0
    whole: bool = True
    moves: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    decided: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        counts = (f"{name} {dict(getattr(self, name))}" for name in ("moves", "refused", "decided"))
        return f"{self.states} states{'' if self.whole else ', cut off'}; " + "; ".join(counts)


class Explorer:
    """The search.

    Args:
        parties: how many there are.
        conspirators: how many of them do what the adversary wants; they are the last ones.
        machine: makes the state machine; by default the real one.
        policy: what becomes of the seat of somebody who is away.
        strict: whether all are needed to open anything.
        fixed: whether t stays that of the start.
        believes: whether the invariants must hold although t or more conspire.
    """

    def __init__(
        self,
        parties: int,
        conspirators: int,
        machine: type[Authority] = Authority,
        *,
        policy: str = BLIND,
        strict: bool = False,
        fixed: bool = False,
        believes: bool = False,
    ) -> None:
        keys = [bytes([number]) * 32 for number in range(1, parties + 1)]
        self._first = World(machine(keys, policy, strict=strict, fixed=fixed))
        self._policy, self._strict, self._fixed, self._believes = policy, strict, fixed, believes
        self.all = tuple(range(1, parties + 1))
        self.honest = self.all[: parties - conspirators]
        self.liars = self.all[parties - conspirators :]
        self.found = Found()
        self._same = Sameness(self.honest, self.liars)
        self._seen: set[int] = set()

    # -- the beginning --------------------------------------------------------------------------

    def beginnings(self) -> Iterator[World]:
        """Prepared states.

        Nothing is due; a step is owed; a question is open; a window is open; one does not hear another, and a
        third is out; somebody is out; one has left; a step is owed by one who was away and came back.
        """
        yield self._first.copied()
        yield self._with(window=True)
        for party in {self.honest[0], self.all[-1]}:
            yield self._with(owing=frozenset({party}))
            yield self._with(asked=party)
            back = self._with(owing=frozenset({party}), asked=party)
            for word in (OwnWord.OUT, OwnWord.BACK):
                back.authority.say(party, word, 0)
            yield back
        if len(self.honest) > 1:
            yield self._with(cuts=frozenset({self.honest[:2]}))
            gone = self._with(cuts=frozenset({self.honest[:2]}), said=frozenset({self.all[-1]}))
            gone.authority.say(self.all[-1], OwnWord.OUT, 0)
            gone.settle()
            yield gone
        for word in (OwnWord.OUT, OwnWord.LEFT):
            gone = self._with(said=frozenset({self.honest[0]}))
            gone.authority.say(self.honest[0], word, 0)
            gone.settle()
            yield gone

    def _with(self, **given: Any) -> World:
        world = replace(self._first.copied(), **given)
        world.settle()
        return world

    # -- the search -----------------------------------------------------------------------------

    def explore(self, cost: int, most: int | None = None) -> Found:
        """Visit every state that lies so many lies and cuts away, or about `most` of them.

        Raises:
            Broken: an invariant does not hold in one of them.
        """
        self._seen.clear()
        begun = [(world, None) for world in self.beginnings()]
        layer = list(self._with_free(self._fresh(begun), most))
        for spent in range(1, cost + 1):
            steps = (step for world, path in layer for step in self._steps(world, path, self._priced(world)))
            reached = self._with_free(self._fresh(steps), most)
            if spent == cost:
                for _ in reached:
                    pass
            else:
                layer = list(reached)
        self.found.states += len(self._seen)
        self.found.whole = most is None or len(self._seen) < most
        return self.found

    def walk(self, seed: int, moves: int, lies: float = 0.3) -> Found:
        """Make moves that a seed chooses, so many of them at random lies and cuts.

        Raises:
            Broken: an invariant does not hold.
        """
        chance = Random(seed)
        victim = chance.choice(self.honest)
        world, path = chance.choice(list(self.beginnings())), None
        self._check(world, path)
        for _ in range(moves):
            every = list((self._priced if chance.random() < lies else self._free)(world))
            if chance.random() < 0.9:
                every = [one for one in every if one[0][0] not in CALMING]
            if chance.random() < 0.7:
                every = [one for one in every if target_of(one[0]) == victim] or every
            chance.shuffle(every)
            for world, path in self._steps(world, path, every):  # noqa: B020 - go on from the first
                self._check(world, path)
                self.found.states += 1
                break
        return self.found

    def _fresh(self, reached: Iterable[tuple[World, Path]]) -> Iterator[tuple[World, Path]]:
        """Those that were not reached before."""
        for world, path in reached:
            number = self._same.number(world)
            if number not in self._seen:
                self._seen.add(number)
                self._check(world, path)
                yield world, path

    def _with_free(
        self, reached: Iterable[tuple[World, Path]], most: int | None
    ) -> Iterator[tuple[World, Path]]:
        """These states, and all new ones that moves lead to which cost nothing."""
        for one in reached:
            stack = [one]
            while stack and (most is None or len(self._seen) < most):
                world, path = stack.pop()
                yield world, path
                stack += self._fresh(self._steps(world, path, self._free(world)))

    def _steps(
        self, world: World, path: Path, moves: Iterable[tuple[Move, Act]]
    ) -> Iterator[tuple[World, Path]]:
        """What becomes of a state by each of these moves that is not void."""
        after: World | None = None
        for move, act in moves:
            after = after or world.copied()
            try:
                act(after)
            except Refused:  # nothing has changed
                self.found.refused[move[0]] += 1
                continue
            voted = Votes(after.authority)
            after.settle()
            then = (path, move)
            self._judge(world.authority, voted, after, then)
            self.found.moves[move[0]] += 1
            yield after, then
            after = None

    # -- what can happen ------------------------------------------------------------------------

    def _free(self, world: World) -> Iterator[tuple[Move, Act]]:
        """What follows the protocol."""
        for party in self.honest:
            yield from self._honest(world, party)
        for party in world.owing:
            if party in self.honest:
                yield ("pays", party), partial(_pays, party)
        if world.asked in self.honest and world.authority.is_present(world.asked):
            yield ("answers", world.asked), _answers

    def _priced(self, world: World) -> Iterator[tuple[Move, Act]]:
        """What does not."""
        for party in self.liars:
            yield from self._lies(world, party)
        for one in self.honest:
            for other in self.all:
                if one != other:  # a conspirator's silence towards somebody is a cut, too
                    name = "mend" if (one, other) in world.cuts else "cut"
                    yield (name, one, other), partial(_toggle, (one, other))

    def _honest(self, world: World, party: int) -> Iterator[tuple[Move, Act]]:
        """What an honest machine says by itself: BACK, and the votes that its own observation bears out."""
        kept = world.authority
        if kept.is_gone(party):
            return
        yield ("talks", party), lambda after: after.authority.heard(party)
        if party not in world.said and (kept.is_away(party) or kept.is_aside(party)):
            yield ("back", party), partial(_say, party, OwnWord.BACK, kept.absence_of(party))
        if world.window and party not in world.late:
            yield ("runs out", party), partial(_run_out, party)
        beliefs = [(Motion(VoteKind.TIME, 0, WINDOW), party in world.late)]
        for other in self.all:
            if other == party:
                continue
            deaf, absence = (party, other) in world.cuts, kept.absence_of(other)
            silent = deaf or other in self.liars
            beliefs += [
                (Motion(VoteKind.AWAY, other, absence), deaf),
                (Motion(VoteKind.STALL, other, TASK), other in world.owing and silent),
                (Motion(VoteKind.TIME, other, ASK), world.asked == other and silent),
            ]
        for motion, true in beliefs:
            if true is not (party in kept._votes.get(motion, ())):
                name = "votes" if true else "withdraws"
                yield (name, party, motion.kind, motion.target), partial(_vote, party, motion, true)

    def _lies(self, world: World, party: int) -> Iterator[tuple[Move, Act]]:
        kept = world.authority
        yield ("is caught", party), partial(_convict, party)
        for word in OwnWord:
            yield ("self", party, word), partial(_say, party, word, kept.absence_of(party))
        yield ("self", party, "stale"), partial(_say, party, OwnWord.BACK, kept.absence_of(party) + 1)
        for target in (0, *self.all):
            for kind in VoteKind:
                for about in _subjects(kept, kind, target):
                    motion = Motion(kind, target, about)
                    yes = party not in kept._votes.get(motion, ())
                    name = "lies" if yes else "unsays"
                    yield (name, party, kind, target, about), partial(_vote, party, motion, yes)

    # -- what must hold -------------------------------------------------------------------------

    def _check(self, world: World, path: Path) -> None:
        """What holds in every state; t and the votes in force are counted here anew."""
        kept, votes = world.authority, Votes(world.authority)
        remaining, t = self._bounds(kept)
        can_vote = remaining - 1 >= t
        if kept.threshold != t:
            raise Broken(f"t is {kept.threshold} with {remaining} parties", path)
        for party in self.all:
            absence = kept.absence_of(party)
            away, stall, time = (
                votes.on(Motion(kind, party, about))
                for kind, about in ((VoteKind.AWAY, absence), (VoteKind.STALL, TASK), (VoteKind.TIME, ASK))
            )
            if kept.is_gone(party):
                if party in self.honest and party not in world.said:
                    raise Broken(f"{party} is gone without its own word or evidence", path)
            elif can_vote and len(away) >= t and not kept.is_away(party):
                raise Broken(f"t votes stand that {party} is away, and it is not", path)
            elif can_vote and len({*away, *stall}) >= t and kept.deals(party):
                raise Broken(f"t parties say that {party} is away or does nothing, and it deals", path)
            elif can_vote and len(time) >= t and not kept.is_time_up(party, ASK):
                raise Broken(f"t parties say that the time of {party} is over, and it is not", path)
            if kept.is_blind(party) and party in self.honest and party not in world.said:
                raise Broken(f"the questions of {party} are closed at once, and it is here", path)
        for party, voter in unheard_in(kept):
            away = votes.on(Motion(VoteKind.AWAY, party, kept.absence_of(party)))
            if voter not in away or not kept.is_away(party):
                raise Broken(f"{voter} votes for the silence of {party}, and does not attest it", path)
        if (
            world.window
            and len(votes.on(Motion(VoteKind.TIME, 0, WINDOW))) >= t
            and not kept.is_time_up(0, WINDOW)
        ):
            raise Broken("t parties say that the window is over, and it is not", path)

    def _bounds(self, kept: Authority) -> tuple[int, int]:
        """m and t, counted here anew."""
        remaining = sum(party not in kept._left and party not in kept.convicted for party in self.all)
        of = len(self.all) if self._fixed else remaining
        return remaining, max(2, of if self._strict else -(-2 * of // 3))

    def _judge(self, was: Authority, voted: Votes, after: World, path: tuple[Path, Move]) -> None:
        """What has come into force about an honest party was voted by an honest machine, which saw it.

        Args:
            was: the state before the last move.
            voted: the votes after it, before anything was decided.
            after: the state after it.
            path: the moves.
        """
        now, move = after.authority, path[1]
        _, t = self._bounds(now)
        if not self._believes and sum(not now.is_gone(party) for party in self.liars) >= t:
            return  # so many can do what they want
        for party in self.honest:
            absence = was.absence_of(party)
            away, stall = Motion(VoteKind.AWAY, party, absence), Motion(VoteKind.STALL, party, TASK)
            came = {
                "away": party in now._away and party not in was._away,
                "aside": now.is_aside(party) and not was.is_aside(party) and move[:2] != ("back", party),
                "time": after.asked == party
                and now.is_time_up(party, ASK)
                and not was.is_time_up(party, ASK),
            }
            willing = party in after.said
            for what in [what for what, yes in came.items() if yes]:
                self.found.decided[what] += 1
                voters = {
                    "away": voted.on(away),
                    "aside": [*voted.on(away), *voted.on(stall)],
                    "time": voted.on(Motion(VoteKind.TIME, party, ASK)),
                }[what]
                if not willing:
                    self._weigh(f"{what}: {party}", voters, t, path)
            unheard = [voter for target, voter in unheard_in(now) if target == party]
            if move == ("talks", party) and (now.voters(away) or unheard):
                raise Broken(f"{party} has spoken, and votes stand that nobody hears it", path)
            if move[:2] == ("back", party) and (now.is_away(party) or unheard):
                raise Broken(f"{party} said that it is here, and is away", path)
        window = Motion(VoteKind.TIME, 0, WINDOW)
        if after.window and now.is_time_up(0, WINDOW) and not was.is_time_up(0, WINDOW):
            self.found.decided["window"] += 1
            self._weigh("the window is over", voted.on(window), t, path)
        if now.is_ended and not was.is_ended:
            self.found.decided["ended"] += 1
            if now.remaining > 1:
                self._weigh("the match has ended", voted.on(Motion(VoteKind.END, 0, 0)), t, path)

    def _weigh(self, what: str, voters: list[int], t: int, path: Path) -> None:
        if len(set(voters)) < t:
            raise Broken(f"{what}, by fewer than t who are here", path)
        if not set(voters) & set(self.honest):
            raise Broken(f"{what}, and no honest machine has seen it", path)


def _subjects(kept: Authority, kind: VoteKind, target: int) -> list[int]:
    """What a vote can be about: what is the case, and something stale."""
    if kind is VoteKind.END:
        return [0, 1]
    if kind is VoteKind.STALL:
        return [TASK, TASK + 1]
    if kind is VoteKind.TIME:
        return [ASK, ASK + 1] if target else [WINDOW, WINDOW - 1]
    return [kept.absence_of(target), kept.absence_of(target) + 1] if target else [0]


def target_of(move: Move) -> int:
    """The party that a move is about; 0 if it is about its author."""
    place = {"cut": 2, "votes": 3, "lies": 3}.get(move[0])
    return int(move[place]) if place else 0


# -- moves ----------------------------------------------------------------------------------------


def _say(party: int, word: OwnWord, absence: int, world: World) -> None:
    world.authority.say(party, word, absence)
    world.authority.heard(party)


def _vote(voter: int, motion: Motion, yes: bool, world: World) -> None:
    kind, target, about = motion
    if yes and kind is VoteKind.STALL and (target not in world.owing or about != TASK):
        raise Refused("nothing is owed")
    if (
        yes
        and kind is VoteKind.TIME
        and (target, about) != ((0, WINDOW) if world.window and not target else (world.asked, ASK))
    ):
        raise Refused("nothing is asked")
    kept = world.authority
    unheard = bool(motion.target) and kept.closes_for(voter, motion.target)
    kept.cast(voter, motion, 20 if unheard and motion.kind is VoteKind.TIME else 60, 30, 20, yes=yes)
    world.authority.heard(voter)


def _convict(party: int, world: World) -> None:
    if party in world.authority.convicted:
        raise Refused("it is gone")
    world.authority.convict(party, Charge(Offence.MALFORMED))


def _toggle(cut: tuple[int, int], world: World) -> None:
    world.cuts = world.cuts ^ {cut}


def _pays(party: int, world: World) -> None:
    world.owing -= {party}
    world.authority.heard(party)


def _answers(world: World) -> None:
    world.authority.heard(world.asked)
    world.asked = 0


def _run_out(party: int, world: World) -> None:
    world.late |= {party}


def main() -> None:
    """Explore for longer than the tests do: `python -m tests.core.explore.people 4 2 3 --most 200000`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("parties", type=int)
    parser.add_argument("conspirators", type=int)
    parser.add_argument("cost", type=int)
    parser.add_argument("--most", type=int, help="states at the most")
    parser.add_argument("--walks", type=int, default=0, help="walks of 300 moves instead, by so many seeds")
    words = parser.parse_args()
    explorer = Explorer(words.parties, words.conspirators)
    for seed in range(words.walks):
        explorer.walk(seed, 300)
    print(explorer.found if words.walks else explorer.explore(words.cost, words.most))


if __name__ == "__main__":
    main()
