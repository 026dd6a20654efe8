// Asks for the page again when the server says that something changed, and puts the parts that differ in place. Links and the slider that
// stay on the page go the same way, so what is open, scrolled or focused stays so.
"use strict";
(() => {
  const status = document.getElementById("connection");
  const news = document.getElementById("news");
  let busy = false;
  let again = false;

  const say = (where, words) => { if (where.textContent !== words) where.textContent = words; };
  const toEnd = (root) => {
    for (const part of root.querySelectorAll("[data-end]")) part.scrollTop = part.scrollHeight;
  };

  // A list that is open, a text that is being written, a slider that is being moved: nobody takes these away.
  const isHeld = (part) => {
    const focus = document.activeElement;
    return part.querySelector("input[type=range]:active") ||
      (part.contains(focus) && focus.matches("select, input:not([type=range])"));
  };

  const FOCUSED = "a, button, pre, summary, input, select";
  const replace = (part, next) => {
    const ends = [...part.querySelectorAll("[data-end]")].map((it) => it.scrollHeight - it.scrollTop - it.clientHeight < 8);
    const focus = part.contains(document.activeElement) ? document.activeElement : null;
    const at = focus ? [...part.querySelectorAll(FOCUSED)].indexOf(focus) : -1;
    const open = new Set([...part.querySelectorAll("details[open]")].map((it) => it.dataset.key));
    const words = focus && focus.textContent;
    part.innerHTML = next.innerHTML;
    [...part.querySelectorAll("[data-end]")].forEach((it, n) => { if (ends[n] !== false) it.scrollTop = it.scrollHeight; });
    for (const it of part.querySelectorAll("details")) it.open = open.has(it.dataset.key);
    if (at < 0) return;
    const fresh = [...part.querySelectorAll(FOCUSED)];
    const isSame = (it) => focus.id ? it.id === focus.id : words && it.textContent === words;
    const same = fresh.find(isSame) ?? fresh[Math.min(at, fresh.length - 1)];
    same?.focus({ preventScroll: true });
  };

  // The same parts in the same order; what they hold comes later.
  const arrange = (whole, next) => {
    if (!next) return;
    for (const part of [...whole.children]) if (![...next.children].some((it) => it.id === part.id)) part.remove();
    let at = whole.firstElementChild;
    for (const part of next.children) {
      if (at?.id === part.id) { at = at.nextElementSibling; continue; }
      const added = document.importNode(part, true);
      whole.insertBefore(added, at);
      toEnd(added);
    }
  };

  const place = (fresh) => {
    document.title = fresh.title;
    for (const whole of document.querySelectorAll("[data-parts]")) arrange(whole, fresh.getElementById(whole.id));
    for (const part of document.querySelectorAll("[data-live]")) {
      const next = fresh.getElementById(part.id);
      if (next && next.innerHTML !== part.dataset.last && !isHeld(part)) {
        if (next.innerHTML !== part.innerHTML) replace(part, next);
        part.dataset.last = next.innerHTML;
      }
    }
    for (const part of document.querySelectorAll("a[data-filtered]")) {
      part.href = fresh.getElementById(part.id)?.getAttribute("href") ?? part.href;
    }
    // other forms go on from where the page is now
    for (const form of document.querySelectorAll("form[method=get]")) {
      const next = fresh.querySelector(`form[aria-label="${form.getAttribute("aria-label")}"]`);
      if (!next || form.contains(document.activeElement)) continue;
      for (const hidden of form.querySelectorAll("input[type=hidden]")) hidden.remove();
      form.prepend(...[...next.querySelectorAll("input[type=hidden]")].map((it) => document.adoptNode(it)));
    }
    say(news, document.querySelector("#state h2, #none p")?.textContent + " " + (document.getElementById("now")?.textContent ?? ""));
  };

  const update = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.ok) {
        if (answer.redirected) history.replaceState(null, "", answer.url);
        place(new DOMParser().parseFromString(await answer.text(), "text/html"));
      }
    } catch { /* the stream says when the server is back */ }
    busy = false;
    if (again) { again = false; update(); }
  };

  const go = (address) => { history.pushState(null, "", address); update(); };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-here]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.href);
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-scrub]")) return;
    const { value, max } = event.target;
    event.target.setAttribute("aria-valuetext", `Stop ${value} of ${max}`);
    event.target.closest("section").querySelector("h2").textContent = `Stop ${value} of ${max}`;
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-scrub]")) return;
    go("/?" + new URLSearchParams(new FormData(event.target.form)));
  });
  addEventListener("popstate", update);

  // The keys that debuggers have for it press the buttons that say so; all others stay the browser's.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = (event.shiftKey ? "Shift+" : "") + event.key;
    const button = [...document.querySelectorAll("button[aria-keyshortcuts]")].find((it) => it.getAttribute("aria-keyshortcuts") === keys);
    if (!button) return;
    event.preventDefault();
    if (!event.repeat) button.click();
  });

  const events = new EventSource("/events");
  events.addEventListener("open", () => say(status, "Live"));
  events.addEventListener("error", () => say(status, "Not connected: this page shows the last known state."));
  events.addEventListener("change", update);
  document.documentElement.classList.add("scripted");
  toEnd(document);
})();
