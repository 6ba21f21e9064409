"""Identities: one for each process of a user, the same again next time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavolata._engine.network import identities
from tavolata._engine.network.identities import IdentityError, OwnIdentity

ASK = (
    "import sys; from tavolata._engine.network.identities import OwnIdentity; own = OwnIdentity(); "
    "print(own.folder.name, own.seed.hex(), flush=True); sys.stdin.readline()"
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))


def asked() -> tuple[subprocess.Popen[str], str, str]:
    """A process that holds an identity until its input ends; its folder's name and its seed."""
    process = subprocess.Popen(
        [sys.executable, "-c", ASK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None
    name, seed = process.stdout.readline().split()
    return process, name, seed


def test_two_processes_are_two_peers_and_a_killed_ones_identity_is_free() -> None:
    """Each running process has its own; after a kill the next one takes the same again."""
    first, name, seed = asked()
    second, other, its_seed = asked()
    try:
        assert (name, other) == ("0", "1")
        assert seed != its_seed
        first.kill()
        first.wait()
        own = OwnIdentity()
        assert own.seed.hex() == seed
        own.close()
    finally:
        for process in (first, second):
            process.kill()
            process.communicate()


def test_a_key_is_kept_for_its_user_alone() -> None:
    """The secret is made once, of 32 bytes, and readable by nobody else."""
    own = OwnIdentity()
    key = own.folder / "key"
    assert key.read_bytes() == own.seed
    assert len(own.seed) == 32
    if os.name == "posix":
        assert key.stat().st_mode & 0o077 == 0
    own.close()
    again = OwnIdentity()
    assert again.seed == own.seed
    again.close()


def test_a_key_cut_short_by_a_crash_is_made_anew() -> None:
    """A file that is no key is replaced, not used."""
    own = OwnIdentity()
    own.close()
    (own.folder / "key").write_bytes(b"short")
    again = OwnIdentity()
    assert len(again.seed) == 32
    again.close()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """One sentence names the place."""
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(IdentityError, match="Couldn't save your key in"):
        OwnIdentity()


def test_too_many_at_once_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is an end to the identities of one machine."""
    monkeypatch.setattr(identities, "MOST", 1)
    own = OwnIdentity()
    with pytest.raises(IdentityError, match="1 tables are open"):
        OwnIdentity()
    own.close()
