"""The bots of Zompa: what they say to the dead and to the living, and what they bet.

A bot is a function of its view. Zompa leaves nothing to decide but words and bets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from tavolata import N_, Ask, Options, Question, Seat, View
from tavolata.bots import Bot, Chance, ChatMessage, Interject
from tavolata_zompa.options import Talk, ZompaOptions
from tavolata_zompa.rules import BET, Bet, Zompa, bet_on

LURES = (
    N_("Psst! Have you got the time?"),
    N_("Is that your horse outside?"),
    N_("You're sitting in my chair."),
    N_("Quick: what's seven times eight?"),
    N_("Did you leave the gas on?"),
    N_("Your aunt is here too. She says hello."),
    N_("Many happy returns! No? Not today?"),
    N_("Would you pass me the nuts?"),
    N_("I know the next card. Ask me."),
    N_("Boo!"),
    N_("You have a fiche on your nose."),
    N_("It's so quiet here. Say something nice."),
)
"""What a dead bot writes to a living player."""
SLIPS = (
    N_("Who said that?"),
    N_("Not now, I'm still alive."),
    N_("Fifty-six. Oh no."),
    N_("I'm not talking to you."),
    N_("Shh!"),
    N_("Same to you... oops."),
)
"""What a living bot answers, and should not have."""


def _talk(options: Options) -> Talk:
    assert isinstance(options, ZompaOptions)
    return options.talk


class EasyBot(Bot):
    """It wears its heart on its sleeve: alive, it answers one voice in ten.

    `answers`: in how many of a hundred cases it answers a dead player (ruling 17). `calls`: in how many it
    addresses the living when it is dead. It keeps silent while another dead player waits for an answer.
    """

    level = "easy"
    interjects = True
    answers: ClassVar[int] = 10
    calls: ClassVar[int] = 4

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        return ask.question.any(chance)

    @override
    def invited(self, options: Options) -> int:
        """Return how often it may have something to say; a dead bot is silent at most cards."""
        return 0 if _talk(options) is Talk.OFF else max(self.answers, self.calls)

    @override
    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        """Dead, call a living player now and then; alive, answer now and then; as the table talks."""
        game, seat = view.game, view.seat
        if not isinstance(game, Zompa) or seat is None:
            return None
        if game.addressed:
            callers = game.callers_of(seat)
            if not callers or not self._does(self.answers, chance):
                return None
            dead = chance.pick(callers)
            words = _talk(view.options) is Talk.CHAT
            return ChatMessage((dead,), chance.pick(SLIPS)) if words else Interject("answer", dead)
        holds = game.fiches.holds
        if holds(seat) or _talk(view.options) is Talk.OFF or not self._does(self.calls, chance):
            return None
        living = [one for one in view.ring.where(holds) if one != game.dealer]
        if not living:
            return None
        to = self.whom(game, living, chance)
        words = _talk(view.options) is Talk.CHAT
        return ChatMessage((to,), chance.pick(LURES)) if words else Interject("speak", to)

    def _does(self, share: int, chance: Chance) -> bool:
        """Return True in that many of a hundred cases, of which it is asked in some."""
        most = max(self.answers, self.calls)
        return share == most or chance.below(most) < share

    def whom(self, game: Zompa, living: list[Seat], chance: Chance) -> Seat:
        """Lure anyone."""
        return chance.pick(living)


class NormalBot(EasyBot):
    """It bites its tongue, lures those who can spare a fiche, and remembers the cards.

    It bets when the pack promises more than a fair chance, and never its last fiche.
    """

    level = "normal"
    answers = 3
    calls = 6

    @override
    def whom(self, game: Zompa, living: list[Seat], chance: Chance) -> Seat:
        """Lure one of the richest: a rich player can pay again."""
        holds = game.fiches.holds
        most = max(map(holds, living))
        return chance.pick([one for one in living if holds(one) == most])

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """Bet on what more than half of the cards in the pack are."""
        game, seat = view.game, view.seat
        if not isinstance(game, Zompa) or ask.question is not BET:
            return super().choose(view, ask, chance)
        assert seat is not None
        left = Counter(bet_on(face) for face in range(1, 11) for _ in range(4))
        left -= Counter(bet_on(card.face.rank) for card in game.discard) if game.deck else Counter()
        best, cards = left.most_common(1)[0]
        sure = game.fiches.holds(seat) > 1 and 2 * cards > left.total()
        return best if sure else Bet.NONE
