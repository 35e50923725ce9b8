// The page of one figure: its panels, its table, its numbers as CSV.
"use strict";

const figure = JSON.parse(document.getElementById("data").textContent);

// Two columns per curve, shorter curves end in empty cells.
function csv() {
  const cell = (text) => '"' + text.replace(/\s+/g, " ").replaceAll('"', '""') + '"';
  const columns = figure.panels.flatMap((panel) => panel.curves.flatMap((curve) => ["x", "y"].map((key) => ({
    name: cell([panel.title, curve.label, panel[key].label || key].filter((part) => part !== "").join(" | ")),
    values: curve[key],
  }))));
  const rows = Math.max(0, ...columns.map((column) => column.values.length));
  const lines = [columns.map((column) => column.name)];
  for (let k = 0; k < rows; ++k) lines.push(columns.map((column) => column.values[k] ?? ""));
  return lines.map((line) => line.join(",") + "\n").join("");
}

function makeTable(rows) {
  if (rows.length === 0) return;
  const table = element(document.getElementById("table"), "table");
  const isNumber = (text) => text.trim() !== "" && isFinite(Number(text));
  rows.forEach((row, r) => {
    const line = element(element(table, r === 0 ? "thead" : "tbody"), "tr");
    row.forEach((text, c) => element(line, r === 0 ? "th" : "td", isNumber(rows[r || 1]?.[c] ?? "") ? "number" : "", text));
  });
}

// Curves whose points have details show them when a point is clicked, and dot the one that is shown.
const details = figure.details ?? [];
const hasDetails = (curve) => curve.first_detail !== undefined;
const pickable = figure.panels.map((panel) => panel.curves.some(hasDetails));
let detailCharts = [];

// The other part of a curve: its colour, dashed.
for (const panel of figure.panels)
  for (const curve of panel.curves)
    if (curve.like !== undefined) Object.assign(curve, { colour: `--curve-${curve.like % colours}`, dash: [6, 4] });

// Details that follow one another in time: every map keeps one scale over all of them.
const scales = !figure.plays ? [] : (details[0]?.maps ?? []).map((_, m) => greatestOf(details.map((detail) => detail.maps[m]).filter((map) => map)));

function showDetail(k) {
  const root = document.getElementById("detail");
  detailCharts.splice(0).forEach((chart) => chart.remove());
  root.textContent = "";
  root.hidden = false;
  root.dataset.point = k;
  element(root, "h2", "", details[k].title);
  const row = element(root, "div", "detail-panels");
  details[k].panels.forEach((panel) => detailCharts.push(makeLoopsPanel(row, panel)));
  details[k].maps.forEach((map, m) => {
    const place = element(row, "div", "detail-map");
    element(place, "h3", "", map.title);
    makeSlipMap(place, map, "", scales[m]);
  });
  document.getElementById("frame").value = k;
  figure.panels.forEach((panel, p) => {
    if (!pickable[p]) return;
    for (const curve of panel.curves) {
      const at = k - curve.first_detail;
      if (hasDetails(curve)) curve.marks = at >= 0 && at < curve.x.length && curve.y[at] !== null ? [at] : [];
    }
    panels[p].restyle();
  });
}

// A slider over the details and a button that runs through them, over and over.
function makePlayer() {
  if (!figure.plays || details.length < 2) return;
  const [player, play, frame] = ["player", "play", "frame"].map((id) => document.getElementById(id));
  const milliseconds = Math.max(40, Math.min(250, 8000 / details.length));
  let timer = null;
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  player.hidden = false;
  frame.max = details.length - 1;
  frame.addEventListener("input", () => { stop(); showDetail(Number(frame.value)); });
  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    play.textContent = "Pause";
    timer = setInterval(() => showDetail((Number(frame.value) + 1) % details.length), milliseconds);
  });
}

document.getElementById("title").textContent = figure.title;
document.getElementById("subtitle").textContent = figure.subtitle;
const panels = figure.panels.map((panel, p) => makePanel(document.getElementById("panels"), panel, !pickable[p] ? {} : {
  pick: (i, k) => { if (hasDetails(panel.curves[i])) showDetail(panel.curves[i].first_detail + k); },
}));
if (details.length > 0) {
  document.getElementById("pick-hint").hidden = !pickable.some((can) => can);
  makePlayer();
  showDetail(details.length - 1);
}
makeTable(figure.table);
document.getElementById("save").addEventListener("click", () => saveFile(fileName(figure.title, "figure") + ".csv", "text/csv", csv()));
document.body.dataset.ready = "1";
