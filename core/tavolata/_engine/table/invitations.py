"""Invitations: links with the address of a table, its code, and the fingerprint of the host's key.

    tavolata:192.168.1.5:9000/K7F3QX/0a1b2-3c4d5-6e7f8-9a0bc

The code is left out for an open table, the fingerprint may be. Spelling only; a link with a code is a secret:
it is read from a prompt or a file, never from the words of a command, which every process can list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tavolata_protocol.codes import read_code

SCHEME = "tavolata:"
_KEY = re.compile(r"[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){3}")


@dataclass(frozen=True)
class Invitation:
    """The data with which a guest joins a table.

    `address` is written as one would type it, empty if only a code was given. `code` is empty if the table is
    open; `key`, the fingerprint of the host's key, if it was not given.
    """

    address: str = ""
    code: str = ""
    key: str = ""

    def link(self) -> str:
        return f"{SCHEME}{self.address}/{self.code}/{self.key}".rstrip("/")


def read_invitation(text: str) -> Invitation | None:
    """Read a link, which a narrow window may have broken, or a code; return None if the text is neither."""
    text = text.strip()
    if not text.startswith(SCHEME):
        code = read_code(text)
        return None if code is None else Invitation(code=code)
    address, code, key, *rest = [*"".join(text.split()).removeprefix(SCHEME).split("/"), "", ""]
    if any(rest) or not address or (key and not _KEY.fullmatch(key)):
        return None
    read = read_code(code) if code else ""
    return None if read is None else Invitation(address, read, key)
