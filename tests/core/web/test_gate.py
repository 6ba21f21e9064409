"""Who is let in to the pages of a table, as far as it is decided without a server."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tavolata._web import gate

NAMES = {"localhost", "kitchen", "kitchen.local"}


@pytest.mark.parametrize(
    ("header", "own"),
    [
        ("192.168.1.5:8286", True),
        ("[fd00::5]:8286", True),
        ("localhost:8286", True),
        ("KITCHEN.local:8286", True),
        ("192.168.1.5", False),  # port 80 is somebody else's
        ("192.168.1.5:8287", False),
        ("evil.example:8286", False),  # a name that was made to lead here
        ("evil.example@192.168.1.5:8286", False),
        ("192.168.1.5:8286/x", False),
        ("192.168.1.5:99999", False),
        ("[::1:8286", False),
        ("", False),
    ],
)
def test_a_server_answers_to_numbers_and_to_names_of_its_own(header: str, own: bool) -> None:
    """`Host` is this server at its port: an address, or a name that this machine has, and nothing else."""
    assert gate.is_own_name(header, 8286, NAMES) is own


HOSTS = st.text(max_size=40) | st.sampled_from(sorted(NAMES)) | st.ip_addresses(v=4).map(str)


@given(HOSTS, st.sampled_from(["", ":8286", ":80"]))
def test_no_host_whatsoever_breaks_the_gate(host: str, port: str) -> None:
    """Any text for a `Host` is judged: an IPv4 address or an own name is let in at the port, no other."""
    known = host.lower() in NAMES or re.fullmatch(r"(\d{1,3}\.){3}\d{1,3}", host, re.ASCII) is not None
    assume(known or not host.startswith("["))
    assert gate.is_own_name(host + port, 8286, NAMES) is (known and port == ":8286")


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("http://192.168.1.5:8286", True),
        ("https://192.168.1.5:8286", False),
        ("http://192.168.1.5:8286.evil.example", False),
        ("http://evil.example", False),
        ("null", False),
        (None, False),
    ],
)
def test_only_pages_of_the_server_itself_may_send(origin: str | None, own: bool) -> None:
    """An `Origin` counts as own if it is the very `Host`; where there is none it does not."""
    assert gate.is_own_page(origin, "192.168.1.5:8286") is own


@given(st.text(max_size=30))
def test_no_token_is_guessed_by_its_beginning(given_token: str) -> None:
    """Only the whole token matches; texts of any alphabet are compared without an error."""
    token = gate.new_token()
    assert gate.matches(token, token)
    assert not gate.matches(given_token, token)
    assert not gate.matches(token[:-1], token)


def test_tokens_are_long_and_differ() -> None:
    """128 bits in 22 signs that an address can hold; what a seat is kept under does not give them away."""
    tokens = {gate.new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {22}
    one = tokens.pop()
    assert one not in gate.seat_key(one)
    assert gate.web_link("192.168.1.5", 8286, one) == f"http://192.168.1.5:8286/?s={one}"
    assert gate.web_link("fd00::5", 8286, one).startswith("http://[fd00::5]:8286/")
    assert gate.bare_link("fd00::5", 8286) == "http://[fd00::5]:8286"


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("it-IT,it;q=0.9,en;q=0.8", "it"),
        ("en;q=0.3,it;q=0.5", "it"),
        ("de,fr", "en"),
        ("", "en"),
        (";q=,it;q=x,,en", "en"),
    ],
)
def test_a_browser_is_spoken_to_in_its_language(accepted: str, lang: str) -> None:
    """The best language of `Accept-Language` that there is, else English."""
    assert gate.spoken_language(accepted, ("en", "it"), "en") == lang


def test_nothing_of_the_extra_is_imported_before_it_is_wanted() -> None:
    """Commands, the screen, the doctor and the gate do without aiohttp."""
    modules = ("_cli.table", "_cli.browsers", "_cli.home", "_engine.diagnostics.checkup",
               "_engine.diagnostics.web_extra", "_engine.peer.peer", "_ui.tui.screens.table_app", "_web.gate",
               "_web.pages", "_web.frontend")  # fmt: skip
    code = "".join(f"import tavolata.{one}; " for one in modules)
    code += "import sys; assert not {'aiohttp', 'jinja2'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "given", ["", "\udcff" * 22, "a" * 21, "a" * 23, "é" * 22, "a" * 21 + "\n", "../" * 7 + "a"]
)
def test_what_is_no_token_matches_nothing(given: str) -> None:
    """Also what isn't UTF-8: it's simply not a token, and no error."""
    assert not gate.is_token(given)
    assert not gate.matches(given, gate.new_token())
    assert gate.is_token(gate.new_token())
