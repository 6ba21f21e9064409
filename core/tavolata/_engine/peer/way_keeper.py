"""The keeper of one peer's way back: it writes what a later run needs to continue with the running match."""

from __future__ import annotations

from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer.peer_links import PeerLinks
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.storage.match_file import copy_id
from tavolata._engine.storage.ways_back import WayBack
from tavolata._engine.table.table_state import TableState


class WayKeeper:
    def __init__(
        self, log_driver: LogDriver, state: TableState, connections: PeerLinks, settings: PeerSettings
    ) -> None:
        self._log_driver = log_driver
        self._state = state
        self._connections = connections
        self._settings = settings
        self._is_kept = True  # an earlier run may have left one

    def work(self) -> None:
        """Write the way back while this peer plays; remove it when the match is over."""
        running, roster = self._state.matches.running, self._state.roster
        if running is None or not self._state.matches.has_part:
            if self._is_kept:
                self._log_driver.way.forget()
                self._is_kept = False
            return
        driver = self._log_driver.driver
        addresses = {
            bytes(peer).hex(): (str(address[0]), int(address[1]))
            for peer, address in self._connections.addresses.items()
            if peer in running.header.parties
        }
        self._is_kept = True
        self._log_driver.way.keep(
            WayBack(
                copy_id(running.header.id, roster.me), roster.name_of(roster.me), self._settings.level,
                tuple(driver.bound), driver.port, addresses,
                self._settings.pages or self._settings.pages_before, self._settings.unlike,
                self._settings.watch, self._settings.anywhere, self._settings.quiet,
            )
        )  # fmt: skip
