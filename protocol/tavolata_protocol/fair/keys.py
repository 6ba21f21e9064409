"""One key of all parties, which no t - 1 of them can use (Pedersen's key making, with proofs).

In three rounds, each an entry of every party:

1. a commitment, 32 bytes (`OwnDealing.commitment`), so that nobody chooses after seeing the others;
2. the dealing, 32·(t + 3) bytes (`OwnDealing.data`): a mailbox key E_i (see `boxes`), the coefficients
   C_ik = a_ik·G for k < t, and a Schnorr proof of a_i0 bound to (context, n, t, ids, E_i, all C_ik);
3. to each party j its share f_i(j), 32 bytes, in a box (`OwnDealing.share`, `boxes.seal`).

A share that does not fit its dealing is opened to all (`boxes.reveal`), and `judge_share` says who lied. Keys
are then made again without that party.
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
    knowledge_challenge,
    prove_knowledge,
)
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets

COMMITMENT_SIZE = 32
SHARE_SIZE = SCALAR_SIZE


def threshold(parties: int, *, strict: bool = False) -> int:
    """How many parties it takes to open anything: two thirds, rounded up; all of them when strict."""
    return parties if strict else (2 * parties + 2) // 3


@dataclass(frozen=True, slots=True)
class Roster:
    """Who makes keys together.

    Attributes:
        ids: the parties' public identities; party 1 is the first.
        threshold: t, from 1 to their number.
    """

    ids: tuple[bytes, ...]
    threshold: int

    def __post_init__(self) -> None:
        if not 1 <= self.threshold <= len(self.ids) or len(set(self.ids)) != len(self.ids):
            raise ValueError("A roster names each party once, and t is at most their number.")

    @property
    def parties(self) -> int:
        """How many they are, n."""
        return len(self.ids)

    @property
    def encoded(self) -> bytes:
        """n, t and the identities as bytes, to be hashed."""
        return frame(self.parties, self.threshold, self.ids)

    @property
    def dealing_size(self) -> int:
        """How many bytes a dealing has."""
        return POINT_SIZE * (self.threshold + 1) + PROOF_SIZE


@dataclass(frozen=True, slots=True)
class KeyDealing:
    """What one party published, checked.

    Attributes:
        party: whose it is.
        mailbox: E_i, the key that boxes for this party are sealed to.
        coefficients: C_i0 to C_i(t-1).
        shares: f_i(j)·G for party 1 to n.
        data: the bytes that it came in.
    """

    party: int
    mailbox: bytes
    coefficients: tuple[bytes, ...]
    shares: tuple[bytes, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class OwnDealing:
    """One's own dealing: what to publish, and what to keep.

    Attributes:
        commitment: for round 1.
        data: for round 2.
        mailbox_secret: opens one's own boxes.
        polynomial: a_i0 to a_i(t-1); secret.
        order: the group's.
    """

    commitment: bytes
    data: bytes
    mailbox_secret: int = field(repr=False)
    polynomial: tuple[int, ...] = field(repr=False)
    order: int

    def share(self, party: int) -> bytes:
        """f_i(j) for party j, 32 bytes: for round 3, and for that party only."""
        return scalar_bytes(_evaluate(self.polynomial, party, self.order))


def deal(context: Context, roster: Roster, secrets: Secrets) -> OwnDealing:
    """Make one's own dealing; the same again from the same seed, as it is committed to before it is sent.

    Args:
        context: of the keys to be made, `context.party` being oneself.
        roster: who makes keys.
        secrets: one's own.
    """
    group, attempt = context.group, 0
    while True:  # once, but in groups so small that a share may happen to be nothing
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
    return OwnDealing(commit(context, data), data, mailbox_secret, tuple(polynomial), group.order)


def commit(context: Context, data: bytes) -> bytes:
    """The commitment to a dealing, 32 bytes."""
    return H(b"dealing", context.encoded, data)[:COMMITMENT_SIZE]


def read_commitment(context: Context, data: object) -> bytes:
    """A commitment as it arrived; `Cheat` for anything else."""
    return FieldReader(context, data, COMMITMENT_SIZE, Item.COMMITMENT).raw(COMMITMENT_SIZE)


def _statement(roster: Roster, mailbox: bytes, coefficients: tuple[bytes, ...]) -> tuple[Field, ...]:
    return (roster.encoded, mailbox, coefficients)


def key_challenge(
    context: Context,
    roster: Roster,
    mailbox: bytes,
    coefficients: tuple[bytes, ...],
    announced: bytes,
) -> int:
    """The transcript of the proof in a dealing."""
    said = _statement(roster, mailbox, coefficients)
    return knowledge_challenge(context, Item.KEY.encode(), coefficients[0], announced, *said)


def read_dealing(context: Context, roster: Roster, commitment: bytes, data: object) -> KeyDealing:
    """A dealing as it arrived, checked in all that can be checked without a share.

    Args:
        context: of its sender.
        roster: who makes keys.
        commitment: what the sender said in round 1.
        data: what it says now.

    Raises:
        Cheat: when it is not what was committed to, has not exactly t coefficients, its proof does not
            hold, or it would give some party a share of nothing.
    """
    reader = FieldReader(context, data, roster.dealing_size, Item.DEALING)
    mailbox, coefficients = reader.point(), reader.points(roster.threshold)
    proof = Proof.read(reader)
    assert isinstance(data, bytes)
    if commit(context, data) != commitment:
        raise Cheat(context.party, Offence.BROKEN_COMMITMENT, item=Item.DEALING)
    check_knowledge(context, Item.KEY, coefficients[0], proof, *_statement(roster, mailbox, coefficients))
    shares = tuple(
        _evaluate_points(context.group, coefficients, party) for party in range(1, roster.parties + 1)
    )
    if context.group.identity in shares:
        raise Cheat(context.party, Offence.EMPTY_SHARE)
    return KeyDealing(context.party, mailbox, coefficients, shares, data)


def read_share(context: Context, dealing: KeyDealing, receiver: int, data: object) -> int:
    """A share for party `receiver` as it came out of its box: f_i(j)·G = Σ j^k·C_ik.

    Raises:
        Cheat: naming the dealer, when it does not fit the dealing.
    """
    share = FieldReader(context, data, SHARE_SIZE, Item.KEY_SHARE).scalar()
    if context.group.multiply_base(share) != dealing.shares[receiver - 1]:
        raise Cheat(context.party, Offence.KEY_SHARE_MISMATCH)
    return share


def judge_share(context: Context, dealing: KeyDealing, accuser: int, data: object) -> Cheat:
    """Who lied, when party `accuser` says that the dealer's share, shown to all, does not fit.

    Args:
        context: of the dealer.
        dealing: the dealer's.
        accuser: whose share it is.
        data: the share, proven to be what the dealer sent (`boxes.judge`, or the dealer's signature).

    Returns:
        The `Cheat`: of the dealer, or of the accuser if the share fits after all.
    """
    try:
        read_share(context, dealing, accuser, data)
    except Cheat as cheat:
        return cheat
    return Cheat(accuser, Offence.FALSE_COMPLAINT, item=Item.KEY_SHARE)


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """What all know of an epoch's key.

    Attributes:
        roster: n, t and who they are.
        joint: P = Σ C_i0.
        shares: Y_j = s_j·G for party 1 to n.
        mailboxes: E_j for party 1 to n.
        transcript: T, that everybody signs and that goes into every context.
        match: as in `Context`.
        epoch: as in `Context`.
        group: as in `Context`.
    """

    roster: Roster
    joint: bytes
    shares: tuple[bytes, ...]
    mailboxes: tuple[bytes, ...]
    transcript: bytes
    match: bytes
    epoch: int
    group: Group = ED25519

    @property
    def parties(self) -> int:
        """How many they are, n."""
        return self.roster.parties

    @property
    def threshold(self) -> int:
        """How many it takes, t."""
        return self.roster.threshold

    def context(self, about: str, position: int, party: int) -> Context:
        """A context under these keys; see `Context` for the arguments."""
        return Context(self.match, self.epoch, about, position, party, self.transcript, self.group)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """What one party knows of an epoch's key.

    Attributes:
        public: what all know.
        party: oneself, 1 to n.
        share: s_j, secret.
        mailbox_secret: e_j, secret.
    """

    public: PublicKeys
    party: int
    share: int = field(repr=False)
    mailbox_secret: int = field(repr=False)


def key_transcript(context: Context, roster: Roster, dealings: Sequence[KeyDealing]) -> bytes:
    """T = H(context, n, t, ids, all dealings): two parties with one T have seen the same."""
    return H(b"keys", context.common, roster.encoded, tuple(dealing.data for dealing in dealings))


def assemble(context: Context, roster: Roster, dealings: Sequence[KeyDealing]) -> PublicKeys:
    """The public side of the key, from the dealings of party 1 to n.

    Raises:
        Cheat: of party 0, when all parties together made a key that is none.
    """
    if [dealing.party for dealing in dealings] != list(range(1, roster.parties + 1)):
        raise ValueError("Keys are assembled from the dealings of party 1 to n, in this order.")
    group = context.group
    joint = total(group, (dealing.coefficients[0] for dealing in dealings))
    shares = tuple(total(group, column) for column in zip(*(d.shares for d in dealings), strict=True))
    if group.identity in (joint, *shares):
        raise Cheat(0, Offence.INVALID_JOINT_KEY)  # with one honest party: chance of 2**-252
    return PublicKeys(
        roster,
        joint,
        shares,
        tuple(dealing.mailbox for dealing in dealings),
        key_transcript(context, roster, dealings),
        context.match,
        context.epoch,
        group,
    )


def complete(public: PublicKeys, party: int, shares: Sequence[int], own: OwnDealing) -> KeyRing:
    """One's own side of the key: s_j = Σ f_i(j), over the shares of party 1 to n that `read_share` gave."""
    share = sum(shares) % public.group.order
    assert public.group.multiply_base(share) == public.shares[party - 1]  # each share was checked
    return KeyRing(public, party, share, own.mailbox_secret)


def _evaluate(polynomial: Sequence[int], at: int, order: int) -> int:
    value = 0
    for coefficient in reversed(polynomial):
        value = (value * at + coefficient) % order
    return value


def _evaluate_points(group: Group, coefficients: Sequence[bytes], at: int) -> bytes:
    value = group.identity  # Horner's scheme may come through the identity: `multiply` and `add` let it
    for coefficient in reversed(coefficients):
        value = group.add(group.multiply(at, value), coefficient)
    return value
