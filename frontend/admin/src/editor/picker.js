// One dialog over everything that a text can name. It is used without a mouse: type, arrows, Enter; → shows more.

import { ask, fetchJson, icon, make } from "./elements.js";
import { insertBlock, insertText } from "./format.js";

const PAUSE_MS = 150;

export const LABELS = {
  quantity: ["Quantity", "speed"],
  source: ["Source", "menu_book"],
  device: ["Device", "dns"],
  installation: ["Installation", "factory"],
  scenario: ["Scenario", "calculate"],
  vendor: ["Vendor", "storefront"],
  article: ["Article", "article"],
  image: ["Image", "image"],
};

export function insertWay(view, way) {
  if (!way.is_block) insertText(view, way.text);
  else insertBlock(view, way.text.replace('alt=""', 'alt="…"'));
}

/** Ask the server what matches; `signal` ends an older question. */
export function findPicks(address, query, kind = "", signal = undefined) {
  const asked = new URLSearchParams({ q: query, kind });
  return fetchJson(`${address}?${asked}`, { signal });
}

export async function findWays(address, pick) {
  const asked = new URLSearchParams({ kind: pick.kind, of: pick.key });
  return (await fetchJson(`${address}?${asked}`)).ways;
}

/** Open the dialog; what is chosen is inserted at the cursor. `kind` narrows it from the start. */
export async function pick(view, address, kind = "") {
  const { from, to } = view.state.selection.main;
  const selected = view.state.sliceDoc(from, to);
  const way = await ask("Insert from the records", (dialog, close) => {
    new Picker(dialog, close, address, kind, selected.length < 60 && !selected.includes("\n") ? selected : "");
  });
  if (way) insertWay(view, way);
  view.focus();
  return true;
}

class Picker {
  constructor(dialog, close, address, kind, query) {
    Object.assign(this, { dialog, close, address, kind, rows: [], at: 0, record: null });
    this.input = make("input", {
      type: "search",
      role: "combobox",
      "aria-expanded": "true",
      "aria-controls": "plenum-picks",
      "aria-autocomplete": "list",
      "aria-label": "Search records",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "A name, a number, words of both: h100 nameplate",
      value: query,
      oninput: () => this.search(PAUSE_MS),
    });
    this.kinds = make("div", { class: "plenum-kinds", role: "group", "aria-label": "Kind" });
    this.list = make("ul", { id: "plenum-picks", role: "listbox", "aria-label": "Found", class: "plenum-picks" });
    this.state = make("p", { class: "plenum-help", role: "status" }, "Searching…");
    dialog.classList.add("plenum-dialog--wide");
    dialog.append(
      this.input,
      this.kinds,
      this.list,
      this.state,
      make(
        "p",
        { class: "plenum-help plenum-keys" },
        "↑ ↓ choose · Enter inserts · → shows the quantities and cards of a record · ← goes back · Esc closes",
      ),
    );
    dialog.addEventListener("keydown", (event) => this.key(event));
    // Escape in a search field empties it first; here it goes back, then closes.
    dialog.addEventListener("cancel", (event) => {
      if (this.record) {
        event.preventDefault();
        this.back();
      }
    });
    this.search(0);
    queueMicrotask(() => this.input.focus());
  }

  search(pause) {
    clearTimeout(this.timer);
    this.record = null;
    this.timer = setTimeout(async () => {
      this.asking?.abort();
      this.asking = new AbortController();
      try {
        const { kinds, picks } = await findPicks(this.address, this.input.value, this.kind, this.asking.signal);
        this.showKinds(kinds);
        this.picks = picks;
        this.show(picks.map((pick) => this.rowOf(pick)));
        this.state.textContent = picks.length
          ? `${picks.length} found.`
          : this.input.value
            ? "Nothing has all of these words. Try fewer, or another kind."
            : "There are no records of this kind yet.";
      } catch (error) {
        if (error.name !== "AbortError") this.state.textContent = error.message;
      }
    }, pause);
  }

  showKinds(kinds) {
    if (this.kinds.children.length) return;
    const button = (name, label) =>
      make(
        "button",
        {
          type: "button",
          class: "plenum-kind",
          "aria-pressed": String(name === this.kind),
          onclick: (event) => {
            this.kind = name;
            for (const other of this.kinds.children) other.setAttribute("aria-pressed", String(other === event.target));
            this.search(0);
            this.input.focus();
          },
        },
        label,
      );
    this.kinds.append(button("", "All"), ...kinds.map(({ name, label }) => button(name, label)));
  }

  rowOf(pick) {
    const [label, symbol] = LABELS[pick.kind] ?? [pick.kind, "link"];
    const value = pick.ways[0]?.value;
    return {
      choose: () => (pick.has_more ? this.open(pick) : this.close(pick.ways[0])),
      open: pick.has_more ? () => this.open(pick) : null,
      element: make(
        "li",
        { role: "option" },
        pick.image ? make("img", { src: pick.image, alt: "", loading: "lazy" }) : icon(symbol),
        make(
          "span",
          { class: "plenum-pick-text" },
          make("strong", {}, pick.title),
          make("small", {}, [label, pick.key, pick.detail].filter(Boolean).join(" · ")),
        ),
        value ? make("span", { class: "plenum-pick-value" }, value) : null,
        pick.has_more ? icon("chevron_right") : null,
      ),
    };
  }

  wayRow(pick, way) {
    return {
      choose: () => this.close(way),
      open: null,
      element: make(
        "li",
        { role: "option" },
        icon(way.value ? "speed" : way.is_block ? "crop_din" : "link"),
        make(
          "span",
          { class: "plenum-pick-text" },
          make("strong", {}, way.label),
          make("small", {}, [way.text.split("\n")[0], way.evidence].filter(Boolean).join(" · ")),
        ),
        way.value ? make("span", { class: "plenum-pick-value" }, way.value) : null,
      ),
    };
  }

  async open(pick) {
    this.state.textContent = "Looking…";
    try {
      const ways = await findWays(this.address, pick);
      this.record = pick;
      this.opened = this.at;
      this.show(ways.map((way) => this.wayRow(pick, way)));
      this.state.textContent = `${pick.title}: ${ways.length} ways to insert it. ← goes back.`;
    } catch (error) {
      this.state.textContent = error.message;
    }
  }

  back() {
    this.record = null;
    const at = this.opened ?? 0;
    this.show(this.picks.map((pick) => this.rowOf(pick)), at);
    this.state.textContent = `${this.picks.length} found.`;
  }

  show(rows, at = 0) {
    this.rows = rows;
    rows.forEach((row, n) => {
      row.element.id = `plenum-pick-${n}`;
      row.element.addEventListener("click", () => row.choose());
    });
    this.list.replaceChildren(...rows.map((row) => row.element));
    this.go(at);
  }

  go(at) {
    if (!this.rows.length) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    this.at = Math.max(0, Math.min(at, this.rows.length - 1));
    this.rows.forEach((row, n) => row.element.setAttribute("aria-selected", String(n === this.at)));
    this.rows[this.at].element.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", `plenum-pick-${this.at}`);
  }

  key(event) {
    const inSearch = event.target === this.input;
    const atEnd = this.input.selectionStart === this.input.value.length;
    const act = {
      ArrowDown: () => this.go(this.at + 1),
      ArrowUp: () => this.go(this.at - 1),
      PageDown: () => this.go(this.at + 6),
      PageUp: () => this.go(this.at - 6),
      ArrowRight: inSearch && atEnd && this.rows[this.at]?.open ? () => this.rows[this.at].open() : null,
      ArrowLeft: inSearch && this.record ? () => this.back() : null,
      Enter: inSearch ? () => this.rows[this.at]?.choose() : null,
    }[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act();
  }
}
