"""A person without a plan who taps on a page of a table, until the match is over."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import Any

from .chromium import Page

NOW = """state && (() => {
  const decision = state.scene.decision, fresh = performance.now() - Math.max(asked[1], taps.last) >= TRAIN;
  const free = [...document.querySelectorAll('[data-choice]:not(.no):not(.tapped)')]
    .filter((one) => one.getClientRects().length).map((one) => Number(one.dataset.choice));
  return {
    ready: document.body.dataset.phase === 'end'
      || fresh && !!(state.question || state.window || state.offers.length),
    offers: state.offers.length,
    free, phase: document.body.dataset.phase, question: state.question, text: decision.text,
    window: state.window ? state.window.id : '', acts: state.window ? state.window.acts.length : 0,
    kind: decision.kind, low: state.kind.low || 0, high: state.kind.high || 0,
    on: (decision.options || []).filter((one) => one.order > 0).map((one) => one.number - 1),
    amount: !!decision.amount, writing: decision.writing || null, trouble: state.trouble || '',
  };
})()"""
"""What can be tapped on now; a tap counts only once the question has been on view for a moment."""

Look = Callable[[dict[str, Any]], Awaitable[None]]


async def play(page: Page, look: Look, chance: random.Random) -> int:
    """Answer every question by taps, each looked at before it's answered; return how many there were."""
    asked, last = 0, ""
    while True:
        with contextlib.suppress(AssertionError):  # the others may take longer than a page may
            await page.holds(f"{NOW}.ready")
        now = await page.ask(NOW)
        if now and now["phase"] == "end":
            return asked
        if not now or not now["ready"]:
            continue
        if await page.tap_on("[data-key=begin]"):  # the opening card hides a field to write in
            continue
        number = str(now["question"] or now["window"])
        if not number:  # nobody is asked, but it may call out, such as a prize
            await page.tap_on("[data-key=offers]")
            asked += await page.tap_on("#sheet button:not(.close)")
            continue
        if number != last:
            asked, last = asked + 1, number
            await look(now)
        await _tap(page, now, chance)


async def _tap(page: Page, now: dict[str, Any], chance: random.Random) -> None:
    if now["window"]:
        doubts = now["acts"] and chance.random() < 0.3
        await page.tap_on(".bang:not(:disabled)" if doubts else "#decision .act") or await page.tap_on(
            ".bang"
        )
    elif now["writing"]:
        await page.tap_on("[data-key=writing]")
        await page.ask("document.querySelector('[data-key=writing]').select()")
        size = max(now["writing"]["low"], min(12, now["writing"]["high"]))
        await page.do("Input.insertText", text=("a word " * size)[:size].strip().ljust(size, "s"))
        await page.tap_on("#decision .act")
    elif now["amount"]:
        if chance.random() < 0.5:
            await page.tap_on("[data-key=more]")
            await page.holds("performance.now() - taps.last >= TRAIN")
        await page.tap_on("#decision .act")
    elif now["kind"] == "several":
        free = [one for one in now["free"] if one not in now["on"]]
        wants = len(now["on"]) < now["low"] or (len(now["on"]) < now["high"] and chance.random() < 0.2)
        if free and wants:
            await page.tap_on(f"[data-choice='{chance.choice(free)}']")
        elif not await page.tap_on("#decision .act") or now["trouble"]:
            await page.tap_on(f"[data-choice='{chance.choice(now['on'])}']")
    else:
        if len(now["free"]) > 1 and (now["trouble"] or chance.random() < 0.7):
            await page.tap_on(f"[data-choice='{chance.choice(now['free'])}']")
            await page.holds("performance.now() - taps.last >= TRAIN")
        await page.tap_on("#decision .act")
