"""Secrets: the same from the same seed, never the same for two purposes; and the error of all modules."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from tavolata_protocol.errors import RemoteError
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.offences import Charge, Item, Offence
from tavolata_protocol.fair.seeds import Secrets

from .parties import ELSEWHERE, LINEAGE, MATCH, Chance, parties

CONTEXT = Context(MATCH, LINEAGE, 0, "something", 1, 1)


def drawn(secrets: Secrets, context: Context = CONTEXT, purpose: str = "purpose") -> set[object]:
    """What is the same whenever asked for."""
    stream = secrets.numbers(context, purpose)
    return {
        secrets.derive(context, purpose),
        *secrets.scalars(context, 2, purpose),
        *(next(stream) for _ in range(2)),
    }


def test_seeds_have_32_bytes() -> None:
    """A seed of any other length is an error of the caller."""
    for size in (0, 31, 33):
        with pytest.raises(ValueError, match="32 bytes"):
            Secrets(bytes(size), Chance(1))


def test_a_seed_brings_everything_back_but_nonces() -> None:
    """The same seed gives the same secrets, whatever the randomness; nonces are new each time."""
    one, other = Secrets(b"s" * 32, Chance(1)), Secrets(b"s" * 32, Chance(2))
    assert drawn(one) == drawn(other)
    nonces = [secrets.nonces(CONTEXT, 2, "proof", b"said") for secrets in (one, one, other)]
    assert len({number for pair in nonces for number in pair}) == 6


def test_steady_nonces_are_of_what_is_said() -> None:
    """Without fresh randomness a statement has its nonces, and no other statement, place or seed has them."""
    steady = Secrets(b"s" * 32, Chance(1)).steady
    (one,) = steady.nonces(CONTEXT, 1, "proof", b"said")
    assert steady.nonces(CONTEXT, 1, "proof", b"said") == [one]
    others = [
        steady.nonces(CONTEXT, 1, "proof", b"said otherwise"),
        steady.nonces(CONTEXT, 1, "another proof", b"said"),
        steady.nonces(CONTEXT.of(2), 1, "proof", b"said"),
        Secrets(b"t" * 32, Chance(1)).steady.nonces(CONTEXT, 1, "proof", b"said"),
    ]
    assert len({one, *(number for (number,) in others)}) == 5


@pytest.mark.parametrize("change", ELSEWHERE)
def test_secrets_of_two_places_have_nothing_in_common(change: str) -> None:
    """Another context, purpose or seed gives other secrets."""
    secrets = Secrets(b"s" * 32, Chance(1))
    context = replace(CONTEXT, transcript=b"T")
    before = drawn(secrets, context)
    assert not before & drawn(secrets, replace(context, **ELSEWHERE[change]))
    assert not before & drawn(secrets, context, "another purpose")
    assert not before & drawn(Secrets(b"t" * 32, Chance(1)), context)


def test_cheating_is_a_remote_error_that_travels() -> None:
    """`Cheat` is one of the errors that peers are at fault for, and comes whole out of another process."""
    cheat = Cheat(3, Offence.WRONG_SIZE, item=Item.SEED, given=31, size=32)
    assert isinstance(cheat, RemoteError)
    again = pickle.loads(pickle.dumps(cheat))
    assert (again.party, again.charge) == (3, Charge(Offence.WRONG_SIZE, Item.SEED, 31, 32))
    assert str(again) == str(cheat) == "Party 3 cheated: wrong-size (item: seed, given: 31, size: 32)."


def test_secrets_are_shared_with_nobody() -> None:
    """No two parties of the tests have a secret in common."""
    three = parties(3)
    assert len({ring.share for ring in three.rings} | {ring.mailbox_secret for ring in three.rings}) == 6
