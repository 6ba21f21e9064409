"""What a package index says of a package, as PEP 691 and PEP 700 have it; nothing is fetched here."""

from __future__ import annotations

from hashlib import sha256
from typing import Final
from urllib.parse import urljoin

import msgspec

ACCEPT: Final = "application/vnd.pypi.simple.v1+json"
PYPI: Final = "https://pypi.org/simple/"


class IndexFile(msgspec.Struct, frozen=True, rename="kebab"):
    """A file of a package. `yanked` is a reason or True; `provenance` the address of its attestations."""

    filename: str
    url: str
    hashes: dict[str, str]
    yanked: bool | str = False
    upload_time: str = ""
    provenance: str | None = None

    @property
    def version(self) -> str:
        """The version of a wheel; "" for another file."""
        return version_of(self.filename)

    def holds(self, data: bytes) -> bool:
        """Return True if this is what the index has of the file."""
        return self.hashes.get("sha256") == sha256(data).hexdigest()


class _Page(msgspec.Struct, frozen=True):
    files: tuple[IndexFile, ...]


def version_of(filename: str) -> str:
    """Return the version in the name of a wheel, in its normal form; "" for another file."""
    return filename.split("-")[1] if filename.endswith(".whl") and "-" in filename else ""


def page_of(index: str, package: str) -> str:
    """Return the address of a package's page."""
    return urljoin(index if index.endswith("/") else f"{index}/", f"{package}/")


def files_on(page: bytes, at: str) -> list[IndexFile]:
    """Return the files on the page at an address; raise ValueError if it isn't one."""
    found = msgspec.json.decode(page, type=_Page).files
    return [msgspec.structs.replace(one, url=urljoin(at, one.url)) for one in found]
