// Tables in Markdown: insert one, add and remove rows and columns, move between cells, keep the bars under each other.

import { ask, make } from "./elements.js";
import { insertBlock } from "./format.js";

const DELIMITER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** Return the cells of a row as they are written, without the spaces around them. A bar behind \ ends none. */
export function cellsOf(line) {
  const cells = [];
  let cell = "";
  const text = line.trim();
  for (let n = text.startsWith("|") ? 1 : 0; n < text.length; n += 1) {
    if (text[n] === "\\") {
      cell += text.slice(n, n + 2);
      n += 1;
    } else if (text[n] === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += text[n];
  }
  if (cell.trim() || !text.endsWith("|")) cells.push(cell.trim());
  return cells;
}

/** Return the table around a place: its lines and rows, and the row and column of the place; null where none is. */
export function tableAt(state, at) {
  const { doc } = state;
  const here = doc.lineAt(at);
  if (!here.text.includes("|")) return null;
  let first = here.number;
  let last = here.number;
  while (first > 1 && doc.line(first - 1).text.includes("|")) first -= 1;
  while (last < doc.lines && doc.line(last + 1).text.includes("|")) last += 1;
  if (last === first || !DELIMITER.test(doc.line(first + 1).text)) return null;
  const rows = [];
  for (let n = first; n <= last; n += 1) rows.push(cellsOf(doc.line(n).text));
  const before = here.text.slice(0, at - here.from).replace(/\\./g, "xx").trimStart();
  const column = Math.max(0, (before.match(/\|/g)?.length ?? 0) - (before.startsWith("|") ? 1 : 0));
  const width = rows[0].length;
  return {
    from: doc.line(first).from,
    to: doc.line(last).to,
    rows: rows.map((row) => [...row, ...Array(Math.max(0, width - row.length)).fill("")]),
    row: here.number - first,
    column: Math.min(column, width - 1),
  };
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u;
const widthOf = (text) => [...text].reduce((sum, one) => sum + (wide.test(one) ? 2 : 1), 0);

/** Return the rows (the second is the delimiter) as text with its bars under each other. */
export function format(rows) {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, n) =>
    Math.max(3, ...rows.filter((_, r) => r !== 1).map((row) => widthOf(row[n] ?? ""))),
  );
  const pad = (text, width) => text + " ".repeat(Math.max(0, width - widthOf(text)));
  return rows
    .map((row, r) => {
      const cells = widths.map((width, n) => {
        const cell = row[n] ?? "";
        if (r !== 1) return pad(cell, width);
        const [left, right] = [cell.startsWith(":") ? ":" : "", cell.endsWith(":") && cell.length > 1 ? ":" : ""];
        return left + "-".repeat(width - left.length - right.length) + right;
      });
      return `| ${cells.join(" | ")} |`;
    })
    .join("\n");
}

/** Write the table back, with the cursor in a cell. */
function write(view, table, row, column) {
  const text = format(table.rows);
  const line = text.split("\n")[row];
  const before = text.split("\n").slice(0, row).join("\n").length + (row ? 1 : 0);
  let at = 0;
  for (let bars = -1, n = 0; n < line.length; n += 1) {
    if (line[n] === "\\") n += 1;
    else if (line[n] === "|" && (bars += 1) === column) {
      at = n + 2;
      break;
    }
  }
  const cell = table.rows[row][column] ?? "";
  const anchor = table.from + before + at;
  view.dispatch({
    changes: { from: table.from, to: table.to, insert: text },
    selection: { anchor, head: anchor + cell.length },
    scrollIntoView: true,
    userEvent: "input.table",
  });
  view.focus();
  return true;
}

function change(alter) {
  return (view) => {
    const table = tableAt(view.state, view.state.selection.main.head);
    if (!table) return false;
    const [row, column] = alter(table);
    return write(view, table, row, column);
  };
}

const emptyRow = (table) => table.rows[0].map(() => "");

export const addRow = change((table) => {
  const row = Math.max(2, table.row + 1);
  table.rows.splice(row, 0, emptyRow(table));
  return [row, 0];
});

export const addColumn = change((table) => {
  table.rows.forEach((row, n) => row.splice(table.column + 1, 0, n === 1 ? "---" : ""));
  return [table.row === 1 ? 0 : table.row, table.column + 1];
});

export const removeRow = change((table) => {
  if (table.row > 1) table.rows.splice(table.row, 1);
  return [Math.min(Math.max(table.row, 0), table.rows.length - 1) === 1 ? 0 : Math.min(table.row, table.rows.length - 1), table.column];
});

export const removeColumn = change((table) => {
  if (table.rows[0].length > 1) table.rows.forEach((row) => row.splice(table.column, 1));
  return [table.row === 1 ? 0 : table.row, Math.min(table.column, table.rows[0].length - 1)];
});

export const alignColumns = change((table) => [table.row === 1 ? 0 : table.row, table.column]);

/** Go to the next cell, with a new row behind the last one; the table is aligned on the way. */
export function nextCell(view) {
  const table = tableAt(view.state, view.state.selection.main.head);
  if (!table) return false;
  let [row, column] = [table.row, table.column + 1];
  if (column >= table.rows[0].length) [row, column] = [row + 1, 0];
  if (row === 1) row = 2;
  if (row >= table.rows.length) table.rows.push(emptyRow(table));
  return write(view, table, row, column);
}

export function previousCell(view) {
  const table = tableAt(view.state, view.state.selection.main.head);
  if (!table) return false;
  let [row, column] = [table.row, table.column - 1];
  if (column < 0) [row, column] = [row - 1, table.rows[0].length - 1];
  if (row === 1) row = 0;
  if (row < 0) return write(view, table, 0, 0);
  return write(view, table, row, column);
}

/** Ask for rows and columns, and insert a table; in one, offer what can be done with it. */
export async function table(view) {
  const here = tableAt(view.state, view.state.selection.main.head);
  const size = await ask(here ? "Table" : "Insert a table", (dialog, close) => {
    if (here) {
      const steps = [
        ["Add a row below", addRow],
        ["Add a column to the right", addColumn],
        ["Remove this row", removeRow],
        ["Remove this column", removeColumn],
        ["Align the bars", alignColumns],
      ];
      dialog.append(
        make(
          "div",
          { class: "plenum-choices" },
          ...steps.map(([label, command]) =>
            make("button", { type: "button", class: "plenum-button", onclick: () => close(command) }, label),
          ),
        ),
      );
      return;
    }
    const number = (name, label, value, most) =>
      make("label", {}, label, make("input", { name, type: "number", min: 1, max: most, value, required: true }));
    dialog.append(
      make(
        "form",
        {
          onsubmit: (event) => {
            event.preventDefault();
            const data = new FormData(event.target);
            close([Number(data.get("rows")), Number(data.get("columns"))]);
          },
        },
        make("p", { class: "plenum-dialog-fields" }, number("columns", "Columns", 3, 20), number("rows", "Rows below the header", 3, 100)),
        make("p", { class: "plenum-help" }, "In a table, Tab goes to the next cell, and adds a row behind the last one."),
        make("p", { class: "plenum-buttons" }, make("button", { class: "plenum-button plenum-button--primary" }, "Insert")),
      ),
    );
  });
  if (typeof size === "function") size(view);
  else if (size) {
    const [rows, columns] = size;
    const row = (fill) => Array.from({ length: columns }, (_, n) => fill(n));
    const empty = Array.from({ length: rows }, () => row(() => ""));
    insertBlock(view, format([row((n) => (n ? `Column ${n + 1}` : "…")), row(() => "---"), ...empty]));
  }
  view.focus();
  return true;
}
