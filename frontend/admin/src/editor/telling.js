// One line under the text that says what just happened to it, until it is closed or the next thing happens.

import { make } from "./elements.js";

/** Return the line, for the box of the editor. */
export function toldLine() {
  return make("p", { class: "plenum-told", role: "status" });
}

/** Say something under the text of `view`; "" takes it away. What `stays` has a button that closes it. */
export function tell(view, text, { stays = true } = {}) {
  const line = view.dom.closest(".plenum-editor")?.querySelector(".plenum-told");
  if (!line) return;
  const close = make("button", { type: "button", class: "plenum-button", onclick: () => (line.replaceChildren(), view.focus()) }, "Close");
  line.replaceChildren(...(text ? [make("span", {}, text), ...(stays ? [close] : [])] : []));
}
