"""Errors of opening, reaching, joining and staying at a table, each with a sentence for people."""

from __future__ import annotations

from tavolata.errors import MessageError
from tavolata.messages import N_


class Unreachable(MessageError):
    """No table answers at that address."""


class NothingKept(Exception):
    """The stored copy of the table is gone, or was never fetched."""


class PortTaken(MessageError):
    """The port or address can't be used."""


class TableRefused(MessageError):
    """The table does not take this peer in."""


class CodeWanted(TableRefused):
    def __init__(self, name: str) -> None:
        super().__init__(
            N_("{name}'s table is private. Type its code when asked, or read it from a file: "
                "--code-file FILE."),
            name=name,
        )  # fmt: skip
        self.name = name


class CodeRefused(TableRefused):
    """The table is private, and the code is not its code."""


OTHER_KEY = N_(
    "{name}'s key has changed (now {key}), so this may be someone else. Ask {name}; if the key is theirs, "
    "run `tt join --new-key`."
)
OTHER_PERSON = N_(
    "You met a different {name} on {date}; this one's key is {key}. If you're expecting this {name}, add "
    "the key with `tt join --new-key`."
)


class KeyChanged(TableRefused):
    """The host has a key that this machine hasn't met under its name; `key` is the new one's fingerprint.

    `met` is the day when the one who is known was met; empty if that isn't known, or if this may be an
    impostor, at the address of the one who is known.
    """

    def __init__(self, name: str, key: str, met: str = "") -> None:
        super().__init__(OTHER_PERSON if met else OTHER_KEY, name=name, key=key, date=met)


class TableLost(MessageError):
    """This peer is no longer at the table, against its will."""


class HasLeft(TableLost):
    """This peer had left when its computer went off; it has to join again."""


class PlayedElsewhere(TableLost):
    """Another machine with this one's key is at the table: this one says nothing more, not even goodbye."""


class ReplicasDiffer(MessageError):
    """Two machines have different states of one match, so that it is void, or this one may not look on."""


class TableRejoined(TableLost):
    """This peer's copy of the log was rolled back or put aside: it is to join again at once.

    A member is reached at `address` (for `tt join`) and has a key with the fingerprint `key`.
    """

    def __init__(self, why: str, address: str, key: str) -> None:
        super().__init__(why)
        self.address, self.key = address, key
