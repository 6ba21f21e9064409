"""Files with this machine's copies of campaigns: one for each, by game and name, replaced atomically.

Each machine that plays in a match of a campaign keeps what that match has left, before its file says that it
is over. So a machine that dies in between plays the end again when the match is resumed, and keeps the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tavolata import _dirs
from tavolata._engine.match.campaign import NAME, Campaign, after_match
from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Ended, Notice
from tavolata._engine.storage.match_file import StoreError
from tavolata._machine import disk
from tavolata._trouble import trouble
from tavolata.game import Game
from tavolata.messages import N_, NN_

SUFFIX: Final = ".campaign"
DAMAGED = N_(
    "The copy of campaign {name} in {path} is damaged. Remove it with `tt campaigns --remove {name}`."
)
UNREAD = N_("Couldn't read campaign {name} on this computer: {problem}.")
UNREMOVED = N_("Couldn't delete campaign {name} on this computer: {problem}.")
UNWRITTEN = N_("Couldn't save campaign {name} on this computer: {problem}.")
KEPT = NN_(
    "Campaign {name}: {n} match played. Continue it with `--campaign {name}`.",
    "Campaign {name}: {n} matches played. Continue it with `--campaign {name}`.",
)
STAYS = N_("Campaign {name} stays as it was before this match.")
GONE_ON = N_(
    "This match's legacy isn't saved on this computer: campaign {name} has continued here without it."
)


def _path(game: str, name: str) -> Path:
    return Path(_dirs.data_dir()) / "campaigns" / game / (name + SUFFIX)


def load(game: str, name: str) -> Campaign | None:
    """Return this machine's copy of a campaign; None if it has none. Raise StoreError if it can't be read."""
    path = _path(game, name)
    try:
        found = Campaign.of(disk().read(path)) if NAME.fullmatch(name) else None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(UNREAD, name=name, problem=trouble(error)) from error
    if found is None or found.name != name:
        raise StoreError(DAMAGED, name=name, path=path)
    return found


def keep(game: str, campaign: Campaign) -> None:
    """Replace this machine's copy of a campaign, and wait until the disk has it.

    If it raises StoreError, the copy is as before.
    """
    path = _path(game, campaign.name)
    try:
        disk().make_folder(path.parent)
        disk().replace(path, campaign.packed())
        disk().sync_folder(path.parent)
    except OSError as error:
        raise StoreError(UNWRITTEN, name=campaign.name, problem=trouble(error)) from error


def remove(game: str, name: str) -> None:
    try:
        disk().remove(_path(game, name))
    except OSError as error:
        raise StoreError(UNREMOVED, name=name, problem=trouble(error)) from error


def all_kept() -> Iterator[tuple[str, str]]:
    for path in disk().find(Path(_dirs.data_dir()) / "campaigns", "*/*" + SUFFIX):
        yield path.parent.name, path.stem


def fits_copy(header: Header) -> bool:
    """Return True if a match continues from this machine's copy of its campaign, or from a later one."""
    if header.campaign is None:
        return True
    with suppress(StoreError):
        own = load(header.game, header.campaign.name)
        return own is None or header.campaign.goes_on_from(own)
    return False


class CampaignKeeper:
    def __init__(self) -> None:
        self._written: Campaign | None = None

    def end(self, header: Header, rules: type[Game[Any]], ended: Ended) -> Notice | None:
        """Keep what a match leaves; it may end once more, otherwise. Return a notice for people."""
        before = header.campaign
        if before is None or ended.suspended:
            return None
        left = after_match(
            before, header.id, header.names, rules, ended.outcome, cheated=ended.conviction is not None
        )
        return self._replace(header.game, left, before)

    def void(self, header: Header) -> Notice | None:
        """Undo what the match has left: it is void."""
        return (
            None if header.campaign is None else self._replace(header.game, header.campaign, header.campaign)
        )

    def _replace(self, game: str, left: Campaign, before: Campaign) -> Notice | None:
        said = {"name": left.name, "n": left.matches}
        try:
            own = load(game, left.name)
            if own is not None and own != self._written and not left.goes_on_from(own):
                return None if own.goes_on_from(left) else Notice(GONE_ON, said, wrong=True)
            if left.matches:
                keep(game, left)
            else:
                remove(game, left.name)
        except StoreError as error:
            return Notice(error.message, error.params, wrong=True)
        self._written = left
        return Notice(STAYS if left == before else KEPT, said)
