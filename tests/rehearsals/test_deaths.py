"""Machines of a fair deal that die at every kind of message: the others play on, and can prove how.

Of two the other waits until the dead one is back. Of four or six the dead one stays dead, unless a second one
fails, by cheating or by doing nothing, and fewer are left than it takes to open a card.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

import pytest
from tests.commit import a_part
from tests.rehearsals.disk import Died
from tests.rehearsals.family import NAMES, Evening, Report
from tests.rehearsals.laptops import Laptop, Power, here
from tests.rehearsals.plan import Plan, Seat
from tests.rehearsals.scenes import knowing

from tavolata._engine.dealing import steps
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.dealer import Dealer, Step
from tavolata._engine.dealing.steps import Task
from tavolata._engine.match.entries import ANSWER, DEAL, OPENED, SEALED, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.participation import Participation
from tavolata_protocol.fair import boxes

STEPS: Final = {
    "deck": steps.DECK,
    "proof": steps.PROOF,
    "seed": steps.SEED,
    "shares for all": steps.FACES,
    "lot": steps.LOT,
    "shares for one": steps.CARDS,
    "complaint": steps.COMPLAINT,
    "forced seal": steps.FORCE,
    "own word": steps.SELF,
    "vote": steps.VOTE,
}
KINDS: Final = {"seal": SEALED, "opening": OPENED, "answer": ANSWER}
HIDDEN_HANDS = {"shares for one", "complaint", "answer"}
"""Kinds of messages that Zompa has no use for: no card is for one pair of eyes, and nobody is asked aloud."""
TO_TWO = {"vote"}
"""Kinds that two machines never send: between two nobody votes."""
FICHES = {2: 12, 4: 6, 6: 5}
"""By machines: enough that everyone lives when the first five is turned, and no more."""
ON_FIVES = {"seal", "opening", "forced seal"}
"""Kinds that Zompa has where a five is bet on."""
BACK = 40.0
"""Seconds after which a machine comes back that the others wait for: by then they count it as away."""


def is_of(entry: MatchEntry, kind: str) -> bool:
    """Return True if an entry is of the kind of this name."""
    if kind in KINDS:
        return bool(entry[0] == KINDS[kind])
    return bool(entry[0] == DEAL and entry[3] == STEPS[kind])


@dataclass(frozen=True)
class Death:
    """Who dies when: the "host" or a "guest", "before" its first message of a kind or "after" it's agreed."""

    game: str
    machines: int
    kind: str
    victim: str
    moment: str

    @property
    def name(self) -> str:
        """What the test is called."""
        return f"{self.machines}-{self.game}-{self.kind.replace(' ', '_')}-{self.victim}-{self.moment}"

    @property
    def options(self) -> dict[str, Any]:
        """The house rules of a match that is short, and long enough for the kind to come."""
        if self.game == "tricks":
            return {"hands": 4 if self.kind == "complaint" else 1}
        return {"fiches": FICHES[self.machines] if self.kind in ON_FIVES else 3, "fives": True}

    @property
    def dies(self) -> int:
        return 0 if self.victim == "host" else self.machines - 1

    @property
    def helps(self) -> int:
        """The machine without whose fault such a message is never sent."""
        return 0 if self.dies else 1

    @property
    def waits(self) -> bool:
        """Whether the match can't go on without the dead."""
        stopped = {"vote", "complaint"}  # by another one that deals no more, or was convicted
        return self.machines == 2 or (self.machines == 4 and self.kind in stopped)

    @property
    def plan(self) -> Plan:
        return Plan(
            11, self.game, (Seat(None, "random"),) * self.machines, self.options, away="blind",
            lost=() if self.waits else (self.dies,),
        )  # fmt: skip


def deaths() -> list[Death]:
    """Return all of them, in an order that mixes what they have in common."""
    every = [
        Death(game, machines, kind, victim, moment)
        for machines in (2, 4, 6)
        for game in ("tricks", "zompa")
        for kind in (*STEPS, *KINDS)
        for victim in ("host", "guest")
        for moment in ("before", "after")
        if not (game == "zompa" and kind in HIDDEN_HANDS) and not (machines == 2 and kind in TO_TWO)
    ]
    random.Random(1).shuffle(every)
    return every


class Deadly(Evening):
    """An evening at which a machine dies at its first message of a kind.

    Attributes:
        has_died: whether it did.
    """

    def __init__(self, death: Death) -> None:
        super().__init__(death.plan)
        self.death = death
        self.has_died = False
        if death.kind in CHEATS:
            self._liar = self._vows.liar = NAMES[death.helps]

    def is_victim(self) -> bool:
        """Return True if the code that runs now runs on the machine that dies, and it hasn't yet."""
        computer = here()
        return computer is not None and computer.name == NAMES[self.death.dies] and not self.has_died

    def helps(self) -> bool:
        """Return True if the code that runs now runs on the machine that fails."""
        computer = here()
        return computer is not None and computer.name == NAMES[self.death.helps]

    def die(self) -> None:
        """Go off without a word, as by a crash or an empty battery."""
        computer = here()
        assert isinstance(computer, Laptop)
        self.has_died = True
        self.say(f"{computer.name} dies {self.death.moment} its first {self.death.kind}")
        computer.turn_off(Power.OFF)
        if self.death.waits:
            self.world.context.run(self._later, BACK, self._restart, self.death.dies)
        raise Died


def mortal(evening: Deadly, patch: pytest.MonkeyPatch) -> None:
    """Have the victim die where it shall."""
    death, play, entered = evening.death, Participation._play, Machine.entered

    @wraps(play)
    def dies_before(self: Participation, entry: MatchEntry, note: bytes = b"") -> None:
        if is_of(entry, death.kind) and evening.is_victim():
            evening.die()
        play(self, entry, note)

    @wraps(entered)
    def dies_after(self: Machine, header: Header, entry: MatchEntry) -> None:
        if is_of(entry, death.kind) and evening.is_victim():
            author = header.parties[entry[1] - 1] if entry[0] == DEAL else header.keys[entry[1]]
            if author == self._me:
                evening.die()
        entered(self, header, entry)

    if death.moment == "before":
        patch.setattr(Participation, "_play", dies_before)
    else:
        patch.setattr(Machine, "entered", dies_after)


def sends_junk_cards(evening: Deadly, patch: pytest.MonkeyPatch) -> None:
    """One machine's boxes with shares of cards hold junk, and others complain."""
    make = Dealer._cards

    def junk(self: Dealer, task: Task) -> Step | None:
        step = make(self, task)
        if step is None or not evening.helps():
            return step
        deal, parcels = self._deal, []
        keys = deal.rings.done[task.of]
        for receiver, cards, piles, _ in step[2]:
            context = keys.about("box of", [deal.laid.slots[card] for card in cards], self._me)
            to, mailbox = deal.parcels.address(keys, receiver)
            box = boxes.seal(context, to, mailbox, bytes(32 * len(cards) + 64), self._secrets)
            parcels.append((receiver, cards, piles, box))
        return (*step[:2], tuple(parcels))

    patch.setattr(Dealer, "_cards", junk)


def never_shuffles(evening: Deadly, patch: pytest.MonkeyPatch) -> None:
    """One machine is there, and says everything but its decks; the others vote."""
    said = Dealer.said

    def lazy(self: Dealer, held: Collection[int] = ()) -> Iterator[Step]:
        yield from said(self, {*held, steps.DECK} if evening.helps() else held)

    patch.setattr(Dealer, "said", lazy)


def keeps_seals_shut(evening: Deadly, patch: pytest.MonkeyPatch) -> None:
    """One machine never opens what it has sealed; the others force it open."""
    play = Participation._play

    def shut(self: Participation, entry: MatchEntry, note: bytes = b"") -> None:
        if entry[0] != OPENED or not evening.helps():
            play(self, entry, note)

    patch.setattr(Participation, "_play", shut)


def steps_away(evening: Deadly, patch: pytest.MonkeyPatch) -> None:
    """The victim itself says that it steps away, once its own first deck is agreed."""
    entered, decks = Machine.entered, list[MatchEntry]()

    @wraps(entered)
    def gone(self: Machine, header: Header, entry: MatchEntry) -> None:
        entered(self, header, entry)
        if is_of(entry, "deck") and evening.is_victim() and header.parties[entry[1] - 1] == self._me:
            decks.append(entry)
            if len(decks) == 1:
                self.say_of_oneself(OwnWord.OUT)

    patch.setattr(Machine, "entered", gone)


FAULTS: Final = {
    "complaint": sends_junk_cards,
    "vote": never_shuffles,
    "forced seal": keeps_seals_shut,
    "own word": steps_away,
}
"""What has to go wrong before a message of a kind is sent at all."""


CHEATS: Final = {"complaint", "vote", "forced seal"}
"""The kinds for which another machine than the victim's fails."""


def survived(death: Death) -> Report:
    """Play the evening of a death; return how it went."""
    evening = Deadly(death)
    with knowing(), pytest.MonkeyPatch.context() as patch:
        if death.kind in FAULTS:
            FAULTS[death.kind](evening, patch)
        mortal(evening, patch)
        report = evening.play()
    assert evening.has_died
    return report


@pytest.mark.battery
@pytest.mark.parametrize("death", a_part(deaths(), 90), ids=lambda death: death.name)
def test_anybody_dies_at_any_kind_of_message(death: Death) -> None:
    """Two, four or six machines; the host or a guest dies before or after each kind of message."""
    report = survived(death)
    assert not report.broken, report.broken
    assert report.finished == report.matches - (not death.waits)
