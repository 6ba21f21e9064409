"""A package index on loopback, as PEP 691 and PEP 700 describe it, and wheels for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread
from typing import Any
from zipfile import ZipFile


def wheel_of(
    name: str, version: str, files: Mapping[str, str], points: str = "", more: str = ""
) -> tuple[str, bytes]:
    """Return the file name and the bytes of a wheel with these files; `more` is added to its metadata."""
    made, info = BytesIO(), f"{name.replace('-', '_')}-{version}.dist-info"
    with ZipFile(made, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{more}"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
        if points:
            archive.writestr(f"{info}/entry_points.txt", points)
    return f"{name.replace('-', '_')}-{version}-py3-none-any.whl", made.getvalue()


class Index:
    """What an index has: by project, its files with what the index says of each."""

    def __init__(self) -> None:
        self.projects: dict[str, list[dict[str, Any]]] = {}
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.address = ""

    def add(self, project: str, file: str, data: bytes, **more: Any) -> None:
        """Publish a file."""
        self.files[file] = data
        said = {"filename": file, "url": f"../../files/{file}", **more}
        said["hashes"] = {"sha256": sha256(data).hexdigest()}
        self.projects.setdefault(project, []).append(said)

    def answer(self, path: str) -> bytes | None:
        """Return what is at a path."""
        self.asked.append(path)
        parts = path.strip("/").split("/")
        match parts:
            case ["simple"]:
                return json.dumps({"projects": [{"name": one} for one in self.projects]}).encode()
            case ["simple", project] if project in self.projects:
                return json.dumps({"name": project, "files": self.projects[project]}).encode()
            case ["files", file]:
                return self.files.get(file)
            case _:
                return None


@contextmanager
def served(index: Index) -> Iterator[str]:
    """Serve an index on loopback, and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = index.answer(self.path)
            self.send_response(404 if data is None else 200)
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            self.wfile.write(data or b"")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            index.address = f"http://127.0.0.1:{server.server_address[1]}"
            yield f"{index.address}/simple/"
        finally:
            server.shutdown()
            thread.join()
