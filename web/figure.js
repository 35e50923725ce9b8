// The page of one figure: its panels, its table, its numbers as CSV.
"use strict";

const figure = JSON.parse(document.getElementById("data").textContent);

// Two columns a curve, shorter curves end in empty cells.
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

// Curves with a point for each detail show it when the point is clicked, and dot the one that is shown.
const details = figure.details ?? [];
const hasDetails = (curve) => details.length > 0 && curve.x.length === details.length;
const pickable = figure.panels.map((panel) => panel.curves.some(hasDetails));
let detailCharts = [];

function showDetail(k) {
  const root = document.getElementById("detail");
  detailCharts.splice(0).forEach((chart) => chart.remove());
  root.textContent = "";
  root.hidden = false;
  root.dataset.point = k;
  element(root, "h2", "", details[k].title);
  const row = element(root, "div", "detail-panels");
  details[k].panels.forEach((panel) => detailCharts.push(makeLoopsPanel(row, panel)));
  for (const map of details[k].maps) {
    const place = element(row, "div", "detail-map");
    element(place, "h3", "", map.title);
    makeSlipMap(place, map, "");
  }
  figure.panels.forEach((panel, p) => {
    if (!pickable[p]) return;
    for (const curve of panel.curves) if (hasDetails(curve)) curve.marks = [k];
    panels[p].restyle();
  });
}

document.getElementById("title").textContent = figure.title;
document.getElementById("subtitle").textContent = figure.subtitle;
const panels = figure.panels.map((panel, p) => makePanel(document.getElementById("panels"), panel, !pickable[p] ? {} : {
  pick: (i, k) => { if (hasDetails(panel.curves[i])) showDetail(k); },
}));
if (details.length > 0) {
  document.getElementById("pick-hint").hidden = !pickable.some((can) => can);
  showDetail(details.length - 1);
}
makeTable(figure.table);
document.getElementById("save").addEventListener("click", () => saveFile(fileName(figure.title, "figure") + ".csv", "text/csv", csv()));
document.body.dataset.ready = "1";
