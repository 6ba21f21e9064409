"""An update that nothing in Tavolata knows: defined here, and at once told by every face."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tavolata._engine.match.updates import Saying, Telling
from tavolata._ui.i18n import Translator
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata._ui.tui.model.table_model import Note, TableModel

from .tui.playing import session


class Nudged(NamedTuple):
    """Somebody is asked to hurry up."""

    who: str

    def saying(self) -> Saying:
        return Saying("notice", "{who}, hurry up!", {"who": self.who})

    def data(self) -> Mapping[str, Any]:
        return {"type": "nudged", "who": self.who}


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def test_a_new_update_is_told_by_every_face() -> None:
    """Lines, JSON and the log of the screen tell it; quiet lines leave it out like all notices."""
    at, said = session("conto", 2), list[str]()
    at._file.close()  # nobody plays
    nudge = Nudged("Ann")
    assert isinstance(nudge, Telling)
    Plain(at, Translator("en"), said.append, None).show(nudge)
    Plain(at, Translator("en"), said.append, None, narrate=False).show(nudge)
    Plain(at, Translator("en"), said.append, None, labelled=True).show(nudge)
    assert said == ["Ann, hurry up!", "Notice: Ann, hurry up!"]
    Ndjson(at, Translator("en"), said.append, None).show(nudge)
    assert json.loads(said[-1]) == {
        "type": "nudged", "who": "Ann", "message": "{who}, hurry up!", "text": "Ann, hurry up!",
    }  # fmt: skip
    model = TableModel(at, Translator("en"))
    model.take(nudge)
    assert model.notes == [Note("Ann, hurry up!", "notice", message="{who}, hurry up!")]
