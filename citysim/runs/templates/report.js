"use strict";
// Every text of a run is put in as text (textContent, attributes), never as markup.
(() => {
  const space = document.querySelector("svg").namespaceURI;
  const put = (tag, attributes, text, svg) => {
    const node = svg ? document.createElementNS(space, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, value);
    if (text !== undefined && text !== "") node.textContent = text;
    return node;
  };
  const draw = (parent, tag, attributes, text) => parent.appendChild(put(tag, attributes, text, true));
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };

  const map = (box, d) => {
    const status = box.dataset.status;
    const size = Number(d.view.split(" ")[2]) / 400;
    const svg = put("svg", { viewBox: d.view, role: "img", "aria-label": "Map of " + box.id }, "", true);
    draw(svg, "use", { href: "#city-" + box.dataset.map });
    draw(svg, "path", { class: "route", d: d.route });
    const group = draw(svg, "g", { class: status });
    if (d.goal) draw(group, "circle", { class: "goal", cx: d.goal[0], cy: d.goal[1], r: d.radius });
    for (const [x, y] of d.stops) draw(group, "circle", { class: "goal", cx: x, cy: y, r: d.radius });
    draw(group, "path", { class: "halo", d: d.track });
    draw(group, "path", { class: "track", d: d.track });
    for (const [label, path] of d.zones) draw(draw(svg, "path", { class: "zone", d: path }), "title", {}, "closed: " + label);
    for (const [x, y, name] of d.stops) {
      draw(svg, "circle", { class: "stop", cx: x, cy: y, r: 4 * size });
      draw(svg, "text", { class: "name", x: x + 6 * size, y: y - 5 * size, style: "font-size:" + 10 * size + "px;stroke-width:" + 3 * size + "px" }, name);
    }
    for (const [x, y, body, step] of d.contacts) {
      const r = 4 * size;
      const cross = draw(svg, "path", { class: body ? "hit body" : "hit", d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}` });
      draw(cross, "title", {}, (body ? "touched somebody" : "touched something") + " in step " + step);
    }
    draw(draw(svg, "circle", { class: "near", cx: d.closest[0], cy: d.closest[1], r: 6 * size }), "title", {}, "nearest to the goal");
    draw(group, "circle", { class: "start", cx: d.start[0], cy: d.start[1], r: 4 * size });
    draw(group, "circle", { class: "end", cx: d.end[0], cy: d.end[1], r: 4 * size });
    return svg;
  };

  const heads = ["#", "looking at", "action", "s", "m", "east, north, up", "heading", "network", "bumps", "m left", "what it said", "notices"];
  const right = new Set([0, 3, 4, 6, 8, 9]);
  const table = (id, d) => {
    const frame = put("div", { class: "scroll steps", tabindex: "0", role: "region", "aria-label": "Steps of " + id });
    const made = frame.appendChild(put("table"));
    const top = made.appendChild(put("thead")).appendChild(put("tr"));
    heads.forEach((name, k) => top.appendChild(put("th", { scope: "col", class: right.has(k) ? "n" : "" }, name)));
    const body = made.appendChild(put("tbody"));
    for (const step of d.steps) {
      const row = body.appendChild(put("tr", step[12] ? { class: "refused" } : {}));
      const texts = [...step];
      texts[6] += "°"; texts[7] = step[7] ? "on" : "off"; texts[8] = step[8] || "";
      texts.slice(0, 12).forEach((text, k) => row.appendChild(put("td", { class: right.has(k) ? "n" : k === 10 ? "said" : "" }, String(text))));
    }
    return frame;
  };

  const fill = async (box) => {
    if (box.dataset.filled) return;
    box.dataset.filled = "yes";
    const d = await unpack(box.dataset.packed), inside = box.querySelector(".inside");
    const two = put("div", { class: "two" });
    const left = two.appendChild(put("div"));
    left.appendChild(map(box, d));
    left.appendChild(put("p", { class: "soft small" }, "○ start, ● end, ring: nearest to the goal, × touched something, dotted: the shortest way" + (d.zones.length ? ", dashed: closed" : "")));
    const facts = two.appendChild(put("dl", { class: "small" }));
    for (const [name, text] of d.facts) { facts.appendChild(put("dt", {}, name)); facts.appendChild(put("dd", {}, text)); }
    if (d.question) {
      facts.appendChild(put("dt", {}, "question"));
      facts.appendChild(put("dd", {}, d.question[0] + " " + d.question[1].map((o, k) => "ABCD"[k] + ") " + o).join("; ") + ". Right: " + "ABCD"[d.question[2]]));
    }
    inside.prepend(two);
    if (d.fault) inside.appendChild(put("pre", { class: "unscored" }, d.fault));
    if (d.files && d.files.length) {
      const film = inside.appendChild(put("div", { class: "film" }));
      for (const name of d.files) {
        const figure = film.appendChild(put("figure"));
        figure.appendChild(put("img", { src: "frames/" + encodeURIComponent(box.id) + "/" + encodeURIComponent(name), alt: "view " + name, loading: "lazy" }));
        figure.appendChild(put("figcaption", {}, "after action " + Number(name.split(".")[0])));
      }
    }
    inside.appendChild(table(box.id, d));
  };

  const boxes = [...document.querySelectorAll("details.episode")];
  for (const box of boxes) box.addEventListener("toggle", () => { if (box.open) fill(box); });

  const form = document.getElementById("filters"), count = document.getElementById("count");
  const texts = new Map(boxes.map((box) => [box, box.querySelector("summary").textContent.toLowerCase()]));
  // what was said, told and gone wrong stands packed: it is read when somebody first searches
  let reading = null;
  const read = async () => {
    for (const box of boxes) {
      const d = await unpack(box.dataset.packed);
      const more = d.steps.map((step) => step[10] + "\n" + step[11]).join("\n");
      texts.set(box, (texts.get(box) + "\n" + more + "\n" + d.fault + "\n" + (d.question ? d.question[0] : "")).toLowerCase());
    }
  };
  let asked = 0;
  const sift = async () => {
    const value = Object.fromEntries(new FormData(form)), text = value.text.trim().toLowerCase(), mine = ++asked;
    if (text) await (reading = reading || read());
    if (mine !== asked) return;
    let shown = 0;
    for (const box of boxes) {
      const chosen = ["status", "type", "city", "level", "condition", "failed"].every((key) => !value[key] || box.dataset[key] === value[key]);
      box.hidden = !chosen || !texts.get(box).includes(text);
      shown += !box.hidden;
    }
    count.textContent = shown === boxes.length ? shown + " episodes" : shown + " of " + boxes.length + " episodes";
  };
  form.addEventListener("input", sift);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(sift));

  const go = () => {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it stands */ }
    const box = document.getElementById(id);
    if (!box || !box.matches("details.episode")) return;
    if (box.hidden) { form.reset(); for (const other of boxes) other.hidden = false; }
    box.open = true;
    box.scrollIntoView();
    box.querySelector("summary").focus({ preventScroll: true });
  };
  addEventListener("hashchange", go);
  for (const mark of document.querySelectorAll(".where")) {
    mark.addEventListener("click", () => { location.hash = encodeURIComponent(mark.dataset.id); });
  }
  if (location.hash) go();
  else {
    const first = boxes.find((box) => box.querySelector("img")) || boxes[0];
    first.open = true;
  }
})();
