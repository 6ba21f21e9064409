"""Names and versions of packages in words of people and of other peers; nothing is looked up."""

from __future__ import annotations

import re

NAME = r"[A-Z0-9](?:[A-Z0-9._-]{0,58}[A-Z0-9])?"
"""The name of a package as PEP 508 defines it."""
_VERSION = r"[A-Z0-9][A-Z0-9.+!_-]{0,39}"
_CLAUSE = rf"(?:===?|~=|!=|<=?|>=?) *{_VERSION}(?:\.\*)?"
_WANTED = re.compile(rf"({NAME})(?: *{_CLAUSE}(?: *, *{_CLAUSE})*)?", re.IGNORECASE | re.ASCII)
_EXACT = re.compile(_VERSION, re.IGNORECASE | re.ASCII)
_ONE_NAME = re.compile(NAME, re.IGNORECASE | re.ASCII)


def is_distribution(name: object) -> bool:
    """Return True for the name of a package as PEP 508 defines it: no option, address or space."""
    return isinstance(name, str) and _ONE_NAME.fullmatch(name) is not None


def is_version(version: object) -> bool:
    """Return True if this can be the version of a package, and no more."""
    return isinstance(version, str) and _EXACT.fullmatch(version) is not None


def wanted(word: str) -> str:
    """Return the name of the package in a word such as `tavolata-hearts==1.2`; "" for another word."""
    found = _WANTED.fullmatch(word)
    return found[1] if found else ""
