"""A hook of MkDocs: links out of docs/ lead to the repository, and old addresses of pages to new ones.

The reference has signatures on the repository's own pages; the site makes fuller ones in their place.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any, Final

MOVED: Final = {
    "testing-protocol.md": "testing.md#test-the-agreed-log",
}
"""Pages that are gone, each with the page or part of one that has what it said."""
OLD_DECISIONS: Final = Path(__file__).with_name("old_decisions.txt")
"""Names that decisions had, each with the number of the one that has what it said."""
_SIGNATURES = re.compile(r"^<!-- (tavolata\.\S+) -->\n.*?^<!-- end of \1 -->$", re.MULTILINE | re.DOTALL)
_IMAGE = re.compile(r'(?<=<img src=")([^":]+)(?=")')
_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]*|[\w.-]+\.json)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Return the text of a page, with the addresses of files that aren't pages of the site.

    MkDocs leaves HTML as it is and gives each page a folder of its own, out of which pictures have to lead.

    Args:
        markdown: the text.
        page: the page of MkDocs.
        config: the configuration of the site.
    """
    here = posixpath.dirname(f"docs/{page.file.src_uri}")

    def address(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(here, found[1]))
        if path.startswith("docs/") and path.endswith(".md"):
            return found[0]
        return f"]({config['repo_url']}/blob/main/{path}{found[2] or ''})"

    def picture(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), found[1]))
        return "../" * page.url.count("/") + path

    return _IMAGE.sub(picture, _LINK.sub(address, _SIGNATURES.sub(r"::: \1", markdown)))


def moved(docs: Path) -> dict[str, str]:
    """Return each page that is gone, and the page or part of one that has what it said.

    Args:
        docs: the folder of the pages.
    """
    names = [line.split() for line in OLD_DECISIONS.read_text(encoding="utf-8").splitlines()]
    heirs = {path.name[:4]: f"decisions/{path.name}" for path in (docs / "decisions").glob("0*.md")}
    return MOVED | {f"decisions/{old}.md": heirs[number] for old, number in names}


def on_post_build(*, config: Any, **_: Any) -> None:
    """Leave a page at each old address that leads to the new one.

    Args:
        config: the configuration of the site.
    """
    for old, new in moved(Path(config["docs_dir"])).items():
        page, _at, part = new.partition("#")
        up = "../" * (old.count("/") + 1)
        target = f"{up}{page.removesuffix('.md')}/" + (f"#{part}" if part else "")
        path = Path(config["site_dir"]) / old.removesuffix(".md") / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        leads = f'<meta http-equiv="refresh" content="0; url={target}"><a href="{target}">Moved</a>'
        path.write_text(f"<!doctype html>{leads}\n", encoding="utf-8")
