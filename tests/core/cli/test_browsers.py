"""What the host reads when a browser knocks."""

from __future__ import annotations

import pytest

from tavolata._cli.browsers import knocked
from tavolata._engine.sessions.knocks import Knock
from tavolata._text import Verbatim
from tavolata._ui.i18n import Translator

ANN = Knock("WXPD", Verbatim("Ann"), screen=False, key="1", machine="a", until=9.0)
BACK = Knock("FGHJ", Verbatim("Ben"), screen=False, key="2", machine="b", until=9.0, back="3")
SCREEN = Knock("KLMN", Verbatim(""), screen=True, key="4", machine="c", until=9.0)


@pytest.mark.parametrize(
    ("knock", "pressed", "typed"),
    [
        (ANN, "Knocking: WXPD (Ann). Press y to let in WXPD.",
         "WXPD: Ann is knocking. Type admit WXPD or reject WXPD."),
        (BACK, "Knocking: FGHJ (Ben). Press y to let in WXPD.",
         "FGHJ: Ben wants their seat back on another phone. Type admit FGHJ or reject FGHJ."),
        (SCREEN, "Knocking: KLMN (a television). Press y to let in WXPD.",
         "KLMN: a television wants to join. Type admit KLMN or reject KLMN."),
    ],
)  # fmt: skip
def test_a_knock_says_what_to_press_or_to_type(knock: Knock, pressed: str, typed: str) -> None:
    """The full screen names the key, which lets in the first that knocks; lines name the commands."""
    for keys, said in ((True, pressed), (False, typed)):
        text = knocked(knock, ANN, keys=keys)
        assert Translator("en").text(text.message, text.params) == said
