"""Talking with the dead (rulings 14 to 17).

Talk happens while the dealer's hand is on the deck. It never ends a match: a fiche that goes to a
dead player makes one alive for each that it kills, so no fewer are alive than before.
"""

from __future__ import annotations

from tavolata import N_, Choice, Kind, Seat, Table, interjection, one_of
from tavolata_zompa.fiches import FichesGame
from tavolata_zompa.options import Talk, ZompaOptions


class TalkingGame(FichesGame):
    """What words cost.

    Attributes:
        dealer: who deals, and so may talk freely (ruling 15).
        addressed: since the last card, whom each dead player has spoken to (ruling 14).
        exchanges: since the last card, between whom a fiche was paid for words: (payer, receiver).
    """

    listens = True
    dealer: Seat
    addressed: dict[Seat, Seat]
    exchanges: list[tuple[Seat, Seat]]

    @interjection("Speak to one of the living")
    def speak(self, t: Table[ZompaOptions], seat: Seat, to: Seat) -> None:
        """A dead player, the dealer too, addresses one living player, once per card (14, 15)."""
        self.addressed[seat] = to
        t.tell(
            N_("A voice from beyond, it is {seat}: “Psst, {to}! Lovely weather, isn't it?”"), seat=seat, to=to
        )

    @speak.choices
    def _to_whom(self, t: Table[ZompaOptions], seat: Seat) -> Kind | None:
        if t.options.talk is not Talk.OFFER or not self._may_address(seat):
            return None
        living = [Choice(one) for one in t.ring.those(self.fiches.holds) if one != self.dealer]
        return one_of(living) if living else None

    @interjection("Answer the dead")
    def answer(self, t: Table[ZompaOptions], seat: Seat, dead: Seat) -> None:
        """A player whom a dead player addresses may answer, and so pays, or keep silent (14)."""
        self._exchange(t, seat, dead)

    @answer.choices
    def _whom(self, t: Table[ZompaOptions], seat: Seat) -> Kind | None:
        if t.options.talk is not Talk.OFFER:
            return None
        callers = [Choice(dead) for dead in self.callers_of(seat)]
        return one_of(callers) if callers else None

    def heard(self, t: Table[ZompaOptions], speaker: Seat, to: Seat | None) -> None:
        """Words of one player to another, with free chat (17): the living pay, first or not (14)."""
        if t.options.talk is not Talk.CHAT or to is None:
            return
        if self._costs(speaker, to):
            self._exchange(t, speaker, to)
        elif self._may_address(speaker) and to != self.dealer and self.fiches.holds(to):
            self.addressed[speaker] = to

    def callers_of(self, seat: Seat) -> list[Seat]:
        """The dead who have addressed this player and whom an answer would cost a fiche."""
        return [dead for dead, to in self.addressed.items() if to == seat and self._costs(seat, dead)]

    def _may_address(self, seat: Seat) -> bool:
        return not self.fiches.holds(seat) and seat not in self.addressed

    def _costs(self, speaker: Seat, to: Seat) -> bool:
        """Whether these words cost a fiche: the living to the dead (16), not the dealer's (15), once (14)."""
        return (
            speaker != self.dealer
            and bool(self.fiches.holds(speaker))
            and not self.fiches.holds(to)
            and (speaker, to) not in self.exchanges
            and (to, speaker) not in self.exchanges
        )

    def _exchange(self, t: Table[ZompaOptions], speaker: Seat, dead: Seat) -> None:
        """One fiche per exchange, be it the last one (14, 16)."""
        self.exchanges.append((speaker, dead))
        self.give(t, speaker, dead, N_("{seat} has talked to the dead! That costs a fiche; {to} has it."))

    def silence(self) -> None:
        """A card has been turned: what was said before it is forgotten (14)."""
        self.addressed.clear()
        self.exchanges.clear()
