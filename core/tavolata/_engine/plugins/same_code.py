"""The comparison of a game's code here with the code by which a table plays, or a match was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tavolata._engine.match.game_info import Edition, as_text
from tavolata._engine.match.header import OtherRules
from tavolata._engine.plugins.source_code import code_of
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.match.header import Header
    from tavolata._engine.plugins.catalogue import LoadedGame

Sentence = tuple[str, dict[str, Any]]

MOST_FILES: Final = 3
"""How many files a refusal names."""
OTHER_FILES = N_(
    "Your {game} {ours} doesn't match this table's {game} {theirs}: they differ in {files}. Install the "
    "table's version, or play anyway with `--unlike`."
)
MORE_FILES = N_(
    "Your {game} {ours} doesn't match this table's {game} {theirs}, which has a file that's missing "
    "here. Install the table's version, or play anyway with `--unlike`."
)
SAYS_FACTS = N_(
    "Your {game} {ours} isn't the table's {game} {theirs}. Lying about hidden cards costs you the "
    "match, so everyone needs the same code. Install it, or play anyway with `--unlike`."
)
HOST_TOO = N_(
    "Your {game} {ours} doesn't match this table's {game} {theirs}, and the table doesn't allow different "
    "code. Its host would have to run `tt host --unlike`."
)
OTHER_FILES_THEN = N_(
    "The {game} {ours} here isn't the {game} {theirs} this match started with: they differ in {files}. "
    "Install the match's version, or continue anyway with `--unlike`."
)
MORE_FILES_THEN = N_(
    "The {game} {ours} here isn't the {game} {theirs} this match started with, which had a file that's "
    "missing here. Install the match's version, or continue anyway with `--unlike`."
)
BOTH = N_("The match started with {game} {theirs} (code {code}); you have {ours} (code {here}).")
IN_A_MATCH = N_(
    "Your {game} {ours} isn't the {game} {theirs} you started with. Lying about hidden cards costs you "
    "the match, and different code could get you convicted of it. Install that version."
)


def why_not_together(
    loaded: LoadedGame, table: Edition, *, unlike: bool = False, lets: bool = False
) -> Sentence | None:
    """Return the reason why this machine can't play at a table; None if it can.

    With `unlike` the player here would play by other code; with `lets` the table lets machines with other
    code play.
    """
    own = loaded.info.edition
    if own.plays_with(table):
        return None
    if unlike:
        return None if lets else (HOST_TOO, _said(loaded, table))
    if own.version != table.version and (own.says_facts or table.says_facts):
        return SAYS_FACTS, _said(loaded, table)
    return _named(loaded, table, OTHER_FILES, MORE_FILES)


def other_code(loaded: LoadedGame, header: Header) -> Sentence | None:
    """Say that a match was begun by different code from that here, with both; return None if it wasn't."""
    then = Edition(header.version, header.code, says_facts=False)
    if not then.code or then.is_alike(loaded.info.edition):
        return None
    codes = {"code": as_text(then.code), "here": as_text(loaded.info.code)}
    return BOTH, {**_said(loaded, then), **codes}


def check_code(loaded: LoadedGame, header: Header) -> None:
    """Check that a match can be continued, or played again, by the code that is here.

    Another version with the same `rules_id` plays the same, as its author promises. Raise `OtherRules` if the
    same version has different code; the sentence names the files.
    """
    then = Edition(header.version, header.code, says_facts=False)
    if then.code and not loaded.info.edition._replace(says_facts=False).plays_with(then):
        message, params = _named(loaded, then, OTHER_FILES_THEN, MORE_FILES_THEN)
        raise OtherRules(message, **params)


def _named(loaded: LoadedGame, theirs: Edition, other: str, more: str) -> Sentence:
    """Return the refusal that names the files which differ, as far as they are known."""
    paths = code_of(loaded.game).differing(theirs.code)
    files = [path.removeprefix(f"{loaded.info.package}/") for path in paths]
    named = ", ".join(files[:MOST_FILES]) + (" …" if len(files) > MOST_FILES else "")
    return (other if files else more), {**_said(loaded, theirs), "files": named}


def _said(loaded: LoadedGame, theirs: Edition) -> dict[str, Any]:
    return {"game": loaded.info.name, "ours": loaded.info.version, "theirs": theirs.version}
