"""Distributed key generation (Pedersen's, with proofs): one joint key that no t - 1 parties can use.

It takes three rounds; in each, every party sends one entry:

1. a commitment, 32 bytes (`OwnDealing.commitment`), so that no party chooses after it saw the others;
2. the dealing, 32·(t + 3) bytes (`OwnDealing.data`): a mailbox key E_i (see `boxes`), the coefficients
   C_ik = a_ik·G for k < t, and a Schnorr proof of a_i0 bound to (context, n, t, ids, origin, E_i, all C_ik);
3. the share f_i(j) for each party j, 32 bytes, in a box (`OwnDealing.share`, `boxes.seal`).

If a share does not fit its dealing, its receiver shows it to everybody (`boxes.reveal`), and `judge_share`
says who lied. The keys are then made again without that party.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import FieldReader, scalar_bytes
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import ED25519, POINT_SIZE, SCALAR_SIZE, Group, total
from tavolata_protocol.fair.hashing import Field, H, frame
from tavolata_protocol.fair.logs import (
    PROOF_SIZE,
    Proof,
    check_knowledge,
    prove_knowledge,
)
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets

COMMITMENT_SIZE = 32
SHARE_SIZE = SCALAR_SIZE


def threshold(parties: int, *, strict: bool = False) -> int:
    """Return the number of parties that can open something: two thirds, rounded up; all parties if strict."""
    return parties if strict else (2 * parties + 2) // 3


@dataclass(frozen=True, slots=True)
class Roster:
    """The parties that make keys together, by their public identities; party 1 is the first.

    `threshold` is t, from 1 to the number of parties; `origin` the chain hash of the log's entry that wanted
    the keys.
    """

    ids: tuple[bytes, ...]
    threshold: int
    origin: bytes = b""

    def __post_init__(self) -> None:
        if not 1 <= self.threshold <= len(self.ids) or len(set(self.ids)) != len(self.ids):
            raise ValueError("A roster names each party once, and t is at most their number.")

    @property
    def parties(self) -> int:
        """The number of parties, n."""
        return len(self.ids)

    @property
    def encoded(self) -> bytes:
        """n, t, the identities and the origin as bytes, to be hashed."""
        return frame(self.parties, self.threshold, self.ids, self.origin)

    @property
    def dealing_size(self) -> int:
        """The size of a dealing in bytes."""
        return POINT_SIZE * (self.threshold + 1) + PROOF_SIZE


@dataclass(frozen=True, slots=True)
class KeyDealing:
    """The published part of one party's dealing, checked.

    Attributes:
        mailbox: E_i, the key with which boxes for this party are encrypted.
        coefficients: C_i0 to C_i(t-1).
        shares: f_i(j)·G for party 1 to n.
    """

    party: int
    mailbox: bytes
    coefficients: tuple[bytes, ...]
    shares: tuple[bytes, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class OwnDealing:
    """This party's own dealing: the public parts for round 1 and 2 (`data`), and the secret part.

    `mailbox_secret` is e_i, which opens boxes for this party; `polynomial` is a_i0 to a_i(t-1).
    """

    commitment: bytes
    data: bytes
    mailbox_secret: int = field(repr=False)
    polynomial: tuple[int, ...] = field(repr=False)
    order: int

    def share(self, party: int) -> bytes:
        """Return the share f_i(j) for party j, 32 bytes, sent in round 3; secret from the other parties."""
        return scalar_bytes(_evaluate(self.polynomial, party, self.order))


def deal(context: Context, roster: Roster, secrets: Secrets) -> OwnDealing:
    """Make this party's dealing. It depends on the seed only, so that it fits the commitment after a crash.

    `context` is that of the keys to be made; `context.party` is this party.
    """
    group, attempt = context.group, 0
    while True:  # repeated only in tiny groups, where a share may be zero by chance
        mailbox_secret, *polynomial = secrets.scalars(
            context, 1 + roster.threshold, "polynomial", roster.encoded, attempt
        )
        shares = [_evaluate(polynomial, party, group.order) for party in range(1, roster.parties + 1)]
        if all([mailbox_secret, *polynomial, *shares]):
            break
        attempt += 1
    mailbox = group.multiply_base(mailbox_secret)
    coefficients = tuple(group.multiply_base(coefficient) for coefficient in polynomial)
    said = _statement(roster, mailbox, coefficients)
    proof = prove_knowledge(context, Item.KEY, polynomial[0], secrets.steady, *said)
    data = mailbox + b"".join(coefficients) + proof.encoded
    return OwnDealing(commit(context, roster, data), data, mailbox_secret, tuple(polynomial), group.order)


def commit(context: Context, roster: Roster, data: bytes) -> bytes:
    """Return the commitment to a dealing, 32 bytes; it binds the holders, t and the origin, too."""
    return H(b"dealing", context.encoded, roster.encoded, data)[:COMMITMENT_SIZE]


def read_commitment(context: Context, data: object) -> bytes:
    """Read a received commitment; raise `Cheat` for anything else."""
    return FieldReader(context, data, COMMITMENT_SIZE, Item.COMMITMENT).raw(COMMITMENT_SIZE)


def _statement(roster: Roster, mailbox: bytes, coefficients: tuple[bytes, ...]) -> tuple[Field, ...]:
    return (roster.encoded, mailbox, coefficients)


def read_dealing(context: Context, roster: Roster, commitment: bytes, data: object) -> KeyDealing:
    """Read a received dealing, and check everything that can be checked without a share.

    Raise `Cheat` if it does not fit the sender's commitment of round 1, does not have exactly t coefficients,
    has a wrong proof, or gives some party the share zero.
    """
    reader = FieldReader(context, data, roster.dealing_size, Item.DEALING)
    mailbox, coefficients = reader.point(), reader.points(roster.threshold)
    proof = Proof.read(reader)
    assert isinstance(data, bytes)
    if commit(context, roster, data) != commitment:
        raise Cheat(context.party, Offence.BROKEN_COMMITMENT, item=Item.DEALING)
    check_knowledge(context, Item.KEY, coefficients[0], proof, *_statement(roster, mailbox, coefficients))
    shares = tuple(
        _evaluate_points(context.group, coefficients, party) for party in range(1, roster.parties + 1)
    )
    if context.group.identity in shares:
        raise Cheat(context.party, Offence.EMPTY_SHARE)
    return KeyDealing(context.party, mailbox, coefficients, shares, data)


def read_share(context: Context, dealing: KeyDealing, receiver: int, data: object) -> int:
    """Check a share for party `receiver` from its box: f_i(j)·G = Σ j^k·C_ik.

    Raise `Cheat`, which names the dealer, if the share does not fit the dealing.
    """
    share = FieldReader(context, data, SHARE_SIZE, Item.KEY_SHARE).scalar()
    if context.group.multiply_base(share) != dealing.shares[receiver - 1]:
        raise Cheat(context.party, Offence.KEY_SHARE_MISMATCH)
    return share


def judge_share(context: Context, dealing: KeyDealing, accuser: int, data: object) -> Cheat:
    """Decide who lied after party `accuser` showed its share and said that it does not fit the dealing.

    `context` is the dealer's; `boxes.judge` or the dealer's signature proves that it sent the share `data`.
    Return a `Cheat` that names the dealer, or the accuser if the share fits.
    """
    try:
        read_share(context, dealing, accuser, data)
    except Cheat as cheat:
        return cheat
    return Cheat(accuser, Offence.FALSE_COMPLAINT, item=Item.KEY_SHARE)


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """The public part of an epoch's keys; `match`, `lineage`, `epoch` and `group` are as in `Context`.

    Attributes:
        joint: P = Σ C_i0.
        shares: Y_j = s_j·G for party 1 to n.
        mailboxes: E_j for party 1 to n.
        transcript: T, which every party signs, and which goes into every context.
    """

    roster: Roster
    joint: bytes
    shares: tuple[bytes, ...]
    mailboxes: tuple[bytes, ...]
    transcript: bytes
    match: bytes
    lineage: bytes
    epoch: int
    group: Group = ED25519

    def context(self, about: str, number: int, party: int) -> Context:
        """Return a context under these keys; see `Context` for the arguments."""
        return Context(
            self.match, self.lineage, self.epoch, about, number, party, self.transcript, self.group
        )


@dataclass(frozen=True, slots=True)
class KeyRing:
    """One party's knowledge of an epoch's keys: its secrets are s_j (`share`) and e_j (`mailbox_secret`)."""

    public: PublicKeys
    party: int
    share: int = field(repr=False)
    mailbox_secret: int = field(repr=False)


def key_transcript(context: Context, roster: Roster, dealings: Sequence[KeyDealing]) -> bytes:
    """T = H(context, n, t, ids, origin, all dealings); parties with one T have seen the same dealings."""
    return H(b"keys", context.common, roster.encoded, tuple(dealing.data for dealing in dealings))


def assemble(context: Context, roster: Roster, dealings: Sequence[KeyDealing]) -> PublicKeys:
    """Return the public part of the keys, from the dealings of party 1 to n.

    Raise `Cheat` with party 0 if all parties together made an invalid key.
    """
    if [dealing.party for dealing in dealings] != list(range(1, roster.parties + 1)):
        raise ValueError("Keys are assembled from the dealings of party 1 to n, in this order.")
    group = context.group
    joint = total(group, (dealing.coefficients[0] for dealing in dealings))
    shares = tuple(total(group, column) for column in zip(*(d.shares for d in dealings), strict=True))
    if group.identity in (joint, *shares):
        raise Cheat(0, Offence.INVALID_JOINT_KEY)  # probability 2**-252 with one honest party
    return PublicKeys(
        roster,
        joint,
        shares,
        tuple(dealing.mailbox for dealing in dealings),
        key_transcript(context, roster, dealings),
        context.match,
        context.lineage,
        context.epoch,
        group,
    )


def complete(public: PublicKeys, party: int, shares: Sequence[int], own: OwnDealing) -> KeyRing:
    """Return this party's part of the keys, s_j = Σ f_i(j), over all parties' shares of `read_share`."""
    share = sum(shares) % public.group.order
    assert public.group.multiply_base(share) == public.shares[party - 1]  # each share was checked
    return KeyRing(public, party, share, own.mailbox_secret)


def _evaluate(polynomial: Sequence[int], at: int, order: int) -> int:
    value = 0
    for coefficient in reversed(polynomial):
        value = (value * at + coefficient) % order
    return value


def _evaluate_points(group: Group, coefficients: Sequence[bytes], at: int) -> bytes:
    value = group.identity  # Horner's scheme may pass through the identity, which `multiply` and `add` accept
    for coefficient in reversed(coefficients):
        value = group.add(group.multiply(at, value), coefficient)
    return value
