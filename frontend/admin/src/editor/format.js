// What the toolbar and the keys do to the text. Each is a CodeMirror command; a text stays what its author wrote.

import { EditorSelection } from "@codemirror/state";

/** Wrap what is selected (or the word at the cursor) in a mark; take the mark off where it stands already. */
export function wrap(mark, placeholder) {
  return (view) => {
    const { state } = view;
    const size = mark.length;
    const change = state.changeByRange((range) => {
      let { from, to } = range;
      if (range.empty) {
        const word = state.wordAt(from);
        if (word) ({ from, to } = word);
      }
      const around =
        from >= size && state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark;
      // `**` begins with `*`: taking one star off bold would not be taking italic off.
      const longer =
        mark === "*" && state.sliceDoc(from - 2, from) === "**" && state.sliceDoc(from - 3, from) !== "***";
      if (around && !longer) {
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(from - size, to - size),
        };
      }
      const text = from === to ? placeholder : state.sliceDoc(from, to);
      return {
        changes: { from, to, insert: mark + text + mark },
        range: EditorSelection.range(from + size, from + size + text.length),
      };
    });
    view.dispatch(state.update(change, { scrollIntoView: true, userEvent: "input.format" }));
    return true;
  };
}

/** Return the lines that the selection touches, each once. */
function selectedLines(state) {
  const lines = new Map();
  for (const range of state.selection.ranges) {
    for (let at = range.from; ; ) {
      const line = state.doc.lineAt(at);
      lines.set(line.number, line);
      if (line.to >= range.to) break;
      at = line.to + 1;
    }
  }
  return [...lines.values()];
}

function changeLines(view, changeOf) {
  const changes = selectedLines(view.state).flatMap((line, index) => changeOf(line, index) ?? []);
  if (changes.length) view.dispatch({ changes, scrollIntoView: true, userEvent: "input.format" });
  return true;
}

/** Make the lines headings of a level; those that are it become text again. */
export function heading(level) {
  return (view) =>
    changeLines(view, (line) => {
      const marks = /^#{1,6}[ \t]+|^#{1,6}$/.exec(line.text)?.[0] ?? "";
      const wanted = marks.trim().length === level ? "" : `${"#".repeat(level)} `;
      return { from: line.from, to: line.from + marks.length, insert: wanted };
    });
}

const MARKS = { bullet: /^(\s*)[-*+][ \t]+/, number: /^(\s*)\d+[.)][ \t]+/, quote: /^()> ?/ };

/** Make the lines a list or a quote; where all of them are one, take the marks off. */
export function lines(kind) {
  return (view) => {
    const touched = selectedLines(view.state).filter((line) => line.text.trim() || selectedLines(view.state).length === 1);
    const isAll = touched.every((line) => MARKS[kind].test(line.text));
    let number = 0;
    const changes = touched.map((line) => {
      const other = kind === "quote" ? null : (MARKS.bullet.exec(line.text) ?? MARKS.number.exec(line.text));
      const found = MARKS[kind].exec(line.text) ?? other;
      const indent = found?.[1] ?? "";
      number += 1;
      const mark = isAll ? "" : { bullet: "- ", number: `${number}. `, quote: "> " }[kind];
      return { from: line.from + indent.length, to: line.from + (found?.[0].length ?? 0), insert: mark };
    });
    view.dispatch({ changes, scrollIntoView: true, userEvent: "input.format" });
    return true;
  };
}

/** Insert a text at the selection, and select the `…` in it, where it has one, to be typed over. */
export function insertText(view, text, { from, to } = view.state.selection.main) {
  const gap = text.indexOf("…");
  const selection = gap < 0 ? { anchor: from + text.length } : { anchor: from + gap, head: from + gap + 1 };
  view.dispatch({ changes: { from, to, insert: text }, selection, scrollIntoView: true, userEvent: "input.insert" });
  view.focus();
}

/** Insert a block on lines of its own, behind the paragraph of the place, with an empty line before and behind it. */
export function insertBlock(view, text, at = view.state.selection.main.to) {
  const { doc } = view.state;
  let line = doc.lineAt(Math.min(at, doc.length));
  while (line.text.trim() && line.number < doc.lines && doc.line(line.number + 1).text.trim()) line = doc.line(line.number + 1);
  const isEmpty = !line.text.trim();
  const from = isEmpty ? line.from : line.to;
  const before = doc.sliceString(Math.max(0, from - 2), from);
  const lead = from === 0 || (isEmpty && before.endsWith("\n\n")) ? "" : isEmpty ? "\n" : "\n\n";
  const after = doc.sliceString(line.to, line.to + 2);
  const trail = after === "\n\n" ? "" : after.startsWith("\n") ? "\n" : "\n";
  const body = text.replace(/\n+$/, "");
  insertText(view, lead + body + trail, { from, to: line.to });
}

export function link(view) {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  if (/^(https?:\/\/|mailto:)\S+$/.test(text)) insertText(view, `[…](${text})`);
  else if (text) insertText(view, `[${text}](…)`);
  else insertText(view, "[…](https://)");
  return true;
}

export function code(view) {
  const { from, to } = view.state.selection.main;
  if (!view.state.sliceDoc(from, to).includes("\n")) return wrap("`", "code")(view);
  const [first, last] = [view.state.doc.lineAt(from), view.state.doc.lineAt(to)];
  const text = view.state.sliceDoc(first.from, last.to);
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((found) => found[0].length + 1)));
  view.dispatch({
    changes: { from: first.from, to: last.to, insert: `${fence}\n${text}\n${fence}` },
    userEvent: "input.format",
  });
  return true;
}

/** Refer to a note at the cursor and begin it at the end of the text, where the cursor goes. */
export function footnote(view) {
  const { state } = view;
  const at = state.selection.main.to;
  const taken = new Set([...state.doc.toString().matchAll(/\[\^([^\]\s]+)\]/g)].map((found) => found[1]));
  let number = 1;
  while (taken.has(String(number))) number += 1;
  const last = state.doc.line(state.doc.lines);
  const isNote = /^\[\^/.test(last.text || (state.doc.lines > 1 ? state.doc.line(state.doc.lines - 1).text : ""));
  const lead = !last.text ? (isNote || state.doc.lines === 1 ? "" : "\n") : isNote ? "\n" : "\n\n";
  const reference = `[^${number}]`;
  const note = `${lead}${reference}: `;
  view.dispatch({
    changes: [
      { from: at, insert: reference },
      { from: state.doc.length, insert: note },
    ],
    selection: { anchor: state.doc.length + reference.length + note.length },
    scrollIntoView: true,
    userEvent: "input.insert",
  });
  view.focus();
  return true;
}

export function callout(view) {
  insertBlock(view, "::: callout kind=note\n…\n:::");
  return true;
}
