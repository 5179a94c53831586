// Small helpers for making elements and dialogs, and for asking the server.

/** Make an element: attributes by name (`on…` are listeners), children as nodes or text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function icon(name) {
  return make("span", { class: "material-symbols-outlined", "aria-hidden": "true" }, name);
}

/** Open a modal dialog with a heading; `fill` gets the dialog and a function that closes it with a result. */
export function ask(heading, fill) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    let result = null;
    const dialog = make("dialog", { class: "plenum-dialog", "aria-label": heading });
    const close = (value = null) => {
      result = value;
      dialog.close();
    };
    dialog.append(
      make(
        "header",
        {},
        make("h2", {}, heading),
        make(
          "button",
          { type: "button", class: "plenum-tool", "aria-label": "Close", title: "Close (Esc)", onclick: () => close() },
          icon("close"),
        ),
      ),
    );
    fill(dialog, close);
    dialog.addEventListener("click", (event) => event.target === dialog && close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus?.();
      resolve(result);
    });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector("input, .plenum-choices button")?.focus();
  });
}

/** Ask for JSON. What is refused or fails becomes an Error whose message can be shown. */
export async function fetchJson(address, options = {}) {
  let response;
  try {
    response = await fetch(address, { credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server cannot be reached.");
  }
  if (response.redirected || response.status === 403) {
    throw new Error("You are logged out, or may not do this. Log in again in another tab; your text stays here.");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Error(answer?.errors?.[0]?.message ?? `The server answered with ${response.status}.`);
  }
  return answer;
}

export function csrfToken() {
  return document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}
