"""A benchmark of the full screen: its start against `python -c pass`, keys, scenes, memory, idle CPU.

    python benchmarks/screen.py

On a real pseudo-terminal of 80 by 24, in one run. Budgets: the table screen within 350 ms where
`python -c pass` takes 11 ms (scaled by what it takes here), a key painted within 30 ms in 95 of 100
cases, a scene and its frame at 120x36 made within 8 ms, 60 MiB, next to no CPU while idle.
Exit code 1 if one is missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import secrets
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path

from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Asked
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.drawing.frame import Foot, draw_frame
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.stage import stage
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata.zones import Layout
from tavolata_conto.rules import Conto
from tavolata_horse_fever.rules import HorseFever

TT = str(Path(sys.executable).parent / "tt")
ROUNDS, KEYS, IDLE = 11, 300, 10.0
START, PAINT, FRAME, MEMORY, CPU = 350.0, 30.0, 8.0, 60.0, 0.01
QUIET = 11.0
"""Milliseconds of `python -c pass` on the reference machine of the budgets."""
PLAY = [TT, "play", "jumpy-jack", "--as", "Ada"]  # begins with a question to everybody
AUTOGROUP = Path("/proc/self/autogroup").exists()
ASKED = b"your move"
"""What stands above a question."""


@contextlib.contextmanager
def terminal(command: list[str], environ: dict[str, str]) -> Iterator[tuple[int, int]]:
    """A command on a pseudo-terminal: its process, and the other end of the terminal."""
    share = Path("/proc/self/autogroup").read_text().split()[-1] if AUTOGROUP else ""
    pid, master = pty.fork()
    if pid == 0:
        if share:  # a new session is a new group for the scheduler, which begins with the usual share
            Path("/proc/self/autogroup").write_text(share)
        os.execvpe(command[0], command, environ)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    try:
        yield pid, master
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(master)


def wait_for(master: int, sign: bytes, seconds: float = 30.0) -> float:
    """Read until `sign` comes; return the time."""
    seen, deadline = b"", time.perf_counter() + seconds
    while sign not in seen and time.perf_counter() < deadline:
        if select.select([master], [], [], 0.05)[0]:
            with contextlib.suppress(OSError):  # Linux says so where the program has ended
                if more := os.read(master, 1 << 16):
                    seen += more
                    continue
            break
    if sign not in seen:
        raise SystemExit(f"{sign!r} was never shown, but {seen[-800:]!r}.")
    return time.perf_counter()


def drained(master: int, quiet: float = 0.1) -> None:
    """Read until nothing more comes."""
    while select.select([master], [], [], quiet)[0]:
        os.read(master, 1 << 16)


def begin(environ: dict[str, str]) -> float:
    """Seconds from the command to the first question on the table screen."""
    start = time.perf_counter()
    with terminal(PLAY, environ) as (_, master):
        return wait_for(master, ASKED) - start


def base(environ: dict[str, str]) -> float:
    """Seconds of a Python that does nothing."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], env=environ, check=True)
    return time.perf_counter() - start


def cpu(pid: int) -> float:
    """Seconds of processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """MiB that a process holds in memory (Linux)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) / 1024


def running(environ: dict[str, str]) -> tuple[list[float], float, float]:
    """Milliseconds from keys to what they paint, MiB, and the share of a processor while idle."""
    times: list[float] = []
    with terminal(PLAY, environ) as (pid, master):
        wait_for(master, ASKED)
        drained(master, 0.5)
        for _ in range(KEYS):
            start = time.perf_counter()
            os.write(master, b"\x1b[B")
            select.select([master], [], [], 5)
            times.append((time.perf_counter() - start) * 1000)
            drained(master, 0.02)
        held = memory(pid)
        used = cpu(pid)
        time.sleep(IDLE)
        drained(master)
        return times, held, (cpu(pid) - used) / IDLE


def frames(rules: type[Conto | HorseFever]) -> list[float]:
    """Milliseconds of processor time for each scene with its frame, over twenty questions of a match."""
    header = Header(
        id=secrets.token_hex(8), game=rules.name, version="1", rules_id=rules.rules_id,
        options=rules.options().plain(), names=("Ada", "Bea", "Carla", "Dino"), bots=(None, *["random"] * 3),
        seed=7, pace=None,
    )  # fmt: skip
    times: list[float] = []

    async def play() -> None:
        at = LocalSession(header, rules, "", [None, *(RandomBot() for _ in range(3))], think=0.0)
        model, asked = TableModel(at, Translator("en")), 0
        async for update in at.updates():
            model.take(update)
            if model.match is None:
                continue
            start = time.process_time()
            scene = model.scene(Viewpoint("en", rules.name, ()), model.question())
            assert scene.cast is not None
            plan = stage(120, 36, wish=Layout(scene.seating, decision=scene.rows), cast=scene.cast)
            assert plan is not None
            draw_frame(scene, plan, UNICODE, Translator("en").text, Foot(keys=[]))
            times.append((time.process_time() - start) * 1000)
            if isinstance(update, Asked) and update.mine:
                asked += 1
                if asked > 20:
                    return
                for number in range(update.ask.question.count()):  # the first that no claim refuses
                    with contextlib.suppress(Refused):
                        at.answer(update.ask, update.ask.question.answer_at(number))
                        model.drop(update.ask)
                        break
                else:  # the match would wait for ever
                    raise SystemExit(f"No answer to {update.ask.id} of {rules.name} was taken.")

    asyncio.run(play())
    return times


def tell(line: str) -> None:
    """Print a figure as soon as it is known: what hangs afterwards hides none."""
    print(line, flush=True)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        dirs = {f"TT_{kind}_DIR": f"{folder}/{kind}" for kind in ("DATA", "CONFIG", "CACHE")}
        environ = {**os.environ, **dirs, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody compiles everything on each start
        Path(dirs["TT_CONFIG_DIR"]).mkdir()
        Path(dirs["TT_CONFIG_DIR"], "config.toml").write_text('[screen]\npace = "off"\n')  # shows all at once
        begin(environ)
        pairs = [(base(environ), begin(environ)) for _ in range(ROUNDS)]
        bare, best = min(bare for bare, _ in pairs) * 1000, min(own for _, own in pairs) * 1000
        middle = statistics.median(own for _, own in pairs) * 1000
        budget = START * bare / QUIET
        tell(f"python -c pass: best {bare:.1f} ms")
        tell(
            f"table screen:   best {best:.0f} ms ({best / bare:.1f}x), median {middle:.0f} ms, "
            f"budget {budget:.0f} ms ({START:.0f} ms where Python takes {QUIET:.0f})"
        )
        times, held, idle = running(environ)
    p95 = statistics.quantiles(times, n=20)[-1]
    tell(f"key to paint:   median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms, budget {PAINT:.0f} ms")
    tell(f"memory:         {held:.1f} MiB, budget {MEMORY:.0f} MiB")
    tell(f"idle:           {100 * idle:.2f} % of a processor, budget {100 * CPU:.0f} %")
    frame = statistics.median([*frames(Conto), *frames(HorseFever)])
    tell(f"scene and frame: median {frame:.1f} ms of processor time at 120x36, budget {FRAME:.0f} ms")
    return int(best > budget or p95 > PAINT or frame > FRAME or held > MEMORY or idle > CPU)


if __name__ == "__main__":
    sys.exit(main())
