// The workbench: state, what is computed when, and what is drawn. One animation frame per change, whatever changed.
"use strict";

const $ = (id) => document.getElementById(id);
// Text that is what it was is left alone: to set it anew makes the browser lay the page out again.
const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const say = (text) => setText($("said"), text);
const amplitudes = 40;      // of the curve of dissipation
const budget = 8;           // ms per frame for laws along the history ..
const cycleBudget = { moving: 2, resting: 8 };  // .. and for steady cycles, which may need many loops each; what is left waits for the next frame
const inTurn = ["tangent", "dissipated", "cycles"];  // pictures of which one is drawn per frame; force and history in every frame
const undrawn = new Set();
const thin = new Set();     // pictures drawn in a hurry: again, as they should be, when nothing has moved for `calm` ms
const calm = 150;

const bench = { laws: null, catalogue: [], entries: [], kind: "growing sine", amplitude: 1, points: 2000, at: 1300, history: { u: new Float64Array(0) }, measured: null, copy: "cli", frames: 1, remembered: -100 };
let wasmBinary = null, cards = [], pictures = {}, waiting = false, cycleGrid = [], moved = -calm;
const stale = { history: true, memory: true, text: true };

function later() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; frame(); });
}

let timer = 0;
function wait(ms) {
  clearTimeout(timer);
  timer = setTimeout(later, ms);
}

// The laws.

function makeLaw(entry) {
  entry.law?.free();
  entry.law = null;
  entry.refused = null;
  try {
    entry.law = bench.laws.make(entry.name, entry.values);
  } catch (error) { entry.refused = error.message; }
  entry.stale = true;
}

function newEntry(name, values) {
  return { name, values: values ?? startingValues(bench.catalogue, name, bench.laws.parameters(name)), law: null, stale: true };
}

const acts = {
  tell(i, key, value) {
    const entry = bench.entries[i];
    entry.values[key] = value;
    entry.found = null;
    makeLaw(entry);
    stale.text = stale.memory = true;
    later();
  },
  remake(i, name) {
    const { law } = bench.entries[i];
    law?.free();
    bench.entries[i] = newEntry(name);
    rebuild();
    $("cards").querySelectorAll("select")[2 * i].focus();
  },
  drop(i) {
    bench.entries[i].law?.free();
    bench.entries.splice(i, 1);
    rebuild();
    $("add").focus();
  },
  async fit(i) {
    const entry = bench.entries[i], card = cards[i];
    say(`Fitting ${entry.name} ..`);
    card.progress(0);
    try {
      const found = await fitInWorker(wasmBinary, entry.name, bench.measured, (share) => card.progress(share));
      for (const key of Object.keys(found.parameters)) entry.values[key] = found.parameters[key];
      entry.found = foundText(entry.name, found);
      entry.fit = found;
      makeLaw(entry);
      cards[i]?.show(entry.values);
      say(`${entry.name}: ${entry.found}`);
    } catch (error) {
      entry.refused = error.message;
      say(`${entry.name}: ${error.message}`);
    }
    card.progress(null);
    stale.text = stale.memory = true;
    later();
  },
};

function rebuild() {
  $("cards").textContent = "";
  bench.entries.forEach(makeLaw);
  cards = bench.entries.map((_, i) => makeCard($("cards"), bench, i, acts));
  makeCharts();
  Object.assign(stale, { memory: true, text: true });
  later();
}

// The history.

function setHistory(history, measured) {
  bench.history = history;
  const another = measured !== undefined && (measured === null) !== (bench.measured === null);
  if (measured !== undefined) bench.measured = measured;
  if (another && pictures.loops) makeCharts();  // its legend has one more, or one less
  bench.at = Math.min(bench.at, history.u.length - 1);
  Object.assign(stale, { history: true, memory: true, text: true });
  bench.entries.forEach((entry) => { entry.stale = true; });
  later();
}

function madeHistory() {
  if (kinds[bench.kind]) setHistory({ u: kinds[bench.kind](bench.points, bench.amplitude) }, null);
}

const greatest = (array) => array.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

// Drawing with a pointer: points between two places are joined, so that nothing is left out however fast it moves.
function allowDrawing(chart) {
  const { over } = chart.u;
  let before = null;
  const at = (event) => {
    const box = over.getBoundingClientRect(), n = bench.history.u.length;
    const k = Math.round(chart.u.posToVal(event.clientX - box.x, "x")), u = chart.u.posToVal(event.clientY - box.y, "y");
    return { k: Math.min(n - 1, Math.max(0, k)), u: Math.fround(Math.min(bench.amplitude, Math.max(-bench.amplitude, u))) };
  };
  const stroke = (event) => {
    const here = at(event), u = bench.history.u, from = before ?? here;
    const step = here.k >= from.k ? 1 : -1;
    for (let k = from.k; ; k += step) {
      u[k] = here.k === from.k ? here.u : from.u + ((here.u - from.u) * (k - from.k)) / (here.k - from.k);
      if (k === here.k) break;
    }
    before = here;
    $("kind").value = bench.kind = "drawn";
    setHistory({ u }, null);
  };
  over.addEventListener("mousedown", (event) => event.stopImmediatePropagation(), { capture: true });  // no zoom here
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    stroke(event);
  });
  over.addEventListener("pointermove", (event) => { if (before) (event.getCoalescedEvents?.() ?? [event]).forEach(stroke); });
  for (const end of ["pointerup", "pointercancel"]) over.addEventListener(end, () => { before = null; });
}

// The pictures.

function makeCharts() {
  Object.values(pictures).forEach((chart) => chart.remove());
  const curve = (label, more) => ({ label, x: [], y: [], marks: [], ...more });
  const each = () => bench.entries.map((entry, i) => curve(`${i + 1}: ${entry.name}`));
  const panel = (parent, key, title, x, y, curves, options) => {
    pictures[key] = makePanel(parent, { title, x, y, curves }, options);
    pictures[key].curves = curves;
  };
  const low = (width) => Math.min(260, Math.max(170, 0.3 * width));
  panel($("history-chart"), "history", "", { label: "point" }, { label: "u / m" }, [curve("history", { colour: "--ink" })],
        { legend: false, height: low, reach: () => ({ x: [], y: [-bench.amplitude, bench.amplitude] }) });
  allowDrawing(pictures.history);
  const measured = curve("measured", { colour: "--quiet", width: 1, radius: 1.5, quiet: !bench.measured });
  panel($("panels"), "loops", "Force", { label: "displacement u / m" }, { label: "force f / N" }, [...each(), measured]);
  panel($("panels"), "tangent", "Tangent", { label: "displacement u / m" }, { label: "tangent / (N/m)" }, each());
  panel($("panels"), "cycles", "Dissipation per steady cycle", { label: "amplitude / m", logarithmic: true }, { label: "dissipation / J", logarithmic: true }, each());
  panel($("panels"), "dissipated", "Dissipated so far", { label: "point" }, { label: "dissipated / J" }, each());
  bench.entries.forEach((entry) => { entry.stale = true; });
  stale.history = bench.uncycled = true;
  Object.keys(pictures).forEach((key) => undrawn.add(key));
}

let numbered = new Float64Array(0);
const counted = (n) => (numbered.length === n ? numbered : (numbered = Float64Array.from({ length: n }, (_, k) => k)));

function follow(entry, i) {
  entry.stale = false;
  entry.answer = null;
  if (entry.law) {
    try {
      entry.answer = entry.law.follow(bench.history.u, bench.history.t);
    } catch (error) { entry.refused = error.message; }
  }
  const none = { u: [], f: [], tangent: [], dissipated: [] }, h = entry.answer ?? none;
  const byForce = bench.catalogue.find((one) => one.key === entry.name.split("+")[0])?.driven_by === "force";
  const set = (key, x, y) => Object.assign(pictures[key].curves[i], { x, y });
  set("loops", h.u, h.f);
  set("tangent", h.u, byForce ? h.tangent.map((c) => 1 / c) : h.tangent);
  set("dissipated", counted(h.u.length), h.dissipated);
  entry.cycles = [];
  entry.noCycle = !entry.law;
}

// Steady cycles, as many as the frame has time for; the rest in the next one.
function cycleOn(moving) {
  const end = performance.now() + (moving ? cycleBudget.moving : cycleBudget.resting);
  let open = false;
  bench.entries.forEach((entry, i) => {
    if (entry.stale || entry.noCycle || entry.cycles.length === cycleGrid.length) return;
    while (entry.cycles.length < cycleGrid.length && performance.now() < end) {
      try {
        entry.cycles.push(entry.law.cycle(Float64Array.of(cycleGrid[entry.cycles.length])).dissipation[0]);
      } catch (error) {
        entry.noCycle = true;  // a law without steady cycles has no curve
        entry.cycles = [];
        break;
      }
    }
    if (entry.cycles.length < cycleGrid.length && !entry.noCycle) open = true;
    else Object.assign(pictures.cycles.curves[i], { x: cycleGrid, y: entry.cycles });
  });
  return open;
}

function showMemory() {
  const root = $("memory"), path = bench.history.u.slice(0, bench.at + 1);
  root.textContent = "";
  bench.entries.forEach((entry, i) => {
    try {
      entry.remembered = entry.law ? entry.law.memory(path) : [];
    } catch { entry.remembered = []; }  // the law refuses this path, and its card says why
    for (const part of entry.remembered) {
      const table = element(root, "table");
      const depth = part.turns ? `${part.turns.length} open turning point${part.turns.length === 1 ? "" : "s"}` : part.numbers ? "" : "remembers nothing";
      element(table, "caption", "", `${i + 1}: ${part.law}${depth ? `, ${depth}` : ""}`).style.color = `var(${colourName(i)})`;
      const row = (cells, tag = "td") => { const line = element(table, "tr"); cells.forEach((cell) => element(line, tag, "", cell)); };
      if (part.turns?.length) {
        row(["", "u / m", "f / N"], "th");
        part.turns.slice(-12).forEach(([u, f], k) => row([String(part.turns.length - Math.min(12, part.turns.length) + k + 1), figures(u, 6), figures(f, 6)]));
      }
      (part.numbers ?? []).slice(0, 12).forEach(([name, value]) => row([name, figures(value, 6)]));
      if (part.numbers?.length > 12) row([`and ${part.numbers.length - 12} more`, ""]);
    }
  });
}

// Everything that a change touches, once.
function frame() {
  const began = performance.now();
  const { u } = bench.history, redraw = undrawn;
  if (stale.history) {
    Object.assign(pictures.history.curves[0], { x: counted(u.length), y: u });
    Object.assign(pictures.loops.curves[bench.entries.length], bench.measured ? { x: bench.measured.u, y: bench.measured.f } : { x: [], y: [] });
    const most = greatest(u) || 1;
    cycleGrid = Array.from({ length: amplitudes }, (_, k) => most * Math.pow(10, -3 + (3 * k) / (amplitudes - 1)));
    $("at").max = Math.max(0, u.length - 1);
    $("forget").hidden = !bench.measured;
    redraw.add("history");
  }
  // The law that has waited longest first: a slow one must not keep the page from moving.
  const waiters = [...bench.entries.keys()].filter((i) => bench.entries[i].stale).sort((a, b) => (bench.entries[a].frame ?? 0) - (bench.entries[b].frame ?? 0));
  for (const i of waiters) {
    if (performance.now() > began + budget) break;
    bench.entries[i].frame = bench.frames;
    follow(bench.entries[i], i);
    bench.uncycled = true;
    ["loops", "tangent", "dissipated"].forEach((key) => redraw.add(key));
  }
  ++bench.frames;
  const rest = waiters.length === 0 && !stale.history;
  if (!rest && bench.laid) moved = began;  // the first picture is no movement
  const moving = began - moved < calm;
  const open = cycleOn(!rest) || bench.entries.some((entry) => entry.stale);
  if (!open && bench.uncycled) redraw.add("cycles");
  bench.uncycled = open;
  $("at").value = bench.at;
  setText($("at-number"), u.length ? `${bench.at + 1} of ${u.length}: u = ${figures(u[bench.at])}` : "");
  // What laws remember takes them along the history once more, and so does text to copy: while something moves, now and then.
  const nowAndThen = !moving || bench.frames - bench.remembered > 8;
  const remember = stale.memory && nowAndThen, write = stale.text && nowAndThen;
  if (remember) {
    bench.remembered = bench.frames;
    showMemory();
    for (const key of ["history", "loops", "tangent", "dissipated"]) {
      pictures[key].curves.forEach((curve) => { curve.marks = curve.label === "measured" ? [] : [bench.at]; });
      redraw.add(key);
    }
  }
  if (write) setText($("text"), copies[bench.copy](bench));
  cards.forEach((card) => card.update());
  Object.assign(stale, { history: false, memory: stale.memory && !remember, text: stale.text && !write });
  if (!moving) thin.forEach((key) => redraw.add(key));
  const next = inTurn.find((key) => redraw.has(key));
  for (const key of [...redraw].filter((one) => !inTurn.includes(one) || one === next)) {
    pictures[key].refresh(moving);
    redraw.delete(key);
    if (moving) thin.add(key);
    else thin.delete(key);
  }
  if (next) inTurn.push(...inTurn.splice(inTurn.indexOf(next), 1));
  bench.frame = performance.now() - began;
  bench.complete = !open && !stale.memory && !stale.text && redraw.size === 0 && thin.size === 0;
  bench.laid ||= bench.complete;
  if (open || redraw.size > 0 || (!bench.complete && !moving)) later();
  else if (!bench.complete) wait(calm - (began - moved));
}

// Links.

function linkText() {
  const state = { v: 1, l: bench.entries.map((entry) => [entry.name, entry.values]), k: bench.kind, A: bench.amplitude, n: bench.points, at: bench.at };
  if (!kinds[bench.kind]) state.u = packed(bench.history.u);
  if (bench.history.t) state.t = packed(bench.history.t);
  if (bench.measured) state.f = packed(bench.measured.f);
  return "#" + packed(new TextEncoder().encode(JSON.stringify(state)));
}

function openLink(hash) {
  const bytes = Uint8Array.from(atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const state = JSON.parse(new TextDecoder().decode(bytes));
  bench.entries = state.l.map(([name, values]) => newEntry(name, values));
  Object.assign(bench, { kind: state.k, amplitude: state.A, points: state.n, at: state.at });
  const u = state.u ? unpacked(state.u) : kinds[bench.kind](bench.points, bench.amplitude);
  setHistory({ u, t: state.t && unpacked(state.t) }, state.f ? { u, f: unpacked(state.f) } : null);
}

// The page's own controls.

const amplitudeEnds = { log: true, low: 1e-9, high: 1e3 };
function showAmplitude() {
  $("amplitude").value = positionOf(amplitudeEnds, bench.amplitude);
  $("amplitude").setAttribute("aria-valuetext", `${bench.amplitude} m`);
  $("amplitude-number").value = String(bench.amplitude);
}

function setAmplitude(value) {
  if (!(value > 0) || !Number.isFinite(value)) return say(`amplitude: ${value} is not in (0, inf)`);
  const scale = value / bench.amplitude;
  bench.amplitude = value;
  showAmplitude();
  if (kinds[bench.kind]) madeHistory();
  else if (!bench.measured) setHistory({ ...bench.history, u: bench.history.u.map((x) => x * scale) });
}

function readText() {
  try {
    const read = readHistory($("csv").value, bench.points);
    bench.amplitude = greatest(read.u) || 1;
    bench.kind = "read";
    $("kind").value = "read";
    showAmplitude();
    setHistory({ u: read.u, t: read.t }, read.f ? { u: read.u, f: read.f } : null);
    say(`${read.u.length} points${read.f ? " of a measured loop" : ""}.`);
  } catch (error) { say(error.message); }
}

function listen() {
  for (const name of [...Object.keys(kinds), "drawn", "read"]) element($("kind"), "option", "", name).value = name;
  $("kind").addEventListener("change", () => { bench.kind = $("kind").value; if (bench.kind === "read") readText(); else madeHistory(); });
  $("amplitude").addEventListener("input", () => setAmplitude(valueAt(amplitudeEnds, Number($("amplitude").value))));
  $("amplitude-number").addEventListener("change", () => setAmplitude(Number($("amplitude-number").value)));
  $("points").addEventListener("change", () => {
    const n = Number($("points").value);
    if (!(Number.isInteger(n) && n >= 2 && n <= 20000)) return say("points: a whole number from 2 to 20000");
    bench.points = n;
    madeHistory();
  });
  $("use").addEventListener("click", readText);
  $("save-history").addEventListener("click", () => {
    const { u, t } = bench.history;
    saveFile("history.csv", "text/csv", (t ? "t,u\n" : "u\n") + Array.from(u, (v, k) => (t ? `${t[k]},${v}` : `${v}`)).join("\n") + "\n");
  });
  $("forget").addEventListener("click", () => setHistory(bench.history, null));
  $("at").addEventListener("input", () => { bench.at = Number($("at").value); stale.memory = true; later(); });
  $("add").addEventListener("click", () => {
    if (bench.entries.length >= 7) return say("seven laws at most: there are no more colours");
    bench.entries.push(newEntry(bench.catalogue[bench.entries.length % bench.catalogue.length].key));
    rebuild();
  });
  document.querySelectorAll("[data-copy]").forEach((button) => button.addEventListener("click", () => {
    bench.copy = button.dataset.copy;
    showCopy();
  }));
  $("copy").addEventListener("click", () => toClipboard($("text").textContent, "Copied."));
  $("share").addEventListener("click", () => {
    history.replaceState(null, "", linkText());
    toClipboard(location.href, "The link is in the address bar and copied: it holds the laws and the history.");
  });
  $("scheme").addEventListener("click", () => {
    scheme.choose(scheme.isDark() ? "light" : "dark");
    showScheme();
  });
}

function showScheme() {
  $("scheme").setAttribute("aria-pressed", String(scheme.isDark()));
}

function showCopy() {
  document.querySelectorAll("[data-copy]").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.copy === bench.copy)));
  stale.text = true;
  later();
}

async function toClipboard(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch { say("The browser does not let this page copy; select the text instead."); }
}

async function begin() {
  wasmBinary = Uint8Array.from(atob(document.getElementById("wasm").textContent.trim()), (c) => c.charCodeAt(0)).buffer;
  bench.laws = await openLaws(wasmBinary.slice(0));
  bench.catalogue = bench.laws.catalogue();
  listen();
  bench.entries = [newEntry("jenkins", { kt: 1, fs: 0.6 }), newEntry("iwan4", { FS: 0.6, KT: 1, chi: -0.5, beta: 0.1 }),
                   newEntry("bouc-wen", { A: 1, alpha: 1.5, beta: -0.2, n: 1.5 })];
  madeHistory();
  if (location.hash.length > 1) {
    try {
      openLink(location.hash);
    } catch (error) { say(`The link could not be read: ${error.message}`); }
  }
  rebuild();
  $("kind").value = bench.kind;
  $("points").value = bench.points;
  showAmplitude();
  showScheme();
  showCopy();
  frame();
  document.body.dataset.ready = "1";
}
begin();
