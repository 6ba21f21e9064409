"""The optional cards of Zompa: sevens, twos and fives (ruling 18).

Fiches go one by one here too, and who is alive is asked anew for each of them (rulings 5, 8, 12).
"""

from __future__ import annotations

from enum import Enum

from tavolata import N_, Choice, Outcome, Seat, Table, one_of
from tavolata import ItalianRank as Rank
from tavolata_zompa.fiches import FichesGame
from tavolata_zompa.options import ZompaOptions

SECONDS_TO_BET = 20


class Bet(Enum):
    """What the next card can be called in a bet."""

    ACE = N_("ace")
    FANTE = N_("fante")
    HORSE = N_("horse")
    KING = N_("king")
    OTHER = N_("any other card")
    NONE = N_("no bet")


BET = one_of([Choice(bet, bet.value) for bet in Bet])
_BETS = {Rank.ACE: Bet.ACE, Rank.FANTE: Bet.FANTE, Rank.HORSE: Bet.HORSE, Rank.KING: Bet.KING}


def bet_on(rank: int) -> Bet:
    """The bet that this rank makes right."""
    return _BETS.get(rank, Bet.OTHER)


class ExtraCards(FichesGame):
    """The three cards.

    Attributes:
        extras: whether the table plays with any of them.
        bets: who has bet on the next card, and what, in calling order.
    """

    extras: bool
    bets: dict[Seat, Bet]

    async def extra_card(self, t: Table[ZompaOptions], rank: int, called: Seat) -> Outcome | None:
        """What the table has agreed on for the cards that do nothing otherwise."""
        match rank:
            case Rank.SEVEN if t.options.sevens:
                return self.seven(t, called)
            case Rank.TWO if t.options.twos:
                return self.two(t, called)
            case Rank.FIVE if t.options.fives:
                await self.five(t, called)
        return None

    def seven(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """Each living player gives one fiche to the next living one, the called player first.

        All but the first have received before they give; so only the called player can die of it,
        and then the last fiche of the round goes past him.
        """
        why = N_("{seat} hands a fiche on to {to}.")
        for payer in t.ring.from_(called, where=self.fiches.holds):
            if outcome := self.give(t, payer, t.ring.next(payer, where=self.fiches.holds), why):
                return outcome
        return None

    def two(self, t: Table[ZompaOptions], called: Seat) -> Outcome | None:
        """Each dead player takes one fiche from the living one before him, in calling order.

        "Living" is meant at that moment: of dead neighbours, the second robs the first, who has
        just risen.
        """
        why = N_("{to} reaches out of the grave and takes a fiche from {seat}.")
        for dead in [seat for seat in t.ring.from_(called) if not self.fiches.holds(seat)]:
            if outcome := self.give(t, t.ring.previous(dead, where=self.fiches.holds), dead, why):
                return outcome
        return None

    async def five(self, t: Table[ZompaOptions], called: Seat) -> None:
        """Each living player may bet one fiche, in secret, on what the next card will be.

        All bets are opened together before that card is turned. Nobody puts the fiche down yet.
        """
        living = t.ring.from_(called, where=self.fiches.holds)
        placed = await t.ask_all(
            dict.fromkeys(living, BET), N_("A fiche on the next card?"), N_("The bets are open."),
            seconds=SECONDS_TO_BET, otherwise=Bet.NONE,
        )  # fmt: skip
        self.bets = {seat: bet for seat, bet in placed.items() if bet is not Bet.NONE}
        for seat, bet in self.bets.items():
            t.tell(N_("{seat} bets a fiche on: {bet}."), seat=seat, bet=bet)

    def settle_bets(self, t: Table[ZompaOptions], rank: int) -> Outcome | None:
        """The card is here: each one who was wrong pays a fiche, before the card does anything.

        The fiches go to those who were right, one each in turn; if nobody was, to the centre. A
        loser who has nothing any more (he may have talked) pays nothing.
        """
        bets, self.bets = self.bets, {}
        right = [seat for seat, bet in bets.items() if bet is bet_on(rank)]
        wrong = [seat for seat in bets if seat not in right]
        why = N_("{to} has guessed right and {seat} has not: a fiche for {to}.")
        for number, loser in enumerate(wrong):
            if not self.fiches.holds(loser):
                continue
            outcome = self.give(t, loser, right[number % len(right)], why) if right else self.pay_in(t, loser)
            if outcome:
                return outcome
        return None
