"""Questions before a table: yes and no, and tables of games that are missing here."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from tavolata._cli import table
from tavolata._cli.choosing import agreed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.finding import _tell
from tavolata._cli.table import join
from tavolata._engine.network import announcing, ways
from tavolata._engine.network.finding import FoundTable
from tavolata._engine.network.table_errors import KeyChanged
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._ui.i18n import Translator
from tavolata._ui.table_lines import REALLY
from tavolata_protocol.io.interfaces import Nearby


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Have these lines typed, and then the end of the input."""
    left: Iterator[str] = iter(lines)

    def read(_: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", read)


@pytest.mark.parametrize(
    ("lang", "lines", "answer"),
    [
        ("en", ["yes"], True),
        ("en", ["Y"], True),
        ("en", ["", "perhaps", "no"], False),
        ("it", ["s"], True),
        ("it", ["sì"], True),
        ("it", ["yes"], True),
        ("it", ["n"], False),
    ],
)
def test_yes_and_no_are_understood_in_both_languages(
    lang: str, lines: list[str], answer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word or its beginning answers; whatever else is typed is asked again, Enter alone too."""
    typed(monkeypatch, *lines)
    assert agreed(CommandContext({"lang": lang}, {}), "Really?") is answer


def test_nobody_who_answers_is_no_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the input interrupts, as Ctrl+C does."""
    typed(monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        agreed(CommandContext({}, {}), "Really?")


@pytest.mark.parametrize(("lang", "answer"), [("en", "yes"), ("it", "no")])
def test_a_host_with_another_key_is_asked_about_in_the_words_of_every_face(
    lang: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Yes joins once more and takes the key, no is the end; the sentence is that of screens and lines."""
    asked: list[str] = []
    tried: list[bool] = []

    def join_table(*_: object, new_key: bool, **__: object) -> NoReturn:
        tried.append(new_key)
        raise KeyboardInterrupt if new_key else KeyChanged("Bob", "1234")

    def read(question: str) -> str:
        asked.append(question)
        return answer

    monkeypatch.setattr("tavolata._engine.network.joining.join_table", join_table)
    monkeypatch.setattr(builtins, "input", read)
    monkeypatch.setattr(CommandContext, "on_terminal", True)
    context = CommandContext({"lang": lang}, {})
    with pytest.raises((KeyChanged, KeyboardInterrupt)) as end:
        join(context, "127.0.0.1", name="Ann")
    assert tried == ([False, True] if answer == "yes" else [False])
    assert end.type is (KeyboardInterrupt if answer == "yes" else KeyChanged)
    assert Translator(lang).text(REALLY, {"name": "Bob", "key": "1234"}) in asked[0]


@pytest.mark.parametrize(("game", "marked"), [("zompa", False), ("mau-mau", True), ("", False)])
def test_a_table_of_a_game_that_is_missing_here_is_marked(
    game: str, marked: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """People see it in the line, programs in the field `installed`."""
    one = FoundTable("k", "10.0.0.1", ("10.0.0.1",), "Ada", game, private=False, free=2 if game else None,
                     rungs=("mdns",))  # fmt: skip
    _tell(CommandContext({"lang": "en"}, {}), one, "table")
    _tell(CommandContext({"lang": "en", "ui": "json"}, {}), one, "table")
    line, data = capsys.readouterr().out.splitlines()
    assert line.endswith("(mau-mau isn't installed here.)") is marked
    assert ('"installed": false' in data) is marked


@pytest.mark.parametrize("quiet", [True, False])
def test_a_quiet_table_is_quiet_at_its_heirs(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes back to a table, or leads it in the host's stead, announces it only if the host did."""
    told: list[object] = []

    @asynccontextmanager
    async def announced(said: object, _: object) -> AsyncIterator[None]:
        told.append(said)
        yield

    async def show(*_: object) -> int:
        return 0

    driver = SimpleNamespace(port=1)
    seat: Any = SimpleNamespace(
        table=b"", near=Nearby(), own=SimpleNamespace(identity=SimpleNamespace(peer=b"")),
        log_driver=SimpleNamespace(driver=driver),
    )  # fmt: skip
    session = SimpleNamespace(state=None, commands=SimpleNamespace(is_orphaned=lambda: False))
    monkeypatch.setattr(announcing, "announced", announced)
    monkeypatch.setattr(ways, "Ways", lambda *_: SimpleNamespace(watched=nullcontext))
    monkeypatch.setattr(table, "_session", lambda *_: session)
    monkeypatch.setattr(table, "show", show)
    context: Any = None
    settings = PeerSettings("Ann", quiet=quiet)
    assert asyncio.run(table._guest(context, seat, "zompa", settings, False, None)) == 0
    assert len(told) == (not quiet)
