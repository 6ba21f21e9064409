"""The fiches of Zompa: how they move, who is dead, and when the match is over.

Every fiche of the game moves through here, one at a time. What makes it move is said elsewhere.
"""

from __future__ import annotations

from tavolata import N_, Counter, Counters, Game, Outcome, Seat, Table
from tavolata_zompa.options import ZompaOptions

# Marked once here, not where they are said: that would be a call for every fiche of every match.
SELF = N_("{seat} pays a fiche to {seat}. Nothing has moved.")
RISEN = N_("{seat} is back from the dead!")
WAITED = N_("{to} has been waiting for this fiche since the king: thank you, {seat}.")
PAYS_IN = N_("{seat} puts a fiche in the centre.")
DIES = N_("That was {seat}'s last fiche: dead. Rest in peace, for a while.")
WINS = N_("{seat} is dead too, and {to} is the last one alive. Zompa!")


class FichesGame(Game[ZompaOptions]):
    """Players with fiches around a centre.

    Attributes:
        fiches: what each seat has; a seat with none is dead (ruling 12).
        centre: what lies in the middle of the table.
        owed: seats to which the next fiches for the centre go, the oldest debt first (ruling 9).
    """

    fiches: Counters
    centre: Counter
    owed: list[Seat]

    def give(self, t: Table[ZompaOptions], payer: Seat, to: Seat, why: str) -> Outcome | None:
        """One fiche from player to player, told by the message `why` (fields `seat` and `to`).

        A dead receiver is alive at once (8). Who would have to pay himself keeps his fiche (7).
        """
        if payer is to:
            t.tell(SELF, seat=payer)
            return None
        holds = self.fiches.holds
        self.fiches.move(payer, to)
        t.tell(why, seat=payer, to=to)
        if holds(to) == 1:  # so he had none
            t.tell(RISEN, seat=to)
        return None if holds(payer) else self.death(t, payer)

    def pay_in(self, t: Table[ZompaOptions], payer: Seat) -> Outcome | None:
        """One fiche into the centre, unless a king is waiting for it (9)."""
        if self.owed:
            return self.give(t, payer, self.owed.pop(0), WAITED)
        self.fiches.pay(payer, 1, self.centre)
        t.tell(PAYS_IN, seat=payer)
        return None if self.fiches.holds(payer) else self.death(t, payer)

    def death(self, t: Table[ZompaOptions], payer: Seat) -> Outcome | None:
        """Without fiches a player is dead at once (12); the last one alive has won (13).

        Only a death makes the living fewer: so to look here is to look after each fiche (5).
        """
        winner = self.fiches.only_holder()
        if winner is None:
            t.tell(DIES, seat=payer)
            return None
        t.tell(WINS, seat=payer, to=winner)
        return Outcome((winner,))
