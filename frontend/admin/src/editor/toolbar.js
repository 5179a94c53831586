// The toolbar: one stop of the Tab key, arrows inside, as the ARIA pattern of a toolbar has it.

import { redo, undo } from "@codemirror/commands";

import { ask, icon, make } from "./elements.js";
import { callout, code, footnote, heading, lines, link, wrap } from "./format.js";
import { pick } from "./picker.js";
import { table } from "./tables.js";
import { chooseFiles } from "./uploads.js";

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** Return a key as people of this system know it. */
export function keyName(key) {
  return key
    .split("-")
    .map((part) => (isMac ? { Mod: "⌘", Shift: "⇧", Alt: "⌥" }[part] : { Mod: "Ctrl" }[part]) ?? part.toUpperCase())
    .join(isMac ? "" : "+")
    .replace(/(ENTER|ALT|SHIFT|TAB)/g, (word) => word[0] + word.slice(1).toLowerCase());
}

/** Return what can be done: name, symbol, key, command; null is a gap. */
export function actions({ picks, uploads }) {
  const picked = (kind) => (view) => {
    pick(view, picks, kind);
    return true;
  };
  return [
    ["Bold", "format_bold", "Mod-b", wrap("**", "bold")],
    ["Italic", "format_italic", "Mod-i", wrap("*", "italic")],
    ["Code", "code", "Mod-e", code],
    null,
    ["Heading 2", "format_h2", "Mod-Alt-2", heading(2)],
    ["Heading 3", "format_h3", "Mod-Alt-3", heading(3)],
    ["Heading 4", "format_h4", "Mod-Alt-4", heading(4)],
    null,
    ["Bulleted list", "format_list_bulleted", "Mod-Shift-8", lines("bullet")],
    ["Numbered list", "format_list_numbered", "Mod-Shift-7", lines("number")],
    ["Quote", "format_quote", "Mod-Shift-9", lines("quote")],
    ["Callout", "info", "Mod-Alt-c", callout],
    ["Table", "table", "Mod-Alt-t", (view) => (table(view), true)],
    null,
    ["Link", "link", "Mod-Shift-k", link],
    ["Footnote", "superscript", "Mod-Alt-f", footnote],
    ["Citation", "menu_book", "Mod-Alt-s", picked("source")],
    ["Quantity", "speed", "Mod-Alt-q", picked("quantity")],
    ["Figure from the library", "image", "Mod-Alt-i", picked("image")],
    ...(uploads ? [["Upload an image", "upload", "Mod-Alt-u", chooseFiles(uploads)]] : []),
    ["Any record", "search", "Mod-k", picked("")],
    null,
    ["Undo", "undo", "Mod-z", undo],
    ["Redo", "redo", "Mod-Shift-z", redo],
  ];
}

export function toolbar(view, all, extra) {
  const button = ([label, symbol, key, command]) =>
    make(
      "button",
      {
        type: "button",
        class: "plenum-tool",
        tabindex: "-1",
        title: key ? `${label} (${keyName(key)})` : label,
        "aria-label": label,
        "aria-keyshortcuts": key ? key.replaceAll("-", "+").replace("Mod", isMac ? "Meta" : "Control") : null,
        // The text keeps its selection while the mouse is on a button.
        onmousedown: (event) => event.preventDefault(),
        onclick: () => {
          command(view);
          if (!document.querySelector("dialog[open]")) view.focus();
        },
      },
      icon(symbol),
    );
  const bar = make(
    "div",
    { class: "plenum-toolbar", role: "toolbar", "aria-label": "Formatting", "aria-controls": "id_body_text" },
    ...all.map((action) => (action ? button(action) : make("span", { class: "plenum-gap", "aria-hidden": "true" }))),
    make("span", { class: "plenum-gap plenum-gap--wide", "aria-hidden": "true" }),
    ...extra,
  );
  const buttons = () => [...bar.querySelectorAll("button:not([hidden])")];
  for (const each of extra) each.setAttribute("tabindex", "-1");
  buttons()[0].tabIndex = 0;
  bar.addEventListener("keydown", (event) => {
    const found = buttons();
    const at = found.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: found.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    found[(next + found.length) % found.length].focus();
  });
  bar.addEventListener("focusin", (event) => {
    for (const each of buttons()) each.tabIndex = each === event.target.closest("button") ? 0 : -1;
  });
  return bar;
}

/** Show what the keys do. */
export function help(all) {
  const rows = [
    ...all.filter(Boolean).map(([label, , key]) => [label, keyName(key)]),
    ["Complete a record, citation or directive", "{{   [@   :::   article:"],
    ["Offer completions again", "Ctrl+Space"],
    ["Next cell of a table; a new row behind the last", "Tab"],
    ["Indent, and back", `${keyName("Mod-]")}   ${keyName("Mod-[")}`],
    ["Next mistake", "F8"],
    ["Paste as plain text, without its form", keyName("Mod-Shift-v")],
    ["Find and replace", keyName("Mod-f")],
    ["Show or hide the preview", keyName("Mod-Alt-p")],
    ["Leave the text by keyboard", "Esc, then Tab or Shift+Tab"],
    ["To the toolbar", keyName("Alt-F10")],
    ["This help", keyName("Mod-/")],
  ];
  return ask("Keys", (dialog) => {
    dialog.classList.add("plenum-dialog--wide");
    dialog.append(
      make(
        "table",
        { class: "plenum-table" },
        make("tbody", {}, ...rows.map(([what, key]) => make("tr", {}, make("th", { scope: "row" }, what), make("td", {}, make("kbd", {}, key))))),
      ),
    );
  });
}

