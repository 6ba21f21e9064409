"""A session shared by several frontends: each has seats of its own, and all get the same updates.

For example, a program in a seat has a frontend beside that of the people.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Sequence
from typing import Any

from typing_extensions import override

from tavolata._engine.match.updates import Asked, Closed, Hinted, Notice, Said, Update, WindowOpened
from tavolata._engine.sessions.session import ForwardingSession, TableSession
from tavolata.errors import Refused
from tavolata.messages import N_


def heard_by(
    update: Update,
    me: bytes,
    name_of: Callable[[bytes], str],
    person_at: Callable[[int], bytes],
    people: Collection[int],
    ignored: Collection[bytes],
) -> Update | None:
    """Return an update of a machine as one of the people there hears it; None if it is for others.

    `me` is as in `Place.person`; the words of the people in `ignored` are left out. A question that is closed
    concerns the person at that seat, even if somebody else plays it now and it isn't among `people`.
    """
    match update:
        case Asked(ask, mine):
            return Asked(ask, mine and ask.seat in people)
        case Closed(ask, _) if person_at(int(ask.seat)) != me:
            return None
        case WindowOpened(window, mine):
            return WindowOpened(window, tuple(seat for seat in mine if seat in people))
        case Notice(seat=seat, to=to) if (seat is not None and seat not in people) or (to and to != me):
            return None
        case Said(name) if name in map(name_of, ignored):
            return None
        case Said(name):
            own = name_of(me)
            return update.as_heard((own,))._replace(mine=name == own)
        case _:
            return update


class Share(ForwardingSession):
    """Some of the seats of a session; `attended` says that somebody can type there."""

    __slots__ = ("attended", "people")  # attributes, where a session has properties

    def __init__(self, whole: TableSession, people: tuple[int, ...], *, attended: bool = True) -> None:
        super().__init__(whole)
        self._news: asyncio.Queue[Update | None] = asyncio.Queue()
        self.people = people
        self.attended = attended

    def tell(self, update: Update | None) -> None:
        """Add an update to the stream of this share; None ends the stream."""
        self._news.put_nowait(update)

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        while (update := await self._news.get()) is not None:
            for one in self._as_heard(update):
                yield one

    def _as_heard(self, update: Update) -> Iterator[Update]:
        match update:
            case Asked(ask, _):
                yield Asked(ask, ask.seat in self.people)
            case Closed(ask, _):
                if ask.seat in self.people:
                    yield update
            case WindowOpened(window, mine):
                yield WindowOpened(window, tuple(seat for seat in mine if seat in self.people))
            case Said(name, mine=mine):
                own = [self.names[seat] for seat in self.people]
                yield update.as_heard(own)._replace(mine=mine and name in own)
            case Notice(seat=int(seat)) | Hinted(seat=int(seat)) if seat not in self.people:
                pass
            case _:
                yield update

    @override
    def say(self, text: str, to: Sequence[int] = (), seat: int | None = None) -> None:
        if seat is None and not self.people:
            raise Refused(N_("You're watching. Only players can do that."))
        self._whole.say(text, to, self.people[0] if seat is None else seat)


class Lead(Share):
    """The share whose frontend drives the session: the others get an update when this one reads it.

    An error of `trouble` ends the session.
    """

    def __init__(self, whole: TableSession, others: tuple[Share, ...], trouble: asyncio.Future[None]) -> None:
        taken = {seat for share in others for seat in share.people}
        people = tuple(seat for seat in whole.people if seat not in taken)
        super().__init__(whole, people, attended=whole.attended and bool(people))
        self._others = others
        self._trouble = trouble

    @override
    async def updates(self) -> AsyncGenerator[Update, None]:
        stream = self._whole.updates()
        try:
            while (update := await self._next(stream)) is not None:
                for share in self._others:
                    share.tell(update)
                for one in self._as_heard(update):
                    yield one
        finally:
            await stream.aclose()
            for share in self._others:
                share.tell(None)

    async def _next(self, stream: AsyncGenerator[Update, None]) -> Update | None:
        step = asyncio.ensure_future(anext(stream, None))
        either: list[asyncio.Future[Any]] = [step, self._trouble]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._trouble.done():
                self._trouble.result()
            return await step
        finally:
            if not step.done():
                step.cancel()
                await asyncio.gather(step, return_exceptions=True)
