"""The protocol package is pure outside io/: checked on the sources, whatever modules are added."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tavolata_protocol

ROOT = Path(tavolata_protocol.__file__).parent
FORBIDDEN = {"asyncio", "asyncio_dgram", "socket", "time", "random", "secrets", "os", "select", "threading"}
MODULES = [path for path in sorted(ROOT.rglob("*.py")) if "io" not in path.relative_to(ROOT).parts]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_imports_no_clock_chance_or_socket(path: Path) -> None:
    """No module outside io/ imports an event loop, a socket, a clock, chance or the system."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported.add(node.module.partition(".")[0])
            if node.module.startswith("tavolata_protocol.io"):
                imported.add("asyncio")
    assert not imported & FORBIDDEN
