"""The race: throws and moves of horses, asked and told (rulings 1 to 12).

`moves` works out what a throw does to the horses.
"""

from __future__ import annotations

from typing import Any

from tavolata import D6, N_, Choice, Game, OneOf, Seat, Table, Track, Unavailable, text
from tavolata_jumpy_jack.board import COURSES, HORSES, MARKS, PODIUM, Course, Fate, Horse
from tavolata_jumpy_jack.moves import FREE, Standing, barrier, moved, steps
from tavolata_jumpy_jack.options import JumpyJackOptions

THROWS = N_("{seat} throws a {n}.")
WHICH = N_("You've thrown a {n}. Which horse runs?")
CHOOSES = N_("{seat} looks over the horses.")
RUNS = N_("{horse} to square {square}")
MEETS = N_("{horse} to {hedge}")
ARRIVES = N_("{horse} over the line")
BLOCKED = N_("the barrier on square {square} is in its way")
PLACED = N_("it has run its race")

TOLD = {
    Fate.GRASS: N_("{horse} trots on to square {square}."),
    Fate.STOP: N_("{horse} stops at the STOP hedge for a bite. No one behind gets past."),
    Fate.DOUBLE: N_("{horse} paws the ground at DOUBLE: its next throw counts twice."),
    Fate.OUT: N_("{horse} meets the hedge. The hedge wins: OUT, and down to place {place}."),
    Fate.RESTART: N_("{horse} remembers that the stable door is open: back to the start."),
    Fate.FINISH: N_("{horse} thunders over the line: place {place}!"),
}
"""The event of a move, by what the horse meets at its end."""

PAIR = N_("{horse} joins {other} on square {square} for a chat. Together they form a barrier.")
TWICE_AS_FAR = N_("A running start from DOUBLE: {n} squares in one go!")
LAST = N_("{horse} is the only one left, and strolls to place {place}.")


class RaceGame(Game[JumpyJackOptions]):
    """The horses on the course.

    Square 0 of the track is the start. The podium has the first horse first, None where none is. `mover` is
    the seat in turn. `moves` are those of this race in order, each a seat, a throw and the number of a horse.
    """

    track: Track
    podium: list[Horse | None]
    mover: Seat
    moves: list[tuple[Seat, int, int]]

    def lay_the_course(self, t: Table[JumpyJackOptions]) -> None:
        """Lay the board with its four hedges; the horses have no place on it yet."""
        course = self.course_of(t.options)
        marks = {square: MARKS[fate] for square, fate in course.hedges().items()}
        self.track = t.track("track", course.squares, [horse.value for horse in HORSES], marks)
        self.podium = [None] * PODIUM
        self.moves = []

    def course_of(self, options: JumpyJackOptions) -> Course:
        return COURSES[options.board]

    @property
    def standing(self) -> Standing:
        return Standing(
            tuple(self.track.where(horse.value) for horse in HORSES),
            tuple(FREE if horse is None else HORSES.index(horse) for horse in self.podium),
        )

    def line_up(self) -> None:
        """Put all five horses behind the line (1)."""
        self.place(Standing())
        self.moves = []

    def place(self, standing: Standing) -> None:
        """Put the horses where this standing has them, on each square in the order of their numbers."""
        for horse, square in zip(HORSES, standing.at, strict=True):
            self.track.put(horse.value, square)
        self.podium = [None if number == FREE else HORSES[number] for number in standing.podium]

    async def highest_throw(self, t: Table[JumpyJackOptions]) -> Seat:
        """Return the seat with the highest throw; seats with equal throws throw again (15)."""
        among = list(t.ring)
        while len(among) > 1:
            throws = await t.roll(*[D6] * len(among))
            t.tell(N_("{seats} throw to see who goes first: {throws}."), seats=among, throws=throws)
            among = [seat for seat, n in zip(among, throws, strict=True) if n == max(throws)]
        return among[0]

    async def throw_and_move(self, t: Table[JumpyJackOptions]) -> None:
        """Throw the die, and let the seat in turn choose the horse that must move (9)."""
        seat = self.mover
        (throw,) = await t.roll(D6)
        t.tell(THROWS, seat=seat, n=throw)
        question = self.horses_for(self.course_of(t.options), throw)
        verb = N_("Move {choice}")
        horse: Horse = await t.ask(
            seat, question, WHICH, CHOOSES, seat=seat, n=throw, verb=verb, about=(self.track,)
        )
        self.moves.append((seat, throw, HORSES.index(horse)))
        self.move(t, horse, throw)

    def horses_for(self, course: Course, throw: int) -> OneOf:
        """Return the question for a horse, with those that this throw can't move, and why."""
        standing, choices, others = self.standing, [], []
        for number, horse in enumerate(HORSES):
            if standing.at[number] == Track.OFF:
                others.append(Unavailable(horse.value, PLACED))
            elif (square := barrier(course, standing, number, throw)) is not None:
                others.append(Unavailable(horse.value, BLOCKED, params={"square": square}))
            else:
                end = standing.at[number] + steps(course, standing, number, throw)
                label, where = destination(course, end)
                choices.append(
                    Choice(horse, label, at=(horse.value, str(end)), params={"horse": horse, **where})
                )
        return OneOf(choices, others)

    def move(self, t: Table[JumpyJackOptions], horse: Horse, throw: int) -> None:
        """Move a horse and say what it meets; if one horse is left then, tell its place, too."""
        course, before, number = self.course_of(t.options), self.standing, HORSES.index(horse)
        distance = steps(course, before, number, throw)
        square = before.at[number] + distance
        after = moved(course, before, number, throw)
        self.place(after)
        if distance != throw:
            t.tell(TWICE_AS_FAR, n=distance)
        fate = course.fate(square)
        others = [HORSES[other] for other in before.racing if before.at[other] == square]
        if others and fate not in (Fate.OUT, Fate.RESTART):
            t.tell(PAIR, horse=horse, other=others[0], square=square)
            if fate is Fate.DOUBLE:
                t.tell(TOLD[fate], horse=horse)
        else:
            where: dict[str, Any] = {"square": square} if fate is Fate.GRASS else {}
            if horse in self.podium:
                where = {"place": self.podium.index(horse) + 1}
            t.tell(TOLD[fate], horse=horse, **where)
        for other in set_aside(before, after):
            if other is not horse:
                t.tell(LAST, horse=other, place=self.podium.index(other) + 1)


def destination(course: Course, square: int) -> tuple[str, dict[str, Any]]:
    """Return where a move ends, as a choice says it: the message, and what it names beside the horse."""
    fate = course.fate(square)
    if fate is Fate.FINISH:
        return ARRIVES, {}
    return (MEETS, {"hedge": text(MARKS[fate])}) if fate in MARKS else (RUNS, {"square": square})


def set_aside(before: Standing, after: Standing) -> list[Horse]:
    """Return the horses that came to the podium in between, in the order of their numbers."""
    return [
        horse for number, horse in enumerate(HORSES) if before.at[number] != Track.OFF == after.at[number]
    ]
