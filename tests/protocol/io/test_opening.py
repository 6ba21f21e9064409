"""Sockets: any free port where none is asked for."""

from __future__ import annotations

import socket

import pytest

from tavolata_protocol.io.opening import open_plain


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_a_plain_socket_gets_any_free_port(family: socket.AddressFamily, host: str) -> None:
    """Two of them are open at once, at ports that the system chose, above the reserved ones."""
    found = [open_plain(family, host) for _ in range(2)]
    ports = [one.getsockname()[1] for one in found if one is not None]
    for one in found:
        if one is not None:
            one.close()
    if not ports:
        pytest.skip(f"this machine has no {host}")
    assert len(set(ports)) == 2
    assert min(ports) >= 1024


def test_a_plain_socket_that_can_not_be_is_none() -> None:
    """Another machine's address is no error, because every interface is tried."""
    assert open_plain(socket.AF_INET, "192.0.2.1") is None
