"""The profile of a guest, which it sends when it calls a table."""

from __future__ import annotations

from contextlib import suppress

from tavolata._engine.match.state import pack, unpack


def guest_profile(name: str, *, watch: bool) -> bytes:
    return pack([name, watch])


def watches(profile: bytes) -> bool:
    with suppress(ValueError, TypeError):
        _, watching = unpack(profile)
        return watching is True
    return False
