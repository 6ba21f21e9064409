"""A guided match: the game's hints are shown beside events and questions until the player knows them.

If several people share a keyboard, each asks for hints while the others look away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Iterator

from typing_extensions import override

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Asked, Hinted, Told, Update
from tavolata._engine.sessions.forwarding import ForwardingSession
from tavolata._engine.sessions.session import TableSession
from tavolata.asks import Ask
from tavolata.messages import Event, Hint

TIMES = 2
"""The number of times a hint is shown; after two times the player knows it."""


def hints(match: Match, seat: int | None, about: Ask | Event) -> list[Hint]:
    """What the game has to say about a question or an event to who sits there; nothing if it breaks."""
    try:
        return list(match.game.hints(match.view(seat), about))
    except Exception:  # noqa: BLE001 - a hint that is broken must not break a match; the kit finds it
        return []


class Guided(ForwardingSession):
    """A session with hints; see `TableSession`.

    Args:
        whole: the session.
    """

    def __init__(self, whole: TableSession) -> None:
        super().__init__(whole)
        self._given: Counter[str] = Counter()

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        """Hints on a question come before it, those on an event after it."""
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
        if self.match is None or len(self.people) > 1:  # a hint on one's cards would be everybody's
            return
        for one in hints(self.match, seat, about):
            told = f"{one.message} {sorted(one.params.items())}"  # with other numbers it is another one
            self._given[told] += 1
            if self._given[told] <= TIMES:
                yield Hinted(one.message, one.params)
