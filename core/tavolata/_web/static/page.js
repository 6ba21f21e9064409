// What textual-serve's terminal does not do by itself: its size and theme, keys for fingers, coming back.
"use strict";
(() => {
  const Socket = window.WebSocket, start = window.onload;
  const touched = matchMedia("(pointer: coarse)").matches;
  let socket = null, ended = null;

  window.WebSocket = class extends Socket {
    constructor(url) {
      super(url);
      socket = this;
      this.addEventListener("message", heard);
      this.addEventListener("close", closed);
    }
  };

  function heard(event) {
    if (typeof event.data === "string") {
      const [what, ...told] = JSON.parse(event.data);
      if (what === "ended") ended = told;
    } else if (event.data.byteLength > 10) {
      document.body.classList.remove("told");
    }
  }

  function tell(text, back) {
    document.querySelector("#said p").textContent = text;
    document.querySelector("#said button").hidden = !back;
    document.body.classList.add("told");
  }

  function closed() {
    if (ended !== null) {
      const [sentence, forGood] = ended;
      tell(sentence || document.body.dataset.left, !forGood);
    } else {
      tell(document.body.dataset.lost, false);
      setTimeout(again, 500);
    }
  }

  async function again() {
    try {
      await fetch("/", { method: "HEAD", cache: "no-store" });
      location.reload();
    } catch {
      setTimeout(again, 2000);
    }
  }

  const send = (keys) => {
    if (socket && socket.readyState === Socket.OPEN) socket.send(JSON.stringify(["stdin", keys]));
  };

  // 80 columns and 24 rows if letters stay readable; a telephone held upright has fewer columns and more rows.
  function letters() {
    const kept = Number(localStorage.getItem("letters"));
    if (kept) return kept;
    const [width, height] = [innerWidth, innerHeight - (touched ? 50 : 0)];
    return Math.max(12, Math.min(16, Math.floor(width / 80 / 0.6), Math.floor(height / 24 / 1.32)));
  }

  function typing(wanted) {
    const typed = document.querySelector(".xterm-helper-textarea");
    if (wanted) typed.removeAttribute("inputmode"); else typed.setAttribute("inputmode", "none");
    typed.blur();
    if (wanted) typed.focus();
  }

  window.onload = async (event) => {
    const terminal = document.querySelector("#terminal"), font = "'Roboto Mono'";
    const theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    terminal.dataset.sessionWebsocketUrl = `${location.origin.replace("http", "ws")}/ws/${theme}`;
    terminal.dataset.fontSize = letters();
    document.body.classList.add("told");
    await Promise.allSettled(["", "bold ", "italic "].map((kind) => document.fonts.load(`${kind}16px ${font}`)));
    start(event);
    if (touched) typing(false); else document.querySelector(".xterm-helper-textarea").focus();
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelector("#said button").onclick = () => location.reload();
    let keyboard = false;
    document.querySelector("#keys").addEventListener("click", ({ target }) => {
      const { send: keys, do: what } = target.dataset;
      if (keys !== undefined) send(decodeURIComponent(keys));
      if (what === "keyboard") typing(keyboard = !keyboard);
      if (what === "smaller" || what === "larger") {
        localStorage.setItem("letters", Math.max(8, Math.min(28, letters() + (what === "larger" ? 1 : -1))));
        ended = [""]; // not lost: shown anew
        location.reload();
      }
    });
  });
})();
