"""Runs of eight words: a rulebook must not have one that stands in the text whose rules it tells.

Those texts are no part of this project. What is kept of each is the hash of every eight words that follow one
another in it, in a file `source_runs.txt` beside the tests of the game.
"""

from __future__ import annotations

import re
from hashlib import blake2s
from pathlib import Path

WORDS = 8


def runs(text: str) -> dict[str, str]:
    """Every eight words of a text, by their hash; case, signs and line ends don't count."""
    words = re.findall(r"\w+", text.lower())
    found = (" ".join(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1))
    return {blake2s(run.encode(), digest_size=5).hexdigest(): run for run in found}


def taken_over(text: str, hashes: Path) -> list[str]:
    """The runs of a text that stand in the source too."""
    known = set(hashes.read_text(encoding="ascii").split())
    assert known, f"{hashes} is empty"
    return [run for key, run in runs(text).items() if key in known]
