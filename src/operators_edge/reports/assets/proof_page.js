// The list of every entry. Texts from the log are shown by textContent alone; nothing here makes HTML of them.
"use strict";
(() => {
  const PIECE = 1000, BEYOND = 8, PRINTED = 2000, SLICE = 8000;
  const byId = (id) => document.getElementById(id);
  const read = (id) => { const at = byId(id); return at ? JSON.parse(at.textContent) : null; };
  const el = (name, text, cls) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (cls) made.className = cls;
    return made;
  };
  // What acts on the order of a text or cannot be seen is shown as an escape, as everywhere on this page.
  const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g;
  const visible = (text) => String(text).replace(/\r\n/g, "\n").replace(UNSEEN, (c) => {
    const code = c.charCodeAt(0);
    return code < 256 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16);
  });

  // -- light and dark ---------------------------------------------------------------------------

  const root = document.documentElement;
  const stored = { get() { try { return localStorage.getItem("edge-theme"); } catch { return null; } },
    set(value) { try { localStorage.setItem("edge-theme", value); } catch { /* a file may have no storage */ } } };
  if (stored.get()) root.dataset.theme = stored.get();
  byId("theme").addEventListener("click", () => {
    const isDark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    stored.set(root.dataset.theme);
  });

  // -- the entries ------------------------------------------------------------------------------

  const data = read("lines");
  const total = data.q.length;
  const names = data.tables;
  const summed = (steps) => { const out = new Float64Array(steps.length); let now = 0; steps.forEach((each, i) => { now += each; out[i] = now; }); return out; };
  const seqs = summed(data.q), times = summed(data.t);
  const COLUMNS = { kind: "k", outcome: "o", session: "s", file: "f" };
  const rowOf = new Map();
  for (let row = 0; row < total; row++) rowOf.set(seqs[row], row);

  const two = (n) => String(n).padStart(2, "0");
  const timeOf = (row) => { const at = new Date(times[row]); return `${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`; };
  const name = (key, row) => names[key][data[key][row]];
  const tone = (row) => data.tones[data.o[row]];

  // The phase of a call, by its session: phases are in the log's order.
  const phases = new Map();
  for (const [session, ...phase] of read("phases")) { if (!phases.has(session)) phases.set(session, []); phases.get(session).push(phase); }
  const CALLS = new Set(["call", "edit", "check"]);
  const purposeOf = (row) => {
    if (!CALLS.has(name("k", row))) return "";
    const mine = phases.get(name("s", row)) || [];
    let low = 0, high = mine.length - 1;
    while (low < high) { const middle = (low + high) >> 1; if (mine[middle][1] < seqs[row]) low = middle + 1; else high = middle; }
    return low < mine.length && mine[low][0] <= seqs[row] ? mine[low][2] : "";
  };

  const pieces = new Map();
  const detailOf = (row) => {
    const number = Math.floor(row / PIECE);
    if (!pieces.has(number)) pieces.set(number, read("d" + number) || {});
    return pieces.get(number)[row % PIECE];
  };

  // -- filters ----------------------------------------------------------------------------------

  const wanted = { kind: "", outcome: "", session: "", file: "", q: "", from: 0, to: 0 };
  let found = [], selected = -1, task = 0;
  const every = [...data.q.keys()], hay = new Array(total);
  const textOf = (row) => {
    if (hay[row] === undefined) {
      const more = detailOf(row);
      const parts = [seqs[row], name("n", row), name("o", row), data.x[row], name("f", row), name("r", row), name("w", row)];
      if (more) parts.push(more[0], more[1], more[2]);
      hay[row] = parts.join("\n").toLowerCase();
    }
    return hay[row];
  };

  const filter = () => {
    const mine = ++task;
    const tests = [];
    for (const [key, column] of Object.entries(COLUMNS)) {
      if (wanted[key]) { const number = names[column].indexOf(wanted[key]); tests.push((row) => data[column][row] === number); }
    }
    if (wanted.from) tests.push((row) => seqs[row] >= wanted.from);
    if (wanted.to) tests.push((row) => seqs[row] <= wanted.to);
    const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length) tests.push((row) => { const text = textOf(row); return words.every((word) => text.includes(word)); });
    if (!tests.length) { show(every); return; }
    const next = [];
    let row = 0;
    const step = () => {
      if (mine !== task) return;
      for (const end = Math.min(total, row + SLICE); row < end; row++) if (tests.every((test) => test(row))) next.push(row);
      if (row < total) { setTimeout(step); return; }
      show(next);
    };
    step();
  };

  const show = (rows) => {
    const before = found[selected];
    found = rows;
    selected = before === undefined ? -1 : found.indexOf(before);
    byId("count").textContent = found.length === total ? `${total} entries` : `${found.length} of ${total} entries` +
      (wanted.from || wanted.to ? ` (${wanted.from || "first"} to ${wanted.to || "last"})` : "");
    if (selected < 0) close(false);
    space.style.height = `${found.length * height}px`;
    list.style.height = `${found.length * height + 2}px`;  // at most what the style sheet allows
    for (const line of lines.values()) line.remove();
    lines.clear();
    draw();
  };

  // -- the list: only the lines in view exist -----------------------------------------------------

  const list = byId("rows"), space = byId("space"), lines = new Map();
  const narrow = matchMedia("(max-width: 40rem)");
  let height = narrow.matches ? 56 : 30;
  narrow.addEventListener("change", () => { height = narrow.matches ? 56 : 30; show(found); });

  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / height) - BEYOND);
    const last = Math.min(found.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + BEYOND);
    for (const [at, line] of lines) if (at < first || at >= last) { line.remove(); lines.delete(at); }
    for (let at = first; at < last; at++) if (!lines.has(at)) { const line = made(at); lines.set(at, line); space.append(line); }
  };
  const made = (at) => {
    const row = found[at], line = el("div", undefined, "line");
    line.id = "line" + at;
    line.setAttribute("role", "option");
    line.setAttribute("aria-setsize", found.length);
    line.setAttribute("aria-posinset", at + 1);
    line.setAttribute("aria-selected", at === selected);
    if (purposeOf(row)) line.dataset.purpose = purposeOf(row);
    line.style.top = `${at * height}px`;
    const outcome = el("span", undefined, "outcome"), word = name("o", row);
    if (word) { const badge = el("span", word, tone(row) ? "badge" : "quiet"); badge.dataset.tone = tone(row); outcome.append(badge); }
    line.append(el("span", seqs[row] || "?", "seq"), el("span", timeOf(row), "at"), el("span", visible(name("n", row))), outcome,
      el("bdi", visible(data.x[row]).replace(/\s+/g, " "), "subject"));
    line.addEventListener("click", () => { choose(at, true); });
    return line;
  };
  let isDue = false;
  list.addEventListener("scroll", () => { if (!isDue) { isDue = true; requestAnimationFrame(() => { isDue = false; draw(); }); } }, { passive: true });
  addEventListener("resize", draw);

  const choose = (at, isOpened) => {
    if (at < 0 || at >= found.length) return;
    const old = lines.get(selected);
    if (old) old.setAttribute("aria-selected", "false");
    selected = at;
    const top = at * height;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
    draw();
    const line = lines.get(at);
    if (line) line.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", "line" + at);
    if (isOpened || !detail.hidden) open();
    remember();
  };

  // -- one entry --------------------------------------------------------------------------------

  const detail = byId("detail"), split = byId("split");
  const open = () => {
    const row = found[selected];
    if (row === undefined) return;
    const more = detailOf(row) || [];
    const head = el("div", undefined, "row"), quit = el("button", "Close");
    quit.type = "button";
    quit.addEventListener("click", () => { close(true); });
    head.append(el("h3", `${seqs[row] || "?"} · ${visible(name("n", row))}`), quit);
    const facts = el("dl");
    const fact = (label, value) => { if (value !== "" && value !== undefined && value !== null) { const dd = el("dd"); dd.append(el("bdi", visible(value))); facts.append(el("dt", label), dd); } };
    fact("time", `${new Date(times[row]).toISOString().slice(0, 19).replace("T", " ")} UTC`);
    fact("outcome", name("o", row));
    fact("decided by", name("w", row));
    fact("rule", name("r", row));
    fact("file", name("f", row));
    fact("diff", more[3]);
    fact("step", data.p[row] || "");
    fact("phase", purposeOf(row));
    fact("exit code", more[4]);
    fact("took", more[5] === undefined || more[5] === null ? "" : `${more[5]} ms`);
    fact("session", name("s", row));
    fact("subagent", name("a", row));
    detail.replaceChildren(head);
    const part = (label, text) => { if (text) { const pre = el("pre"); pre.tabIndex = 0; pre.append(el("bdi", visible(text))); detail.append(el("div", label, "quiet small"), pre); } };
    part("about", data.x[row]);
    detail.append(facts);
    part("input", more[0]);
    part("output", more[1]);
    part("logged with it", more[2]);
    if (!more.length) detail.append(el("p", `In full: edge log show ${seqs[row]}`, "quiet small"));
    detail.hidden = false;
    split.classList.add("open");
    draw();
  };
  const close = (isBack) => {
    detail.hidden = true;
    split.classList.remove("open");
    if (isBack) list.focus();
    draw();
  };

  // -- the address: an entry, or filters ----------------------------------------------------------

  const remember = () => {
    const said = new URLSearchParams();
    for (const [key, value] of Object.entries(wanted)) if (value) said.set(key, value);
    if (selected >= 0) said.set("e", seqs[found[selected]]);
    history.replaceState(null, "", said.size ? "#" + said : location.pathname + location.search);
  };
  const follow = () => {
    const hash = location.hash.slice(1);
    const entry = /^e(\d+)$/.exec(hash);
    if (!entry && !hash.includes("=")) return;  // a heading of the page
    const said = new URLSearchParams(entry ? "" : hash);
    for (const key of Object.keys(wanted)) wanted[key] = ["from", "to"].includes(key) ? Number(said.get(key)) || 0 : said.get(key) || "";
    for (const key of Object.keys(COLUMNS)) { byId(key).value = wanted[key]; if (byId(key).value !== wanted[key]) { byId(key).value = ""; wanted[key] = ""; } }
    byId("search").value = wanted.q;
    filter();
    const seq = Number(entry ? entry[1] : said.get("e"));
    byId("timeline").scrollIntoView({ block: "start" });
    if (!seq) return;
    const seek = () => {
      if (!found.length && total) { setTimeout(seek, 10); return; }
      const at = found.indexOf(rowOf.get(seq));
      if (at >= 0) { list.scrollTop = Math.max(0, at * height - list.clientHeight / 2); choose(at, true); list.focus({ preventScroll: true }); }
      else byId("count").textContent = `entry ${seq} is not on this page`;
    };
    seek();
  };
  addEventListener("hashchange", follow);

  // -- tools and keys ---------------------------------------------------------------------------

  const fill = (id, column) => {
    const counts = new Map();
    for (const number of data[column]) counts.set(number, (counts.get(number) || 0) + 1);
    const most = [...counts].filter(([number]) => names[column][number] !== "").sort((a, b) => b[1] - a[1]).slice(0, 300);
    for (const [number, count] of most) {
      const text = visible(names[column][number]);
      const option = el("option", `${text.length > 60 ? "…" + text.slice(-58) : text} (${count})`);
      option.value = names[column][number];
      byId(id).append(option);
    }
    byId(id).addEventListener("change", () => { wanted[id] = byId(id).value; filter(); remember(); });
  };
  for (const [id, column] of Object.entries(COLUMNS)) fill(id, column);
  byId("search").addEventListener("input", () => { wanted.q = byId("search").value; filter(); remember(); });
  byId("tools").addEventListener("submit", (event) => { event.preventDefault(); list.focus(); });
  const clear = () => {
    for (const key of Object.keys(wanted)) wanted[key] = ["from", "to"].includes(key) ? 0 : "";
    for (const id of [...Object.keys(COLUMNS), "search"]) byId(id).value = "";
    filter();
    remember();
  };
  byId("clear").addEventListener("click", clear);
  byId("keys").addEventListener("click", () => { byId("help").showModal(); });
  for (const bar of document.querySelectorAll("rect[data-from]")) {
    bar.addEventListener("click", () => { location.hash = `from=${bar.dataset.from}&to=${bar.dataset.to}`; });
  }

  const seekBad = (step) => {
    for (let at = selected + step; at >= 0 && at < found.length; at += step) if (tone(found[at]) === "bad") { choose(at, false); return; }
  };
  const KEYS = {
    "/": () => { byId("search").focus(); byId("search").select(); },
    "?": () => { byId("help").showModal(); },
    j: () => { choose(selected + 1, false); }, ArrowDown: () => { choose(selected + 1, false); },
    k: () => { choose(Math.max(0, selected - 1), false); }, ArrowUp: () => { choose(Math.max(0, selected - 1), false); },
    n: () => { seekBad(1); }, p: () => { seekBad(-1); },
    g: () => { choose(0, false); }, G: () => { choose(found.length - 1, false); },
    Home: () => { choose(0, false); }, End: () => { choose(found.length - 1, false); },
    PageDown: () => { choose(Math.min(found.length - 1, selected + Math.floor(list.clientHeight / height)), false); },
    PageUp: () => { choose(Math.max(0, selected - Math.floor(list.clientHeight / height)), false); },
    Enter: () => { if (selected < 0) choose(0, true); else open(); },
    Escape: () => { if (!detail.hidden) close(true); else clear(); },
  };
  const ONLY_IN_LIST = new Set(["ArrowDown", "ArrowUp", "Home", "End", "PageDown", "PageUp", "Enter"]);
  addEventListener("keydown", (event) => {
    const at = event.target, isTyping = at.closest("input, select, textarea, dialog");
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (isTyping && event.key === "Escape" && at.id === "search") { list.focus(); return; }
    if (isTyping || !Object.hasOwn(KEYS, event.key) || (ONLY_IN_LIST.has(event.key) && at !== list)) return;
    event.preventDefault();
    if (at !== list && "jknpgG".includes(event.key)) list.focus({ preventScroll: false });
    KEYS[event.key]();
  });

  // -- paper ------------------------------------------------------------------------------------

  const folded = () => document.querySelectorAll("main details:not([open])");
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...folded()];
    for (const each of unfolded) each.open = true;
    const body = el("tbody");
    for (const row of found.slice(-PRINTED)) {
      const line = el("tr");
      line.append(el("td", seqs[row]), el("td", timeOf(row)), el("td", visible(name("n", row))), el("td", name("o", row)), el("td", visible(data.x[row])));
      body.append(line);
    }
    const note = el("caption", found.length > PRINTED ? `The last ${PRINTED} of ${found.length} entries` : `${found.length} entries`);
    byId("printed").replaceChildren(note, body);
  });
  addEventListener("afterprint", () => { byId("printed").replaceChildren(); for (const each of unfolded) each.open = false; });

  split.hidden = byId("tools").hidden = false;
  byId("without").hidden = true;
  filter();
  follow();
  root.dataset.ready = "true";
})();
