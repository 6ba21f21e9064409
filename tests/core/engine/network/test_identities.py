"""Identities: one for each process of a user, the same again next time; and whom one has met."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavolata import _dirs
from tavolata._engine.network import identities
from tavolata._engine.network.identities import IdentityError, OwnIdentity, keep_names, known_names
from tavolata._engine.network.known_peers import KnownPeers
from tavolata_protocol.identity import Acquaintance, Identity

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
    with pytest.raises(IdentityError, match="Your key can't be kept in"):
        OwnIdentity()


def test_too_many_at_once_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is an end to the identities of one machine."""
    monkeypatch.setattr(identities, "MOST", 1)
    own = OwnIdentity()
    with pytest.raises(IdentityError, match="1 tables are open"):
        OwnIdentity()
    own.close()


def test_whom_one_has_met_is_remembered() -> None:
    """Names and keys come back from the file; a file that is spoilt counts as nobody met."""
    own = OwnIdentity()
    names = known_names()
    names.remember("ann", own.identity.peer)
    keep_names(names)
    assert known_names().snapshot() == {"ann": own.identity.peer}
    path = Path(_dirs.data_dir()) / "known_names.json"
    for spoilt in ("", "[]", '{"ann": 7}', '{"ann": "xyz"}', '{"ann": "00"}', "[" * 100_000):
        path.write_text(spoilt)
        assert known_names().snapshot() == {}
    own.close()


def test_who_was_played_with_is_known_the_next_time() -> None:
    """First seen all evening, known the next; another key by that name is said so, until confirmed."""
    ann, other = Identity(bytes(32)).peer, Identity(bytes(31) + b"1").peer
    evening = KnownPeers()
    assert evening.judge("Ann", ann) is Acquaintance.FIRST_SEEN
    evening.played_with([("Ann", ann)])
    assert evening.judge("Ann", ann) is Acquaintance.FIRST_SEEN
    later = KnownPeers()
    assert later.judge("ANN", ann) is Acquaintance.KNOWN
    assert later.judge("Ann", other) is Acquaintance.CHANGED_KEY
    later.played_with([("Ann", other)])
    assert KnownPeers().judge("Ann", other) is Acquaintance.CHANGED_KEY
    later.remember("Ann", other)
    assert later.judge("Ann", other) is Acquaintance.KNOWN
    assert KnownPeers().judge("Ann", other) is Acquaintance.KNOWN


def test_another_process_of_this_machine_is_nobody_to_remember() -> None:
    """Whoever tries two `tt`s at home under changing names meets nobody."""
    own = OwnIdentity()
    KnownPeers().played_with([("Guest", own.identity.peer)])
    assert KnownPeers().judge("Guest", own.identity.peer) is Acquaintance.FIRST_SEEN
    own.close()
