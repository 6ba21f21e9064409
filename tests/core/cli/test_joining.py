"""Questions before a table: yes and no, and tables of games that are missing here."""

from __future__ import annotations

import asyncio
import builtins
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from threading import current_thread
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from tests.core.ui.test_streams import Keyboard
from typing_extensions import override

from tavolata._cli import table
from tavolata._cli.choosing import agreed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._cli.finding import _tell
from tavolata._cli.table import join
from tavolata._engine.network import announcing, joining, ways
from tavolata._engine.network.finding import FoundTable
from tavolata._engine.network.joining import TableCard
from tavolata._engine.network.table_errors import CodeWanted, HasLeft, KeyChanged, NothingKept, TableRejoined
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.storage.ways_back import WayBack, way_file
from tavolata._engine.table.invitations import Invitation
from tavolata._ui.i18n import Translator
from tavolata._ui.streams import typed_here
from tavolata._ui.table_lines import REALLY
from tavolata_protocol.codes import show_code
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


def test_who_had_left_joins_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of an earlier stay tells a machine that it has left; without that it comes as anybody new."""
    tried: list[str] = []

    def join_table(where: str, *_: object, **__: object) -> NoReturn:
        tried.append(where)
        raise HasLeft("You've left.") if len(tried) == 1 else KeyboardInterrupt

    monkeypatch.setattr("tavolata._engine.network.joining.join_table", join_table)
    with pytest.raises(KeyboardInterrupt):
        join(CommandContext({"lang": "en"}, {}), "127.0.0.1", name="Ann")
    assert tried == ["127.0.0.1"] * 2


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


def test_a_resumed_machine_tells_newcomers_what_the_host_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone who calls there finds a quiet table quiet, and one that takes other code still takes it."""
    cards: list[TableCard] = []

    def resumed(_: object, __: object, card: TableCard) -> NoReturn:
        cards.append(card)
        raise NothingKept

    monkeypatch.setattr(joining, "resume_table", resumed)
    file = way_file(tmp_path, bytes(16))
    file.log.parent.mkdir()
    file.log.touch()
    way = WayBack("a match", "Ann", None, (), 0, {}, unlike=True, quiet=True)
    with pytest.raises(UsageError):
        table.resume_at_table(CommandContext({"lang": "en"}, {}), "zompa", file, way, unlike=way.unlike)
    assert [(card.quiet, card.unlike) for card in cards] == [(True, True)]


class OneReader(Keyboard):
    """A keyboard that only the reader of lines may read, which has what is typed ahead."""

    @override
    def readline(self, size: int = -1) -> str:
        assert current_thread().name == "lines"
        return super().readline(size)


def test_the_code_that_a_table_asks_for_on_the_way_back_is_the_next_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reader of the session before still waits at the keyboard; the line after that is the table's."""
    here: Any = OneReader()
    monkeypatch.setattr(sys, "stdin", here)
    monkeypatch.setattr(CommandContext, "on_terminal", True)
    monkeypatch.setattr(table, "_installed", lambda *_, **__: SimpleNamespace(info=SimpleNamespace(name="")))
    called: list[Invitation] = []
    heard: list[str | None] = []

    @asynccontextmanager
    async def joined(*_: object, invitation: Invitation, **__: object) -> AsyncIterator[Any]:
        called.append(invitation)
        here.typed.put(f"{('hello', 'k7f-3qx', 'back again')[len(called) - 1]}\n")
        if len(called) == 2:
            raise CodeWanted("Ada")
        yield SimpleNamespace(host=None), SimpleNamespace(quiet=False)

    async def guest(*_: object) -> int:
        reader = typed_here(here)
        heard.append(await reader.next())
        if len(heard) < 2:
            waiting = asyncio.create_task(reader.next())
            await asyncio.sleep(0)
            assert not waiting.done()
            raise TableRejoined("moved", "10.0.0.2", "its key")
        return 0

    monkeypatch.setattr(joining, "join_table", joined)
    monkeypatch.setattr(table, "_guest", guest)
    context = CommandContext({"lang": "en"}, {})
    settings = PeerSettings("Ann", address="10.0.0.1")
    assert table._join(context, Invitation("10.0.0.1"), settings, web=False, web_port=None) == 0
    assert heard == ["hello", "back again"]
    assert [one.key for one in called] == ["", "its key", "its key"]
    assert show_code(called[-1].code) == "K7F-3QX"
    here.typed.put("")


@pytest.mark.parametrize("command", ["host", "resume"])
def test_a_machine_that_gives_its_copy_of_the_table_up_fetches_it_again(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it says: a host and a machine that resumes join at once, as guests, where a member was heard."""
    joined: list[tuple[object, ...]] = []

    def join_there(_: object, invitation: Invitation, settings: PeerSettings, **__: object) -> int:
        joined.append((invitation.key, settings.address, settings.found, settings.resumes))
        return 7

    @asynccontextmanager
    async def seated(*_: object) -> AsyncIterator[Any]:
        yield SimpleNamespace(table=b"", log_driver=SimpleNamespace(driver=None))

    async def falls(*_: object) -> NoReturn:
        raise TableRejoined("moved", "10.0.0.2", "its key")

    way = SimpleNamespace(address="", told=[""], on_change=[], watched=nullcontext, lines=lambda _: [])
    session = SimpleNamespace(called_from_afar=None, state=None, game="")
    monkeypatch.setattr(ways, "Ways", lambda *_: way)
    for module, name, instead in (
        (joining, "open_table", seated),
        (joining, "resume_table", seated),
        (table, "_session", lambda *_: session),
        (table, "_join", join_there),
        (table, "_guest", falls),
        (table, "show", falls),
    ):
        monkeypatch.setattr(module, name, instead)
    context = CommandContext({"lang": "en"}, {})
    if command == "host":
        assert table.host(context, "zompa", name="Ann", quiet_network=True) == 7
    else:
        file = way_file(tmp_path, bytes(16))
        file.log.parent.mkdir()
        file.log.touch()
        assert table.resume_at_table(context, "zompa", file, WayBack("", "Ann", None, (), 0, {})) == 7
    assert joined == [("its key", "10.0.0.2", None, None)]
