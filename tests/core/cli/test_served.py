"""What the process of a browser's seat tells the host's `tt`, and what it never writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_a_process_that_can_not_join_says_why_in_its_only_packet(tmp_path: Path) -> None:
    """Nothing but packets goes down the pipe, nothing to stderr; the last has the sentence and the code."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "tavolata._cli.served",
        "join",
        "--code-file",
        str(tmp_path / "none"),
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, b"")
    begin, _, packet = done.stdout.partition(b"\n")
    assert begin == b"__GANGLION__"
    assert (packet[:1], int.from_bytes(packet[1:5], "big")) == (b"M", len(packet) - 5)
    told = json.loads(packet[5:])
    assert (told["type"], told["code"]) == ("ended", 2)
    assert told["text"].startswith("The code can't be read from")
