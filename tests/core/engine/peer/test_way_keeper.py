"""What a machine writes down while it plays, to come back another day."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.way_keeper import WayKeeper
from tavolata._engine.storage.ways_back import WayBack


def written(settings: PeerSettings) -> WayBack:
    """The way back that a machine of these settings writes during a match."""
    ways = list[WayBack]()
    log_driver: Any = SimpleNamespace(
        driver=SimpleNamespace(bound=["0.0.0.0"], port=1), way=SimpleNamespace(keep=ways.append)
    )
    match = SimpleNamespace(header=SimpleNamespace(id=bytes(16), parties=()))
    roster = SimpleNamespace(me=bytes(32), name_of=lambda _: settings.name)
    state: Any = SimpleNamespace(matches=SimpleNamespace(running=match, has_part=True), roster=roster)
    links: Any = SimpleNamespace(addresses={})
    WayKeeper(log_driver, state, links, settings).work()
    (way,) = ways
    return way


@pytest.mark.parametrize("word", ["unlike", "watch", "anywhere", "quiet"])
def test_what_was_wanted_at_the_table_is_written_down(word: str) -> None:
    """Each of these settings comes back with the match, and none stands in for another."""
    for given in (True, False):
        wanted: dict[str, Any] = {word: given}
        way = written(PeerSettings("Ann", **wanted))
        found = {"unlike": way.unlike, "watch": way.watch, "anywhere": way.anywhere, "quiet": way.quiet}
        assert [one for one, is_set in found.items() if is_set] == [word] * given
