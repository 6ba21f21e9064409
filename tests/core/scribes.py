"""A game of words: texts under seal, in a form, at any time, and what is said aloud."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import (
    N_,
    Game,
    Options,
    Outcome,
    Question,
    Seat,
    Table,
    form,
    free_text,
    interjection,
    one_of,
    same_words,
)
from tavolata.zones import text_zone

GUESSES = ("red", "a small wading bird")


@dataclass(frozen=True)
class Motto:
    """Words for somebody."""

    of: Seat
    words: str


class Scribes(Game[Options]):
    """All write at once, then one writes a motto for another."""

    name, title, seats, listens = "scribes", N_("Scribes"), (2, 4), True

    def setup(self, t: Table[Options]) -> None:
        self.written: dict[Seat, str] = {}
        self.shouts: list[str] = []
        self.motto: Motto | None = None
        self.alike = 0
        self.said: list[str | None] = []

    async def turn(self, t: Table[Options]) -> Outcome | None:
        self.written = await t.ask_all(
            dict.fromkeys(t.ring, free_text(60, shortest=2, suggestions=GUESSES)),
            N_("Write something."), N_("All write."), seconds=60, otherwise="nothing at all",
        )  # fmt: skip
        for seat, text in self.written.items():
            t.tell(N_("{seat} writes: {text}"), seat=seat, text=text)
            self.alike += sum(same_words(text, other) for other in self.written.values())
        others = t.ring.starting(t.ring.next(t.first_seat))[:-1]
        motto = form(
            Motto,
            labels={"of": N_("For whom?"), "words": N_("Which words?")},
            of=one_of(others),
            words=free_text(20, suggestions=("onward", "rest; then run")),
        )
        self.motto = await t.ask(t.first_seat, motto, N_("A motto."), N_("{seat} writes."), seat=t.first_seat)
        return Outcome((self.motto.of,))

    def heard(self, t: Table[Options], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        """Note what is said; who says the magic word wakes the others."""
        self.said.append(words)
        self.alike += words is not None and same_words(words, "Abracadabra")

    @interjection(N_("shout"))
    def shout(self, t: Table[Options], seat: Seat, text: str) -> None:
        """Call something out."""
        self.shouts.append(text)

    @shout.choices
    def may_shout(self, t: Table[Options], seat: Seat) -> Question[str] | None:
        """What can be called out."""
        return free_text(10, signs="AHO! ", suggestions=("AHA!", "OHO!")) if len(self.shouts) < 3 else None

    def zones(self, t: Table[Options], viewer: Seat | None):  # type: ignore[no-untyped-def]  # as an author writes it
        """The motto."""
        if self.motto is not None:
            yield text_zone("motto", N_("Motto"), N_("{words}"), words=self.motto.words)
