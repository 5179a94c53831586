// What the server says of the text while it is written: how it looks, what is wrong in it, how long it is.

import { setDiagnostics } from "@codemirror/lint";

import { csrfToken, fetchJson, make } from "./elements.js";

const PAUSE_MS = 400;
const RETRY_MS = 5000;

/** Return the offset of a place that counts lines and code points from 1. */
export function offsetOf(doc, line, column) {
  if (line > doc.lines) return doc.length;
  const found = doc.line(Math.max(1, line));
  let at = 0;
  for (const one of found.text) {
    if (column <= 1) break;
    column -= 1;
    at += one.length;
  }
  return found.from + Math.min(at, found.length);
}

/** Watch a text: `changed()` asks soon after a pause, one request at a time; what comes late is dropped. */
export class Server {
  constructor(view, { address, preview, problems, count, wantsHtml }) {
    Object.assign(this, { view, address, preview, problems, count, wantsHtml });
    this.asked = null;
    this.isWaiting = false;
    this.problemCount = 0;
    this.dark = new MutationObserver(() => this.paint());
    this.dark.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
    this.root = preview.attachShadow({ mode: "open" });
    this.page = make("article", { class: "body" }, make("p", { class: "empty" }, "The preview appears here."));
    this.root.append(make("link", { rel: "stylesheet", href: preview.dataset.style }), make("main", {}, this.page));
    // The anchors of the page lie in the preview, and other addresses lead away from the form.
    this.root.addEventListener("click", (event) => this.follow(event));
    this.paint();
  }

  paint() {
    this.preview.classList.toggle("dark", document.documentElement.classList.contains("dark"));
  }

  follow(event) {
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    event.preventDefault();
    const address = link.getAttribute("href");
    if (address.startsWith("#")) {
      this.root.getElementById(decodeURIComponent(address.slice(1)))?.scrollIntoView({ block: "nearest" });
    } else window.open(address, "_blank", "noopener,noreferrer");
  }

  changed(pause = PAUSE_MS) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), pause);
  }

  async ask() {
    if (this.isWaiting) {
      this.isStale = true;
      return;
    }
    const { doc } = this.view.state;
    this.isWaiting = true;
    this.isStale = false;
    this.preview.setAttribute("aria-busy", "true");
    const form = new FormData();
    form.set("body", doc.toString());
    form.set("csrfmiddlewaretoken", csrfToken());
    const id = this.view.dom.closest("form")?.action.match(/[0-9a-f-]{36}/)?.[0] ?? location.pathname.match(/[0-9a-f-]{36}/)?.[0];
    if (id) form.set("article", id);
    if (!this.wantsHtml()) form.set("html", "0");
    try {
      const answer = await fetchJson(this.address, { method: "POST", body: form });
      // The place of a problem is only known in the text that was asked about.
      if (doc === this.view.state.doc) this.show(answer);
      else this.isStale = true;
      if ("html" in answer) this.showHtml(answer.html);
    } catch (error) {
      this.count.textContent = error.message;
      this.changed(RETRY_MS);
    } finally {
      this.isWaiting = false;
      this.preview.removeAttribute("aria-busy");
      if (this.isStale) this.changed();
    }
  }

  /** Show the part of the preview that lies `share` (0 to 1) of the way down. */
  scrollTo(share) {
    this.preview.scrollTop = share * (this.preview.scrollHeight - this.preview.clientHeight);
  }

  showHtml(html) {
    if (html === this.html) return;
    this.html = html;
    const { scrollTop } = this.preview;
    this.page.innerHTML = html || "<p class='empty'>Nothing to show yet. What you write appears here.</p>";
    this.preview.scrollTop = scrollTop;
  }

  show({ problems, problem_count: total, words, reading_minutes: minutes }) {
    const { doc } = this.view.state;
    const found = problems.map((problem) => {
      const from = offsetOf(doc, problem.line, problem.column);
      const rest = doc.sliceString(from, doc.lineAt(from).to);
      const length = /^(\{\{[^}]*\}\}|\[@[^\]]*\]|\S+)/.exec(rest)?.[0].length ?? 0;
      const severity = problem.level === "error" ? "error" : "info";
      return { from, to: from + length, severity, message: problem.message, problem };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found.map(({ problem, ...diagnostic }) => diagnostic)));
    this.list(found, total ?? found.length);
    this.count.textContent =
      words === null ? "" : words === 0 ? "No words yet" : `${words.toLocaleString("en")} ${words === 1 ? "word" : "words"} · ${minutes} min to read`;
  }

  list(found, total) {
    const errors = found.filter((one) => one.severity === "error").length;
    const advice = found.length - errors;
    const parts = [
      errors ? `${errors} ${errors === 1 ? "mistake" : "mistakes"} to correct before it can be submitted` : null,
      advice ? `${advice} ${advice === 1 ? "suggestion" : "suggestions"}` : null,
    ].filter(Boolean);
    const { summary, items } = this.problems;
    const said = parts.join(" · ") || "No mistakes";
    if (summary.textContent !== said) summary.textContent = said;
    summary.parentElement.classList.toggle("plenum-problems--none", !found.length);
    // Who walks through the list with the keyboard stays where they are.
    const focused = [...items.children].findIndex((item) => item.contains(document.activeElement));
    items.replaceChildren(
      ...found.map(({ from, severity, problem }) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", class: `plenum-problem plenum-problem--${severity}`, onclick: () => this.go(from) },
            make("span", { class: "plenum-problem-place" }, problem.line ? `Line ${problem.line}` : "Text"),
            make("span", {}, problem.message),
          ),
        ),
      ),
      ...(total > found.length ? [make("li", { class: "plenum-help" }, `And ${total - found.length} more.`)] : []),
    );
    if (focused >= 0) items.children[Math.min(focused, items.children.length - 1)]?.querySelector("button")?.focus();
  }

  go(at) {
    this.view.dispatch({ selection: { anchor: Math.min(at, this.view.state.doc.length) }, scrollIntoView: true });
    this.view.focus();
  }
}
