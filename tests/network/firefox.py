"""A real Firefox without a window, told what to do over WebDriver BiDi."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import shutil
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
from typing_extensions import override

from .chromium import PATIENCE, Page

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
SETTINGS = {
    "app.update.disabledForTesting": True, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.server": "",
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "network.proxy.type": 0, "services.settings.server": "data:,#", "browser.aboutwelcome.enabled": False,
    "dom.w3c_touch_events.enabled": 1, "browser.startup.page": 0, "extensions.update.enabled": False,
}  # fmt: skip
"""What keeps it from asking the internet, and lets it be touched."""


class FirefoxPage(Page):
    """One page of it; see `Page`.

    Args:
        socket: the connection over which it is told what to do.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        super().__init__(socket)
        self.context = ""

    async def begin(self) -> None:
        """Find the page, and listen to what it asks for and complains about."""
        await self.do("session.new", capabilities={})
        tree = await self.do("browsingContext.getTree")
        self.context = tree["contexts"][0]["context"]
        await self.do("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    @override
    async def _read(self) -> None:
        async for message in self._socket:
            told = json.loads(message.data)
            if told["type"] == "event":
                self._hear(told["method"], told["params"])
            elif told["type"] == "error":
                self._answers.pop(told["id"]).set_exception(AssertionError(told["message"]))
            else:
                self._answers.pop(told["id"]).set_result(told["result"])

    def _hear(self, event: str, told: dict[str, Any]) -> None:
        if event == "network.beforeRequestSent":
            address = told["request"]["url"]
            self.requests += [] if address.startswith(("data:", "about:")) else [address]
        elif told["level"] == "error":
            self.complaints.append(str(told["text"]))

    @override
    async def ask(self, script: str) -> Any:
        whole = f"Promise.resolve({script}).then((one) => JSON.stringify(one ?? null))"
        told = await self.do(
            "script.evaluate", expression=whole,
            target={"context": self.context}, awaitPromise=True, userActivation=True,
        )  # fmt: skip
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    @override
    async def picture(self, path: Path) -> None:
        shot = await self.do("browsingContext.captureScreenshot", context=self.context)
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))

    @override
    async def open(self, address: str) -> None:
        await self.do("browsingContext.navigate", context=self.context, url=address, wait="complete")

    @override
    async def tap(self, x: float, y: float) -> None:
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]}  # fmt: skip
        await self.do("input.performActions", context=self.context, actions=[finger])

    @override
    async def become(self, width: int, height: int, *, phone: bool = False, light: bool = False) -> None:
        await self.do(
            "browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height}
        )


@contextlib.asynccontextmanager
async def firefox(folder: Path, *, lang: str = "en") -> AsyncIterator[Page]:
    """Run a Firefox of its own, with one page."""
    assert PROGRAM is not None
    await asyncio.to_thread(folder.mkdir)
    settings = {**SETTINGS, "intl.accept_languages": lang}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in settings.items()]
    await asyncio.to_thread((folder / "user.js").write_text, "\n".join(lines), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        PROGRAM, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0",
        "about:blank", stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    try:
        async with aiohttp.ClientSession() as session:
            page = FirefoxPage(await session.ws_connect(await _address(folder), max_msg_size=0))
            try:
                await page.begin()
                yield page
            finally:
                await page.close()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def _address(folder: Path) -> str:
    """Where it listens, as soon as it says so."""
    for _ in range(int(PATIENCE / 0.05)):
        with contextlib.suppress(OSError, ValueError, LookupError):
            text = await asyncio.to_thread((folder / "WebDriverBiDiServer.json").read_text, encoding="utf-8")
            said = json.loads(text)
            return f"ws://{said['ws_host']}:{said['ws_port']}/session"
        await asyncio.sleep(0.05)
    raise AssertionError("Firefox never said where it listens")
