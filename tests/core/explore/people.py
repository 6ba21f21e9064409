"""An explorer of the authority about people: an adversary orders the log and says whatever it wants.

The real state machine (`Authority`) is driven by entries. Honest machines observe truly: one does not hear
another only where the adversary has cut the two, or where the other is a conspirator that is silent. What an
honest machine says follows from what it observes; conspirators say anything about anybody, and the adversary
chooses what is said next. To say what the protocol wants costs nothing; a lie, a cut or a mended cut costs 1.
States are visited in order of cost, each once.
"""

from __future__ import annotations

import argparse
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final

from tavolata._engine.dealing.authority import Authority, Motion, OwnWord, VoteKind
from tavolata._engine.match.header import BOT
from tavolata.errors import Refused

TASK: Final = 7
"""The number of a task that a party owes, in states in which it owes one."""
ASK: Final = 3
"""The number of an open question."""

Move = tuple[Any, ...]
"""What happens: a name and numbers, so that a counter-example can be read and played again."""


class Broken(AssertionError):
    """An invariant does not hold.

    Args:
        what: which one, and for whom.
        path: the moves that led there.
    """

    def __init__(self, what: str, path: tuple[Move, ...]) -> None:
        super().__init__(f"{what}\n" + "\n".join(f"    {move}" for move in path))
        self.what, self.path = what, path


@dataclass
class World:
    """One state: the log's state machine, and what is true outside the log.

    Attributes:
        authority: the state machine.
        cuts: pairs (one, other): the first does not hear the second.
        owing: the parties that owe a step of the dealing.
        asked: the party that a question is open for, 0 for none.
        said: the honest parties that have said OUT or LEFT themselves.
    """

    authority: Authority
    cuts: frozenset[tuple[int, int]] = frozenset()
    owing: frozenset[int] = frozenset()
    asked: int = 0
    said: frozenset[int] = frozenset()

    def copied(self) -> World:
        """The same state, to go on with."""
        kept, new = self.authority, copy.copy(self.authority)
        for name, value in vars(kept).items():
            if isinstance(value, set | dict | list):
                setattr(new, name, value.copy())
        new._votes = {motion: standing.copy() for motion, standing in kept._votes.items()}
        return World(new, self.cuts, self.owing, self.asked, self.said)

    def settle(self) -> None:
        """What the log's state machine does after every entry."""
        questions = {(self.asked, ASK)} if self.asked else set()
        self.authority.settle(lambda party, task: task == TASK and party in self.owing, questions)
        self.authority.news.clear()

    def key(self) -> object:
        """What tells this state from others."""
        kept = self.authority
        votes = frozenset((motion, voter) for motion, standing in kept._votes.items() for voter in standing)
        return (
            votes, frozenset(kept._left), frozenset(kept._out), frozenset(kept._away), frozenset(kept._aside),
            frozenset(kept._returned), tuple(kept._absences.values()), tuple(sorted(kept._orders)),
            frozenset(kept.convicted), self.cuts, self.owing, self.asked, self.said,
        )  # fmt: skip


@dataclass
class Found:
    """What an exploration has reached.

    Attributes:
        states: how many different states.
        moves: by name, how many moves changed something.
        refused: by name, how many were void.
        decided: by name, how often a decision came into force.
    """

    states: int = 0
    moves: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    decided: Counter[str] = field(default_factory=Counter)


class Explorer:
    """The search.

    Args:
        parties: how many there are.
        conspirators: how many of them do what the adversary wants; they are the last ones.
        machine: makes the state machine; by default the real one.
        strict: whether all are needed to open anything.
    """

    def __init__(
        self,
        parties: int,
        conspirators: int,
        machine: type[Authority] = Authority,
        *,
        strict: bool = False,
    ) -> None:
        keys = [bytes([number]) * 32 for number in range(1, parties + 1)]
        self._first = World(machine(keys, BOT, strict=strict))
        self._strict = strict
        self.all = tuple(range(1, parties + 1))
        self.honest = self.all[: parties - conspirators]
        self.liars = self.all[parties - conspirators :]
        self.found = Found()

    # -- the beginning --------------------------------------------------------------------------

    def beginnings(self) -> Iterator[World]:
        """Prepared states.

        Nothing is due; a step is owed; a question is open; one does not hear another, and a third is out;
        somebody is out; one has left.
        """
        yield self._first.copied()
        for party in (self.honest[0], self.all[-1]):
            yield self._with(owing=frozenset({party}))
            yield self._with(asked=party)
        if len(self.honest) > 1:
            yield self._with(cuts=frozenset({self.honest[:2]}))
            gone = self._with(cuts=frozenset({self.honest[:2]}))
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

    def explore(self, cost: int, most: int = 1_000_000) -> Found:
        """Visit every state that lies so many lies and cuts away, or `most` of them.

        Raises:
            Broken: an invariant does not hold in one of them.
        """
        order = count()
        seen: dict[object, int] = {}
        queue: list[tuple[int, int, World, tuple[Move, ...]]] = []
        for world in self.beginnings():
            heappush(queue, (0, next(order), world, ()))
        while queue and len(seen) < most:
            spent, _, world, path = heappop(queue)
            key = world.key()
            if seen.get(key, spent + 1) <= spent:
                continue
            seen[key] = spent
            self._check(world, path)
            for price, move, act in self._moves(world):
                if spent + price > cost:
                    continue
                after = world.copied()
                try:
                    act(after)
                except Refused:
                    self.found.refused[move[0]] += 1
                    continue
                voted = after.copied().authority
                after.settle()
                self._judge(world, voted, after, (*path, move))
                self.found.moves[move[0]] += 1
                heappush(queue, (spent + price, next(order), after, (*path, move)))
        self.found.states += len(seen)
        return self.found

    # -- what can happen ------------------------------------------------------------------------

    def _moves(self, world: World) -> Iterator[tuple[int, Move, Callable[[World], None]]]:
        for party in self.honest:
            yield from self._honest(world, party)
        for party in self.liars:
            yield from self._lies(world, party)
        for one in self.honest:
            for other in self.honest:
                if one != other:
                    yield (
                        1,
                        ("cut" if (one, other) not in world.cuts else "mend", one, other),
                        _toggled(one, other),
                    )
        for party in self.liars:
            for one in self.honest:  # to be silent towards somebody is not to follow the protocol
                yield (
                    1,
                    ("hush" if (one, party) not in world.cuts else "speak", one, party),
                    _toggled(one, party),
                )
        for party in world.owing:
            if party in self.honest:
                yield 0, ("pays", party), _paid(party)
        if world.asked in self.honest and world.authority.is_present(world.asked):
            yield 0, ("answers", world.asked), _answered

    def _honest(self, world: World, party: int) -> Iterator[tuple[int, Move, Callable[[World], None]]]:
        """What an honest machine says by itself: BACK, and the votes that its own observation bears out."""
        kept = world.authority
        if kept.is_gone(party):
            return
        yield 0, ("talks", party), lambda after: after.authority.heard(party)
        if party not in world.said and (kept.is_away(party) or kept.is_aside(party)):
            yield 0, ("back", party), _said(party, OwnWord.BACK, kept.absence_of(party))
        for other in self.all:
            if other == party:
                continue
            deaf, absence = (party, other) in world.cuts, kept.absence_of(other)
            away = Motion(VoteKind.AWAY, other, absence)
            stall = Motion(VoteKind.STALL, other, TASK)
            time = Motion(VoteKind.TIME, other, ASK)
            silent = other in world.owing and (deaf or other in self.liars)
            mute = world.asked == other and (deaf or other in self.liars)
            for motion, true in (
                (away, deaf), (Motion(VoteKind.STAND, other, absence), deaf), (stall, silent), (time, mute)
            ):  # fmt: skip
                stands = party in kept.voters(motion)
                if true is not stands:
                    name = "votes" if true else "withdraws"
                    yield 0, (name, party, motion.kind, other), _voted(party, motion, yes=true)

    def _lies(self, world: World, party: int) -> Iterator[tuple[int, Move, Callable[[World], None]]]:
        kept = world.authority
        for word in OwnWord:
            yield 1, ("self", party, word), _said(party, word, kept.absence_of(party))
        for target in (0, *self.all):
            for kind in VoteKind:
                for about in _subjects(kept, kind, target):
                    motion = Motion(kind, target, about)
                    yes = party not in kept.voters(motion)
                    yield (
                        1,
                        ("lies" if yes else "unsays", party, kind, target, about),
                        _voted(party, motion, yes=yes),
                    )

    # -- what must hold -------------------------------------------------------------------------

    def _check(self, world: World, path: tuple[Move, ...]) -> None:
        """What holds in every state; t and the votes in force are counted here anew."""
        kept = world.authority
        remaining, t = self._bounds(kept)
        can_vote = remaining - 1 >= t
        if kept.threshold != max(2, t):
            raise Broken(f"t is {kept.threshold} with {remaining} parties", path)
        for party in self.all:
            absence = kept.absence_of(party)
            voters = {
                kind: _counted(kept, Motion(kind, party, about))
                for kind, about in ((VoteKind.AWAY, absence), (VoteKind.STALL, TASK), (VoteKind.TIME, ASK))
            }
            accused = {*voters[VoteKind.AWAY], *voters[VoteKind.STALL]}
            if kept.is_gone(party):
                if party in self.honest and party not in world.said:
                    raise Broken(f"{party} is gone without its own word or evidence", path)
            elif can_vote and len(voters[VoteKind.AWAY]) >= t and not kept.is_away(party):
                raise Broken(f"t votes stand that {party} is away, and it is not", path)
            elif can_vote and len(accused) >= t and kept.deals(party):
                raise Broken(f"t parties say that {party} is away or does nothing, and it deals", path)
            elif can_vote and len(voters[VoteKind.TIME]) >= t and not kept.is_time_up(party, ASK):
                raise Broken(f"t parties say that the time of {party} is over, and it is not", path)
            keeper = kept.keeper_for(party)
            if keeper is not None and party not in world.said and not kept.is_away(party):
                raise Broken(f"{keeper} plays for {party}, who is here", path)
            if keeper is not None and (keeper == party or not kept.is_present(keeper)):
                raise Broken(f"{keeper} plays for {party}, and is not here itself", path)

    def _bounds(self, kept: Authority) -> tuple[int, int]:
        """m and t, counted here anew."""
        remaining = sum(party not in kept._left and party not in kept.convicted for party in self.all)
        return remaining, remaining if self._strict else max(2, -(-2 * remaining // 3))

    def _judge(self, before: World, voted: Authority, after: World, path: tuple[Move, ...]) -> None:
        """What has come into force about an honest party was voted by an honest machine, which saw it.

        Args:
            before: the state before the last move.
            voted: the votes after it, before anything was decided.
            after: the state after it.
            path: the moves.
        """
        was, now, move = before.authority, after.authority, path[-1]
        if sum(not voted.is_gone(party) for party in self.liars) >= voted.threshold:
            return  # so many can do what they want
        for party in self.honest:
            absence = voted.absence_of(party)
            away, stall = Motion(VoteKind.AWAY, party, absence), Motion(VoteKind.STALL, party, TASK)
            came = {
                "away": party in now._away and party not in was._away,
                "aside": now.is_aside(party) and not was.is_aside(party) and move[:2] != ("back", party),
                "stand-in": now.is_stood_in_for(party) and not was.is_stood_in_for(party),
                "time": now.is_time_up(party, ASK) and not was.is_time_up(party, ASK),
            }
            willing = party in after.said
            seen_by = {
                "away": _counted(voted, away),
                "aside": [*_counted(voted, away), *_counted(voted, stall)],
                "stand-in": self.all if willing else _counted(voted, Motion(VoteKind.STAND, party, absence)),
                "time": _counted(voted, Motion(VoteKind.TIME, party, ASK)),
            }
            for what in [what for what, yes in came.items() if yes]:
                self.found.decided[what] += 1
                if not willing and len(set(seen_by[what])) < self._bounds(voted)[1]:
                    raise Broken(f"{what}: {party}, by fewer than t who are here", path)
                if not set(seen_by[what]) & set(self.honest):
                    raise Broken(f"{what}: {party}, and no honest machine has seen it", path)
            if move == ("talks", party) and set(now.voters(away)) | set(
                now.voters(Motion(VoteKind.STAND, party, absence))
            ):
                raise Broken(f"{party} has spoken, and votes stand that nobody hears it", path)
            if move[:2] == ("back", party) and (now.is_away(party) or now.keeper_for(party) is not None):
                raise Broken(f"{party} said that it is here, and is away", path)
        if now.is_ended and not was.is_ended:
            self.found.decided["ended"] += 1
            if now.remaining > 1 and not set(voted.voters(Motion(VoteKind.END, 0, 0))) & set(self.honest):
                raise Broken("the match has ended, and nobody honest wants it", path)


def _counted(kept: Authority, motion: Motion) -> list[int]:
    """The voters on a subject who are here; who that is is worked out here anew."""
    absent = kept._left | kept._out | kept._away | kept.convicted.keys()
    return [voter for voter in kept._votes.get(motion, ()) if voter not in absent]


def _subjects(kept: Authority, kind: VoteKind, target: int) -> list[int]:
    """What a vote can be about: what is the case, and something stale."""
    if kind is VoteKind.END:
        return [0, 1]
    if kind is VoteKind.STALL:
        return [TASK, TASK + 1]
    if kind is VoteKind.TIME:
        return [ASK, ASK + 1]
    return [] if target == 0 else sorted({kept.absence_of(target), 0})


def _said(party: int, word: int, absence: int) -> Callable[[World], None]:
    def act(world: World) -> None:
        world.authority.say(party, word, absence)
        world.authority.heard(party)

    return act


def _voted(voter: int, motion: Motion, *, yes: bool) -> Callable[[World], None]:
    def act(world: World) -> None:
        if motion.kind is VoteKind.STALL and not (motion.target in world.owing and motion.about == TASK):
            raise Refused("nothing is owed")
        if motion.kind is VoteKind.TIME and yes and (world.asked, ASK) != (motion.target, motion.about):
            raise Refused("nothing is asked")
        world.authority.cast(voter, motion, 60, 15, yes=yes)
        world.authority.heard(voter)

    return act


def _toggled(one: int, other: int) -> Callable[[World], None]:
    def act(world: World) -> None:
        world.cuts = world.cuts ^ {(one, other)}

    return act


def _paid(party: int) -> Callable[[World], None]:
    def act(world: World) -> None:
        world.owing -= {party}
        world.authority.heard(party)

    return act


def _answered(world: World) -> None:
    world.authority.heard(world.asked)
    world.asked = 0


def main() -> None:
    """Explore for longer than the tests do: `python -m tests.core.explore.people 4 2 3 --most 200000`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("parties", type=int)
    parser.add_argument("conspirators", type=int)
    parser.add_argument("cost", type=int)
    parser.add_argument("--most", type=int, default=1_000_000, help="states at the most")
    words = parser.parse_args()
    found = Explorer(words.parties, words.conspirators).explore(words.cost, words.most)
    print(
        f"{found.states} states; moves {dict(found.moves)}; void {dict(found.refused)}; {dict(found.decided)}"
    )


if __name__ == "__main__":
    main()
