"""The page of `tt dev --web`: the table that a bench has drawn, for a browser on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from queue import SimpleQueue
from threading import Condition, Thread
from typing import Any, Final

from typing_extensions import override

from tavolata import _machine
from tavolata._text import small_number

WAITS: Final = 20.0
"""The seconds after which a page without news asks again."""
MOST_WORDS: Final = 4096


class DevPage:
    """A server on loopback that shows one state after another, and takes lines as commands.

    The address has a token that no other page can guess, and requests under another name are refused, so no
    web page of a stranger plays along.
    """

    def __init__(self) -> None:
        self.lines: SimpleQueue[str] = SimpleQueue()
        self._token = _machine.token(16).hex()
        self._news = Condition()
        self._number, self._state = 0, "{}"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._host = f"127.0.0.1:{self._server.server_address[1]}"
        self.address = f"http://{self._host}/{self._token}/"
        Thread(target=self._server.serve_forever, daemon=True, name="page").start()

    def show(self, state: dict[str, Any]) -> None:
        with self._news:
            self._number += 1
            self._state = json.dumps({**state, "number": self._number})
            self._news.notify_all()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _after(self, number: int) -> str:
        """Wait for a state after that of a number; return the newest."""
        with self._news:
            self._news.wait_for(lambda: self._number > number, WAITS)
            return self._state

    def _answer(self, host: str, path: str, words: str | None) -> tuple[str, str] | None:
        """Return type and text for a request with the body `words`; None if it gets none."""
        token, _, what = path.lstrip("/").partition("/")
        if host != self._host or token != self._token:
            return None
        place, _, query = what.partition("?")
        after = query.removeprefix("after=")
        match place, words:
            case "", None:
                page = files("tavolata._cli") / "dev_page.html"
                return "text/html; charset=utf-8", page.read_text(encoding="utf-8")
            case "state", None if after.isdecimal():
                return "application/json", self._after(small_number(after, 10**9))
            case "do", str():
                self.lines.put(words)
                return "text/plain", ""
            case _:
                return None

    def _handler(self) -> Callable[..., BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send(None)

            def do_POST(self) -> None:
                size = self.headers.get("Content-Length", "")
                wanted = min(small_number(size, MOST_WORDS), MOST_WORDS) if size.isdecimal() else 0
                self._send(self.rfile.read(wanted).decode(errors="replace"))

            def _send(self, words: str | None) -> None:
                found = page._answer(self.headers.get("Host", ""), self.path, words)
                self.send_response(HTTPStatus.NOT_FOUND if found is None else HTTPStatus.OK)
                kind, text = found or ("text/plain", "")
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text.encode())))
                self.send_header("Referrer-Policy", "no-referrer")
                self.end_headers()
                self.wfile.write(text.encode())

            @override
            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing: stderr belongs to the game."""

        return Handler
