"use strict";
// The dashboard's page: shows what the server rendered, sends what the person decides, follows what changes.
// The token lives in this tab alone, and is sent as a header: no other page can send it.

const BASE = "/operators-edge/";
const TOKEN = "edge-token";
const RETRY = [250, 500, 1000, 2000, 5000];
const HIDDEN_EVERY = 5000;
const at = (id) => document.getElementById(id);
const policy = window.trustedTypes ? window.trustedTypes.createPolicy("edge", { createHTML: (text) => text }) : null;

let shownHash = "";
let isLoading = false;
let isDue = false;
let seen = null;
let following = null;
let isBehind = false;
let viewKeys = [];
let refused = null;

// -- asking the server --------------------------------------------------------------------------------------

function ask(path, body, signal) {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(TOKEN) || ""}` };
  const options = { headers, cache: "no-store", credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", signal };
  if (body) {
    headers["Content-Type"] = "application/json";
    Object.assign(options, { method: "POST", body: JSON.stringify(body) });
  }
  return fetch(BASE + path, options);
}

async function enter(code) {
  history.replaceState(null, "", location.pathname + "#/home");
  try {
    const reply = await ask("enter", { code });
    const found = await reply.json();
    if (found.ok) sessionStorage.setItem(TOKEN, found.token);
    else if (!sessionStorage.getItem(TOKEN)) return locked(found.why);
  } catch {
    return locked("The dashboard does not answer.");
  }
  return true;
}

function locked(why) {
  sessionStorage.removeItem(TOKEN);
  connected("off", "locked");
  const main = document.createElement("main");
  main.id = "main";
  main.className = "page";
  main.tabIndex = -1;
  const card = document.createElement("div");
  card.className = "card";
  card.append(line("h1", "This page needs a link"), line("p", why), line("p", "In your own terminal run:"));
  const command = document.createElement("pre");
  command.append(line("code", "edge serve link"));
  card.append(command);
  main.append(card);
  at("view").replaceChildren(main);
  document.title = "Operator's Edge";
  return false;
}

function line(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

// -- showing a view -----------------------------------------------------------------------------------------

function route() {
  const [name, query] = location.hash.replace(/^#\//, "").split("?");
  return { name: /^[a-z]+$/.test(name) ? name : "home", query: query || "" };
}

async function show() {
  if (!sessionStorage.getItem(TOKEN)) return locked("It is opened by a link that counts once.");
  if (isLoading) {
    isDue = true;
    return;
  }
  isLoading = true;
  const wanted = location.hash;
  const { name, query } = route();
  try {
    const reply = await ask(`view/${name}?${query}`);
    if (reply.status === 401) return locked("Its link has ended, or was used in another tab.");
    if (!reply.ok) throw new Error(await failure(reply));
    const found = await reply.json();
    if (found.is_pending) stillReading();
    else if (wanted === location.hash) put(found, wanted);
    else isDue = true;
  } catch (error) {
    said(`Not shown: ${error.message}`, "bad");
  } finally {
    isLoading = false;
    if (isDue) {
      isDue = false;
      show();
    }
  }
}

function stillReading() {
  if (shownHash !== location.hash) {
    shownHash = location.hash;
    at("main").replaceChildren(line("p", "Still reading: what the log adds up to is counted again. It will be here in a moment."));
  }
  setTimeout(show, 500);
}

async function failure(reply) {
  try {
    const found = await reply.json();
    return found.hint ? `${found.why} (${found.hint})` : found.why;
  } catch {
    return `the dashboard answered ${reply.status}`;
  }
}

function put(found, hash) {
  const isNew = hash !== shownHash;
  const isFirst = shownHash === "";
  const sameView = shownHash.split("?")[0] === hash.split("?")[0];
  const focused = document.activeElement;
  const template = document.createElement("template");
  template.innerHTML = policy ? policy.createHTML(found.html) : found.html;
  template.content.querySelectorAll("time").forEach(localTime);
  morph(at("view"), template.content);
  document.title = `${found.waiting ? `(${found.waiting}) ` : ""}${found.title} – Operator's Edge`;
  shownHash = hash;
  at("view").dataset.view = route().name;
  if (isNew) document.querySelectorAll(".tabs [aria-current]").forEach((each) => each.scrollIntoView({ block: "nearest", inline: "nearest" }));
  if (isNew && !isFirst && !sameView) {
    scrollTo(0, 0);
    at("main").focus({ preventScroll: true });
  } else if (focused && focused !== document.body && !focused.isConnected) {
    at("main").focus({ preventScroll: true });
  } else if (focused && focused.isConnected && document.activeElement !== focused) {
    focused.focus({ preventScroll: true });
  }
  viewKeys = found.keys;
  sayRefusal();
  announce(found.asked);
}

// A refused form may be gone with the next state: then its reason is said above.
function sayRefusal() {
  if (!refused) return;
  if (!refused.form.isConnected) said(refused.why, "bad");
  refused = null;
}

// The server writes UTC; a person reads the clock of this machine.
function localTime(node) {
  const when = new Date(node.dateTime);
  if (Number.isNaN(when.getTime())) return;
  const isToday = when.toDateString() === new Date().toDateString();
  node.title = when.toLocaleString();
  node.textContent = isToday ? when.toLocaleTimeString() : when.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

function announce(asked) {
  const now = new Set(asked.map((each) => each.id));
  const fresh = seen === null ? [] : asked.filter((each) => !seen.has(each.id));
  seen = now;
  if (fresh.length) at("alert").textContent = `A decision waits: ${fresh.map((each) => each.text).join("; ")}`;
}

// Makes the children of one element those of another. What is there stays the same node wherever it can, so focus,
// scroll, what is open and what is half written stay, too. An id is an identity; else place and tag are.
function morph(old, fresh) {
  const known = new Map();
  for (const each of old.children) if (each.id) known.set(each.id, each);
  let next = old.firstChild;
  for (const want of [...fresh.childNodes]) {
    const have = counterpart(want, next, known);
    if (!have) {
      old.insertBefore(want, next);
      continue;
    }
    if (have === next) next = next.nextSibling;
    else old.insertBefore(have, next);
    update(have, want);
  }
  while (next) {
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
}

function counterpart(want, next, known) {
  if (want.nodeType === 1 && want.id) {
    const have = known.get(want.id);
    return have && have.tagName === want.tagName ? have : null;
  }
  if (!next || next.nodeType !== want.nodeType) return null;
  return want.nodeType !== 1 || (next.tagName === want.tagName && !next.id) ? next : null;
}

function update(have, want) {
  if (have.nodeType !== 1) {
    if (have.data !== want.data) have.data = want.data;
    return;
  }
  if (have.hasAttribute("data-keep")) return;
  for (const { name } of [...have.attributes]) {
    if (!want.hasAttribute(name) && !(name === "open" || name === "disabled")) have.removeAttribute(name);
  }
  for (const { name, value } of [...want.attributes]) {
    if (have.getAttribute(name) !== value && name !== "open") have.setAttribute(name, value);
  }
  morph(have, want);
}

// -- deciding -----------------------------------------------------------------------------------------------

function given(form, button) {
  const fields = new FormData(form);
  const chosen = fields.getAll("words").concat(fields.get("free") || []).filter(Boolean);
  const scope = button.dataset.scope;
  const body = { ...form.dataset, act: button.value, scope: scope === "all" ? "" : scope || "" };
  body.words = scope === "all" ? "all" : (fields.get("free") || "").trim() || chosen.join(",");
  for (const name of ["why", "code"]) body[name] = fields.get(name) || "";
  return body;
}

async function decide(form, body) {
  const outcome = form.querySelector(".outcome");
  const buttons = [...form.querySelectorAll("button")];
  outcome.textContent = "";
  buttons.forEach((each) => (each.disabled = true));
  try {
    const reply = await ask("act", body);
    if (reply.status === 401) return locked("Its link has ended.");
    const found = await reply.json();
    if (!found.ok) {
      outcome.textContent = found.hint ? `${found.why} (${found.hint})` : found.why;
      refused = { form, why: outcome.textContent };
      preview(form, null);
    } else if (found.preview) preview(form, found, body);
    else {
      preview(form, null);
      said(found.said, "good");
    }
  } catch {
    outcome.textContent = "Not sent: the dashboard does not answer. Start it: edge serve";
  } finally {
    buttons.forEach((each) => (each.disabled = false));
  }
  show();
}

// What a yes for more than one call would let through, to be confirmed.
function preview(form, found, body) {
  const place = form.querySelector(".preview");
  if (!place) return;
  place.replaceChildren();
  if (!found) return;
  place.append(line("pre", found.preview));
  const yes = line("button", "Do it");
  const no = line("button", "Leave it");
  yes.type = no.type = "button";
  yes.addEventListener("click", () => decide(form, { ...body, act: "dismiss", code: found.code }));
  no.addEventListener("click", () => preview(form, null));
  const row = document.createElement("div");
  row.className = "row buttons";
  row.append(yes, no);
  place.append(row);
  place.tabIndex = -1;
  place.focus();
}

function said(text, tone) {
  const place = at("said");
  place.dataset.tone = tone;
  place.replaceChildren(line("span", text));
  const close = line("button", "×");
  close.type = "button";
  close.setAttribute("aria-label", "Close the message");
  close.addEventListener("click", () => place.replaceChildren());
  place.append(close);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.classList.contains("answer")) {
    event.preventDefault();
    if (event.submitter && event.submitter.value) decide(form, given(form, event.submitter));
  } else if (form.dataset.go) {
    event.preventDefault();
    go(form);
  }
});

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-go]");
  if (form && event.target.tagName === "SELECT") go(form);
});

// Enter in the field of a note must decide nothing: only a button does.
document.addEventListener("keydown", (event) => {
  const inAnswer = event.target.closest && event.target.closest("form.answer");
  if (event.key === "Enter" && inAnswer && event.target.tagName === "INPUT") event.preventDefault();
});

// A link to another card of the same view.
document.addEventListener("click", (event) => {
  const to = event.target.closest && event.target.closest("a[data-to]");
  const card = to && at(to.dataset.to);
  if (!card) return;
  event.preventDefault();
  card.focus();
  card.scrollIntoView({ block: "nearest" });
});

function go(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) query.append(name, value);
  location.hash = `#/${form.dataset.go}?${query}`;
}

// -- following what changes ---------------------------------------------------------------------------------

function connected(state, text) {
  at("live").dataset.state = state;
  if (at("live").textContent !== text) at("live").textContent = text;
}

async function follow() {
  for (let tries = 0; ; tries += 1) {
    // A browser has few connections to one server: a tab that nobody sees asks now and then instead of keeping one.
    if (document.hidden) {
      await seenOrLater(HIDDEN_EVERY);
      show();
      continue;
    }
    try {
      if (sessionStorage.getItem(TOKEN)) {
        following = new AbortController();
        const reply = await ask("live", null, following.signal);
        if (reply.status === 401) locked("Its link has ended.");
        else if (reply.ok) {
          connected("on", "live");
          tries = 0;
          await read(reply.body.getReader());
        }
      }
    } catch {
      // the connection broke; it is said below, and tried again
    }
    isBehind = true; // what changes until it is connected again is told by nobody
    if (document.hidden) continue;
    if (sessionStorage.getItem(TOKEN)) connected("off", "not connected, trying again");
    await new Promise((done) => setTimeout(done, RETRY[Math.min(tries, RETRY.length - 1)]));
  }
}

function seenOrLater(milliseconds) {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
    document.addEventListener("visibilitychange", done, { once: true });
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden && following) following.abort();
});

async function read(reader) {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop();
    if (events.some((each) => each.startsWith("data:"))) refresh(events);
  }
}

function refresh(events) {
  const changed = events.filter((each) => each.startsWith("data:")).map((each) => JSON.parse(each.slice(5)));
  if (isBehind || changed.some((each) => !each.is_first) || shownHash === "") show();
  isBehind = false;
}

// -- the page itself ----------------------------------------------------------------------------------------

const THEMES = { "": "as the system", light: "light", dark: "dark" };

function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  at("theme").setAttribute("aria-label", `Colours: ${THEMES[name]}`);
  at("theme").textContent = `Colours: ${THEMES[name]}`;
}

function nextTheme() {
  const names = Object.keys(THEMES);
  const name = names[(names.indexOf(document.documentElement.dataset.theme || "") + 1) % names.length];
  localStorage.setItem("edge-theme", name);
  theme(name);
}

function step(by) {
  const items = [...document.querySelectorAll("[data-item]")];
  if (!items.length) return;
  const now = items.findIndex((each) => each.contains(document.activeElement));
  const next = items[Math.max(0, Math.min(items.length - 1, now + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest && event.target.closest("input, textarea, select, dialog[open]");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const search = document.querySelector("input[type=search]");
  if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  else if (event.key === "h") location.hash = "#/home";
  else if (event.key === "?") at("keys").showModal();
  else if (event.key === "/" && search) search.focus();
  else if (/^[0-9]$/.test(event.key) && viewKeys[(Number(event.key) + 9) % 10]) location.hash = viewKeys[(Number(event.key) + 9) % 10];
  else return;
  event.preventDefault();
});

at("theme").addEventListener("click", nextTheme);
at("help").addEventListener("click", () => at("keys").showModal());
at("skip").addEventListener("click", (event) => {
  event.preventDefault();
  at("main").focus();
});
addEventListener("hashchange", opened);

async function opened() {
  const code = /^#code=([\w-]+)$/.exec(location.hash);
  if (code && !(await enter(code[1]))) return;
  show();
}

theme(THEMES[localStorage.getItem("edge-theme")] ? localStorage.getItem("edge-theme") : "");
opened().then(follow);
