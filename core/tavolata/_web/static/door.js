"use strict";
// A match that waits for another day is shown to whoever comes to the door, until it is on again or too old; then the page goes there.
async function back() {
  const answer = await fetch("/here", { cache: "no-store" });
  if (answer.ok && (await answer.json()).known) location.assign("/");
}

// A browser that knocks asks whether it's let in; while its machine is silent, it says so.
async function ask() {
  const answer = await fetch("/knock", { cache: "no-store", redirect: "manual", signal: AbortSignal.timeout?.(4000) });
  if (answer.type === "opaqueredirect") location.assign("/");
  else if (answer.ok && !(await answer.text()).includes(document.querySelector(".letters").textContent)) location.reload(); // another tab has knocked
}

const lost = document.getElementById("lost");
if (lost) setInterval(() => ask().then(() => (lost.hidden = true), () => (lost.hidden = false)), 2000);

try {
  const said = JSON.parse(localStorage.getItem("farewell"));
  const box = document.getElementById("waits");
  if (said && 1000 * said.last > Date.now()) {
    for (const text of [said.match, said.how, said.command]) {
      const made = document.createElement("p");
      made.textContent = text;
      if (text === said.command) made.className = "command";
      box.append(made);
    }
    box.hidden = false;
    setInterval(() => back().catch(() => {}), 3000); // silence: it asks again
  }
} catch {
  // no storage: nothing is known of it
}
