"""After a proof of two stories: the liar is heard no more, and the others go on in a lineage without it.

What it made final is not to be trusted, so no election can help: two honest copies may differ in entries
that were final. The first voter who is left begins a new lineage with what its own copy holds; the others
keep their copies aside and join afresh, as after any other parting of lineages.
"""

from __future__ import annotations

from tavolata_protocol.entries import branch
from tavolata_protocol.equivocation import TwoStories
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.leadership import Office
from tavolata_protocol.grouplog.roles import ASLEEP, State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration, Member, Role


class Deposing:
    """Who was convicted, and when this peer begins without them."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._at: float | None = None
        self._joins = False
        office.desk.when_lied = self.convict

    def convict(self, stories: TwoStories) -> None:
        """A peer told two stories: it is listened to no more, here and after a restart."""
        desk = self._office.desk
        if stories.liar not in desk.convicted:
            desk.convicted[stories.liar] = stories
            desk.disk.write(storage.Convicted(stories.pack()))
            desk.tell(events.StoriesTold(stories))
            self.part()

    def part(self) -> None:
        """Follow nobody in a lineage whose orderer lied; wait for who begins anew, or for the own turn."""
        desk = self._office.desk
        lied = any(stories.first.lineage == desk.lineage for stories in desk.convicted.values())
        if not lied or desk.state in (*ASLEEP, State.JOINING, State.PARTED):
            return
        self._office.leave(Trigger.CONVICTED)
        # Those who are absent in one story count in another: all have their place in the queue.
        counted = [one.peer for one in desk.configuration.members if one.role is not Role.LEARNER]
        honest = [peer for peer in counted if peer not in desk.convicted]
        if desk.is_voter and desk.me in honest:
            self._at = desk.now + honest.index(desk.me) * desk.timing.depose

    def due(self) -> float | None:
        """When this peer begins without the convicted."""
        return self._at if self._office.desk.state is State.PARTED else None

    def tick(self) -> None:
        """Begin, if it is time."""
        desk = self._office.desk
        if (at := self.due()) is None or desk.now < at:
            return
        members = (
            Member(one.peer, one.birth, Role.ABSENT)
            if one.role is Role.VOTER and one.peer != desk.me
            else one
            for one in desk.configuration.members
            if one.peer not in desk.convicted
        )
        branch_off(self._office, Configuration(tuple(members)))

    def gives_way(self, founder: PeerId) -> bool:
        """Whether `founder`, who orders another lineage, is to be joined: it began anew before this peer."""
        desk, order = self._office.desk, self._office.desk.configuration.peers
        if not desk.convicted or founder in desk.convicted or founder not in order:
            return False
        if desk.state is not State.PARTED and order.index(founder) > order.index(desk.me):
            return False
        if not self._joins:
            self._joins, self._at = True, None
            desk.tell(events.BegunAnew(founder))
        return True


def branch_off(office: Office, configuration: Configuration) -> None:
    """Begin a new lineage behind everything that this copy holds, and order it."""
    desk = office.desk
    lineage = branch(desk.lineage or b"", desk.journal.chain, desk.me)
    office.enter_term(desk.term + 1, desk.me)
    desk.turn(Trigger.TAKES_OVER)
    desk.lineage = lineage
    office.take().append_control(configuration)
    desk.enter_lineage(lineage)
    office.proposing.sign_again()
