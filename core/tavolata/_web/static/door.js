"use strict";
// A match that waits for another day is shown to whoever comes to the door, until it is on again or too old; then the page goes there.
async function back() {
  const answer = await fetch("/here", { cache: "no-store" });
  if (answer.ok && (await answer.json()).known) location.assign("/");
}

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
