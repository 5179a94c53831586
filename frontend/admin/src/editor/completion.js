// What is offered while one types {{, [@, :::, article: and the like. The texts come from where the picker has them.

import { findPicks } from "./picker.js";

const PAUSE_MS = 120;

const DIRECTIVES = [
  ["figure", "an image with its caption", '::: figure src=… alt=""\nThe caption.\n:::'],
  ["callout", "a note, tip, warning beside the text", "::: callout kind=note\n…\n:::"],
  ["quote", "words of somebody", '::: quote by="…"\n\n:::'],
  ["device", "the card of a device", "::: device slug=…\n:::"],
  ["installation", "the card of an installation", "::: installation slug=…\n:::"],
  ["vendor", "the card of a vendor", "::: vendor slug=…\n:::"],
  ["rack", "the rack of a scenario", "::: rack scenario=…\n:::"],
  ["ladder", "the ladder of a scenario", "::: ladder scenario=…\n:::"],
];

// What stands before the cursor, the kinds that fit, and how what was picked is written there.
const TRIGGERS = [
  [/\{\{(?:(device|installation|fact):)?[^{}\n]{0,80}$/, ["quantity"], (pick) => pick.ways[0].text],
  [/\[@[^\]\n]{0,80}$/, ["source"], (pick) => pick.ways[0].text],
  [/(?<=\]\(article:)[\w-]*$/, ["article"], (pick) => pick.key],
  [/(?<=\]\(device:)[\w-]*$/, ["device"], (pick) => pick.key],
  [/(?<=\]\(vendor:)[\w-]*$/, ["vendor"], (pick) => pick.key],
  [/(?<=\]\(installation:)[\w-]*$/, ["installation"], (pick) => pick.key],
  [/(?<![\w(])article:[\w-]*$/, ["article"], (pick) => pick.ways[0].text],
  [/(?<=^:{3,} figure .*\bsrc=)[\w.-]*$/, ["image"], (pick) => pick.key],
  [/(?<=^:{3,} (?:rack|ladder) .*\bscenario=)[\w-]*$/, ["scenario"], (pick) => pick.key],
  [/(?<=^:{3,} device .*\bslug=)[\w-]*$/, ["device"], (pick) => pick.key],
  [/(?<=^:{3,} installation .*\bslug=)[\w-]*$/, ["installation"], (pick) => pick.key],
  [/(?<=^:{3,} vendor .*\bslug=)[\w-]*$/, ["vendor"], (pick) => pick.key],
];
const CLOSERS = /^(\}\}|\]|\})/;

function words(text) {
  return text.replace(/^(\{\{|\[@|article:)/, "").replace(/^(device|installation|fact|scenario):/, "");
}

function directives(context) {
  const found = context.matchBefore(/^\s*:{3,} ?[\w-]*$/);
  if (!found) return null;
  return {
    from: found.from + /^\s*/.exec(found.text)[0].length,
    options: DIRECTIVES.map(([name, detail, text]) => ({
      label: `::: ${name}`,
      detail,
      type: "keyword",
      apply: (view, _, from, to) => {
        const gap = text.indexOf("…");
        const insert = text.replace("…", "");
        view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + (gap < 0 ? insert.length : gap) } });
      },
    })),
    validFor: /^:{3,} ?[\w-]*$/,
  };
}

/** Return the source of completions that asks `address`. */
export function completions(address) {
  return async (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    for (const [pattern, kinds, write] of TRIGGERS) {
      const found = pattern.exec(before);
      if (!found) continue;
      const asking = new AbortController();
      context.addEventListener("abort", () => asking.abort(), { onDocChange: true });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (context.aborted) return null;
      let answers;
      try {
        answers = await Promise.all(kinds.map((kind) => findPicks(address, words(found[0]), kind, asking.signal)));
      } catch {
        return null;
      }
      const picks = answers.flatMap((answer) => answer.picks);
      return {
        from: line.from + found.index,
        filter: false,
        options: picks.map((pick) => ({
          label: pick.kind === "quantity" ? `${pick.ways[0].value}  ${pick.title}` : pick.title,
          detail: [pick.key, pick.kind === "quantity" ? "" : pick.detail].filter(Boolean).join(" · ").slice(0, 90),
          apply: (view, _, from, to) => {
            const text = write(pick);
            // What the editor closed by itself is in the text that is inserted.
            const rest = view.state.sliceDoc(to, to + 2);
            const closer = /[\]}]$/.test(text) ? (CLOSERS.exec(rest)?.[0].length ?? 0) : 0;
            view.dispatch({ changes: { from, to: to + closer, insert: text }, selection: { anchor: from + text.length } });
          },
        })),
      };
    }
    return directives(context);
  };
}
