"""Cheap algebra: integers modulo Ed25519's order instead of its points, hashes instead of signatures.

Every proof is made and checked as always, so whatever doesn't depend on the group itself runs as it is.
Anybody could forge these signatures and open these boxes: nobody in a rehearsal does.
"""

from __future__ import annotations

import functools
import hashlib
import sys

import pytest
from nacl import bindings
from nacl.exceptions import BadSignatureError

from tavolata_protocol.fair.group import Ed25519

ORDER = Ed25519.order


def _number(point: bytes) -> int:
    return int.from_bytes(point, "little")


def _point(number: int) -> bytes:
    return (number % ORDER).to_bytes(32, "little")


def _is_point(_: Ed25519, data: object) -> bool:
    return type(data) is bytes and len(data) == 32 and 0 < _number(data) < ORDER


def _group(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Ed25519, "base", _point(1))
    patch.setattr(Ed25519, "identity", _point(0))
    patch.setattr(Ed25519, "multiply", lambda _, scalar, point: _point(scalar * _number(point)))
    patch.setattr(Ed25519, "multiply_base", lambda _, scalar: _point(scalar))
    patch.setattr(Ed25519, "add", lambda _, one, other: _point(_number(one) + _number(other)))
    patch.setattr(Ed25519, "subtract", lambda _, one, other: _point(_number(one) - _number(other)))
    patch.setattr(Ed25519, "is_point", _is_point)
    patch.setattr(Ed25519, "from_hash", lambda _, digest: _point(_number(digest)))


def _signature(message: bytes, peer: bytes) -> bytes:
    return hashlib.blake2b(message, key=peer, digest_size=bindings.crypto_sign_BYTES).digest()


def _sign(message: bytes, secret: bytes) -> bytes:
    return _signature(message, secret[bindings.crypto_sign_SEEDBYTES :]) + message


def _open(signed: bytes, peer: bytes) -> bytes:
    message = signed[bindings.crypto_sign_BYTES :]
    if signed[: bindings.crypto_sign_BYTES] != _signature(message, peer):
        raise BadSignatureError
    return message


def forget(rooms: str = "tavolata") -> None:
    """Forget what was computed with the other group, or anything else, in modules whose names begin so."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(rooms):
            for value in [*vars(module).values()]:
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()


def cheap_group(patch: pytest.MonkeyPatch) -> None:
    """Compute with integers until the patch is undone; signatures stay."""
    forget("tavolata_protocol")
    _group(patch)


def cheap_algebra(patch: pytest.MonkeyPatch) -> None:
    """Compute with integers until the patch is undone, and sign with hashes."""
    forget()
    cheap_group(patch)
    patch.setattr(bindings, "crypto_sign", _sign)
    patch.setattr(bindings, "crypto_sign_open", _open)
