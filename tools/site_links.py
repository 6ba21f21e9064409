"""A hook of MkDocs: links out of docs/ lead to the repository, where those files are."""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]*|[\w.-]+\.json)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """The text of a page, with the addresses of files that are no pages of the site.

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

    return _LINK.sub(address, markdown)
