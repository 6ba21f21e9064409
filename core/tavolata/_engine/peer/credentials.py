"""One machine's announcements about itself at a table, and its comparisons with the table's facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.game_info import Edition
from tavolata._engine.match.updates import Notice
from tavolata._engine.network.joining import TableCard
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.network.table_errors import TableRefused
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.same_code import IN_A_MATCH, why_not_together
from tavolata._engine.storage.campaign_files import load
from tavolata._engine.storage.match_file import StoreError
from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_state import TableState
from tavolata.errors import MessageError
from tavolata.messages import N_

NEW_HERE: Final = N_(
    "This computer has no copy of campaign {name} yet. It will save one after the next match."
)
WENT_ON_WITHOUT: Final = N_(
    "Campaign {name} has continued without this computer: its last match here was number {n}."
)


class Credentials:
    """The name, presence, pages, edition and campaign of one machine."""

    def __init__(
        self,
        link: TableLink,
        log_driver: LogDriver,
        state: TableState,
        library: GameLibrary,
        settings: PeerSettings,
        keep_name: Callable[[str], object] | None,
    ) -> None:
        self._link = link
        self._log_driver = log_driver
        self._state = state
        self._library = library
        self._settings = settings
        self._keep_name = keep_name
        self._said_here = False
        self._said_pages = False
        self._compared: tuple[Edition, Edition | None] | None = None
        self._said_edition = False
        self._campaign: tuple[Campaign | None, bool] = (None, False)
        self._shown = settings.name, library.loaded.info.name, settings.unlike

    def work(self) -> None:
        """Announce news of this machine and compare changes; raise `TableRefused` if it can't play here."""
        self._say_here()
        self._say_pages()
        self._compare_editions()
        self._compare_campaigns()

    def _say_here(self) -> None:
        """Announce this peer once, if all that is final so far reports it as absent."""
        if self._link.heads.number < self._log_driver.log.commit_index:
            return  # what comes next may say that it is heard
        mine = self._state.roster.place_of(self._state.me)
        reported = mine is not None and mine.status == log_bodies.AWAY
        self._said_here = reported and (
            self._said_here or self._link.propose(log_bodies.STATUS, self._state.me, True)
        )

    def _say_pages(self) -> None:
        """Announce this machine's pages for browsers once, so that people know where to go."""
        pages = self._settings.pages
        if pages is not None and not self._said_pages:
            self._said_pages = self._link.propose(log_bodies.PAGES, *pages)

    def say_edition(self) -> bool:
        return self._link.propose(
            log_bodies.EDITION, *self._library.loaded.info.edition, self._settings.unlike
        )

    def _compare_editions(self) -> None:
        """Compare the table's version and code with those here, once for each game on the table.

        Raise `TableRefused` if this machine can't play with the others.
        """
        editions, own = self._state.lobby.editions, self._library.loaded
        table, said = editions.of_table, editions.others.get(self._state.me)
        if table is None:
            self._compared = None
            ours = self._state.roster.host == self._state.me and not self._said_edition
            if ours and not self._log_driver.log.pending:  # which may put another game on the table
                self._said_edition = self.say_edition()
            return
        self._said_edition = False
        if (table, said) == self._compared:
            return
        unlike = self._settings.unlike
        refused = why_not_together(own, table, unlike=unlike, lets=editions.unlike) or self._why_not_return()
        if refused is not None:
            raise TableRefused(refused[0], **refused[1])
        mine = own.info.edition
        is_known = mine.is_alike(table) if said is None else mine.code == said.code
        if is_known or self._settings.watch or self.say_edition():
            self._compared = table, said

    def _compare_campaigns(self) -> None:
        """Compare a changed campaign with the copy here; raise `TableRefused` if that can't be read."""
        matches = self._state.matches
        table = matches.campaign.of_table
        seated = self._state.roster.place_of(self._state.me) is not None
        known, now = self._campaign, (table, seated)
        if now == known or matches.running is not None:
            return
        if table is not None and seated:
            try:
                own = load(self._library.loaded.info.name, table.name)
            except StoreError as error:
                raise TableRefused(error.message, **error.params) from error
            if own is not None and not table.goes_on_from(own):
                if not self._link.propose(log_bodies.CAMPAIGN, own.packed()):
                    return
            elif own is None and table.matches and known[0] is None:
                self._state.out.append(Notice(NEW_HERE, {"name": table.name}))
            elif own is not None and own != table:
                self._state.out.append(Notice(WENT_ON_WITHOUT, {"name": table.name, "n": own.matches}))
        self._campaign = now

    def _why_not_return(self) -> tuple[str, dict[str, Any]] | None:
        """Return why this machine can't continue the running match; None if it can."""
        running, info = self._state.matches.running, self._library.loaded.info
        if running is None or self._state.me not in running.header.parties:
            return None
        header = running.header
        changed = header.code_of(self._state.me) != info.edition.fingerprint
        if not (changed and info.says_facts and not header.codes):
            return None
        return IN_A_MATCH, {"game": info.name, "ours": info.version, "theirs": header.version}

    def show(self) -> None:
        editions, quiet = self._state.lobby.editions, self._settings.quiet
        now = self._settings.name, self._library.loaded.info.name, editions.unlike
        if editions.of_table is not None and now != self._shown:
            card = TableCard.of_game(now[0], self._library.loaded, unlike=now[2], quiet=quiet)
            self._log_driver.driver.endpoint.introduce(card.packed())
            self._shown = now

    def be_called(self, name: str) -> None:
        """Take a new name for this table and, if it can be stored, for later ones."""
        self._settings.name = name
        try:
            if self._keep_name is not None:
                self._keep_name(name)
        except MessageError as error:
            self._state.out.append(Notice(error.message, error.params, wrong=True))
