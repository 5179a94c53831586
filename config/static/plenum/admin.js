// Tells the server the time zone of this browser, so that the admin shows instants on the clock of the person.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`plenum_zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `plenum_zone=${zone}; path=/admin/; max-age=31536000; samesite=lax${secure}`;
  }
})();

// A preview opens beside the form and saves nothing, so the form goes on warning of what is not saved. The theme takes
// every submission for a save and stops warning.
document.addEventListener("submit", (event) => {
  if (event.submitter?.formTarget && window.preventLeaving) {
    setTimeout(() => window.addEventListener("beforeunload", window.preventLeaving));
  }
});

// A link to #line-12-4 leads to that place of the text: to the editor where there is one (it answers the event), else to
// the plain text area, where the line is then selected.
const goToLine = () => {
  const place = location.hash.match(/^#line-([0-9]+)-([0-9]+)$/);
  const area = document.querySelector("textarea[data-markdown]");
  if (!place || !area) return;
  const [line, column] = [Number(place[1]), Number(place[2])];
  const event = new CustomEvent("plenum:line", { bubbles: true, cancelable: true, detail: { line, column } });
  if (area.dispatchEvent(event)) {
    const lines = area.value.split("\n");
    const begin = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(begin, begin + (lines[line - 1] ?? "").length);
    area.scrollTop = Math.max(0, (line - 4) * Number.parseFloat(getComputedStyle(area).lineHeight));
    area.scrollIntoView({ block: "nearest" });
  }
  // So that the same link leads there again.
  history.replaceState(null, "", location.pathname + location.search);
};
window.addEventListener("hashchange", goToLine);
window.addEventListener("load", goToLine);

// A link with data-key="n" is followed by that key, where nothing is being typed.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
  document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`)?.click();
});

// A button with data-copy="id" copies what stands in that field; where the browser forbids it, the text is selected.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Press Ctrl+C";
  }
});

// Who fills in the time of a publication means that time; who chooses “Now” wants none.
document.addEventListener("input", (event) => {
  const { form, name, value } = event.target;
  const time = form?.elements.local;
  const later = form?.querySelector("input[name=when][value=later]");
  if (!time || !later) return;
  if (name === "local" && value) later.checked = true;
  if (name === "when" && value === "now") time.value = "";
});
