// Asks for the page again when the server says that something changed, and puts the parts that differ in place.
"use strict";
(() => {
  const status = document.getElementById("connection");
  let busy = false;
  let again = false;

  const toEnd = (root) => {
    for (const part of root.querySelectorAll("[data-end]")) part.scrollTop = part.scrollHeight;
  };

  const place = (fresh) => {
    document.title = fresh.title;
    const main = document.querySelector("main");
    const before = [...main.children].map((part) => part.id).join();
    const after = [...fresh.querySelector("main").children].map((part) => part.id).join();
    if (before !== after && !main.contains(document.activeElement)) {
      main.replaceWith(document.adoptNode(fresh.querySelector("main")));
      toEnd(document);
    }
    for (const part of document.querySelectorAll("[data-live]")) {
      const next = fresh.getElementById(part.id);
      if (!next || next.innerHTML === part.innerHTML) continue;
      const held = [...part.querySelectorAll("[data-end]")].map((it) => it.scrollHeight - it.scrollTop - it.clientHeight < 8);
      const focus = part.contains(document.activeElement) ? [...part.querySelectorAll("a,button,pre")].indexOf(document.activeElement) : -1;
      part.innerHTML = next.innerHTML;
      [...part.querySelectorAll("[data-end]")].forEach((it, at) => { if (held[at] !== false) it.scrollTop = it.scrollHeight; });
      if (focus >= 0) part.querySelectorAll("a,button,pre")[focus]?.focus();
    }
  };

  const update = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.ok) place(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch { /* the stream says when the server is back */ }
    busy = false;
    if (again) { again = false; update(); }
  };

  const events = new EventSource("/events");
  const say = (words) => { if (status.textContent !== words) status.textContent = words; };
  events.addEventListener("open", () => say("Live"));
  events.addEventListener("error", () => say("Not connected: this page shows the last known state."));
  events.addEventListener("change", update);
  toEnd(document);
})();
