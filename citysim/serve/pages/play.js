"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const view = $("view"), pen = view.getContext("2d");
  const socket = new WebSocket(location.protocol.replace("http", "ws") + "//" + location.host + "/play");
  socket.binaryType = "arraybuffer";
  const send = (value) => { if (socket.readyState === 1) socket.send(JSON.stringify(value)); };
  const act = (action) => send({ act: action });
  const keys = new Set();
  let mode = "first_person", kind = "", ended = true, begun = 0, drawn = [];

  // keyboard: what is held is told when it changes, the rest as it is pressed
  const WAYS = { KeyW: "forward", ArrowUp: "forward", KeyS: "backward", ArrowDown: "backward", KeyA: "left", KeyD: "right" };
  const TURNS = { KeyQ: -1, ArrowLeft: -1, KeyE: 1, ArrowRight: 1 };
  let told = "";
  const tell = () => {
    const direction = [...keys].map((k) => WAYS[k]).filter(Boolean).pop() || "";
    const turn = Math.sign([...keys].reduce((sum, k) => sum + (TURNS[k] || 0), 0));
    const held = { direction, turn, sprint: keys.has("ShiftLeft") || keys.has("ShiftRight") };
    const text = JSON.stringify(held);
    if (text !== told) { told = text; send({ held }); }
  };
  const done = () => { if (!ended && kind === "task" && mode !== "answer") act({ action: "terminate" }); };
  const zoom = (factor) => act({ action: "map_zoom", factor });
  const orbit = (yaw, pitch) => act({ action: "map_orbit", yaw, pitch });
  const pressed = (code) => {
    if (mode === "answer") {
      const letter = { KeyA: "A", KeyB: "B", KeyC: "C", KeyD: "D", Digit1: "A", Digit2: "B", Digit3: "C", Digit4: "D" }[code];
      if (letter) send({ answer: letter });
      return;
    }
    if (code === "KeyM") act({ action: mode === "map" ? "close_map" : "open_map" });
    else if (code === "Enter") done();
    else if (mode === "map") {
      const move = { KeyQ: () => orbit(-30, 0), KeyE: () => orbit(30, 0), KeyR: () => orbit(0, 20), KeyF: () => orbit(0, -20),
        Equal: () => zoom(0.7), NumpadAdd: () => zoom(0.7), Minus: () => zoom(1.4), NumpadSubtract: () => zoom(1.4),
        ArrowUp: () => send({ map_drag: [0, 0.3] }), ArrowDown: () => send({ map_drag: [0, -0.3] }),
        ArrowLeft: () => send({ map_drag: [0.3, 0] }), ArrowRight: () => send({ map_drag: [-0.3, 0] }) }[code];
      if (move) move();
    } else if (code === "Space") act({ action: "jump" });
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, button, summary") || ended) return;
    if (/^(Arrow|Space|Enter)/.test(event.code)) event.preventDefault();
    if (event.repeat) return;
    keys.add(event.code);
    pressed(event.code);
    tell();
  });
  addEventListener("keyup", (event) => { keys.delete(event.code); tell(); });
  addEventListener("blur", () => { keys.clear(); tell(); });

  // mouse: dragging looks around, or moves the map; a click on the map asks
  let from = null, moved = 0;
  view.addEventListener("pointerdown", (event) => { view.setPointerCapture(event.pointerId); view.focus(); from = [event.clientX, event.clientY]; moved = 0; });
  view.addEventListener("pointermove", (event) => {
    if (!from || ended) return;
    const box = view.getBoundingClientRect(), dx = event.clientX - from[0], dy = event.clientY - from[1];
    moved += Math.abs(dx) + Math.abs(dy);
    if (mode !== "first_person") return;
    send({ look: [-dx / box.width * 90, dy / box.height * 60] });
    from = [event.clientX, event.clientY];
  });
  view.addEventListener("pointerup", (event) => {
    if (from && mode === "map" && !ended) {
      const box = view.getBoundingClientRect();
      if (moved < 6) act({ action: "map_select", x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
      else send({ map_drag: [(event.clientX - from[0]) / box.width, (event.clientY - from[1]) / box.height] });
    }
    from = null;
  });
  let wheel = 0;
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (mode === "map" && Date.now() - wheel > 250) { wheel = Date.now(); zoom(event.deltaY > 0 ? 1.4 : 0.7); }
  }, { passive: false });
  for (const button of document.querySelectorAll("[data-act]")) button.onclick = () => { act({ action: button.dataset.act }); view.focus(); };
  for (const button of document.querySelectorAll("[data-zoom]")) button.onclick = () => zoom(Number(button.dataset.zoom));
  for (const button of document.querySelectorAll("[data-turn]")) button.onclick = () => orbit(Number(button.dataset.turn), 0);
  $("end").onclick = () => { done(); view.focus(); };

  // sliders of the free walk
  const clock = (h) => String(Math.floor(h)).padStart(2, "0") + ":" + String(Math.round(h % 1 * 60)).padStart(2, "0");
  $("hour").oninput = (event) => { $("hour-out").value = clock(Number(event.target.value)); send({ time: Number(event.target.value) }); };
  $("sky").onchange = (event) => send({ weather: event.target.value });
  $("people").oninput = (event) => { $("people-out").value = event.target.value; };
  $("people").onchange = (event) => send({ people: Number(event.target.value) });

  const enter = (id) => send({ enter: id });
  $("tasks").onchange = (event) => { enter(event.target.value); view.focus(); };
  const cover = (text, button, then) => {
    $("cover").hidden = !text;
    $("cover-text").textContent = text;
    $("cover-button").hidden = !button;
    $("cover-button").textContent = button || "";
    $("cover-button").onclick = then || null;
    if (button) $("cover-button").focus();
  };
  const entered = (value) => {
    kind = value.kind; ended = false; begun = Date.now(); keys.clear(); told = "";
    for (const node of document.querySelectorAll(".task")) node.hidden = kind !== "task";
    $("question").hidden = true;
    $("free").hidden = kind !== "free";
    if (kind === "free") {
      $("instruction").textContent = "A walk in " + value.city;
      $("credit").textContent = value.credit;
      $("sky").replaceChildren(...value.weathers.map((name) => new Option(name.replaceAll("_", " "), name)));
      $("people").max = value.most_people;
    } else {
      $("tasks").replaceChildren(...value.tasks.map((id) => new Option(id + (value.done.includes(id) ? " ✓" : ""), id, false, id === value.id)));
    }
    cover("");
    view.focus();
  };
  const show = (value) => {
    mode = value.mode;
    if (value.instruction) $("instruction").textContent = value.instruction;
    $("status").textContent = value.status;
    $("time").textContent = value.time;
    $("weather").textContent = value.weather.replaceAll("_", " ");
    $("heading").textContent = Math.round(value.heading_deg) + "°";
    $("compass").firstElementChild.style.transform = "rotate(" + -value.heading_deg + "deg)";
    $("compass").hidden = mode === "map";
    if (kind === "task") $("left").textContent = value.steps_left;
    view.style.cursor = mode === "map" ? "crosshair" : "grab";
    $("street-buttons").hidden = mode !== "first_person";
    $("map-buttons").hidden = mode !== "map";
    const notices = value.notices.join("\n");
    if ($("notices").dataset.text !== notices) {
      $("notices").dataset.text = notices;
      $("notices").replaceChildren(...value.notices.map((text) => { const p = document.createElement("p"); p.textContent = text; return p; }));
    }
    if (value.options && value.options.length) {
      $("question").hidden = false;
      const list = $("options");
      if (list.dataset.text !== value.options.join("\n")) {
        list.dataset.text = value.options.join("\n");
        list.replaceChildren(...value.options.map((text, k) => {
          const item = document.createElement("li"), button = document.createElement("button");
          button.textContent = text;
          button.onclick = () => send({ answer: "ABCD"[k] });
          item.appendChild(button);
          return item;
        }));
      }
      for (const button of list.querySelectorAll("button")) button.disabled = mode !== "answer";
      $("question").firstElementChild.textContent = mode === "answer" ? "Now answer: A, B, C or D" : "Question (answer when you are done)";
    }
    if (value.result && !ended) {
      ended = true;
      const r = value.result, word = { success: "Success!", failure: "Not this time." }[r.status] || "The city failed; this does not count.";
      cover(word + "\n" + r.stop_reason.replaceAll("_", " ") + " after " + r.steps + " actions and " + Math.round(r.path_length_m) + " m", "Next task", () => enter(null));
      $("cover").dataset.status = r.status;
    }
  };
  const paint = async (data) => {
    const picture = await createImageBitmap(new Blob([data], { type: "image/jpeg" }));
    if (view.width !== picture.width || view.height !== picture.height) { view.width = picture.width; view.height = picture.height; }
    pen.drawImage(picture, 0, 0);
    picture.close();
    const now = performance.now();
    drawn = drawn.filter((t) => now - t < 1000).concat(now);
    view.dataset.pictures = Number(view.dataset.pictures || 0) + 1;
  };
  socket.onopen = () => cover("W A S D walk, arrow keys turn, drag to look.\nM opens the map.", "Start", () => { enter(new URLSearchParams(location.search).get("id")); cover("Making the city …"); });
  socket.onclose = () => { ended = true; cover("The connection has ended."); };
  socket.onmessage = (event) => {
    if (typeof event.data !== "string") { paint(event.data); return; }
    const value = JSON.parse(event.data);
    if (value.error) { const p = document.createElement("p"); p.textContent = value.error; $("notices").replaceChildren(p); delete $("notices").dataset.text; }
    else if (value.entered) entered(value.entered);
    else show(value);
  };
  setInterval(() => {
    const now = performance.now();
    drawn = drawn.filter((t) => now - t < 1000);
    $("rate").textContent = drawn.length;
    if (ended || kind !== "task") return;
    const s = Math.floor((Date.now() - begun) / 1000);
    $("timer").textContent = Math.floor(s / 60) + ":" + String(s % 60).padStart(2, "0");
  }, 500);
})();
