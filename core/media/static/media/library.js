// The media browser: pictures are sent one by one, each with its own outcome. On the page of an image its focal point is
// chosen on the picture, by click or with the arrow keys.
document.addEventListener("DOMContentLoaded", () => {
  const zone = document.querySelector(".plenum-drop");
  if (zone) browse(zone);
  const picture = document.querySelector("[data-focal]");
  if (picture) focus(picture);
});

function browse(zone) {
  const list = zone.querySelector(".plenum-drop-list");
  const input = zone.querySelector(".plenum-drop-input");
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const say = (item, text, refused) => {
    item.textContent = text;
    item.classList.toggle("plenum-drop-refused", Boolean(refused));
  };
  const send = async (file, item) => {
    const form = new FormData();
    form.append("file", file);
    try {
      const answer = await fetch(zone.dataset.upload, { method: "POST", body: form, headers: { "X-CSRFToken": token } });
      if (answer.status === 201) {
        const image = await answer.json();
        say(item, "");
        const link = document.createElement("a");
        link.href = `${location.pathname}${image.id}/change/`;
        link.className = "text-link";
        link.textContent = `${image.name}: stored. Say what it shows.`;
        item.append(link);
        return true;
      }
      const told = answer.status === 400 ? (await answer.json()).errors.map((error) => error.message).join(" ") : `The server answered ${answer.status}.`;
      say(item, `${file.name}: ${told}`, true);
    } catch {
      say(item, `${file.name}: The server cannot be reached. Try again.`, true);
    }
    return false;
  };
  const sendAll = async (files) => {
    const waiting = [...files].map((file) => {
      const item = document.createElement("li");
      say(item, `${file.name}: waiting`);
      list.append(item);
      return [file, item];
    });
    let refused = 0;
    for (const [file, item] of waiting) {
      say(item, `${file.name}: uploading`);
      refused += (await send(file, item)) ? 0 : 1;
    }
    if (waiting.length) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = location.pathname;
      link.className = "text-link";
      link.textContent = "Show them in the library";
      if (refused < waiting.length) item.append(link);
      list.append(item);
    }
  };
  // Before it reaches the input: the theme expects the field of a form there.
  zone.addEventListener(
    "change",
    (event) => {
      event.stopPropagation();
      const files = [...input.files];
      input.value = "";
      sendAll(files);
    },
    true,
  );
  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("plenum-drop--over");
    });
  }
  for (const kind of ["dragleave", "drop"]) zone.addEventListener(kind, () => zone.classList.remove("plenum-drop--over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    sendAll(event.dataTransfer.files);
  });
}

function focus(picture) {
  const fields = { x: document.querySelector("#id_focal_x"), y: document.querySelector("#id_focal_y") };
  if (!fields.x || !fields.y) return;
  const mark = picture.querySelector(".plenum-focal-mark");
  const read = (name) => Math.min(1, Math.max(0, Number(fields[name].value) || 0));
  const show = () => {
    mark.style.left = `${read("x") * 100}%`;
    mark.style.top = `${read("y") * 100}%`;
  };
  const set = (x, y) => {
    for (const [name, value] of Object.entries({ x, y })) {
      fields[name].value = String(Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000);
      fields[name].dispatchEvent(new Event("change", { bubbles: true }));
    }
    show();
  };
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    set((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
  picture.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!way) return;
    event.preventDefault();
    set(read("x") + way[0], read("y") + way[1]);
  });
  for (const field of Object.values(fields)) field.addEventListener("input", show);
  show();
}
