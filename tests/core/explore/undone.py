"""An adversary that has answers taken back: in every form that a log can hold, at every moment of a match.

It says UNDONE for any seat and any question, of right and wrong shapes, as a conspirator, as somebody who
plays for another, and as a guest; it holds answers back until the question is undone, has players step away,
be voted away, stop and start anew, and lets honest people wish and agree as they like. What must hold is read
from the log, without asking the code that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final, NamedTuple

from tests.core.engine.dealing.world import World
from tests.core.explore.walks import Broken, Walk
from tests.core.games import FEW

from tavolata import N_, Game, Hand, Options, Outcome, Pile, Seat, Table, Zone, amount
from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord, VoteKind
from tavolata._engine.match.entries import (
    ANSWER,
    DEAL,
    DECLARED,
    OPENED,
    RETURNED,
    SAY,
    SEALED,
    UNDONE,
    MatchEntry,
)  # fmt: skip
from tavolata._engine.match.state import pack
from tavolata._engine.match.take_back import word
from tavolata.errors import Refused
from tavolata.zones import hand_zone, pile_zone

GUEST: Final = 9
"""The number behind the key of somebody without a seat."""
NO_SEATS: Final = (-1, 7, 99, 2**63, True, False, None, "0", b"", (0,))
NO_ASKS: Final = (-1, 0, 10_000, 2**63, True, None, "1", b"1", (1,))
NO_WORDS: Final = (0, 1, 2, None, "", "yes", b"\1", (True,))
TELLS: Final = frozenset({steps.FACES, steps.LOT, steps.PROOFS, steps.CARDS, steps.FORCE, steps.COMPLAINT})
"""The steps that somebody learns something from."""


class Slips(Game[Options]):
    """Two open steps of each, a sealed one, an open one beside the seals, a die, and the cards; twice."""

    name, title, seats = "slips", N_("Slips"), (2, 4)
    hands: list[Hand[Any]]
    deck: Pile[Any]

    def setup(self, t: Table[Options]) -> None:
        self.deck, self.hands = t.pile("deck", FEW), t.hands("hand")
        self.way: list[int] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        for hand in self.hands:
            hand.move_to(self.deck)
        await t.shuffle(self.deck)
        await t.deal(self.deck, self.hands)
        for _ in range(2):
            await self.step(t)
        sealed = await t.seal_all(dict.fromkeys(t.ring, amount(0, 9)), N_("Secretly."))
        await self.step(t)
        await t.reveal(sealed.values())
        await self.step(t)
        self.way.append(await t.randrange(6))
        await self.step(t)
        self.way += [one.value for one in sealed.values()]
        await t.reveal([card for hand in self.hands for card in hand])
        return Outcome((t.ring[sum(self.way) % len(t.ring)],)) if t.turn else None

    async def step(self, t: Table[Options]) -> None:
        """An open answer of each seat."""
        for seat in t.ring:
            self.way.append(await t.ask(seat, amount(1, 3), N_("How far?")))

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield pile_zone(self.deck, N_("Deck"))
        for hand in self.hands:
            yield hand_zone(hand, N_("Hand"))


class Answered(NamedTuple):
    """An answer of the log.

    Attributes:
        before: what the state was before it; None where more than it followed from one entry.
        at: how many entries the agreed log had.
    """

    before: bytes | None
    at: int


class Undoing(Walk):
    """A walk whose adversary takes answers back.

    Args:
        parties, conspirators, seed: as in `Walk`.
        world: the machines.
        stays: a party whose machine is never stopped.

    Attributes:
        dropped: how many entries had no permission.
        taken_back: how many answers were taken back.
        last_words: how many entries had been said when each of them was.
    """

    def __init__(
        self, parties: int, conspirators: int, seed: int, world: World | None = None, stays: int = 0
    ) -> None:
        super().__init__(parties, conspirators, seed, Slips, world=world)
        self.dropped = self.taken_back = 0
        self.last_words: list[int] = []
        self._stays = stays
        noted = self.world.dropped
        self.world.dropped = lambda party, entry: self._drop(party, entry, noted)
        self._held: list[tuple[int, MatchEntry]] = []
        self._thinks: set[int] = set()
        self._given: dict[int, Answered] = {}
        self._yes: dict[int, set[int]] = {}
        self._questions: dict[int, tuple[Any, ...]] = {}
        self._course, self._author, self._log = b"", 0, list[MatchEntry]()
        self._told_at: list[int] = []

    # -- what is done -----------------------------------------------------------------------------

    def run(self, moves: int, *, mute: bool) -> None:
        """As in `Walk`, until the log has about so many entries."""
        acts = (
            (self._go, 8), (self._some_word, 8), (self._junk, 8), (self._old, 2), (self._person, 9),
            (self._thought, 3), (self._own_word, 1), (self._ambush, 2), (self._vote, 3), (self._stop, 1),
            (self._wake, 2), (self._cut, 1), (self._restart, 1), (self._wait, 2), (self._withhold, 1),
        )  # fmt: skip
        kinds, weights = [act for act, _ in acts], [weight for _, weight in acts]
        for _ in range(4 * moves):
            if self.world.ended() or self._is_over or self._said >= moves:
                break
            act = self.chance.choices(kinds, weights)[0]
            self.done[act.__name__[1:]] += 1
            act()
        self._thinks.clear()
        self._release()
        self._mend(mute=mute)

    @property
    def _said(self) -> int:
        said: int = sum(entry[0] == UNDONE for entry, _ in self.world.log)
        return said + self.dropped

    def _drop(self, party: int, entry: MatchEntry, noted: Callable[[int, MatchEntry], object] | None) -> None:
        self.dropped += 1
        if noted is not None:
            noted(party, entry)

    def _withheld(self, party: int, entry: MatchEntry) -> list[MatchEntry]:
        if entry[0] == ANSWER and party in self._thinks:
            self._held.append((party, entry))
            return []
        return super()._withheld(party, entry)

    def _thought(self) -> None:
        """Somebody thinks, or those who thought answer; what they answer may be undone by then."""
        if self.chance.random() < 0.5:
            self._thinks.add(self.chance.choice(self.all))
        else:
            self._thinks.clear()
            self._release()

    def _release(self) -> None:
        held, self._held = self._held, []
        for party, entry in held:
            if party in self.world.here:
                self.world.say(entry, party)

    @property
    def _numbers(self) -> list[int]:
        """Numbers near those of the latest questions."""
        latest = int(self.world.peers[self._witness].match.table._asks)
        return [max(0, latest - back) for back in range(5)]

    def _some_word(self) -> None:
        """A well-formed word of anybody, for any seat, about a question of late."""
        author = self.chance.choice((*self.all, *self.liars, *self.liars, GUEST))
        seat = self.chance.choice(range(len(self.all)))
        if author in self.honest:
            author = self.chance.choice((*self.liars, GUEST))  # honest machines say what their people wish
        ask = self.chance.choice(self._numbers)
        for _ in range(self.chance.choice((1, 1, 2))):
            self.world.say((UNDONE, seat, ask, self.chance.random() < 0.8), author)

    def _junk(self) -> None:
        """A word with one part that is none, or with fewer or more parts."""
        liar = self.chance.choice(self.liars)
        parts: list[Any] = [self.world.seats.index(liar), self.chance.choice(self._numbers), True]
        at = self.chance.randrange(4)
        if at < 3:
            parts[at] = self.chance.choice((NO_SEATS, NO_ASKS, NO_WORDS)[at])
        else:
            parts = [*parts, True, b"", 3][: self.chance.choice((0, 1, 2, 4, 6))]
        self.world.say((UNDONE, *parts), liar)

    def _old(self) -> None:
        """A word that was said before, by its author or by another one."""
        said = [entry for entry, _ in self.world.log if entry[0] == UNDONE]
        if said:
            self.world.say(self.chance.choice(said), self.chance.choice((*self.liars, GUEST)))

    def _person(self) -> None:
        """People who are here wish, agree, or change their mind."""
        match = self.world.peers[self._witness].match
        willing = self.chance.choice((0.7, 0.95, 1))
        for party in self.all:
            if party in self.world.here and self.chance.random() < willing:
                with suppress(Refused):
                    self.world.say(word(match, [self.world.seats.index(party)]), party)

    def _own_word(self) -> None:
        """Somebody steps away; a conspirator also comes back, or leaves."""
        party = self.chance.choice([one for one in self.all if one in self.world.here])
        words = [OwnWord.OUT] if party in self.honest else [OwnWord.OUT, OwnWord.BACK] * 3 + [OwnWord.LEFT]
        self._step_away(party, self.chance.choice(words))

    def _step_away(self, party: int, own: OwnWord) -> None:
        step = (steps.SELF, int(own), self._authority.absence_of(party))
        self.world.say((DEAL, party, self.world.head(), *step), party)

    def _ambush(self) -> None:
        """Who is asked steps away while all think: the others go on without it, and then wish and agree."""
        asked = [ask.seat for ask in self.world.peers[self._witness].source.open if ask.box is None]
        self._thinks.update(self.all)
        for seat in asked[:1]:
            party = self.world.seats[seat]
            self._step_away(party, OwnWord.OUT)
            if party != self._stays and {*self.honest} & self.world.here - {party}:
                self.world.here.discard(party)
        for _ in range(4):
            self.world.round()
        self._person()

    def _vote(self) -> None:
        """A conspirator votes that somebody is away, or that the time of a question is over."""
        liar, party = self.chance.choice(self.liars), self.chance.choice(self.all)
        open_ = [ask.id for ask in self.world.peers[self._witness].source.open]
        kind = self.chance.choice((VoteKind.AWAY, VoteKind.TIME))
        about = self.chance.choice((*open_, *self._numbers))
        if kind is not VoteKind.TIME:
            about = self._authority.absence_of(party)
        self.world.say((DEAL, liar, self.world.head(), steps.VOTE, int(kind), party, about, True, 400), liar)

    def _wake(self) -> None:
        for party in self.all:
            if party not in self.world.here:
                self.world.back(party)

    def _restart(self) -> None:
        """One machine, or every one, begins anew with the log, as after a crash or a suspension."""
        running = sorted(self.world.here - {self._stays})
        for party in running if self.chance.random() < 0.3 else running[:1]:
            self.world.back(party)

    def _stop(self) -> None:
        super()._stop()
        if self._stays:
            self.world.here.add(self._stays)

    # -- what must hold ---------------------------------------------------------------------------

    def _before(self, party: int, entry: MatchEntry) -> None:
        super()._before(party, entry)
        match = self.world.peers[self._witness].match
        self._author, self._log, self._course = party, list(match.source.log), course(match)

    def _after(self) -> None:
        super()._after()
        peer, (entry, _) = self.world.peers[self._witness], self.world.log[-1]
        stands = len(peer.source.entries) - 1 not in peer.source.voids
        at = len(self.world.log) - 1
        if entry[0] == UNDONE and stands:
            self._look_at_word(entry)
        is_taken = peer.match.undone != self.taken_back
        if is_taken:
            self._look_at_taken(at)
        elif self._log != peer.source.log[: len(self._log)]:
            raise Broken("what the log holds has changed, and nothing was taken back")
        new = [] if is_taken else peer.source.log[len(self._log) :]
        for kind, *rest in new:
            if kind == ANSWER:
                self._given[rest[1]] = Answered(self._course if len(new) == 1 else None, at)
                self._yes.pop(rest[1], None)
        if stands and (entry[0] in (ANSWER, SEALED, OPENED, DECLARED) or self._tells(entry)):
            self._told_at.append(at)
        self._look_at_questions()
        if entry[0] == UNDONE:
            self._look_at_all()

    def _tells(self, entry: MatchEntry) -> bool:
        return entry[0] == DEAL and entry[3] in TELLS

    def _look_at_word(self, entry: MatchEntry) -> None:
        """A word that stands is one of the seat's own machine, of the right shape."""
        _, seat, ask, yes = entry
        if type(seat) is not int or type(ask) is not int or type(yes) is not bool:
            raise Broken(f"{entry} stands")
        if self.world.seats[seat] != self._author:
            raise Broken(f"{self._author} says a word for {self.world.seats[seat]}")
        if not self._authority.is_present(self._author):
            raise Broken(f"{self._author} is away and says a word")
        said = self._yes.setdefault(ask, set())
        (said.add if yes else said.discard)(seat)

    def _look_at_taken(self, at: int) -> None:
        """All who play have said yes, nobody has learned or chosen anything since; all is as before."""
        self.taken_back += 1
        self.last_words.append(at + self.dropped)
        self.reached["an answer is taken back"] += 1
        peer = self.world.peers[self._witness]
        gone = next(one for one, now in zip(self._log, peer.source.log, strict=False) if one != now)
        ask = gone[2]
        for seat, status in enumerate(peer.match.status):
            if status != "blind" and seat not in self._yes.get(ask, ()):
                raise Broken(f"an answer is taken back, and {self.world.seats[seat]} has not agreed")
        given = self._given.pop(ask, None)
        if given is None:
            raise Broken("an answer is taken back that was never given")
        since = [entry for entry, _ in self.world.log[given.at + 1 : at]]
        if any(given.at < one < at for one in self._told_at):
            raise Broken(f"an answer is taken back after something was said or opened: {since}")
        place = max(n for n, one in enumerate(self._log) if one[0] == ANSWER and one[2] == ask)
        if {one[0] for one in self._log[place + 1 :]} - {SAY, RETURNED}:
            raise Broken("an answer is taken back over something that tells")
        if given.before is not None and course(peer.match) != given.before:
            raise Broken("the match is not what it was before the answer")
        self._yes.clear()
        self._told_at = [one for one in self._told_at if one != given.at]

    def _look_at_questions(self) -> None:
        """No number stands for two questions."""
        match = self.world.peers[self._witness].match
        for ask in match.source.open:
            asked = (int(ask.seat), match.table.turn, ask.you, ask.sealed)
            if self._questions.setdefault(ask.id, asked) != asked:
                raise Broken(f"question {ask.id} is another one now")

    def _look_at_all(self) -> None:
        """All honest machines that are here are in one state, and think alike about what is wished."""
        honest = [self.world.peers[party].match for party in self.honest if party in self.world.here]
        if len({(one.digest(), one.undone, one.undo_request) for one in honest}) != 1:
            raise Broken("honest machines are in different states")


def course(match: Any) -> bytes:
    """The state of a match without what never goes back: who is here, and the number of the next question."""
    return pack({name: part for name, part in match.state().items() if name not in ("asks", "status")})
