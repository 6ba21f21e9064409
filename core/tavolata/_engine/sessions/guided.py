"""A guided match, which shows the game's hints beside events and questions.

If several people share a keyboard, no hint is shown on its own, because all would see it. Each of them can
ask for one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Iterator

from typing_extensions import override

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Asked, Hinted, Told, Update
from tavolata._engine.sessions.session import ForwardingSession, TableSession
from tavolata.asks import Ask
from tavolata.messages import Event, Text

TIMES = 2
"""The number of times a hint is shown; after two times the player knows it."""


def hints(match: Match, seat: int | None, about: Ask | Event) -> list[Text]:
    """Return the hints for a seat about a question or an event; none if the game's code for hints fails."""
    try:
        return list(match.game.hints(match.view(seat), about))
    except Exception:  # noqa: BLE001 - a hint that is broken must not break a match; the kit finds it
        return []


class Guided(ForwardingSession):
    def __init__(self, whole: TableSession) -> None:
        super().__init__(whole)
        self._given: Counter[str] = Counter()

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        """Give hints on a question before it, those on an event after it."""
        stream = self._whole.updates()
        try:
            async for update in stream:
                if isinstance(update, Asked) and update.mine:
                    for one in self._hints(int(update.ask.seat), update.ask):
                        yield one
                yield update
                if isinstance(update, Told):
                    for one in self._hints(self.people[0] if self.people else None, update.event):
                        yield one
        finally:
            await stream.aclose()

    def _hints(self, seat: int | None, about: Ask | Event) -> Iterator[Hinted]:
        if self.match is None or len(self.people) > 1:  # all would see a hint about one player's cards
            return
        for one in hints(self.match, seat, about):
            # The same message with other values is another hint.
            told = f"{one.message} {sorted(one.params.items())}"
            self._given[told] += 1
            if self._given[told] <= TIMES:
                yield Hinted(one.message, one.params)
