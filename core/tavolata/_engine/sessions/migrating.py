"""The migration of a match in this process: rules with another number continue from the end of its last turn.

The same rules do so, too, where they break at the same place each time.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tavolata._engine.match.header import Header, OtherRules
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata._engine.storage.match_file import RULES, Kept, MatchFile, read
from tavolata._text import one_line
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import LoadedGame

NO_TURN = N_(
    "This match of {game} uses rules {theirs} (version {version}). Your rules {ours} can continue it "
    "only from the end of a turn, and no finished turn was saved. Watch it: `tt replay`."
)
CANT = N_(
    "This match of {game} uses rules {theirs} (version {version}); the rules installed here, {ours}, can't "
    "continue it. Install that version, or watch the match so far with `tt replay`."
)
MISFIT = N_(
    "{game} rules {ours} converted this match from rules {theirs}, but can't read the result: {problem}"
)


def migrate(kept: Kept, header: Header, loaded: LoadedGame) -> Kept:
    """Write into the file of an unfinished match that it continues from its last turn by the rules here.

    What happened after the last turn that had ended is lost. Return the file as it reads now.

    Raises:
        OtherRules: these rules can't continue with it; the file is as it was.
        OptionError: these rules do not have its options.
        StoreError: the file can't be written.
    """
    rules = loaded.game
    said: dict[str, Any] = {
        "game": header.game, "theirs": header.rules_id, "version": header.version, "ours": rules.rules_id,
    }  # fmt: skip
    snapshot = kept.snapshot
    if snapshot is None:
        raise OtherRules(NO_TURN, **said)
    state = deepcopy(snapshot["state"])
    if header.rules_id != rules.rules_id:
        state = rules().migrate(header.rules_id, state)
    if state is None:
        raise OtherRules(CANT, **said)
    terms = replace(
        header, rules_id=rules.rules_id, version=loaded.info.version, code=loaded.info.code,
        options=rules.options.parse(header.options).plain(),
    )  # fmt: skip
    _try(terms, rules, {**snapshot, "state": state}, said)
    with MatchFile(kept.path, kept) as file:
        file.write(RULES, [terms.plain(), {**snapshot, "state": state}])
        file.sync()
    return read(kept.path)


def _try(header: Header, rules: type[Any], snapshot: dict[str, Any], said: dict[str, Any]) -> None:
    """Load the state and write it again, before the file says that the match continues from it."""
    source = OpenSource(header.seed or 0, [None] * len(header.names), lambda _: None, hold=True)
    try:
        match = new_match(rules, header.terms(rules), source)
        match.load(snapshot["state"])
        source.load(snapshot["source"])
        match.digest()
    except Exception as error:
        raise OtherRules(MISFIT, **said, problem=one_line(f"{type(error).__name__}: {error}")) from error
