"""Test vectors for whoever writes this protocol again: packets, handshakes and log entries from fixed inputs.

    python -m tests.protocol.frozen        write them anew; only after a change of the wire that is meant

A version's messages are written once: after a change of one, `handshake.VERSIONS` needs another.
`test_vectors.py` compares what the code makes now with what is frozen in `vectors/`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from tests.protocol.drawn import messages
from tests.protocol.frozen_fair import fair

from tavolata_protocol import beacons, codec
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.cookies import CookieJar
from tavolata_protocol.cpace import CPaceShare
from tavolata_protocol.entries import (
    EntryKind,
    branch,
    control_body,
    first_lineage,
    genesis,
    place,
    propose,
)
from tavolata_protocol.equivocation import sign_commit
from tavolata_protocol.handshake import (
    VERSIONS,
    Door,
    Initiator,
    LocalPeer,
    Responder,
    answer_hello,
    open_table_psk,
    private_table_psk,
    read_init,
)
from tavolata_protocol.identity import Identity, PeerId, fingerprint
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import entries as entry_shapes
from tavolata_protocol.messages import equivocation, log, session, votes
from tavolata_protocol.messages.entries import Member, Role
from tavolata_protocol.messages.handshake import Refusal
from tavolata_protocol.messages.packets import HEADER_SIZE, PacketKind, pack_header
from tavolata_protocol.noise import KeyPair
from tavolata_protocol.packets import Sealer, next_key
from tavolata_protocol.votes import sign_transfer, sign_vote

FOLDER = Path(__file__).with_name("vectors")
CALLER = ("192.0.2.7", 40000)
TABLE = b"a table of vectors"
CODE = "K7F3QX"
SECRET = bytes(range(32))


def secret(name: str) -> bytes:
    """32 bytes for a purpose: SHA-256 of its name."""
    return hashlib.sha256(name.encode()).digest()


def packets() -> dict[str, Any]:
    """Frames, a sealed packet, the next key, and the questions of discovery."""
    frames = {
        "ack": session.Ack(300, 1500, (3, 1, 2)),
        "whole": session.Whole(7, b"hello"),
        "part": session.Part(8, 1, 3, b"middle"),
        "loose": session.Loose(b"perhaps"),
        "ping": session.Ping(),
        "close": session.Close(session.CloseReason.LEFT),
        "close elsewhere": session.Close(
            session.CloseReason.ELSEWHERE, session.Referral(PeerId(bytes(range(32))), "192.168.1.5", 4711)
        ),
        "challenge": session.Challenge(b"01234567"),
        "proved": session.Proved(b"01234567"),
    }
    plain = codec.encode((frames["ack"], frames["whole"]))
    key = secret("packet key")
    sealer = Sealer(key, 0xA1B2C3D4, 0.0)
    sealer.counter = 41
    announced = Announcement(TABLE, "Ann", "zompa", 8286, private=True, free=2)
    look = beacons.question(b"12345678")
    return {
        "frames": {name: codec.encode(frame).hex() for name, frame in frames.items()},
        "header": pack_header(PacketKind.SEALED, 0xA1B2C3D4, 41, 1).hex(),
        "sealed": {
            "key": key.hex(),
            "connection": 0xA1B2C3D4,
            "counter": 41,
            "plain": plain.hex(),
            "datagram": sealer.seal(plain, 0.0).hex(),
        },
        "next_key": next_key(key).hex(),
        "discovery": {
            "look": look.hex(),
            "here": beacons.answer(look, announced).hex(),
            "txt": announced.txt(),
        },
    }


def _local(name: str) -> LocalPeer:
    return LocalPeer(
        Identity(secret(f"{name} identity")),
        KeyPair.from_private(secret(f"{name} static")),
        secret(f"{name} instance")[:8],
        f"{name}'s profile".encode(),
    )


def _one_handshake(door: Door, code: str, psk: bytes | None) -> dict[str, str]:
    jar = CookieJar(secret("cookie jar"))
    caller, callee = _local("caller"), _local("callee")
    ephemeral = KeyPair.from_private(secret("caller ephemeral"))
    guest = Initiator(caller, 11, b"nonce123", ephemeral, code.encode(), secret("caller scalar"))
    hello = guest.hello()
    retry = answer_hello(hello[HEADER_SIZE:], CALLER, jar, callee.versions, 30.0)
    init = guest.read_retry(retry[HEADER_SIZE:])
    began = read_init(init[HEADER_SIZE:], CALLER, jar, 30.0)
    host = Responder(callee, began, 22, KeyPair.from_private(secret("callee ephemeral")), door)
    guest.read_resp(host.resp[HEADER_SIZE:])
    shared = psk or guest.code_psk
    assert shared is not None
    refusal = host.refuse(Refusal.PROOF)
    fin, ours = guest.write_fin(shared)
    _, theirs = host.read_fin(fin[HEADER_SIZE:], shared)
    assert (ours.send_key, ours.receive_key) == (theirs.receive_key, theirs.send_key)
    return {
        "hello": hello.hex(),
        "retry": retry.hex(),
        "init": init.hex(),
        "resp": host.resp.hex(),
        "fin": fin.hex(),
        "refuse": refusal.hex(),
        "psk": shared.hex(),
        "initiator_to_responder": ours.send_key.hex(),
        "responder_to_initiator": ours.receive_key.hex(),
    }


def handshakes() -> dict[str, Any]:
    """The three ways into a table, every datagram of each; secrets are SHA-256 of their names."""
    scalar = secret("callee scalar")
    private = private_table_psk(SECRET)
    caller = _local("caller").identity.peer
    return {
        "address": list(CALLER),
        "time": 30.0,
        "table": TABLE.hex(),
        "identity": {
            "seed": secret("caller identity").hex(),
            "peer": caller.hex(),
            "fingerprint": fingerprint(caller),
        },
        "private keys": {  # with these anybody can compute every datagram below
            f"{side} {what}": secret(f"{side} {what}").hex()[: 16 if what == "instance" else None]
            for side in ("caller", "callee")
            for what in ("identity", "static", "ephemeral", "instance", "scalar")
        },
        "open": _one_handshake(Door(TABLE), "", open_table_psk(TABLE)),
        "member": {
            "secret": SECRET.hex(),
            **_one_handshake(Door(TABLE, True, CODE.encode(), scalar), "", private),
        },
        "code": {
            "code": CODE,
            "point": CPaceShare.make(CODE.encode(), b"tavolata 1", b"", scalar).point.hex(),
            **_one_handshake(Door(TABLE, True, CODE.encode(), scalar), CODE, None),
        },
    }


def entries() -> dict[str, Any]:
    """Entries of a log, chained, and one of each message that carries them."""
    founder, guest = Identity(secret("founder")), Identity(secret("guest"))
    lineage, birth = first_lineage(TABLE), b"birth..1"
    alone = Configuration((Member(founder.peer, birth, Role.VOTER),))
    two = alone.with_member(Member(guest.peer, b"birth..2", Role.LEARNER))
    chain = genesis(TABLE)
    found = []
    for number, (signer, count, body, kind) in enumerate(
        (
            (founder, 0, control_body(1, 1, alone), EntryKind.CONFIGURATION),
            (founder, 1, b"first words", EntryKind.APPLICATION),
            (founder, 0, control_body(1, 3, two), EntryKind.CONFIGURATION),
            (guest, 1, b"an answer", EntryKind.APPLICATION),
            (guest, 0, control_body(2, 5, None), EntryKind.OPENING),
        ),
        1,
    ):
        proposal = propose(signer, lineage, count, body, kind)
        entry = place(proposal, 2 if kind is EntryKind.OPENING else 1, number, chain)
        chain = entry.chain
        found.append({"signed": proposal.signed.hex(), "signature": proposal.signature.hex(),
                      "entry": entry.wire.hex(), "chain": chain.hex()})  # fmt: skip
    h, p = bytes(32), founder.peer
    commit = sign_commit(founder, lineage, 1, 4, bytes.fromhex(found[3]["chain"]))
    own = sign_vote(guest, lineage, b"birth..2", 2, guest.peer, (1, 4)).statement
    vote = sign_vote(founder, lineage, birth, 2, guest.peer, (1, 4)).statement
    transfer = sign_transfer(founder, lineage, 1, guest.peer).statement
    messages: dict[str, log.LogMessage] = {
        "join": log.Join(birth),
        "redirect": log.Redirect(lineage, p),
        "propose": log.Propose(
            lineage, bytes.fromhex(found[1]["signed"]), bytes.fromhex(found[1]["signature"])
        ),
        "placed_at": log.PlacedAt(lineage, 1, 1, 2),
        "refused": log.Rejected(lineage, 1, 2),
        "append": log.Append(
            lineage, 1, 1, 1, h, (bytes.fromhex(found[1]["entry"]),), 1, 1, 7, 1, 0, 1, b"d"
        ),
        "appended": log.Appended(lineage, 1, birth, True, 2, 7, 0, 1, b"d"),
        "offer": log.Offer(lineage, 1, 9, h, 4000, 0, 0, h),
        "ask": log.FetchChunks(lineage, 0, (0, 1024)),
        "chunk": log.Chunk(lineage, 0, 1024, b"bytes"),
        "probe": log.Probe(lineage, 1, p),
        "probed": log.Probed(lineage, 1, False),
        "pre_vote": log.PreVote(lineage, 2, 1, 4),
        "pre_voted": log.PreVoted(lineage, 2, birth, True, 1, 3),
        "vote": log.Vote(lineage, own, transfer),
        "voted": log.Voted(lineage, 2, vote),
        "hand_over": log.HandOver(lineage, transfer),
        "leave": log.Leave(lineage),
        "pledged": log.CommitNotice(lineage, commit.statement.signed, commit.statement.signature),
        "relay": log.Relay(lineage, bytes.fromhex(found[1]["signed"]), bytes.fromhex(found[1]["signature"])),
        "show_votes": log.ShowVotes(lineage, 2),
        "elected": log.Elected(lineage, (own, vote)),
    }
    return {
        "table": TABLE.hex(),
        "founder": {"seed": secret("founder").hex(), "peer": founder.peer.hex()},
        "guest": {"seed": secret("guest").hex(), "peer": guest.peer.hex()},
        "genesis": genesis(TABLE).hex(),
        "lineage": lineage.hex(),
        "branch": branch(lineage, chain, guest.peer).hex(),
        "entries": found,
        "messages": {name: log.encode(message).hex() for name, message in messages.items()},
    }


SETS = {"packets": packets, "handshakes": handshakes, "entries": entries, "fair": fair}


def shapes() -> list[str]:
    """The messages of peers that have shaken hands: tag, name and fields, in a line each."""
    modules = (session, log, entry_shapes, votes, equivocation)
    rows = [row for module in modules for row in messages(module).splitlines()[2:]]
    return [" ".join(row.split(" | ")[:3]).removeprefix("| ") for row in rows if row.startswith("|")]


def known() -> dict[str, list[str]]:
    """The messages of each version, as they were frozen."""
    found: dict[str, list[str]] = json.loads((FOLDER / "messages.json").read_text())
    return found


def main() -> None:
    of_versions = {str(max(VERSIONS)): shapes()} | known()
    (FOLDER / "messages.json").write_text(json.dumps(of_versions, indent=1) + "\n")
    for name, make in SETS.items():
        path = FOLDER / f"{name}.json"
        path.write_text(json.dumps(make(), indent=1) + "\n")
        print(path)


if __name__ == "__main__":
    main()
