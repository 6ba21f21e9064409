"""Errors of the operating system, in words that can be translated.

Systems use their own language or English, whatever language the program speaks. The common errors have words
here, which fit into the middle of a sentence; all others keep the words of the system.
"""

from __future__ import annotations

import errno

from tavolata._text import one_line
from tavolata.messages import N_, Text

WORDS = {
    errno.ENOENT: N_("no such file or folder"),
    errno.ENOTDIR: N_("part of that path is a file, not a folder"),
    errno.EISDIR: N_("that is a folder"),
    errno.EEXIST: N_("that name is already taken"),
    errno.EACCES: N_("permission denied"),
    errno.EPERM: N_("permission denied"),
    errno.EROFS: N_("that disk is read-only"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EBADF: N_("it's closed"),
    errno.EADDRINUSE: N_("another program is using that port"),
    errno.EADDRNOTAVAIL: N_("this computer doesn't have that address"),
}
NO_TEXT = N_("that isn't UTF-8 text")


def trouble(error: BaseException) -> Text | str:
    """Return the error as a field of a message, without a full stop."""
    number = getattr(error, "errno", None)
    if number in WORDS:
        return Text(WORDS[number])
    if isinstance(error, UnicodeDecodeError):
        return Text(NO_TEXT)
    return one_line(getattr(error, "strerror", None) or error).rstrip(".")
