"""The campaign of a table: the copy that its next match continues from, and who has another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tavolata._engine.match.campaign import Campaign, after_match
from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Ended
from tavolata.game import Game
from tavolata.messages import N_

BRINGS: Final = N_(
    "Using {name}'s newer copy of {campaign} (match {n}). Check that it's really {name}, then say "
    "you're ready."
)
DIFFERS: Final = N_(
    "{name}'s {campaign} is a different campaign. Use a new name, or have {name} run tt campaigns "
    "--remove {campaign}"
)
STRANGER: Final = N_(
    "{name} has a different campaign called {campaign}. Use a new campaign name, or have "
    "{name} run tt campaigns --remove {campaign}"
)


class TableCampaign:
    """The machines' copies of the table's campaign.

    `of_table` is the one that the next match is part of; None for matches on their own. `others` has, by
    machine, its copy, if that has another history.
    """

    def __init__(self, of_table: Campaign | None = None, others: dict[bytes, Campaign] | None = None) -> None:
        self.of_table = of_table
        self.others = {} if others is None else others

    def say(self, peer: bytes, copy: Campaign) -> str | None:
        """Take a machine's copy; return the notice for all, None if its copy isn't news.

        A copy that continues from the table's replaces it.
        """
        table = self.of_table
        if table is None or copy.name != table.name or table.goes_on_from(copy):
            self.others.pop(peer, None)
            return None
        if copy.goes_on_from(table):
            self.of_table = copy
            self.others = {one: other for one, other in self.others.items() if not copy.goes_on_from(other)}
            self.others.pop(peer, None)
            return BRINGS
        known = self.others.get(peer)
        self.others[peer] = copy
        return DIFFERS if known != copy else None

    def stranger(self, peers: Iterable[bytes]) -> bytes | None:
        """Return the first of these machines with a copy of another history; None if there isn't one."""
        return None if self.of_table is None else next((one for one in peers if one in self.others), None)

    def end(self, header: Header, rules: type[Game[Any]], ended: Ended) -> None:
        """Note a match's end: the next one continues from what it leaves. It may end again, differently."""
        if header.campaign is not None and self.of_table is not None and not ended.suspended:
            cheated = ended.conviction is not None
            self.of_table = after_match(
                header.campaign, header.id, header.names, rules, ended.outcome, cheated=cheated
            )
