"""The wish of those who are at the table to continue without the missing, in a new match, or to go back.

The new match continues from the last clean snapshot of the old one, which every replica takes for itself. Its
header follows from the log: whoever proposes it chooses nothing. To go back is to continue without anyone
missing, which all parties have to wish.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tavolata._engine.match.dealing import Dealing
from tavolata._engine.match.header import CONVICTED, LEFT, SILENT, STRICT, Before, Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import hidden
from tavolata._engine.match.state import Writer, pack
from tavolata.cards import Hand, Pile
from tavolata.cups import DiceDeck
from tavolata.errors import GameError, Refused
from tavolata.messages import N_
from tavolata_protocol.fair.keys import threshold

LEAST = 2
"""The fewest machines that can deal together."""
MOST = 24 * 1024
"""The most bytes of a snapshot: it has to fit into START."""
NOT_MISSING = N_(
    "You can only continue without a player whose computer has been silent for a minute. "
    "None has been silent that long yet."
)
CANT_GO_ON = N_(
    "Only players can continue without the absent players, and only in a match where everyone deals."
)
TOO_FEW = N_("Continuing without the absent players takes at least two machines.")
ONE_DEALS = N_("Only one computer deals in this match, so no one can go back a turn.")
ONLY_PLAYERS = N_("Only players can go back a turn, and only in a match where everyone deals.")
CANT_GO_BACK = N_(
    "You can't go back: every turn so far has ended with hidden hands or sealed answers. Instead, you "
    "can stop for today (suspend)."
)
NO_SNAPSHOT = N_(
    "You can't do that yet: every turn so far has ended with hidden hands or sealed answers. Wait, or "
    "stop for today (suspend)."
)
CANT_DECIDE = N_(
    "There aren't enough machines here to continue without the absent players. Wait, or stop for today "
    "(suspend)."
)
NOT_AGREED = N_("The players here can't continue that match.")


@dataclass(frozen=True)
class CleanSnapshot:
    """The state of a match in which no one holds a secret.

    `chain` is the log's chain hash at the entry with which the turn ended; `turns` counts those that were
    over.
    """

    chain: bytes
    turns: int
    state: bytes


class Continuation:
    """The wish to continue, of those who are there.

    `snapshot` is the match's last clean one; None if there was none yet. `wishes` has, by party, the machines
    without which it would continue: none if it would go back.
    """

    def __init__(self) -> None:
        self.snapshot: CleanSnapshot | None = None
        self.wishes: dict[bytes, frozenset[bytes]] = {}
        self._taken_at = 0

    def begin(self, header: Header, match: Match[LogSource]) -> None:
        """Begin a match; one that continues from a snapshot can do so once more."""
        self.snapshot, self.wishes, self._taken_at = None, {}, 0
        if match.source.dealing.is_fair:
            match.on_turn = lambda: self._turn_over(match)
            if header.before is not None:
                self.snapshot = CleanSnapshot(match.source.stamp.chain, match.turns, header.before.snapshot)

    def _turn_over(self, match: Match[LogSource]) -> None:
        state = snapshot_of(match, match.source.dealing.seen())
        if state is not None and len(state) <= MOST:
            self.snapshot = CleanSnapshot(match.source.stamp.chain, match.turns, state)
            self._taken_at = match.table.turn
            self.wishes = {peer: missing for peer, missing in self.wishes.items() if missing}

    def go_back(self, match: Match[LogSource]) -> None:
        """Take an answer back: no match can continue from a turn that isn't over any more."""
        if self._taken_at > match.table.turn:
            self.snapshot, self._taken_at = None, 0
            self.wishes.clear()

    def why_not(self, dealing: Dealing, peer: bytes, missing: Collection[bytes]) -> str | None:
        """Return why a party can't wish to continue without these; None if it can."""
        if peer not in dealing.remaining:
            return CANT_GO_ON
        rest = set(dealing.remaining) - set(missing)
        if self.snapshot is None:
            return NO_SNAPSHOT
        if not missing or peer in missing or not set(missing) <= set(dealing.remaining):
            return NOT_MISSING
        return TOO_FEW if len(rest) < LEAST else None

    def why_not_back(self, dealing: Dealing, peer: bytes) -> str | None:
        """Return why a party can't wish to go back; None if it can."""
        if not dealing.is_fair:
            return ONE_DEALS
        if peer not in dealing.remaining:
            return ONLY_PLAYERS
        return CANT_GO_BACK if self.snapshot is None else None

    def say(self, dealing: Dealing, peer: bytes, missing: Sequence[Any], *, yes: bool) -> frozenset[bytes]:
        """Take a party's wish, or take it back; returns the machines that it names.

        Raise `Refused` if it can't wish that, or says nothing new.
        """
        named = frozenset(one for one in missing if type(one) is bytes)
        if len(named) != len(missing) or (self.wishes.get(peer) == named) is yes:
            raise Refused(NOT_MISSING)
        if not yes:
            self.wishes.pop(peer, None)
            return named
        if named and (why := self.why_not(dealing, peer, named)) is not None:
            raise Refused(why)
        self.wishes[peer] = named
        return named

    def leaves_out(self, peer: bytes) -> bool:
        """Return True if someone would continue without this peer."""
        return any(peer in missing for missing in self.wishes.values())

    def agreed(self, header: Header, dealing: Dealing) -> Header | None:
        """Return the new match's header, without an id, if everyone in it wishes the same; otherwise None."""
        for missing in dict.fromkeys(self.wishes.values()):
            rest = [peer for peer in dealing.remaining if peer not in missing]
            if all(self.wishes.get(peer) == missing for peer in rest):
                return self._header(header, dealing, missing)
        return None

    def _header(self, header: Header, dealing: Dealing, missing: Collection[bytes]) -> Header:
        assert self.snapshot is not None  # without one there is no wish
        why = dict(header.before.absent) if header.before is not None else {}
        for key in header.parties:
            if key in dealing.convicted():
                why[header.keys.index(key)] = CONVICTED
            elif key not in dealing.remaining:
                why[header.keys.index(key)] = LEFT
            elif key in missing:
                why[header.keys.index(key)] = SILENT
        snapshot = self.snapshot
        before = Before(header.id, snapshot.chain, snapshot.state, tuple(sorted(why.items())))
        return replace(header, id="", before=before)


def needed(header: Header, machines: int) -> int:
    """Return how many of these machines could see hidden cards of a match with these terms."""
    return threshold(machines, strict=header.dealer == STRICT)


def snapshot_of(match: Match[Any], seen: frozenset[int]) -> bytes | None:
    """Return the packed state of a match at the end of a turn; None if it isn't clean.

    It is clean if nobody holds a secret: no answer is sealed, nothing is claimed about a hidden card, the
    hidden cards of each kind are in one pile of which nobody has seen a hidden card, and no die is hidden.
    Then all that it hides is their order, and a match that continues from it shuffles them again.

    `seen` are the hidden cards that someone may see.
    """
    if match.over or match.table._facts.said or not _lie_unseen(match, seen):
        return None
    try:
        state = match.state()
        writer = Writer(match.table)
        for name, value in vars(match.game).items():
            writer.write(value, name)
    except GameError:
        return None  # this game's state has no encoding
    return pack(state) if all(secret.is_open for secret in writer.secrets.values()) else None


def _lie_unseen(match: Match[Any], seen: frozenset[int]) -> bool:
    """Return True if the hidden cards of each kind are in one pile, unseen by anyone."""
    pieces = match.table._pieces
    piles = [one for one in pieces.named.values() if isinstance(one, Pile) and not isinstance(one, Hand)]
    return all(
        not isinstance(deck, DiceDeck)
        and seen.isdisjoint(card.id for card in cards)
        and any(set(cards) <= set(pile.cards) for pile in piles)
        for deck, cards in hidden(pieces.cards).items()
    )
