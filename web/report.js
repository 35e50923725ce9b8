// The report of a study: what is chosen, how things are called and written, and how the parts of the page hear of a
// choice. The parts: report_ranking.js, report_fronts.js, report_point.js, report_tables.js. Data: docs/report.md.
"use strict";

const study = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Best first; what has no score last.
const ranked = [...study.variants].sort((a, b) => (a.score ?? Infinity) - (b.score ?? Infinity));
ranked.forEach((variant, i) => {
  variant.order = i;
  variant.colour = colourName(i);
  variant.shape = shapeOf(i);
});

const choice = {
  variant: null,
  point: 0,
  held: null,                                         // { variant, point } to compare with
  coloured: new Set(ranked.slice(0, colours).filter((v) => v.front.length)),  // the others are drawn faintly
  linear: false,
  radians: false,                                     // frequencies in Hz
};
const listeners = [];                                 // called with what changed: "point", "coloured", "linear"
const changed = (what) => listeners.forEach((listener) => listener(what));

function choose(variant, point) {
  if (!variant.front.length) return;
  choice.variant = variant;
  choice.point = Math.max(0, Math.min(variant.front.length - 1, point));
  const wasFaint = !choice.coloured.has(variant);
  choice.coloured.add(variant);
  history.replaceState(null, "", `#${encodeURIComponent(variant.name)}/${choice.point + 1}`);
  if (wasFaint) changed("coloured");
  changed("point");
}

// Names.
const jointNames = { whole: "whole joint", full: "full joint" };
const frameworkNames = { masing: "Masing", loops: "loops" };
const traits = (v) => [jointNames[v.joint] ?? v.joint, frameworkNames[v.framework] ?? v.framework, v.viscous === false ? "no \u03b6\u2080" : null]
  .filter((part) => part);
const fullName = (v) => v.title + (traits(v).length ? ` (${traits(v).join(", ")})` : "");
const modeName = (m) => `Mode ${m.mode}` + (m.name && m.name !== `mode ${m.mode}` ? `, ${m.name}` : "");
const dataName = study.virtual ? "virtual measurement" : "measurement";
const methodName = (v) => (v.method === "both" && v.methods ? v.methods.map((m) => m.method).join(" and ") : v.method ?? "\u2013");
const kindNames = { knee: "knee", utopia: "nearest to utopia" };
const kindsOf = (point) => (point.kind ?? "").split(" ").filter((kind) => kind in kindNames);
const kneeOf = (variant) => Math.max(0, variant.front.findIndex((p) => kindsOf(p).includes("knee")));

// Numbers.
const percent = (value) => (isNumber(value) ? figures(100 * value, 3) + " %" : "\u2013");
const whole = (value) => (isNumber(value) ? Math.round(value).toLocaleString("en").replaceAll(",", "\u202f") : "\u2013");
function duration(seconds) {
  if (!isNumber(seconds)) return "\u2013";
  if (seconds < 1e-3) return `${figures(1e6 * seconds, 3)} \u00b5s`;
  if (seconds < 1) return `${figures(1e3 * seconds, 3)} ms`;
  if (seconds < 120) return `${figures(seconds, 3)} s`;
  if (seconds < 7200) return `${figures(seconds / 60, 3)} min`;
  return `${figures(seconds / 3600, 3)} h`;
}
const sum = (values) => values.reduce((total, value) => total + (value ?? 0), 0);

// f_s/A: what follows an underscore is lowered, up to the next sign or blank; braces hold more.
function symbol(parent, text) {
  for (const part of text.split(/(_\{[^}]*\}|_[\p{L}\p{N}]+)/u)) {
    if (part.startsWith("_")) element(parent, "sub", "", part.replace(/^_\{?|\}$/g, ""));
    else if (part !== "") parent.append(part);
  }
  return parent;
}

function swatch(parent, variant) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
  svg.setAttribute("viewBox", "-7 -7 14 14");
  svg.classList.add("swatch");
  path.setAttribute("d", { circle: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0", square: "M-4 -4h8v8h-8z",
                           triangle: "M0 -5.5l5 9h-10z", diamond: "M0 -6l5 6l-5 6l-5 -6z" }[variant.shape]);
  path.style.fill = `var(${variant.colour})`;
  parent.append(svg);
  return svg;
}

function makeHeader() {
  byId("title").textContent = study.title;
  byId("subtitle").textContent = study.subtitle ?? "";
  const notes = byId("notes");
  if (study.virtual) element(notes, "p", "note", "Virtual experiment: the \u201cmeasurements\u201d were computed, not measured.");
  if (study.complete === false) element(notes, "p", "note warning", "This study is not finished: the ranking is of what there is so far.");
  if (study.compared) element(notes, "p", "note", study.compared[0].toUpperCase() + study.compared.slice(1) + ".");
  for (const text of study.notes ?? []) element(notes, "p", "note", text);
  const counts = (key) => sum(study.variants.map((v) => v.counts?.[key]));
  const tile = (value, label) => {
    const made = element(byId("summary"), "div", "tile");
    element(made, "b", "", value);
    element(made, "span", "", label);
  };
  const predicted = study.modes.some((m) => !m.fitted);
  if (isNumber(ranked[0]?.score)) tile(fullName(ranked[0]), predicted ? "predicts best" : "fits best");
  tile(String(study.variants.length), "models");
  tile(whole(study.timing?.evaluations ?? counts("evaluations")), "evaluations");
  tile(whole(sum(study.variants.map((v) => v.front.length))), "certified points on fronts");
  tile(whole(counts("unconverged") + counts("failed")), "unconverged or failed, on no front");
  if (isNumber(study.timing?.wall_seconds)) tile(duration(study.timing.wall_seconds), "of computing");
}

// Every point of every front: parameters by key, errors by mode.
function csv() {
  const cell = (value) => (isNumber(value) ? String(value) : value == null ? "" : '"' + String(value).replaceAll('"', '""') + '"');
  const keys = [...new Set(ranked.flatMap((v) => v.parameters.map((p) => p.key)))];
  const header = ["variant", "point", "kind", ...study.modes.flatMap((m) => [`frequency_error_${m.mode}`, `damping_error_${m.mode}`]), "residual", ...keys];
  const rows = ranked.flatMap((v) => v.front.map((p, k) => [
    v.name, k + 1, p.kind ?? "front", ...study.modes.flatMap((m, j) => p.errors[j] ?? [null, null]), p.residual,
    ...keys.map((key) => p.x[v.parameters.findIndex((q) => q.key === key)]),
  ]));
  return [header, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
}

function makeTools() {
  const button = byId("scheme");
  const name = () => { button.textContent = scheme.isDark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => { scheme.choose(scheme.isDark() ? "light" : "dark"); name(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();
  const file = fileName(study.title, "report");
  byId("save-csv").addEventListener("click", () => saveFile(file + ".csv", "text/csv", csv()));
  byId("save-json").addEventListener("click", () => saveFile(file + ".json", "application/json", byId("data").textContent));
}

// From the address (a link to a point), else the knee of the best.
function firstChoice() {
  const named = location.hash.match(/^#(.*)\/(\d+)$/);
  const linked = named && ranked.find((v) => encodeURIComponent(v.name) === named[1] && v.front.length);
  if (linked) return choose(linked, Number(named[2]) - 1);
  const best = ranked.find((v) => v.front.length);
  if (best) choose(best, kneeOf(best));
  else changed("coloured");  // nothing to choose from: the tables are the report
}

function startReport() {
  document.documentElement.style.setProperty("--modes", study.modes.length);
  document.body.classList.toggle("one-mode", study.modes.length === 1);
  makeHeader();
  makeTools();
  makeRanking();
  makeFronts();
  makePoint();
  makeRanges();
  makeEffort();
  makeInputs();
  firstChoice();
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
  document.body.dataset.ready = "1";
}
