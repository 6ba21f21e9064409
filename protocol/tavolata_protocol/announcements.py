"""Announcements of open tables, as objects and as the TXT fields of DNS-SD.

Only the meaning of the fields is here. Anybody can send an announcement, so it is only a hint. A probe of the
address shows whether a table is there (`io.probing`), and the handshake proves who the host is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.messages.packets import WIRE_MAJOR
from tavolata_protocol.printable import admit

SERVICE = "_tavolata._udp.local."
"""The DNS-SD service type of a table."""
MAX_NAME = 24
MAX_GAME = 40
_MAX_ID = 32
_LABEL = 63  # bytes of one label of a DNS name


@dataclass(frozen=True, slots=True)
class Announcement:
    """An open table: `name` is the host's, `port` the UDP port that answers calls.

    `free` counts free seats; if `private`, joining takes a code. `version` is the host's wire version.
    """

    table: bytes
    name: str
    game: str
    port: int
    private: bool = False
    free: int = 0
    version: int = WIRE_MAJOR

    def txt(self) -> dict[str, str]:
        """Return the TXT fields; the port stands in the SRV record beside them."""
        return {
            "v": str(self.version),
            "id": self.table.hex(),
            "name": self.name,
            "game": self.game,
            "access": "private" if self.private else "open",
            "free": str(self.free),
        }

    @property
    def label(self) -> str:
        """The name that DNS-SD tools list: readable for people, and different for every table."""
        words = admit(f"{self.name} {self.game}", _LABEL).replace(".", " ")
        end = f" {self.table.hex()[:8]}"
        return words.encode()[: _LABEL - len(end)].decode(errors="ignore") + end


def read_txt(txt: Mapping[str, str | None], port: int) -> Announcement:
    """Return the announcement in TXT fields; fields of later versions are ignored.

    Raise `MalformedMessage` if a field is missing or invalid.
    """
    try:
        table = bytes.fromhex(txt.get("id") or "")
        version, free = int(txt.get("v") or ""), int(txt.get("free") or "0")
    except ValueError:
        raise MalformedMessage("An announcement with a field that is none.") from None
    name, game = txt.get("name") or "", txt.get("game") or ""
    return checked(Announcement(table, name, game, port, txt.get("access") == "private", free, version))


def checked(announcement: Announcement) -> Announcement:
    """Return the same announcement with printable texts; raise `MalformedMessage` if it is invalid."""
    one = announcement
    sound = 0 < len(one.table) <= _MAX_ID and 0 < one.port < 65536
    if not sound or not 0 <= one.free < 256 or not 0 <= one.version < 256:
        raise MalformedMessage("An announcement of no table that can be.")
    name, game = admit(one.name, MAX_NAME), admit(one.game, MAX_GAME)
    return Announcement(one.table, name, game, one.port, one.private, one.free, one.version)
