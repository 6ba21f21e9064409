"""Moderation of a table: the people that the host shows out, bans or mutes, and the lock on the door.

A seat in a running match is beyond the host's power: its player leaves by its own word, by evidence of
cheating, or when the table ends the match.
"""

from __future__ import annotations

from tavolata._engine.match.updates import LobbyChanged, Notice
from tavolata._engine.table.log_bodies import KEY_SIZE
from tavolata._engine.table.matches import Matches
from tavolata._engine.table.roster import TableRoster
from tavolata._text import Verbatim
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata_protocol.equivocation import read_equivocation
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.identity import verify

LOCKED = N_("The table is locked. The host isn't letting newcomers in.")
BANNED = N_("The host has banned this computer from the table.")
EXPELLED = N_("This machine signed two different logs of this table, so it can't come back.")
SHOWN_OUT = N_("The host has removed you from the table.")
PLAYS = N_("{name} is playing in this match: you can't remove a player who hasn't left.")


class Moderation:
    """The host's powers over people.

    Those in `banned` may not come back (with a machine, those it serves); the talk of those in `muted` is
    void outside a seat; those in `shown_out` have to go and have not come back since. Machines in `expelled`
    lied to the table as its leader or as a voter; nobody lets them back in.
    """

    def __init__(self, roster: TableRoster, matches: Matches) -> None:
        self._roster = roster
        self._matches = matches
        self.locked = False
        self.banned: dict[bytes, Verbatim] = {}
        self.muted: set[bytes] = set()
        self.shown_out: set[bytes] = set()
        self.expelled: set[bytes] = set()

    def why_not_enter(self, peer: bytes) -> str | None:
        if peer[:KEY_SIZE] in self.expelled:
            return EXPELLED
        if peer in self.banned or peer[:KEY_SIZE] in self.banned:
            return BANNED
        return LOCKED if self.locked and not self._roster.belongs(peer) else None

    def is_muted(self, peer: bytes) -> bool:
        """Return True if a person, or the machine that serves it, was silenced outside its seat.

        A person who has become the host may speak, since nobody else could lift it.
        """
        return not self.muted.isdisjoint({peer, peer[:KEY_SIZE]} - {self._roster.host})

    def kick(self, author: bytes, peer: bytes) -> None:
        """Show a watcher out, or between matches a player; with a machine go those it serves.

        Raise `Refused` if the author is not the host, or this peer can't be shown out now.
        """
        roster, name = self._roster, self._checked(author, peer)
        out = {peer, *roster.companions(peer)}
        roster.watchers = {one: name for one, name in roster.watchers.items() if one not in out}
        roster.places = [place for place in roster.places if place.person not in out]
        self.shown_out |= out
        said = {"name": roster.name_of(author), "other": name}
        self._tell(Notice(N_("{name} has removed {other}."), said))

    def ban(self, author: bytes, peer: bytes, yes: bool) -> None:
        """Ban a key for the table's life, or lift the ban; the errors are those of `kick`."""
        roster = self._roster
        if yes:
            name = self._checked(author, peer)
            self.kick(author, peer)
            self.banned[peer] = name
            return
        roster.expect_host(author)
        if peer not in self.banned:
            raise Refused(N_("No one with that key is banned."))
        name = self.banned.pop(peer)
        self._tell(Notice(N_("{name} is allowed to come back."), {"name": name}))

    def expel(self, proof: bytes) -> bytes | None:
        """Expel the machine that a proof convicts, and return it; None if the proof is void or old news."""
        try:
            found = read_equivocation(proof)
        except MalformedMessage:
            return None
        liar = found.equivocator
        is_of_table = found.first.lineage == self._matches.stamp.lineage
        if liar in self.expelled or not is_of_table or not found.is_genuine(verify):
            return None
        self.expelled.add(liar)
        self.shown_out |= {liar, *self._roster.companions(liar)}
        return liar

    def lock(self, author: bytes, yes: bool) -> None:
        self._roster.expect_host(author)
        if yes is not self.locked:
            self.locked = yes
            said = N_("The host has locked the table.") if yes else N_("The host has unlocked the table.")
            self._tell(Notice(said))

    def mute(self, author: bytes, peer: bytes, yes: bool) -> None:
        """Silence for all what a peer says outside a seat; what a seat does in a match counts."""
        roster = self._roster
        roster.expect_host(author)
        if peer == roster.host or not roster.belongs(peer) or (peer in self.muted) is yes:
            raise Refused(N_("That wouldn't change anything."))
        (self.muted.add if yes else self.muted.discard)(peer)
        said = N_("{name} is muted.") if yes else N_("{name} may speak again.")
        self._tell(Notice(said, {"name": roster.name_of(peer)}))

    def _checked(self, author: bytes, peer: bytes) -> Verbatim:
        """Return the name of a peer that may be shown out."""
        roster = self._roster
        roster.expect_host(author)
        name = roster.name_of(peer)
        if peer == roster.host or not roster.belongs(peer):
            raise Refused(N_("No one else here has that name."))
        out = {peer, *roster.companions(peer)}
        if self._matches.is_busy and any(place.person in out for place in roster.places):
            raise Refused(PLAYS, name=name)
        return name

    def _tell(self, notice: Notice) -> None:
        self._roster.out += [notice, LobbyChanged()]
