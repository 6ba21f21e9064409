"""The keys of a private table: who may set them, and which bytes are a secret at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.engine.table.test_table_state import ANN, HOST, founded, put

from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_keys import SECRET_SIZE, SecretFile, TableKeys, new_code, new_keys

NO_SECRETS = [b"", bytes(SECRET_SIZE - 1), bytes(SECRET_SIZE + 1), bytes(2 * SECRET_SIZE)]


def test_new_keys_hold_a_secret_of_that_size_that_is_never_the_same() -> None:
    """The secret is as long as the check asks for, and drawn anew."""
    assert len(new_keys().secret) == SECRET_SIZE == 32
    assert new_keys().secret != new_keys().secret


@pytest.mark.parametrize("secret", NO_SECRETS, ids=len)
def test_a_table_takes_no_secret_of_another_size(secret: bytes) -> None:
    """The entry changes nothing, and the host's real secret is taken afterwards."""
    state, code = founded(ANN), new_code()
    assert put(state, HOST, log_bodies.KEYS, secret, code) == []
    assert state.lobby.keys is None
    put(state, HOST, log_bodies.KEYS, b"s" * SECRET_SIZE, code)
    assert state.lobby.keys == TableKeys(b"s" * SECRET_SIZE, code)


@pytest.mark.parametrize("secret", NO_SECRETS, ids=len)
def test_a_file_with_something_else_holds_no_secret(tmp_path: Path, secret: bytes) -> None:
    """What was cut short by a crash, or is no secret at all, is not used; what was kept comes back."""
    file = SecretFile(tmp_path / "secret")
    assert file.read() is None
    file.keep(secret)
    assert file.read() is None
    file.keep(b"s" * SECRET_SIZE)
    assert file.read() == b"s" * SECRET_SIZE
    file.forget()
    assert file.read() is None


def test_the_host_sets_the_keys_once() -> None:
    """The first keys of the host count, with a code that is one; nobody else sets any."""
    state, keys = founded(ANN), new_keys()
    put(state, ANN, log_bodies.KEYS, keys.secret, keys.code)
    put(state, HOST, log_bodies.KEYS, keys.secret, keys.code.lower() + " ")
    assert state.lobby.keys is None
    put(state, HOST, log_bodies.KEYS, keys.secret, keys.code)
    put(state, HOST, log_bodies.KEYS, bytes(SECRET_SIZE), new_code())
    assert state.lobby.keys == keys


def test_the_host_changes_the_code_and_keeps_the_secret() -> None:
    """A new code that is one is the host's to set, and nobody else's."""
    state, keys, code = founded(ANN), new_keys(), new_code()
    put(state, HOST, log_bodies.CODE, code)  # there is none to be changed
    put(state, HOST, log_bodies.KEYS, keys.secret, keys.code)
    put(state, bytes(32), log_bodies.CODE, code)
    put(state, ANN, log_bodies.CODE, code)
    put(state, HOST, log_bodies.CODE, "no code")
    assert state.lobby.keys == keys
    put(state, HOST, log_bodies.CODE, code)
    assert state.lobby.keys == TableKeys(keys.secret, code)
