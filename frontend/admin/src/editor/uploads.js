// Images that are dropped or pasted. Each waits in a strip of its own where it was dropped, with its progress and a
// field for its alternative text; nothing stands in the text before there is something to show. Of other files that are
// dropped a strip says that they stay out.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

import { csrfToken, fetchJson, make } from "./elements.js";
import { insertBlock } from "./format.js";
import { tell } from "./telling.js";

const add = StateEffect.define({ map: ({ at, upload }, changes) => ({ at: changes.mapPos(at), upload }) });
const drop = StateEffect.define();

class Strip extends WidgetType {
  constructor(upload) {
    super();
    this.upload = upload;
  }

  eq(other) {
    return other.upload === this.upload;
  }

  toDOM() {
    return this.upload.element;
  }

  ignoreEvent() {
    return true;
  }
}

const strips = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    found = found.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(add)) {
        const { at, upload } = effect.value;
        found = found.update({
          add: [Decoration.widget({ widget: new Strip(upload), block: true, side: 1, upload }).range(at)],
        });
      } else if (effect.is(drop)) found = found.update({ filter: (_, __, value) => value.spec.upload !== effect.value });
    }
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Return whether an upload waits in the text: leaving the page would lose it. */
export function isUploading(view) {
  return (view.state.field(strips, false)?.size ?? 0) > 0;
}

class Upload {
  constructor(view, file, address) {
    Object.assign(this, { view, file, address });
    this.progress = make("progress", { max: 1, value: 0, "aria-label": `Uploading ${file.name}` });
    this.said = make("span", { class: "plenum-upload-said", role: "status" });
    this.alt = make("input", {
      type: "text",
      maxlength: 400,
      placeholder: "What does a reader who does not see it need to know?",
      "aria-label": `Alternative text of ${file.name}`,
      onkeydown: (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          this.finish();
        } else if (event.key === "Escape") {
          event.stopPropagation();
          view.focus();
        }
      },
    });
    this.insert = make(
      "button",
      { type: "button", class: "plenum-button plenum-button--primary", onclick: () => this.finish() },
      "Insert",
    );
    this.again = make(
      "button",
      { type: "button", class: "plenum-button", hidden: true, onclick: () => this.start() },
      "Try again",
    );
    const cancel = make("button", { type: "button", class: "plenum-button", onclick: () => this.cancel() }, "Cancel");
    this.element = make(
      "div",
      { class: "plenum-upload", role: "group", "aria-label": `Image ${file.name}` },
      make("p", {}, make("strong", {}, file.name || "Pasted image"), " ", this.said),
      this.progress,
      make("p", { class: "plenum-upload-fields" }, this.alt, this.insert, this.again, cancel),
    );
    if (isPicture(file)) this.start();
    else this.refuse();
  }

  /** Say of a file that is no picture that it stays out; it is not sent. */
  refuse() {
    this.fail("It is no picture. Drop a PNG, JPEG, WebP, AVIF or GIF; to a document, make a link.");
    for (const element of [this.alt, this.insert, this.again]) element.hidden = true;
  }

  start() {
    this.answer = null;
    this.again.hidden = true;
    this.progress.hidden = false;
    this.element.classList.remove("plenum-upload--failed");
    this.say("uploading…");
    const form = new FormData();
    form.set("csrfmiddlewaretoken", csrfToken());
    form.set("file", this.file, this.file.name || "pasted.png");
    // fetch tells no progress of what it sends.
    const request = new XMLHttpRequest();
    this.request = request;
    request.open("POST", this.address);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      this.progress.value = loaded / total;
      this.say(loaded < total ? `uploading, ${Math.round((100 * loaded) / total)} %` : "the server looks at it…");
    };
    request.onerror = () => this.fail("The server cannot be reached.");
    request.onload = () => {
      const { status, response } = request;
      if (status >= 200 && status < 300 && response?.name) this.succeed(response);
      else this.fail(messagesOf(response) ?? `The server answered with ${status}.`);
    };
    request.send(form);
  }

  succeed(answer) {
    this.answer = answer;
    this.progress.hidden = true;
    if (answer.alt && !this.alt.value) this.alt.value = answer.alt;
    this.say(`is in the library as ${answer.name}. Say what it shows, and insert it.`);
    if (this.isWanted) this.finish();
  }

  fail(message) {
    this.element.classList.add("plenum-upload--failed");
    this.progress.hidden = true;
    this.again.hidden = false;
    this.isWanted = false;
    this.say(`was not uploaded. ${message}`);
    this.element.setAttribute("role", "alert");
  }

  say(text) {
    this.said.textContent = text;
  }

  finish() {
    if (!this.answer) {
      this.isWanted = !this.element.classList.contains("plenum-upload--failed");
      if (this.isWanted) this.say("is inserted as soon as it is uploaded.");
      return;
    }
    const { name } = this.answer;
    const said = this.alt.value.trim().replace(/\s+/g, " ");
    if (said && !this.answer.alt) this.describe(said);
    const alt = said.replace(/([\\"])/g, "\\$1");
    const src = /^[A-Za-z0-9][\w.-]*$/.test(name) ? name : `"${name.replace(/([\\"])/g, "\\$1")}"`;
    const at = this.place();
    this.view.dispatch({ effects: drop.of(this) });
    insertBlock(this.view, `::: figure src=${src} alt="${alt || "…"}"\n:::`, at);
  }

  /** Keep what was typed while the picture was on its way with the picture: the next text that shows it has it too. */
  async describe(alt) {
    const form = new FormData();
    form.set("csrfmiddlewaretoken", csrfToken());
    form.set("alt", alt);
    const { id, name } = this.answer;
    try {
      await fetchJson(this.address.replace(/upload\/$/, `${id}/describe/`), { method: "POST", body: form });
    } catch (error) {
      tell(this.view, `The alternative text stands in the figure, but not with ${name} in the library. ${error.message}`);
    }
  }

  cancel() {
    this.request?.abort();
    this.view.dispatch({ effects: drop.of(this) });
    this.view.focus();
  }

  place() {
    let found = this.view.state.doc.length;
    this.view.state.field(strips).between(0, found, (from, _, value) => {
      if (value.spec.upload === this) found = from;
    });
    return found;
  }
}

function messagesOf(answer) {
  const errors = answer?.errors;
  const found = Array.isArray(errors) ? errors : errors ? Object.values(errors).flat() : [];
  const texts = found.map((one) => (typeof one === "string" ? one : one?.message)).filter(Boolean);
  return texts.length ? texts.join(" ") : null;
}

/** Upload files into the text at a place. */
export function upload(view, files, address, at = view.state.selection.main.head) {
  const uploads = files.map((file) => new Upload(view, file, address));
  const line = view.state.doc.lineAt(at);
  view.dispatch({ effects: uploads.map((one) => add.of({ at: line.to, upload: one })) });
  uploads.find((one) => !one.alt.hidden)?.alt.focus();
}

function isPicture(file) {
  return file.type.startsWith("image/");
}

/** Return the extension that takes images which are dropped and pasted. */
export function uploads(address) {
  return [
    strips,
    EditorView.domEventHandlers({
      paste(event, view) {
        const files = [...(event.clipboardData?.files ?? [])].filter(isPicture);
        // Office programs put a picture of the text beside the text.
        if (!files.length || event.clipboardData.getData("text/plain")) return false;
        event.preventDefault();
        upload(view, files, address);
        return true;
      },
      drop(event, view) {
        // Files are not left to the editor, which would put what it reads of a document into the text.
        const files = [...(event.dataTransfer?.files ?? [])];
        if (!files.length) return false;
        event.preventDefault();
        upload(view, files, address, view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length);
        return true;
      },
    }),
  ];
}

export function chooseFiles(address) {
  return (view) => {
    const input = make("input", { type: "file", accept: "image/*", multiple: true });
    input.addEventListener("change", () => input.files.length && upload(view, [...input.files], address));
    input.click();
    return true;
  };
}
