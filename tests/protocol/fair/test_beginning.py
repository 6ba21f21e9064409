"""How a match begins: its id depends on everything said, and a mailbox is of one party, header and nonce."""

from __future__ import annotations

import pytest

from tavolata_protocol.fair.beginning import (
    header_hash,
    mailbox_context,
    match_id,
    prove_mailbox,
    read_mailbox,
)
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.fair.offences import Charge, Item, Offence

from .parties import LINEAGE, parties

HEADER = header_hash(b"the terms")
NONCE = b"n" * 32
NONCES = [(b"1" * 32, b"m" * 32), (b"2" * 32, NONCE)]
SECRETS = parties(3).secrets[1]


def test_an_id_depends_on_everything_that_was_said() -> None:
    """Another table, place in the log, header, nonce, party, order or number of parties is another match."""
    ids = [
        match_id(b"table", b"chain", b"header", NONCES),
        match_id(b"another", b"chain", b"header", NONCES),
        match_id(b"table", b"another", b"header", NONCES),
        match_id(b"table", b"chain", b"another", NONCES),
        match_id(b"table", b"chain", b"header", NONCES[::-1]),
        match_id(b"table", b"chain", b"header", NONCES[:1]),
        match_id(b"table", b"chain", b"header", [NONCES[0], (b"2" * 32, b"o" * 32)]),
        match_id(b"table", b"chain", b"header", [NONCES[0], (b"3" * 32, NONCE)]),
    ]
    assert len(set(ids)) == len(ids)
    assert {len(one) for one in ids} == {16}


def test_a_mailbox_is_read_as_it_was_said() -> None:
    """An honest IN has the mailbox of its secret, in 96 bytes."""
    data = prove_mailbox(mailbox_context(LINEAGE, 2), 77, HEADER, NONCE, SECRETS)
    assert len(data) == 96
    assert read_mailbox(mailbox_context(LINEAGE, 2), HEADER, NONCE, data) == ED25519.multiply_base(77)


def test_a_mailbox_is_named_before_the_match_has_an_id() -> None:
    """Its context has the lineage of the log and the party, and no match and no keys yet."""
    assert mailbox_context(LINEAGE, 2) == Context(b"", LINEAGE, 0, "mailbox", 0, 2)


def test_a_mailbox_serves_nowhere_else() -> None:
    """Its proof is refused for another lineage, party, header or nonce, and so is another point's."""
    context = mailbox_context(LINEAGE, 2)
    data = prove_mailbox(context, 77, HEADER, NONCE, SECRETS)
    for where, header, nonce, said, charge in (
        (mailbox_context(b"another", 2), HEADER, NONCE, data, Charge(Offence.INVALID_PROOF, Item.MAILBOX)),
        (mailbox_context(LINEAGE, 1), HEADER, NONCE, data, Charge(Offence.INVALID_PROOF, Item.MAILBOX)),
        (context, header_hash(b"other terms"), NONCE, data, Charge(Offence.INVALID_PROOF, Item.MAILBOX)),
        (context, HEADER, b"o" * 32, data, Charge(Offence.INVALID_PROOF, Item.MAILBOX)),
        (context, HEADER, NONCE, ED25519.base + data[32:], Charge(Offence.INVALID_PROOF, Item.MAILBOX)),
        (context, HEADER, NONCE, bytes(32) + data[32:], Charge(Offence.INVALID_POINT, Item.MAILBOX)),
        (context, HEADER, NONCE, data[:-1], Charge(Offence.WRONG_SIZE, Item.MAILBOX, given=95, size=96)),
    ):
        with pytest.raises(Cheat) as caught:
            read_mailbox(where, header, nonce, said)
        assert (caught.value.party, caught.value.charge) == (where.party, charge)
