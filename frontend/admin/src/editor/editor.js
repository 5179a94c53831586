// The editor of a body: <textarea data-markdown data-preview data-pick data-paste data-upload>. The text area stays the field that
// is sent; what is typed here is written into it, and nothing else is. Without this script it is what one writes in.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { deleteMarkupBackward, insertNewlineContinueMarkup, markdownLanguage } from "@codemirror/lang-markdown";
import { bracketMatching, HighlightStyle, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { completions } from "./completion.js";
import { icon, make } from "./elements.js";
import { marks } from "./marks.js";
import { pasting } from "./pasting.js";
import { offsetOf, Server } from "./server.js";
import { nextCell, previousCell } from "./tables.js";
import { toldLine } from "./telling.js";
import { actions, help, keyName, toolbar } from "./toolbar.js";
import { isUploading, uploads } from "./uploads.js";

const SPLIT_KEY = "plenum:preview";

const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700", color: "var(--plenum-text)" },
  { tag: tags.strong, fontWeight: "700", color: "var(--plenum-text)" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.link, color: "var(--plenum-syntax-link)" },
  { tag: tags.url, color: "var(--plenum-quiet)" },
  { tag: [tags.monospace, tags.labelName], color: "var(--plenum-syntax-code)" },
  { tag: tags.quote, color: "var(--plenum-quiet)" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--plenum-syntax-mark)" },
]);

const theme = EditorView.theme({
  "&": { fontSize: "0.875rem", height: "100%", color: "var(--plenum-text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.6" },
  ".cm-content": { padding: "0.75rem 0", caretColor: "var(--plenum-text)" },
  ".cm-line": { padding: "0 0.75rem" },
  ".cm-gutters": { background: "transparent", border: "0", color: "var(--plenum-quiet)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.25rem", paddingLeft: "0.5rem" },
  ".cm-activeLine": { background: "var(--plenum-active-line)" },
  ".cm-cursor": { borderLeftColor: "var(--plenum-text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--plenum-selection) !important" },
  ".cm-tooltip": {
    border: "1px solid var(--plenum-line)",
    borderRadius: "6px",
    background: "var(--plenum-surface)",
    color: "var(--plenum-text)",
    overflow: "hidden",
    boxShadow: "0 6px 20px rgb(0 0 0 / 0.15)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxHeight: "16rem", maxWidth: "min(44rem, 90vw)" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "0.25rem 0.5rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--color-primary-600)",
    color: "white",
  },
  ".cm-completionDetail": { color: "var(--plenum-quiet)", fontStyle: "normal" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-panels": { background: "var(--plenum-raised)", color: "var(--plenum-text)", borderColor: "var(--plenum-line)" },
  ".cm-diagnostic": { fontFamily: "inherit", padding: "0.375rem 0.75rem" },
});

function mount(area) {
  const { preview: previewAddress, pick: picks, paste: pasteAddress, upload: uploadAddress, previewStyle } = area.dataset;
  const all = actions({ picks, uploads: uploadAddress });
  const label = document.querySelector(`label[for="${area.id}"]`);

  const pane = make("div", { class: "plenum-preview", tabindex: "0", role: "region", "aria-label": "Preview", "data-style": previewStyle });
  const host = make("div", { class: "plenum-source" });
  const items = make("ol", {});
  const summary = make("summary", {});
  const problems = make("details", { class: "plenum-problems", open: true }, summary, items);
  const count = make("span", { class: "plenum-words" }, "Counting…");
  const box = make("div", { class: "plenum-editor" });

  const toggle = (view) => {
    setSplit(box.dataset.split !== "on");
    server.changed(0);
    view?.focus();
    return true;
  };
  const splitButton = make(
    "button",
    { type: "button", class: "plenum-tool", title: `Side by side with the preview (${keyName("Mod-Alt-p")})`, "aria-label": "Side by side", onclick: () => toggle() },
    icon("visibility"),
  );
  const helpButton = make(
    "button",
    { type: "button", class: "plenum-tool", title: `Keys (${keyName("Mod-/")})`, "aria-label": "Keys", onclick: () => help(all) },
    icon("keyboard"),
  );
  const setSplit = (isOn) => {
    box.dataset.split = isOn ? "on" : "off";
    splitButton.setAttribute("aria-pressed", String(isOn));
    localStorage.setItem(SPLIT_KEY, isOn ? "on" : "off");
  };

  let isOurs = false;
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: area.value,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [completions(picks)], activateOnTypingDelay: 100, icons: false }),
        lintGutter(),
        EditorView.lineWrapping,
        // The bar that saves lies over the end of the window: what one writes is kept above it.
        EditorView.scrollMargins.of(() => {
          const over = document.getElementById("submit-row");
          return over && getComputedStyle(over).position === "sticky" ? { bottom: over.offsetHeight } : null;
        }),
        EditorState.tabSize.of(2),
        EditorState.allowMultipleSelections.of(true),
        new LanguageSupport(markdownLanguage),
        syntaxHighlighting(highlighting),
        marks,
        ...(uploadAddress ? [uploads(uploadAddress)] : []),
        pasting(pasteAddress),
        EditorView.contentAttributes.of({
          id: "id_body_text",
          "aria-label": label?.textContent.trim() || "Body",
          "aria-describedby": "plenum-editor-keys",
          spellcheck: "true",
        }),
        keymap.of([
          ...all.filter(Boolean).map(([, , key, run]) => ({ key, run, preventDefault: true })),
          { key: "Mod-Alt-p", run: toggle, preventDefault: true },
          { key: "Mod-/", run: () => (help(all), true), preventDefault: true },
          { key: "Alt-F10", run: () => (bar.querySelector("[tabindex='0']").focus(), true) },
          { key: "Tab", run: nextCell, shift: previousCell },
          { key: "Tab", run: indentIfSelected, shift: indentLessIfSelected },
          { key: "Enter", run: insertNewlineContinueMarkup },
          { key: "Backspace", run: deleteMarkupBackward },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...lintKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          server.changed();
          if (isOurs) return;
          area.value = update.state.doc.toString();
          // Whoever watches the form hears of it: what is not saved, what saves by itself.
          area.dispatchEvent(new Event("input", { bubbles: true }));
        }),
        theme,
      ],
    }),
  });
  const bar = toolbar(view, all, [splitButton, helpButton]);
  box.append(
    bar,
    make("div", { class: "plenum-panes" }, host, pane),
    toldLine(),
    problems,
    make(
      "p",
      { class: "plenum-editor-foot" },
      count,
      make("span", { id: "plenum-editor-keys", class: "plenum-help" }, `Esc, then Tab leaves the text. ${keyName("Mod-/")} shows the keys.`),
    ),
  );
  const server = new Server(view, {
    address: previewAddress,
    preview: pane,
    problems: { summary, items },
    count,
    wantsHtml: () => box.dataset.split === "on",
  });
  setSplit((localStorage.getItem(SPLIT_KEY) ?? (innerWidth >= 1100 ? "on" : "off")) === "on");

  area.hidden = true;
  area.after(box);
  // Mistakes in the text are listed under it while one types; what the page says of them would soon be untrue.
  const told = area.closest(".field-body")?.querySelector(".errorlist");
  if (told?.textContent.startsWith("The draft is stored as it is.")) {
    told.parentElement.remove();
    for (const marked of [area.closest(".errors"), area.closest(".field-body")]) marked?.classList.remove("errors");
  }
  // The label and the messages of the form lead here.
  label?.addEventListener("click", (event) => (event.preventDefault(), view.focus()));
  area.addEventListener("focus", () => view.focus());
  // Somebody else wrote into the field: what was kept by this browser, or what a colleague saved.
  area.addEventListener("plenum:set", () => {
    if (area.value === view.state.doc.toString()) return;
    isOurs = true;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: area.value } });
    isOurs = false;
  });
  window.addEventListener("beforeunload", (event) => isUploading(view) && event.preventDefault());
  area.plenumEditor = view;
  // The preview goes along while one scrolls through the text.
  view.scrollDOM.addEventListener("scroll", () => {
    const { scrollTop, scrollHeight, clientHeight } = view.scrollDOM;
    if (scrollHeight > clientHeight) server.scrollTo(scrollTop / (scrollHeight - clientHeight));
  });
  // The checklist of the page leads to places in the text: #line-3-12.
  const follow = (hash) => {
    const place = /^#line-(\d+)-(\d+)$/.exec(hash);
    if (place) server.go(offsetOf(view.state.doc, Number(place[1]), Number(place[2])));
    return Boolean(place);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#line-']");
    if (link && follow(link.hash)) event.preventDefault();
  });
  follow(location.hash);
  server.changed(0);
}

function indentIfSelected(view) {
  const list = /^\s*([-*+]|\d+[.)])\s/.test(view.state.doc.lineAt(view.state.selection.main.head).text);
  return (list || !view.state.selection.main.empty) && indentMore(view);
}

function indentLessIfSelected(view) {
  const list = /^\s+([-*+]|\d+[.)])\s/.test(view.state.doc.lineAt(view.state.selection.main.head).text);
  return (list || !view.state.selection.main.empty) && indentLess(view);
}

for (const area of document.querySelectorAll("textarea[data-markdown][data-preview]")) mount(area);
