// A form of a draft while it is open: who else is here, saving by itself, and a copy in this browser until the server
// has acknowledged it. The element [data-live] says what there is of that; without this script Save works as ever.

const BEAT_MS = 20_000;
const PAUSE_MS = 2_000;
const COPY_MS = 400;
const FIRST_RETRY_MS = 3_000;
const LONGEST_RETRY_MS = 60_000;
const COPIES = "plenum:copy:";
const FORM = "plenum:form";
const WINDOWS = "plenum:windows:";
const NOT_YET = "Not saved yet";
// What every form has and nobody types.
const QUIET = /^(csrfmiddlewaretoken|based_on|form_id|number|_.*|.*-(TOTAL|INITIAL|MIN_NUM|MAX_NUM)_FORMS|initial-.*)$/;

const live = document.querySelector("[data-live]");
const form = live.closest("form");
const panel = live.querySelector("[data-live-panel]");
const others = live.querySelector("[data-live-others]");
const states = document.querySelectorAll("[data-live-state]");
const { presence, autosave } = live.dataset;
const savesItself = "savesItself" in live.dataset;

const formId = newId();
form.elements.form_id.value = formId;
let number = 0;
let isSaving = false;
let isLeaving = false;
let clash = null;
let retry = FIRST_RETRY_MS;
let saveTimer = 0;
let copyTimer = 0;

function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  // On plain http the browser has no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const clock = (instant) => instant.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
const clockAndZone = (instant) =>
  instant.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
const dayAndClock = (instant) =>
  `${instant.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${clockAndZone(instant)}`;

function say(text, tone = "") {
  for (const state of states) {
    if (state.textContent !== text) state.textContent = text;
    state.dataset.tone = tone;
  }
}

// What stands in the form: names with the values that would be sent

function readForm() {
  const found = {};
  for (const [name, value] of new FormData(form)) {
    if (QUIET.test(name) || typeof value !== "string") continue;
    (found[name] ??= []).push(value.replace(/\r\n?/g, "\n"));
  }
  return found;
}

const same = (one, other) => JSON.stringify(one ?? []) === JSON.stringify(other ?? []);

function changedNames(from, to) {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((name) => !same(from[name], to[name]));
}

let acknowledged = readForm();
const isDirty = () => changedNames(acknowledged, readForm()).length > 0;

function write(name, values) {
  const controls = [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  if (!controls.length) return false;
  for (const control of controls) {
    if (control.type === "checkbox" || control.type === "radio") control.checked = values.includes(control.value);
    else if (control.tagName === "SELECT") {
      if (values.some((value) => value && ![...control.options].some((option) => option.value === value))) return false;
      for (const option of control.options) option.selected = values.includes(option.value);
      tellSelect(control);
    } else control.value = values[0] ?? "";
    control.dispatchEvent(new Event("plenum:set"));
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return true;
}

/** Choices that are searched for are drawn by select2, which listens to jQuery. */
function tellSelect(select) {
  window.django?.jQuery?.(select).trigger("change");
}

function fillSelect(name, options) {
  const select = form.querySelector(`select[name="${CSS.escape(name)}"]`);
  if (!select) return false;
  for (const { id, text } of options) {
    if (![...select.options].some((option) => option.value === id)) select.append(new Option(text, id));
  }
  for (const option of select.options) option.selected = options.some(({ id }) => id === option.value);
  if (!options.length && !select.multiple) select.value = "";
  tellSelect(select);
  select.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

// A copy in this browser, until the server has it

const copyKey = () => `${COPIES}${location.pathname}:${formId}`;

function keepCopy() {
  clearTimeout(copyTimer);
  const now = readForm();
  const names = changedNames(acknowledged, now);
  try {
    if (!names.length) localStorage.removeItem(copyKey());
    else {
      const fields = Object.fromEntries(names.map((name) => [name, now[name] ?? []]));
      const based = form.elements.based_on?.value ?? "";
      localStorage.setItem(copyKey(), JSON.stringify({ at: Date.now(), beat: Date.now(), based, fields }));
    }
  } catch {
    // A full or forbidden storage: the server still gets what is typed.
  }
}

/** Say that this window is alive, so that no other one offers its copy as left behind. */
function touchCopy() {
  const copy = readCopy(copyKey());
  if (!copy) return;
  try {
    localStorage.setItem(copyKey(), JSON.stringify({ ...copy, beat: Date.now() }));
  } catch {
    // As above.
  }
}

function readCopy(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function leftCopies() {
  const previous = sessionStorage.getItem(FORM);
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(`${COPIES}${location.pathname}:`));
  return keys
    .map((key) => ({ key, ...readCopy(key) }))
    .filter((copy) => copy.fields && (copy.key.endsWith(`:${previous}`) || Date.now() - copy.beat > 2.5 * BEAT_MS));
}

function offerCopies() {
  const now = readForm();
  for (const copy of leftCopies()) {
    const names = Object.keys(copy.fields).filter((name) => !same(copy.fields[name], now[name]));
    if (!names.length) {
      localStorage.removeItem(copy.key);
      continue;
    }
    const labels = [...new Set(names.map(labelOf))].join(", ");
    const box = make(
      "section",
      { class: "plenum-box plenum-box--warning", "aria-label": "What this browser kept" },
      make("h2", {}, "Something you typed was not saved"),
      make("p", {}, `This browser kept it on ${dayAndClock(new Date(copy.at))}: ${labels}.`),
      ...names.filter((name) => (copy.fields[name][0] ?? "").length > 0).slice(0, 6).map((name) =>
        make(
          "details",
          {},
          make("summary", {}, labelOf(name)),
          make("pre", { class: "plenum-diff", tabindex: "0" }, copy.fields[name].join(", ")),
        ),
      ),
      make(
        "p",
        { class: "plenum-buttons" },
        make(
          "button",
          {
            type: "button",
            class: "plenum-button plenum-button--primary",
            onclick: () => {
              const missing = names.filter((name) => !write(name, copy.fields[name]));
              // What was typed on an older version is told from what was saved since.
              if (copy.based && form.elements.based_on) form.elements.based_on.value = copy.based;
              if (missing.length) {
                box.querySelector("p").textContent = `Put back, but for ${missing.map(labelOf).join(", ")}: copy that by hand.`;
                box.querySelector(".plenum-button--primary").remove();
              } else {
                box.remove();
                localStorage.removeItem(copy.key);
              }
              changed();
            },
          },
          "Put it back",
        ),
        make(
          "button",
          { type: "button", class: "plenum-button", onclick: () => (localStorage.removeItem(copy.key), box.remove()) },
          "Forget it",
        ),
      ),
    );
    panel.append(box);
  }
}

function labelOf(name) {
  const control = form.querySelector(`[name="${CSS.escape(name)}"]`);
  const label = control?.id ? form.querySelector(`label[for="${CSS.escape(control.id)}"]`) : null;
  return label?.textContent.trim().replace(/\s*\*$/, "") || name.replace(/^(\w+)-.*$/, "$1");
}

// Saving by itself

function changed() {
  clearTimeout(copyTimer);
  copyTimer = setTimeout(keepCopy, COPY_MS);
  if (!savesItself) return;
  if (!autosave) {
    if (isDirty()) say("Not saved yet. It saves itself from your first Save on.");
    return;
  }
  if (clash) return;
  if (!isSaving && isDirty()) say(NOT_YET);
  else if (states[0]?.textContent === NOT_YET) say("");
  clearTimeout(saveTimer);
  saveTimer = setTimeout(save, PAUSE_MS);
}

async function save({ keep = [] } = {}) {
  clearTimeout(saveTimer);
  if (!autosave || isSaving || (clash && !keep.length) || (!keep.length && !isDirty())) return;
  isSaving = true;
  const sent = readForm();
  const data = new FormData(form);
  number += 1;
  data.set("number", String(number));
  for (const name of [...data.keys()]) if (data.get(name) instanceof File) data.delete(name);
  for (const name of keep) data.append("keep", name);
  say("Saving…", "busy");
  let response;
  let answer = null;
  try {
    response = await fetch(autosave, { method: "POST", body: data, credentials: "same-origin", redirect: "manual" });
    answer = await response.json().catch(() => null);
  } catch {
    response = null;
  }
  isSaving = false;
  if (response?.ok && answer) {
    retry = FIRST_RETRY_MS;
    acknowledge(sent, answer);
  } else if (response?.status === 409 && answer) {
    showClash(answer);
  } else if (!response || response.status >= 500 || response.status === 429) {
    say(response ? "The server is in trouble, will retry" : "Offline, will retry", "danger");
    saveTimer = setTimeout(save, retry);
    retry = Math.min(retry * 2, LONGEST_RETRY_MS);
  } else {
    const why = answer?.errors?.[0]?.message;
    say(why ? `Not saved: ${why}` : "Not saved: you are logged out, or may not write here. Log in in another tab; your text stays.", "danger");
    saveTimer = setTimeout(save, LONGEST_RETRY_MS);
  }
  return response?.ok;
}

function acknowledge(sent, answer) {
  form.elements.based_on.value = String(answer.version);
  live.dataset.version = String(answer.version);
  const held = new Set(answer.unsaved.map(({ name }) => name));
  const isHeld = (name) => held.has(name) || held.has(name.replace(/-.*$/, ""));
  for (const name of new Set([...Object.keys(sent), ...Object.keys(acknowledged)])) {
    if (isHeld(name)) continue;
    if (sent[name]) acknowledged[name] = sent[name];
    else delete acknowledged[name];
  }
  keepCopy();
  const saved = `Saved ${clock(new Date())}`;
  const reasons = answer.unsaved.map(({ label, message }) => `${label}: ${message}`);
  const mine = changedNames(acknowledged, readForm()).filter((name) => !isHeld(name));
  say(reasons.length ? `${saved}, but not ${reasons.join(" ")}` : saved, reasons.length ? "warning" : "good");
  showVersion(answer.version);
  if (mine.length) changed();
}

function showVersion(version) {
  for (const place of document.querySelectorAll("[data-draft-version]")) place.textContent = String(version);
}

// Somebody else saved

function showClash(answer) {
  clash = answer;
  const who = answer.by || "somebody";
  say(`Changed by ${who}. Yours is kept here and not saved yet.`, "danger");
  for (const state of states) state.append(" ", make("a", { href: "#plenum-clash", class: "plenum-live-link" }, "See what differs"));
  keepCopy();
  const now = readForm();
  const mine = new Set(changedNames(acknowledged, now).map((name) => name.replace(/-\d+-.*$/, "")));
  const rows = answer.clashes.map((one) => {
    const isMine = mine.has(one.name);
    const choose = (value, label) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name: `_clash-${one.name}`, value, checked: (value === "mine") === isMine, form: "plenum-no-form" }),
        ` ${label}`,
      );
    const copy = make(
      "button",
      {
        type: "button",
        class: "plenum-button",
        onclick: async () => {
          const text = now[one.name]?.join(", ") ?? one.typed;
          await navigator.clipboard?.writeText(text).then(
            () => (copy.textContent = "Copied"),
            () => (copy.textContent = "Cannot copy here"),
          );
        },
      },
      "Copy mine",
    );
    return make(
      "tr",
      { "data-clash": one.name },
      make("th", { scope: "row" }, one.label),
      one.lines.length
        ? make(
            "td",
            { colspan: 2 },
            make(
              "pre",
              { class: "plenum-diff", tabindex: "0" },
              ...one.lines.map((line) =>
                make("span", { class: { "+": "plenum-added", "-": "plenum-removed", "@": "plenum-place" }[line[0]] }, line),
              ),
            ),
          )
        : make("td", {}, one.stored),
      one.lines.length ? null : make("td", {}, one.typed),
      make("td", { class: "plenum-clash-choice" }, choose("mine", "Keep mine"), choose("theirs", "Take theirs"), copy),
    );
  });
  const box = make(
    "section",
    { class: "plenum-box plenum-box--warning", "data-live-clash": true, id: "plenum-clash", tabindex: "-1", "aria-label": "What differs" },
    make("h2", {}, `${who[0].toUpperCase()}${who.slice(1)}${answer.by.includes(",") ? "," : ""} changed this while you wrote`),
    make("p", {}, "Nothing of yours is lost: it stands in the form, and you can go on writing. This is what differs. What only they changed is marked as theirs."),
    make(
      "div",
      { class: "plenum-scroll" },
      make(
        "table",
        { class: "plenum-table" },
        make("thead", {}, make("tr", {}, ...["Field", "Stored now", "Yours", "Which one"].map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, ...rows),
      ),
    ),
    make(
      "p",
      { class: "plenum-buttons" },
      make("button", { type: "button", class: "plenum-button plenum-button--primary", onclick: () => settle(box) }, "Save what is chosen"),
      make("a", { class: "plenum-button", href: location.pathname, target: "_blank", rel: "noopener" }, "Open theirs in a new tab"),
    ),
  );
  panel.querySelector("[data-live-clash]")?.remove();
  panel.prepend(box);
}

/** Write what was chosen on top of the version that the other person saved. */
async function settle(box) {
  const answer = clash;
  const isMine = (one) => box.querySelector(`[name="_clash-${CSS.escape(one.name)}"]:checked`)?.value === "mine";
  const theirs = answer.clashes.filter((one) => !isMine(one));
  const reloads = [];
  for (const one of theirs) {
    if (one.value !== null) write(one.name, [one.value]);
    else if (!form.querySelector(`select[name="${CSS.escape(one.name)}"]`)) reloads.push(one);
    else fillSelect(one.name, one.options);
  }
  form.elements.based_on.value = String(answer.version);
  const keep = answer.clashes.filter(isMine).map((one) => one.name);
  for (const one of theirs) {
    const now = readForm();
    if (now[one.name]) acknowledged[one.name] = now[one.name];
    else delete acknowledged[one.name];
  }
  clash = null;
  box.remove();
  if (keep.length && !(await save({ keep }))) return;
  for (const one of reloads) {
    for (const name of Object.keys(readForm())) if (name.startsWith(`${one.name}-`)) acknowledged[name] = readForm()[name];
  }
  if (reloads.length && !isDirty()) {
    isLeaving = true;
    localStorage.removeItem(copyKey());
    location.reload(); // Rows are drawn by the server.
    return;
  }
  if (!keep.length) {
    keepCopy();
    say("Theirs stands here now.", "good");
    showVersion(answer.version);
  }
  changed();
}

// Who else is here

async function beat() {
  if (!presence) return;
  touchCopy();
  const data = new FormData();
  data.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  data.set("form_id", formId);
  data.set("has_changed", isDirty() ? "1" : "0");
  try {
    const response = await fetch(presence, { method: "POST", body: data, credentials: "same-origin", redirect: "manual" });
    if (response.ok) showOthers(await response.json());
  } catch {
    // Offline: the next save says so.
  }
}

function tellLeft(id) {
  const data = new FormData();
  data.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  data.set("form_id", id);
  data.set("leave", "1");
  return data;
}

/**
 * Say of windows of this browser that ended without a word (a crash, a reload that was cut short) that they are gone, so
 * that nobody meets himself. A window holds a lock for as long as it lives; without locks, which plain http has not,
 * only the window that is reloaded is known to be gone, and the server forgets the others after a minute.
 */
async function forgetLostWindows() {
  const key = `${WINDOWS}${location.pathname}`;
  try {
    const known = JSON.parse(localStorage.getItem(key)) ?? [];
    let lost = [];
    if (navigator.locks) {
      navigator.locks.request(`${WINDOWS}${formId}`, () => new Promise(() => {})).catch(() => {}); // Held until the window ends.
      const held = new Set((await navigator.locks.query()).held.map(({ name }) => name));
      lost = known.filter((id) => !held.has(`${WINDOWS}${id}`));
    } else if (performance.getEntriesByType("navigation")[0]?.type === "reload") {
      lost = known.filter((id) => id === previousForm);
    }
    localStorage.setItem(key, JSON.stringify([...known.filter((id) => !lost.includes(id)), formId].slice(-20)));
    await Promise.all(
      lost.map((id) => fetch(presence, { method: "POST", body: tellLeft(id), credentials: "same-origin", redirect: "manual" })),
    );
  } catch {
    // Storage that is forbidden, or offline: as without locks.
  }
}

function showOthers({ others: found, version, by }) {
  const lines = found.map(({ name, since, has_changed: hasChanged, is_you: isYou }) => {
    const who = isYou ? "You, in another window" : name;
    return `${who}, since ${clockAndZone(new Date(since))}${hasChanged ? ", with changes that are not saved" : ""}`;
  });
  const moved = Number(live.dataset.version) < version && !clash && !isSaving;
  const said = [
    lines.length ? `Also open here: ${lines.join("; ")}.` : "",
    moved ? `${by ? by[0].toUpperCase() + by.slice(1) : "Somebody"} saved version ${version} meanwhile.` : "",
  ].filter(Boolean);
  others.hidden = !said.length;
  if (others.dataset.said === said.join(" ")) return;
  others.dataset.said = said.join(" ");
  others.replaceChildren(
    make("span", { class: "material-symbols-outlined", "aria-hidden": "true" }, "group"),
    make("span", {}, said.join(" ")),
    ...(moved && !isDirty()
      ? [make("a", { href: location.href, class: "plenum-live-link" }, "Show it")]
      : []),
  );
}

// What happens when

form.addEventListener("input", changed);
form.addEventListener("change", changed);
window.django?.jQuery?.(form).on("change formset:added formset:removed", changed);
form.addEventListener("focusout", () => setTimeout(() => !form.contains(document.activeElement) && save()));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") {
    keepCopy();
    save();
  } else beat();
});
window.addEventListener("online", () => {
  retry = FIRST_RETRY_MS;
  save();
});
form.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget) return;
  isLeaving = true;
  clearTimeout(saveTimer);
});
window.addEventListener("pagehide", () => {
  keepCopy();
  if (!presence) return;
  navigator.sendBeacon(presence, tellLeft(formId));
});
window.addEventListener("pageshow", (event) => event.persisted && beat());
// The theme warns of every form that was touched; what is saved is nothing to warn of.
window.addEventListener("beforeunload", (event) => {
  if (!savesItself) return;
  if (isDirty() && !isLeaving) event.preventDefault();
});
addEventListener("load", () => {
  if (savesItself && window.preventLeaving) window.removeEventListener("beforeunload", window.preventLeaving);
});
// The next step is taken on what was typed: it is saved before.
document.querySelector(".plenum-standing")?.addEventListener("click", async (event) => {
  const step = event.target.closest("a[href]");
  if (!step || !autosave || clash || !isDirty() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  await save();
  location.assign(step.href);
});

offerCopies();
const previousForm = sessionStorage.getItem(FORM);
try {
  sessionStorage.setItem(FORM, formId);
} catch {
  // Without it a copy is offered a minute later.
}
// A form that came back refused holds what is not saved yet.
if (form.querySelector(".errorlist, [data-refused]") || document.querySelector("#clashes-heading")) keepCopy();
if (savesItself && autosave) say("Saves itself while you write");
if (savesItself && !autosave) say("It saves itself from your first Save on.");
if (presence) forgetLostWindows().then(beat);
setInterval(beat, BEAT_MS);
