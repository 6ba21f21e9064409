"""The host's place: handed on by the host's own word, or by the seated when most of them don't hear the host.

A vote says what its author's machine has seen: no packet of the host's for 15 seconds. Any word of the host's
voids the votes, and gives it back a place that was voted away.
"""

from __future__ import annotations

from typing import Final

from tavolata._engine.match.updates import LobbyChanged, Notice
from tavolata._engine.table.log_bodies import LEFT
from tavolata._engine.table.roster import TableRoster
from tavolata.errors import Refused
from tavolata.messages import N_

UNHEARD: Final = 15.0
"""Seconds without a packet of the host's after which a peer votes."""


class Succession:
    """The order in which peers keep the table.

    `votes` has the peers that don't hear the host, `displaced` the hosts that were voted away and have not
    spoken since, the first of them first.
    """

    def __init__(self, roster: TableRoster) -> None:
        self._roster = roster
        self.votes: set[bytes] = set()
        self.displaced: list[bytes] = []

    @property
    def seated(self) -> list[bytes]:
        """Return the peers with a place, in the order of their places; the host is one of them."""
        return list(dict.fromkeys(place.peer for place in self._roster.places if place.status != LEFT))

    def heard(self, author: bytes) -> None:
        roster = self._roster
        if author == roster.host:
            self.votes.clear()
        elif author in self.displaced and roster.belongs(author):
            del self.displaced[self.displaced.index(author) :]
            self._give(author)

    def vote(self, author: bytes, yes: bool) -> None:
        """Take a seated peer's vote on hearing the host; the host's own means that it's here.

        Raise `Refused` if the author has no seat.
        """
        roster, seated = self._roster, self.seated
        if author not in seated:
            raise Refused(N_("Only those who sit here say that."))
        if author == roster.host:
            return
        (self.votes.add if yes else self.votes.discard)(author)
        voters = [peer for peer in seated if peer in self.votes]
        if 2 * len(voters) > len(seated):
            self.displaced.append(roster.host)
            self._give(voters[0])

    def hand_over(self, author: bytes, heir: bytes) -> None:
        """Hand the table over to a seated peer.

        Raise `Refused` if the author is not the host, or the heir has no seat.
        """
        self._roster.expect_host(author)
        if heir not in self.seated or heir == author:
            raise Refused(N_("Nobody else of that name sits at the table."))
        self._give(heir)

    def _give(self, heir: bytes) -> None:
        roster = self._roster
        roster.host = heir
        self.votes.clear()
        roster.out += [
            Notice(N_("{name} keeps the table now."), {"name": roster.name_of(heir)}),
            LobbyChanged(whole=True),
        ]
