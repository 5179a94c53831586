// Colours for what is ours: quantities, citations, directives. Only what is on the screen is looked at.

import { Decoration, MatchDecorator, ViewPlugin } from "@codemirror/view";

const CLASSES = [
  [/^\{\{/, "plenum-mark-quantity"],
  [/^\[@/, "plenum-mark-citation"],
  [/^\[\^/, "plenum-mark-citation"],
  [/^:::/, "plenum-mark-directive"],
];

const matcher = new MatchDecorator({
  regexp: /\{\{[^{}\n]*\}\}|\[@[^\]\n]*\]|\[\^[^\]\s]*\]|^:{3,}(?: .*)?$/gm,
  decoration: ([text]) => Decoration.mark({ class: CLASSES.find(([begin]) => begin.test(text))[1] }),
});

export const marks = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = matcher.createDeco(view);
    }

    update(update) {
      this.decorations = matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
