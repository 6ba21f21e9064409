"""An environment with one package, Tavolata, and what these two ask for, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable
from importlib import metadata, util
from pathlib import Path

from tavolata._engine.plugins.package_names import NAME
from tavolata._text import one_line
from tavolata.errors import MessageError
from tavolata.messages import N_

_WANTED = re.compile(rf"({NAME})\s*(?:\[([^\]]*)\])?", re.IGNORECASE | re.ASCII)
_EXTRA = re.compile(r"""\bextra\s*==\s*["']([\w.-]+)""")


class NotClean(MessageError):
    """The environment couldn't be made."""


def closure(requirements: Iterable[str]) -> dict[str, metadata.Distribution]:
    """Return the packages here that meet these requirements, and all that they ask for, by name."""
    found: dict[str, metadata.Distribution] = {}
    todo, seen = list(requirements), set[tuple[str, str]]()
    while todo:
        wanted = _WANTED.match(todo.pop())
        if wanted is None or (wanted[1], wanted[2] or "") in seen:
            continue
        seen.add((wanted[1], wanted[2] or ""))
        try:
            distribution = metadata.distribution(wanted[1])
        except metadata.PackageNotFoundError:
            continue  # wanted by other systems only, or missing: the installer says so
        found[distribution.name] = distribution
        extras = [one.strip() for one in (wanted[2] or "").split(",")]
        for one in distribution.requires or ():
            extra = _EXTRA.search(one)
            if extra is None or extra[1] in extras:
                todo.append(one)
    return found


def make(folder: Path, wheel: Path, requires: Iterable[str]) -> Path:
    """Make the environment in `folder`, and return its Python.

    `requires` are the requirements of the wheel. They are met by copies from here, so no network is
    needed. Raise NotClean if the wheel can't be installed.
    """
    venv.create(folder, with_pip=False, symlinks=sys.platform != "win32")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    site = next(folder.rglob("site-packages"))
    needed = [one for one in requires if _EXTRA.search(one) is None]
    for distribution in closure(["tavolata", *needed]).values():
        for file in distribution.files or ():
            source = Path(str(file.locate()))
            if ".." not in file.parts and file.suffix != ".pyc" and source.is_file():
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, site / file)
    uv = shutil.which("uv")
    if util.find_spec("pip") is not None:
        words = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "--quiet",
            "--disable-pip-version-check",
        ]
        words += ["install", "--no-index"]
    elif uv:
        words = [uv, "pip", "install", "--quiet", "--offline", "--no-index", "--python", str(python)]
    else:
        raise NotClean(N_("Installing a package needs pip or uv, and neither is installed."))
    # S603: the words are ours, and the wheel is the author's own
    done = subprocess.run([*words, str(wheel)], check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode:
        problem = one_line((done.stderr.strip().splitlines() or ["?"])[0], 200)
        raise NotClean(N_("Couldn't install {file}: {problem}"), file=wheel.name, problem=problem)
    return python


def environ_for(home: Path) -> dict[str, str]:
    """Return the variables of a program in a clean environment, with a person's own files in `home`."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return {**kept, "PYTHONUTF8": "1", **{f"TT_{one}_DIR": str(home) for one in ("CACHE", "DATA", "CONFIG")}}
