"""Tables of real `tt` processes: started on free ports, fed through pipes, read with deadlines, always ended.

Only the handling of processes and their folders may live here; what must hold stands in the tests.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Condition, Event, Thread
from typing import IO

from tavolata._engine.storage.match_file import Kept, read

PATIENCE = 30.0
"""Seconds after which what was waited for counts as missing; two busy cores have to do."""
LEFT_OVERS = re.compile(
    r"Traceback|Warning|never (retrieved|awaited)|Internal error|Something (?:in Tavolata )?broke|"
    r"Exception ignored"
)
TT = [sys.executable, "-W", "default", "-c", "import sys; from tavolata._cli import main; sys.exit(main())"]


HASTY = [*TT[:3], "-P", str(Path(__file__).with_name("hasty.py"))]
"""The program of machines that lose patience sooner, see `hasty`. -P: games come from where they are
installed."""

MULTICAST_DNS = 5353
"""The port at which tables are announced."""


class Tt:
    """One running `tt`.

    Args:
        words: its command line.
        home: its folders.
        typed: whether its stdin is a pipe that `type` writes to; otherwise it is closed.
        path: folders put on PYTHONPATH.
        before: words before the command, such as `ip netns exec NAME`.
        program: what is run, `tt` as it is.
    """

    def __init__(
        self,
        words: list[str],
        home: Path,
        *,
        typed: bool = False,
        path: tuple[Path, ...] = (),
        before: tuple[str, ...] = (),
        program: list[str] = TT,
        **environ: str,
    ) -> None:
        folders = {f"TT_{kind}_DIR": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE")}
        places = [*map(str, path), *filter(None, [os.environ.get("PYTHONPATH")])]
        self.home = home
        self.words = words
        self.name = words[words.index("--as") + 1] if "--as" in words else ""
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._news = Condition()
        self._read = 0
        self.process = subprocess.Popen(
            [*before, *program, *words],
            stdin=subprocess.PIPE if typed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={
                **os.environ,
                "LANG": "C.UTF-8",
                **folders,
                **environ,
                "PYTHONPATH": os.pathsep.join(places),
            },
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._threads = [
            Thread(target=self._follow, args=(self.process.stdout, self.lines), daemon=True),
            Thread(target=self._follow, args=(self.process.stderr, self.errors), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _follow(self, stream: IO[str], lines: list[str]) -> None:
        with contextlib.suppress(ValueError):  # `Hall.close` may close it while this thread reads its rest
            for line in stream:
                with self._news:
                    lines.append(line.rstrip("\n"))
                    self._news.notify_all()
        with self._news:
            self._news.notify_all()

    # -- what it says ---------------------------------------------------------------------------

    def expect(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        """The next line of its results that has this in it; those before it are passed over."""
        return self._wait(pattern, self.lines, seconds, go_on=True)

    def note(self, pattern: str, seconds: float = PATIENCE) -> re.Match[str]:
        """A line of its narration (stderr) that has this in it."""
        return self._wait(pattern, self.errors, seconds, go_on=False)

    def _wait(self, pattern: str, lines: list[str], seconds: float, *, go_on: bool) -> re.Match[str]:
        deadline = time.monotonic() + seconds
        at = self._read if go_on else 0
        with self._news:
            while True:
                while at < len(lines):
                    at += 1
                    if go_on:
                        self._read = at
                    if found := re.search(pattern, lines[at - 1]):
                        return found
                left = deadline - time.monotonic()
                ended = self.process.poll() is not None and not any(one.is_alive() for one in self._threads)
                if left <= 0 or ended:
                    raise AssertionError(f"{pattern!r} was never said by:\n{self.story()}")
                self._news.wait(min(left, 0.2))

    def has(self, pattern: str) -> bool:
        """Whether a line like this was said so far."""
        return any(re.search(pattern, line) for line in [*self.lines, *self.errors])

    def story(self) -> str:
        """All that it said, for a failure."""
        last, errors = "\n  ".join(self.lines[-40:]), "\n  ".join(self.errors)
        return f"tt {' '.join(self.words)} (exit {self.process.poll()})\n  {last}\n  stderr: {errors}"

    # -- what is done to it -----------------------------------------------------------------------

    def type(self, *lines: str) -> None:
        """Type lines."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hang_up(self) -> None:
        """End its input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def interrupt(self) -> None:
        """What Ctrl+C does."""
        self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End it without a word, as a crash or an empty battery does."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def done(self, seconds: float = PATIENCE) -> int:
        """Wait for its end; its exit code. Nothing of Python's own may have been said."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"Still running:\n{self.story()}") from None
        for thread in self._threads:
            thread.join(PATIENCE)
        assert not self.has(LEFT_OVERS.pattern), self.story()
        return code

    def port(self) -> int:
        """The UDP port at which others reach it (Linux)."""
        own = Path(f"/proc/{self.process.pid}")
        sockets = {link.readlink().name for link in (own / "fd").iterdir() if link.is_symlink()}
        for line in (own / "net/udp").read_text().splitlines()[1:]:
            fields = line.split()
            port = int(fields[1].partition(":")[2], 16)
            if f"socket:[{fields[9]}]" in sockets and port != MULTICAST_DNS:  # who keeps a table announces it
                return port
        raise AssertionError(f"It has no port:\n{self.story()}")

    def cpu(self) -> float:
        """Seconds of processor time that it has used (Linux)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # -- what it keeps ----------------------------------------------------------------------------

    def matches(self) -> list[Kept]:
        """The match files of its folder, the oldest first."""
        paths = (self.home / "data" / "matches").glob("*.ttm")
        return [read(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns)]

    def end(self) -> dict[str, object]:
        """How its last match ended, as its file has it."""
        end = self.matches()[-1].end
        assert end is not None, self.story()
        return end


class Hall:
    """Where tables are: a folder, free ports, and all processes that a test started.

    Args:
        folder: a folder of this test alone.
        path: folders put on every process's PYTHONPATH.
    """

    def __init__(self, folder: Path, path: tuple[Path, ...] = ()) -> None:
        self.folder = folder
        self.path = path
        self.all: list[Tt] = []
        self.secrets = folder / "secrets"
        self._closed = Event()
        Thread(target=self._keep_secrets, daemon=True).start()
        self._names = iter(("Ann", "Bob", "Cy", "Dot", "Eve", "Fay", "Gil", "Hal", "Ida", "Jo"))
        self.port = 0
        self.program = TT

    def _keep_secrets(self) -> None:
        """Copy the secrets of matches while they are there: a peer erases its own at the end."""
        while not self._closed.wait(0.05):
            for secret in self.folder.glob("*/data/secrets/*"):
                with contextlib.suppress(OSError):
                    self.secrets.mkdir(exist_ok=True)
                    if any(data := secret.read_bytes()):
                        (self.secrets / secret.name).write_bytes(data)

    def run(self, *words: str, home: str | None = None, typed: bool = False, before: tuple[str, ...] = (),
            path: tuple[Path, ...] | None = None, program: list[str] = TT, **environ: str) -> Tt:  # fmt: skip
        """Run any command."""
        folder = self.folder / (home or f"home{len(self.all)}")
        one = Tt(list(words), folder, typed=typed, path=self.path if path is None else path,
                 before=before, program=program, **environ)  # fmt: skip
        self.all.append(one)
        return one

    def host(self, game: str, *words: str, typed: bool = False, name: str = "Host", home: str | None = None,
             lang: str = "en", program: list[str] = TT) -> Tt:  # fmt: skip
        """Open a table on loopback, at a free port; it is open when this returns."""
        self.port, self.program = free_port(), HASTY if program is HASTY else TT
        one = self.run("-v", "host", game, "--bind", "127.0.0.1", "--port", str(self.port), "--as", name,
                       *words, typed=typed, home=home, program=program, TT_LANG=lang)  # fmt: skip
        one.note(":" + str(self.port))
        return one

    def join(self, *words: str, name: str | None = None, typed: bool = False, home: str | None = None,
             path: tuple[Path, ...] | None = None, port: int = 0,
             program: list[str] | None = None) -> Tt:  # fmt: skip
        """Join the table that was opened last, or what answers at a port; by the program of that table."""
        called = name or next(self._names)
        return self.run("-v", "join", f"127.0.0.1:{port or self.port}", "--as", called, *words, typed=typed,
                        home=home or called, path=path, program=program or self.program)  # fmt: skip

    def close(self) -> None:
        """End whatever still runs."""
        self._closed.set()
        for one in self.all:
            if one.process.poll() is None:
                one.process.kill()
        for one in self.all:
            one.process.wait(PATIENCE)
            for stream in (one.process.stdin, one.process.stdout, one.process.stderr):
                if stream is not None:
                    with contextlib.suppress(BrokenPipeError):
                        stream.close()


def free_port() -> int:
    """A UDP port that nobody has."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def agree(*players: Tt, code: int = 0) -> dict[str, object]:
    """All tell the same end, with equal digests, and ended with this exit code; that end."""
    patience = PATIENCE * len(players)  # a whole match, and all its machines are processes of this one
    codes = [one.done(patience) for one in players]
    assert codes == [code] * len(players), "\n".join(one.story() for one in players)
    ends = [one.end() for one in players]
    assert ends
    assert all(end == ends[0] for end in ends), ends
    last = {[line for line in one.lines if line.startswith("State of the table")][-1] for one in players}
    digest = ends[0]["digest"]
    assert isinstance(digest, bytes)
    assert last == {f"State of the table: {digest.hex()}"}, last
    return ends[0]


@contextlib.contextmanager
def two_hands(folder: Path, site: Path, *words: str) -> Iterator[list[Tt]]:
    """Three peers that have played two hands of tricks, the host first; what they left is only to be read."""
    hall = Hall(folder, (site,))
    host = hall.host(
        "tricks", "--seats", "3", "--start", "full", "--bot", "random", "--option", "hands=2", *words
    )
    players = [host, *(hall.join("--bot", "random") for _ in range(2))]
    try:
        agree(*players)
        yield players
    finally:
        hall.close()
