"""Discovery of tables by broadcast and multicast, for networks where mDNS does not get through.

    searcher: TableQuery, 512 bytes, to broadcast or multicast --->  every host on the network
                             <--- TableReply: no longer than the query, to the query's source

A host remembers nothing, and no reply is longer than its query. One query reaches many hosts, so a host
replies only to sources on its own network, and only a few times a second (see `io.beacon`). Bytes only.
"""

from __future__ import annotations

from tavolata_protocol import codec
from tavolata_protocol.announcements import Announcement, checked
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.messages.beacons import TableQuery, TableReply

PORT = 8287
"""The discovery port: the one after the usual port of a table."""
GROUP = "ff12::7461:766f:6c61:7461"
"""The IPv6 group of hosts, for one link only; its last eight bytes spell the program's name."""
SIZE = 512
"""Bytes of a query."""
_MARK = b"tavolata/1 "  # no packet of a session begins so


def question(nonce: bytes) -> bytes:
    """Return the query datagram, with 8 random bytes that the replies return."""
    bare = len(_MARK) + len(codec.encode(TableQuery(nonce, bytes(256)))) - 256
    return _MARK + codec.encode(TableQuery(nonce, bytes(SIZE - bare)))


def answer(datagram: bytes, announcement: Announcement) -> bytes:
    """Return the reply to a datagram; raise `MalformedMessage` if it isn't a query of `SIZE` bytes."""
    if len(datagram) != SIZE:
        raise MalformedMessage("A question that could make us send more than it brought.")
    look = codec.decode(_body(datagram), TableQuery)
    one = announcement
    here = TableReply(look.nonce, one.table, one.name, one.game, one.port, one.private, one.free, one.version)
    said = _MARK + codec.encode(here)
    assert len(said) <= len(datagram)
    return said


def read_answer(datagram: bytes, nonce: bytes) -> Announcement:
    """Return the table in a reply to the query with this nonce; otherwise raise `MalformedMessage`."""
    here = codec.decode(_body(datagram), TableReply)
    if here.nonce != nonce:
        raise MalformedMessage("An answer to a question that nobody asked.")
    return checked(
        Announcement(here.table, here.name, here.game, here.port, here.private, here.free, here.version)
    )


def _body(datagram: bytes) -> bytes:
    if not datagram.startswith(_MARK):
        raise MalformedMessage("A datagram that is none of discovery.")
    return datagram[len(_MARK) :]
