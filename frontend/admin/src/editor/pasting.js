// What is pasted from Word, Docs or a web page keeps its form: the server makes Markdown of its HTML. Until it answers
// the place is kept, so that one can go on writing; where it cannot, the plain text is inserted, as by Shift-paste.

import { isolateHistory } from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import { StateEffect, StateField } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

import { csrfToken, fetchJson } from "./elements.js";
import { tell } from "./telling.js";

const PATIENCE_MS = 8_000;
const FORM =
  "h1,h2,h3,h4,h5,h6,ul,ol,table,a[href],b,strong,i,em,blockquote,sup,sub,hr,code,pre,img,p ~ p,[class^=Mso],[style*='font-weight:'],[style*='font-style:']";

const begin = StateEffect.define();
const end = StateEffect.define();

/** The places that wait: {id, from, to}. What is typed at one stays, behind what is pasted. */
const waiting = StateField.define({
  create: () => [],
  update(found, { changes, effects }) {
    found = found.map(({ id, from, to }) => {
      const start = changes.mapPos(from, from === to ? -1 : 1);
      return { id, from: start, to: Math.max(start, changes.mapPos(to, -1)) };
    });
    for (const effect of effects) {
      if (effect.is(begin)) found = [...found, effect.value];
      if (effect.is(end)) found = found.filter(({ id }) => id !== effect.value);
    }
    return found;
  },
});

/** Return the HTML that holds a form, without what need not be sent; "" for plain text and for lines of code. */
function formIn(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  // Programs for code copy their colours: the text is what was meant.
  if ([...body.children].some((element) => /^pre/.test(element.style?.whiteSpace) && element.tagName !== "PRE")) return "";
  if (!body.querySelector(FORM)) return "";
  // Whole pictures can stand in an address.
  for (const one of body.querySelectorAll("[src^='data:']")) one.setAttribute("src", "data:,");
  for (const one of body.querySelectorAll("[srcset]")) one.removeAttribute("srcset");
  for (const one of body.querySelectorAll("style, script:not(:empty)")) one.textContent = "";
  return body.innerHTML;
}

function isInCode({ state }) {
  for (let node = syntaxTree(state).resolveInner(state.selection.main.from, 0); node; node = node.parent) {
    if (/Code/.test(node.name)) return true;
  }
  return false;
}

/** Return what stands around a block that is put between `from` and `to`: empty lines, where there are none. */
function apart(doc, from, to) {
  const before = doc.sliceString(Math.max(0, from - 2), from);
  const after = doc.sliceString(to, to + 2);
  const lead = from === 0 || before === "\n\n" || before === "\n" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const trail = to === doc.length || after === "\n\n" || after === "\n" ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  return [lead, trail];
}

function insert(view, id, text, isInline) {
  const place = view.state.field(waiting).find((one) => one.id === id);
  if (!place) return;
  const { from, to } = place;
  const [lead, trail] = isInline ? ["", ""] : apart(view.state.doc, from, to);
  const { main } = view.state.selection;
  const isThere = main.from >= from && main.to <= to;
  view.dispatch({
    changes: { from, to, insert: lead + text + trail },
    ...(isThere ? { selection: { anchor: from + lead.length + text.length }, scrollIntoView: true } : {}),
    effects: end.of(id),
    annotations: isolateHistory.of("full"),
    userEvent: "input.paste",
  });
}

async function convert(view, address, html, plain) {
  const id = {};
  const { from, to } = view.state.selection.main;
  view.dispatch({ effects: begin.of({ id, from, to }) });
  tell(view, "Reading what was pasted…", { stays: false });
  const form = new FormData();
  form.set("csrfmiddlewaretoken", csrfToken());
  form.set("html", html);
  const notes = [...view.state.doc.toString().matchAll(/\[\^(\d{1,6})\]/g)].map((found) => Number(found[1]));
  form.set("notes", String(Math.max(0, ...notes)));
  try {
    const answer = await fetchJson(address, { method: "POST", body: form, signal: AbortSignal.timeout(PATIENCE_MS) });
    insert(view, id, answer.markdown, answer.is_inline);
    tell(view, answer.left_out.map(({ message }) => message).join(" "));
  } catch (error) {
    insert(view, id, plain, true);
    const why = error.name === "TimeoutError" ? "The server takes too long." : error.message;
    tell(view, `Pasted as plain text. ${why}`);
  }
}

/** Return the extension that asks `address`. */
export function pasting(address) {
  return [
    waiting,
    EditorView.domEventHandlers({
      paste(event, view) {
        const data = event.clipboardData;
        const plain = data?.getData("text/plain") ?? "";
        // Shift-paste brings no HTML. Of several selections each gets its line, which the editor does.
        if (!data?.getData("text/html") || view.state.selection.ranges.length > 1 || !navigator.onLine || isInCode(view)) return false;
        const html = formIn(data.getData("text/html"));
        if (!html || (!plain && data.files.length)) return false;
        event.preventDefault();
        convert(view, address, html, plain.replace(/\r\n?/g, "\n"));
        return true;
      },
    }),
  ];
}
