"""This machine's copies of campaigns: what a match leaves is kept once, and never over a later copy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.engine.match.test_campaign import Heirlooms, House, after

from tavolata import Outcome
from tavolata._disk import Disk
from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.header import Header
from tavolata._engine.match.offences import Conviction
from tavolata._engine.match.updates import Ended, Notice
from tavolata._engine.storage import campaign_files
from tavolata._engine.storage.campaign_files import GONE_ON, KEPT, STAYS, CampaignKeeper, fits_copy, load
from tavolata._engine.storage.match_file import StoreError
from tavolata.ring import SEATS
from tavolata_protocol.fair.offences import Charge, Offence

NEW = Campaign("autumn")
HEADER = Header("c" * 16, "heirlooms", "0", 1, {}, ("Ann", "Bea"), (None, None), campaign=NEW)
LEAVES = Ended(Outcome((SEATS[0],), legacy=House({"Ann": 4})), b"")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def told(notice: Notice | None) -> str:
    return "" if notice is None else str(notice.message)


def end(header: Header = HEADER, ended: Ended = LEAVES, keeper: CampaignKeeper | None = None) -> str:
    """What people are told when a match ends, by a machine that has just started or by this one."""
    return told((keeper or CampaignKeeper()).end(header, Heirlooms, ended))


def own() -> Campaign | None:
    return load("heirlooms", "autumn")


def test_what_a_match_leaves_is_kept_once() -> None:
    """A machine that plays the end again, because it died, keeps the same; then the next match goes on."""
    assert own() is None
    assert end() == str(KEPT)
    first = own()
    assert first is not None
    assert (first.matches, first.match, first.players) == (1, HEADER.id, ("Ann", "Bea"))
    assert end() == str(KEPT)
    assert own() == first
    assert end(replace(HEADER, id="d" * 16, campaign=first)) == str(KEPT)
    assert list(campaign_files.all_kept()) == [("heirlooms", "autumn")]
    latest = own()
    assert latest is not None
    assert latest.matches == 2
    assert end() == "", "an older match that is played again changes nothing"
    assert own() == latest


def test_a_match_beside_the_campaign_is_not_kept_over_it() -> None:
    """A match that waited while the campaign went on leaves nothing here, and people are told."""
    end()
    before = own()
    assert end(replace(HEADER, id="e" * 16)) == GONE_ON
    assert own() == before
    assert not fits_copy(replace(HEADER, campaign=NEW))
    assert not fits_copy(replace(HEADER, campaign=after(NEW, "x")))
    assert fits_copy(replace(HEADER, campaign=before))
    assert fits_copy(replace(HEADER, campaign=None))


@pytest.mark.parametrize(
    "ended",
    [
        Ended(None, b""),
        Ended(Outcome(()), b""),
        LEAVES._replace(conviction=Conviction(0, Charge(Offence.EQUIVOCATION))),
    ],
)
def test_a_match_without_an_end_leaves_it_as_it_was(ended: Ended) -> None:
    """Broken off, without a legacy, or ended by a cheat."""
    assert end(ended=ended) == STAYS
    assert own() is None


def test_what_a_void_match_has_left_is_taken_back() -> None:
    """Also where the outcome stood first and a lie was proven then; a later copy is never touched."""
    keeper = CampaignKeeper()
    end(keeper=keeper)
    assert told(keeper.void(HEADER)) == STAYS
    assert own() is None
    end(keeper=keeper)
    end(ended=LEAVES._replace(conviction=Conviction(0, Charge(Offence.EQUIVOCATION))), keeper=keeper)
    assert own() is None
    end(keeper=keeper)
    first = own()
    end(replace(HEADER, id="d" * 16, campaign=first))
    latest = own()
    assert told(keeper.void(HEADER)) == ""
    assert own() == latest


def test_a_disk_that_takes_nothing_costs_the_copy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """People are told in one sentence, the copy is as before, and the draft is no campaign."""
    end()
    before = own()

    def full(_: int) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr("os.fsync", full)
    said = end(replace(HEADER, id="d" * 16, campaign=before))
    assert said == campaign_files.UNWRITTEN
    assert own() == before
    assert len(list(campaign_files.all_kept())) == 1


def test_a_disk_that_gives_nothing_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can't be read or deleted isn't said to be unsaved; a copy that may be a later one stays."""
    end()
    before = own()

    def broken(*_: object) -> None:
        raise OSError(5, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "read", broken)
        assert end(replace(HEADER, id="d" * 16, campaign=before)) == campaign_files.UNREAD
        with pytest.raises(StoreError, match="Couldn't read campaign autumn"):
            own()
    with monkeypatch.context() as patch:
        patch.setattr(Disk, "remove", broken)
        with pytest.raises(StoreError, match="Couldn't delete campaign autumn"):
            campaign_files.remove("heirlooms", "autumn")
    assert own() == before


def test_a_damaged_copy_is_named(tmp_path: Path) -> None:
    """It is not taken for none, so that nobody begins anew over it by accident."""
    end()
    (path,) = tmp_path.glob("campaigns/*/*")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StoreError, match="is damaged"):
        own()
    assert not fits_copy(HEADER)
    campaign_files.remove("heirlooms", "autumn")
    assert own() is None
