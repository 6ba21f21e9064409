"""Tables of docs/protocol.md, and the states and modules of docs/agreed-log.md, drawn from the code.

python -m tests.protocol.drawn      puts them into the pages
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import IntEnum
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import msgspec

from tavolata_protocol import (
    calls,
    flight,
    fragments,
    links,
    pacing,
    packets,
    session,
)
from tavolata_protocol.admission import LIMITS
from tavolata_protocol.calls import EXPECTED
from tavolata_protocol.entries import EntryKind
from tavolata_protocol.grouplog import snapshots, timing
from tavolata_protocol.grouplog.events import Reason
from tavolata_protocol.grouplog.roles import NOT_LEADING, TRANSITIONS, State, Trigger
from tavolata_protocol.messages import beacons, entries, equivocation, handshake, log, votes
from tavolata_protocol.messages import packets as outside
from tavolata_protocol.messages import session as frames
from tavolata_protocol.messages.base import WireMessage
from tavolata_protocol.messages.entries import Role

DOCS = Path(__file__).parents[2] / "docs"


def _table(head: str, rows: Iterable[str]) -> str:
    columns = head.count("|") - 1
    return "\n".join([head, "|" + "---|" * columns, *rows])


def _first(doc: str | None) -> str:
    return " ".join((doc or "").split("\n\n")[0].split()).replace("|", "\\|")


def _kind(kind: msgspec.inspect.Type) -> str:
    """A field's type in words."""
    match kind:
        case msgspec.inspect.BytesType(min_length=low, max_length=high):
            if low == high and low is not None:
                return f"{low} bytes"
            return "bytes" if high is None else f"bytes, {low or 0} to {high}"
        case msgspec.inspect.StrType(max_length=high):
            return f"text to {high}"
        case msgspec.inspect.IntType(ge=low, le=high, lt=below):
            most = high if high is not None else None if below is None else below - 1
            shown = "2^62" if most == 2**62 else "2^32 - 1" if most == 2**32 - 1 else str(most)
            return f"{low} to {shown}"
        case msgspec.inspect.BoolType():
            return "yes or no"
        case msgspec.inspect.EnumType(cls=cls):
            return ", ".join(f"{one.value} {one.name}" for one in cls)
        case msgspec.inspect.VarTupleType(item_type=item, min_length=low, max_length=high):
            many = "" if high is None else f"{low or 0} to {high} of "
            return f"array of {many}{_kind(item)}"
        case msgspec.inspect.TupleType(item_types=items):
            return f"({', '.join(map(_kind, items))})"
        case msgspec.inspect.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case msgspec.inspect.UnionType(types=types):
            return " or ".join(_kind(one) for one in types)
        case _:
            return "nil"


def messages(module: ModuleType) -> str:
    """The messages that a module declares: tag, name, fields in their order, what for."""
    rows = []
    for name, cls in vars(module).items():
        if isinstance(cls, type) and issubclass(cls, WireMessage) and cls.__module__ == module.__name__:
            if cls.__struct_config__.tag is None and any(
                one.__module__ == cls.__module__ for one in cls.__subclasses__()
            ):
                continue  # only a base of others
            info = msgspec.inspect.type_info(cls)
            assert isinstance(info, msgspec.inspect.StructType)
            parts = "; ".join(f"{field.name}: {_kind(field.type)}" for field in info.fields)
            tag = "" if info.tag is None else str(info.tag)
            rows.append(f"| {tag} | {name} | {parts} | {_first(cls.__doc__)} |")
    return _table("| tag | message | fields | |", rows)


def kinds() -> str:
    """The kinds of packets."""
    return _table(
        "| first byte | packet |", [f"| {kind:#04x} | {kind.name} |" for kind in outside.PacketKind]
    )


def codes() -> str:
    """What numbers stand for that no field's type names."""
    enums: list[tuple[str, type[IntEnum]]] = [
        ("member role", Role), ("entry kind", EntryKind), ("rejection reason", Reason),
    ]  # fmt: skip
    return _table(
        "| of | |",
        [f"| {of} | {', '.join(f'{one.value} {one.name}' for one in enum)} |" for of, enum in enums],
    )


def stages() -> str:
    """What moves a call on."""
    rows = [
        f"| {stage.name} | {', '.join(sorted(kind.name for kind in expected))} |"
        for stage, expected in EXPECTED.items()
    ]
    return _table("| resent | until it receives |", rows)


def numbers() -> str:
    """Bounds and durations, by the module that holds them."""
    chosen: list[tuple[ModuleType, str]] = [
        (outside, "MAX_DATAGRAM"), (outside, "HEADER_SIZE"), (packets, "REPLAY_WINDOW"),
        (packets, "REKEY_AFTER"),
        (calls, "FIRST_WAIT"), (calls, "WAIT_GROWTH"), (calls, "LONGEST_WAIT"), (calls, "TRIES"),
        (calls, "WRONG_FINS"), (calls, "RESP_AGAIN"), (calls, "RESPS"),
        (session, "KEEPALIVE"), (session, "IDLE_TIMEOUT"), (links, "LINGER"), (links, "FAREWELLS"),
        (session, "MAX_QUEUED"), (links, "MAX_ENDED"), (flight, "MIN_WINDOW"), (flight, "MAX_WINDOW"),
        (pacing, "FIRST_GUESS"), (fragments, "MAX_WAITING"), (fragments, "MESSAGE_COST"),
        (frames, "MAX_MESSAGE"),
        (frames, "MAX_FRAGMENTS"), (frames, "FRAGMENT_SIZE"), (frames, "MAX_DATAGRAM_MESSAGE"),
        (frames, "MAX_RANGES"),
        (entries, "MAX_BODY"), (log, "CHUNK_SIZE"), (log, "CHUNKS_AT_ONCE"), (log, "MAX_SNAPSHOT"),
        (timing, "WAITING_PROPOSALS"), (timing, "BATCH"), (timing, "IN_FLIGHT"),
    ]  # fmt: skip
    rows = [f"| `{name}` | {getattr(module, name)} |" for module, name in chosen]
    admitted = [
        f"| {one.value} | "
        + "; ".join(
            [f"{limit.whole}; {limit.source} per source"] * bool(limit.whole)
            + [f"{limit.proof:g} s to prove itself"] * bool(limit.proof)
            + [f"{limit.size} bytes each"] * bool(limit.size)
        )
        + " |"
        for one, limit in LIMITS.items()
    ]
    return _table("| bound | value (seconds, bytes or a count) |", [*admitted, *rows])


def durations() -> str:
    """The durations of the agreed log."""
    told = (timing.Timing.__doc__ or "").partition("Attributes:")[2]
    meaning = dict(line.strip().split(": ", 1) for line in told.splitlines() if ": " in line)
    rows = [
        f"| `{field.name}` | {field.default} s | {meaning[field.name]} |" for field in fields(timing.Timing)
    ]
    return _table("| duration | | |", rows)


def arrows() -> dict[tuple[str, str], list[str]]:
    """The transitions but for contradictions: (state, state after) -> what happened.

    What happens in all states of `NOT_LEADING` alike is drawn once, from the box of that name.
    """
    drawn: dict[tuple[str, str], list[str]] = {}
    for state in State:
        for trigger in Trigger:
            after = TRANSITIONS.get((state, trigger))
            alike = all(TRANSITIONS.get((one, trigger)) is after for one in NOT_LEADING)
            if after is None or trigger is Trigger.CONTRADICTION or (alike and state in NOT_LEADING[1:]):
                continue
            source = "not leading" if alike and state in NOT_LEADING else state.value
            drawn.setdefault((source, after.value), []).append(trigger.value)
    return drawn


def states() -> str:
    """The states of the agreed log as a diagram; Mermaid's names hold neither blanks nor hyphens."""

    def name(state: str) -> str:
        return state.replace(" ", "_").replace("-", "_")

    drawn = arrows()
    lines = [f"    [*] --> {State.OUTSIDE.value}"]
    lines += [
        f'    state "{state}" as {name(state)}'
        for state in dict.fromkeys(source for source, _ in drawn)
        if name(state) != state
    ]
    lines += [
        f"    {name(source)} --> {name(after)}: {', or '.join(happened)}"
        for (source, after), happened in drawn.items()
    ]
    return "\n".join(["```mermaid", "stateDiagram-v2", *lines, "```"])


def bodies(path: str) -> str:
    """The arrays that constants of a module of the core begin, each with its number and its docstring."""
    rows = []
    lines = ast.parse((DOCS.parent / "core" / "tavolata" / path).read_text(encoding="utf-8")).body
    for line, following in pairwise(lines):
        match line, following:
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=int(number))),
                ast.Expr(value=ast.Constant(value=str(doc))),
            ) if told := re.match(rf"`[\[(]({name}\b[^`]*)[\])]`(?:, [^:]*)?: (.*)", " ".join(doc.split())):
                fields = told[1].removeprefix(name).removeprefix(", ")
                meaning = told[2].partition("; see `")[0].partition(" See `")[0].rstrip(".")
                rows.append((number, f"| {number} | {name} | {fields} | {meaning} |"))
            case _:
                continue
    return _table("| number | | fields | |", [row for _, row in sorted(rows)])


def modules() -> str:
    """The modules of the agreed log, each with what it says of itself."""
    folder = DOCS.parent / "protocol" / "tavolata_protocol" / "grouplog"
    docs = {path.name: ast.get_docstring(ast.parse(path.read_text("utf-8"))) for path in folder.glob("*.py")}
    rows = [f"| `{name}` | {_first(doc)} |" for name, doc in sorted(docs.items()) if name != "__init__.py"]
    return _table("| module | |", rows)


SECTIONS: dict[str, Callable[[], str]] = {
    "packets": kinds,
    "handshake": lambda: messages(handshake),
    "stages": stages,
    "frames": lambda: messages(frames),
    "entries": lambda: messages(entries),
    "log": lambda: messages(log),
    "signed": lambda: messages(equivocation),
    "votes": lambda: messages(votes),
    "snapshot": lambda: messages(snapshots),
    "codes": codes,
    "table": lambda: bodies("_engine/table/log_bodies.py"),
    "match": lambda: bodies("_engine/match/entries.py"),
    "discovery": lambda: messages(beacons),
    "numbers": numbers,
    "durations": durations,
}
PAGES = {DOCS / "protocol.md": SECTIONS, DOCS / "agreed-log.md": {"states": states, "modules": modules}}


def section(page: str, name: str) -> tuple[str, str, str]:
    """What stands before, in and after a drawn section of the page."""
    before, begin, rest = page.partition(f"<!-- {name} -->\n")
    inside, end, after = rest.partition(f"<!-- end of {name} -->")
    assert begin, name
    assert end, name
    return before + begin, inside.removesuffix("\n"), "\n" + end + after


def rewrite(pages: Mapping[Path, Mapping[str, Callable[[], str]]]) -> None:
    """Put each drawn part into its page."""
    for path, sections in pages.items():
        page = path.read_text(encoding="utf-8")
        for name, draw in sections.items():
            before, _, after = section(page, name)
            page = before + draw() + after
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    rewrite(PAGES)
