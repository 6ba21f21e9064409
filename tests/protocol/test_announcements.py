"""What a host says of its table survives the way through TXT fields; what makes no sense is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol.announcements import Announcement, read_txt
from tavolata_protocol.errors import MalformedMessage

ANN = Announcement(b"T" * 16, "Ann", "zompa", 8286, private=True, free=3)


def test_txt_fields_say_all_that_is_announced() -> None:
    """Version, game, table id, open or private and seats free come back as they went."""
    assert ANN.txt() == {
        "v": "2", "id": "54" * 16, "name": "Ann", "game": "zompa", "access": "private", "free": "3",
    }  # fmt: skip
    assert read_txt(ANN.txt(), 8286) == ANN
    assert read_txt({**ANN.txt(), "access": "open", "later": "yes", "bare": None}, 8286).private is False


@pytest.mark.parametrize(
    "wrong",
    [{"id": ""}, {"id": "xyz"}, {"id": "00" * 33}, {"v": ""}, {"v": "999"}, {"free": "-1"}, {"free": "many"}],
)
def test_fields_that_make_no_sense_are_refused(wrong: dict[str, str]) -> None:
    """No table has such an id, version or number of seats."""
    with pytest.raises(MalformedMessage):
        read_txt({**ANN.txt(), **wrong}, 8286)


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_port_that_is_none_is_refused(port: int) -> None:
    """The SRV record comes from anybody, too."""
    with pytest.raises(MalformedMessage):
        read_txt(ANN.txt(), port)


@pytest.mark.battery
@given(st.dictionaries(st.sampled_from(["v", "id", "name", "game", "access", "free"]), st.text() | st.none()))
def test_any_fields_give_an_announcement_or_a_typed_error(txt: dict[str, str | None]) -> None:
    """Nothing else ever happens, and what is printed of it can move no cursor."""
    try:
        said = read_txt(txt, 8286)
    except MalformedMessage:
        return
    assert (said.name + said.game).isprintable()
    assert len(said.name) <= 24


@given(st.text(max_size=24), st.text(max_size=40), st.binary(min_size=16, max_size=16))
def test_a_label_fits_into_dns_and_differs_for_every_table(name: str, game: str, table: bytes) -> None:
    """At most 63 bytes without a dot, and it ends with the table's id."""
    label = Announcement(table, name, game, 1).label
    assert len(label.encode()) <= 63
    assert "." not in label
    assert label.endswith(table.hex()[:8])
