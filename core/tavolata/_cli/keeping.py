"""Writing of one setting to the config file; everything else in the file stays as it is."""

from __future__ import annotations

import codecs
import json
import os
import re
from pathlib import Path

from tavolata._cli.failures import UsageError
from tavolata._disk import Disk
from tavolata._trouble import trouble
from tavolata.messages import N_


def keep_setting(path: str, name: str, value: str) -> None:
    """Write one setting at the top of the config file, which is created if there isn't one.

    Raise UsageError if the file can't be written.
    """
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mark, text, newline = b"", "", os.linesep
        if os.path.exists(path):
            with open(path, "rb") as file:
                data = file.read()
            mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""  # by some editors of Windows
            text = data.removeprefix(mark).decode()
            newline = "\r\n" if "\r\n" in text else "\n"
        said = with_setting(text.replace("\r\n", "\n"), name, value).replace("\n", newline)
        Disk().replace(Path(os.path.realpath(path)), mark + said.encode())  # a link stays a link
    except OSError as problem:
        raise UsageError(
            N_("Couldn't write {path}: {problem}. Fix that, or set TT_CONFIG_DIR to another "
               "folder."),
            path=path, problem=trouble(problem),
        ) from problem  # fmt: skip


def with_setting(text: str, name: str, value: str) -> str:
    """Return the text of a config file with this setting, which is put before all tables."""
    line = f"{name} = {json.dumps(value, ensure_ascii=False)}"  # every JSON string is a TOML string, too
    table = re.search(r"^\s*\[", text, re.MULTILINE)
    top, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    set_already = re.compile(rf"^\s*{re.escape(name)}\s*=.*$", re.MULTILINE)
    if set_already.search(top):
        return set_already.sub(lambda _: line, top, count=1) + rest
    return f"{top.rstrip()}\n{line}\n".lstrip() + (f"\n{rest.lstrip()}" if rest else "")
