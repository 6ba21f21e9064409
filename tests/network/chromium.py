"""A real Chromium without a window, told what to do over its DevTools; all it asks the network for is kept.

aiohttp, which serves the pages, speaks to it: a package that drives browsers would wrap just that.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import shutil
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

PATIENCE = 40.0
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--remote-debugging-port=0", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)  # fmt: skip
KEYS = {"enter": ("Enter", "\r", 13), "down": ("ArrowDown", "", 40), "esc": ("Escape", "", 27)}


class Page:
    """One page of it.

    Attributes:
        requests: the address of everything that it asked for.
        complaints: what it wrote on its console as an error, and refused requests.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._socket = socket
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self._reader = asyncio.create_task(self._read())

    async def close(self) -> None:
        """Listen no more."""
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._socket.close()

    # -- DevTools -----------------------------------------------------------------------------------

    async def do(self, method: str, **params: Any) -> dict[str, Any]:
        """Have it do something."""
        self._number += 1
        self._answers[self._number] = answer = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE):
            result: dict[str, Any] = await answer
        return result

    async def _read(self) -> None:
        async for message in self._socket:
            said = json.loads(message.data)
            if "id" in said:
                answer = self._answers.pop(said["id"])
                if "error" in said:
                    answer.set_exception(AssertionError(said["error"]))
                else:
                    answer.set_result(said["result"])
            else:
                self._on(said["method"], said["params"])

    def _on(self, event: str, told: dict[str, Any]) -> None:
        match event:
            case "Network.requestWillBeSent":
                self.requests += (
                    [told["request"]["url"]] if not told["request"]["url"].startswith("data:") else []
                )
            case "Network.webSocketCreated":
                self.requests.append(told["url"])
            case "Log.entryAdded" if told["entry"]["level"] == "error":
                self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(told["exceptionDetails"].get("exception", told)))

    # -- what is seen -------------------------------------------------------------------------------

    async def words(self) -> str:
        """What the page says."""
        return str(await self.ask("document.body.innerText"))

    async def ask(self, script: str) -> Any:
        """What an expression is there."""
        answer = await self.do("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def says(self, pattern: str) -> None:
        """Wait until the page says this."""
        await self.holds(f"new RegExp({json.dumps(pattern)}).test(document.body.innerText)")

    async def holds(self, script: str) -> None:
        """Wait until an expression is true there; a page may be on its way to another meanwhile."""
        for _ in range(int(PATIENCE / 0.1)):
            with contextlib.suppress(AssertionError):
                if await self.ask(f"!!({script})"):
                    return
            await asyncio.sleep(0.1)
        raise AssertionError(f"{script} never held:\n{await self.words()}")

    async def picture(self, path: Path) -> None:
        """Keep what it looks like."""
        webp = {"format": "webp", "quality": 85}
        shot = await self.do("Page.captureScreenshot", **(webp if path.suffix == ".webp" else {}))
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))

    # -- what is done -------------------------------------------------------------------------------

    async def open(self, address: str) -> None:
        """Go to an address."""
        await self.do("Page.navigate", url=address)
        await self.holds("location.href != 'about:blank' && document.readyState == 'complete'")

    async def sit(self, name: str) -> None:
        """Fill in the name, as the page asks for it, and see the table."""
        await self.holds("document.querySelector('[name=name]')")
        await self.ask(f"document.querySelector('[name=name]').value = {json.dumps(name)}")
        await self.ask("document.querySelector('form').submit()")
        await self.holds("window.state !== undefined || document.querySelector('#status h1')")

    async def tap_on(self, selector: str) -> bool:
        """Touch the first element like this that can be used, scrolled to if needed; whether there is one."""
        found = await self.ask(
            "(() => { for (const one of document.querySelectorAll(" + json.dumps(selector) + ")) {"
            " if (one.disabled || !one.getBoundingClientRect().width) continue;"
            " one.scrollIntoView({ block: 'nearest' }); const box = one.getBoundingClientRect();"
            " return [box.left + box.width / 2, box.top + box.height / 2]; } })()"
        )  # fmt: skip
        if found is not None:
            await self.tap(*found)
        return found is not None

    async def press(self, *keys: str) -> None:
        """Press keys by name, or type signs."""
        for key in keys:
            name, text, code = KEYS.get(key, (key, key, 0))
            kind = "keyDown" if text else "rawKeyDown"
            await self.do(
                "Input.dispatchKeyEvent", type=kind, key=name, text=text, windowsVirtualKeyCode=code
            )
            await self.do("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    async def tap(self, x: float, y: float) -> None:
        """Touch the page with a finger."""
        await self.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await self.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def become(self, width: int, height: int, *, phone: bool = False, light: bool = False) -> None:
        """Have another window: its size in pixels, whether it is touched, whether it is light."""
        await self.do("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=0, mobile=phone)  # fmt: skip
        await self.do("Emulation.setTouchEmulationEnabled", enabled=phone, maxTouchPoints=1)
        theme = {"name": "prefers-color-scheme", "value": "light" if light else "dark"}
        await self.do("Emulation.setEmulatedMedia", features=[theme])


@contextlib.asynccontextmanager
async def chromium(folder: Path, *, lang: str = "en", dense: bool = False) -> AsyncIterator[Page]:
    """Run a Chromium of its own, with one page; its screen may be dense, as those of telephones are."""
    assert PROGRAM is not None
    process = await asyncio.create_subprocess_exec(
        PROGRAM, *FLAGS, f"--user-data-dir={folder}", f"--accept-lang={lang}",
        f"--force-device-scale-factor={2 if dense else 1}", "about:blank",
        stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL,
    )  # fmt: skip
    try:
        async with aiohttp.ClientSession() as session:
            port = await _port(folder / "DevToolsActivePort")
            async with session.get(f"http://127.0.0.1:{port}/json/list") as listed:
                [address] = [
                    one["webSocketDebuggerUrl"] for one in await listed.json() if one["type"] == "page"
                ]
            page = Page(await session.ws_connect(address, max_msg_size=0))
            try:
                for domain in ("Page", "Network", "Log", "Runtime"):
                    await page.do(f"{domain}.enable")
                yield page
            finally:
                await page.close()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(10):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def _port(file: Path) -> int:
    """Where it listens, as soon as it says so."""
    for _ in range(int(PATIENCE / 0.05)):
        with contextlib.suppress(OSError, ValueError):
            text = await asyncio.to_thread(file.read_text, encoding="utf-8")
            return int(text.split("\n")[0])
        await asyncio.sleep(0.05)
    raise AssertionError("Chromium never said where it listens")
