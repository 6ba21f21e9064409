"""The bots of Zompa: what they say to the dead, and what they bet.

A bot is a function of its view. Zompa leaves nothing to decide but words and bets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from tavolata import Answer, Ask, Bot, Chance, Kind, OneOf, Say, Seat, View
from tavolata_zompa.options import Talk, ZompaOptions
from tavolata_zompa.rules import Bet, Zompa, bet_on

LURES = ("Psst!", "Psst... psst!", "Ehi!", "Hm-hm.", "Oh!")
SLIPS = ("Eh?", "Ah!", "Oh...", "Ssst!", "Ops!")


class EasyBot(Bot):
    """It has its heart on its tongue: alive it answers one voice in ten; dead, it keeps calling.

    Attributes:
        answers: in how many of a hundred cases it answers a dead player (ruling 17).
        calls: in how many of a hundred cases it addresses the living when it is dead.
    """

    level = "easy"
    interjects = True
    answers: ClassVar[int] = 10
    calls: ClassVar[int] = 60

    def choose(self, view: View, ask: Ask, kind: Kind, chance: Chance) -> Answer:
        """Whatever comes to mind."""
        return kind.nth(chance.below(kind.count()))

    def interject(
        self, view: View, standing: Mapping[str, Kind], chance: Chance
    ) -> tuple[str, Answer] | Say | None:
        """Dead, call a living player; alive, now and then answer; as the table talks."""
        game, seat = view.game, view.seat
        if not isinstance(game, Zompa) or seat is None:
            return None
        if standing:
            return self._offer(game, seat, standing, chance)
        if isinstance(view.options, ZompaOptions) and view.options.talk is Talk.CHAT:
            return self._chat(game, seat, view, chance)
        return None

    def _offer(
        self, game: Zompa, seat: Seat, standing: Mapping[str, Kind], chance: Chance
    ) -> tuple[str, Answer] | None:
        for name, share in (("answer", self.answers), ("speak", self.calls)):
            kind = standing.get(name)
            if isinstance(kind, OneOf) and chance.percent(share):
                return name, kind.answer_for(self.whom(game, list(kind.values), chance))
        return None

    def _chat(self, game: Zompa, seat: Seat, view: View, chance: Chance) -> Say | None:
        callers = game.callers_of(seat)
        if callers and chance.percent(self.answers):
            return Say(self.whom(game, callers, chance), chance.pick(SLIPS))
        living = [one for one in view.ring.those(game.fiches.holds) if one != game.dealer]
        if (
            living
            and not game.fiches.holds(seat)
            and seat not in game.addressed
            and chance.percent(self.calls)
        ):
            return Say(self.whom(game, living, chance), chance.pick(LURES))
        return None

    def whom(self, game: Zompa, among: list[Seat], chance: Chance) -> Seat:
        """Whom of these it speaks to."""
        return chance.pick(among)


class NormalBot(EasyBot):
    """It bites its tongue, calls those who can spare a fiche, and remembers the cards.

    It bets when the pack promises more than a fair chance, and never its last fiche.
    """

    level = "normal"
    answers = 3
    calls = 80

    def whom(self, game: Zompa, among: list[Seat], chance: Chance) -> Seat:
        """The richest: he can pay again."""
        return max(among, key=game.fiches.holds)

    def choose(self, view: View, ask: Ask, kind: Kind, chance: Chance) -> Answer:
        """Bet on what more than half of the cards in the pack are."""
        game, seat = view.game, view.seat
        if not isinstance(game, Zompa) or not isinstance(kind, OneOf) or Bet.NONE not in kind.values:
            return super().choose(view, ask, kind, chance)
        assert seat is not None
        left = Counter(bet_on(face) for face in range(1, 11) for _ in range(4))
        left -= Counter(bet_on(card.face.rank) for card in game.discard) if game.deck else Counter()
        best, cards = left.most_common(1)[0]
        sure = game.fiches.holds(seat) > 1 and 2 * cards > left.total()
        return kind.answer_for(best if sure else Bet.NONE)
