"""Shows tox the Pythons that pyenv keeps, of which only the chosen ones are on the PATH.

tox loads this file by itself. Nothing but finding interpreters may live here.
"""

from __future__ import annotations

import os
import re
from pathlib import Path


def pyenv_pythons() -> list[str]:
    """Return the interpreters that pyenv has installed, newest first; none where there is no pyenv."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = [
        path for pattern in ("*/bin/python", "*/python.exe") for path in (root / "versions").glob(pattern)
    ]
    fit = [
        path for path in found if re.search(r"[/\\\\]3\.1[1-9]\.", str(path))
    ]  # others would be asked in vain
    return [str(path) for path in sorted(fit, reverse=True)]


if "TOX_DISCOVER" not in os.environ and pyenv_pythons():
    os.environ["TOX_DISCOVER"] = os.pathsep.join(pyenv_pythons())
