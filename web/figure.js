// The interactive figure: one uPlot a panel. x need not increase, so curves are drawn and searched point by point.
"use strict";

function showError(message) {
  document.body.dataset.error = message;
  const note = document.createElement("p");
  note.className = "error";
  note.textContent = "This figure could not be drawn: " + message;
  document.body.prepend(note);
}
window.addEventListener("error", (event) => showError(event.message));
window.addEventListener("unhandledrejection", (event) => showError(String(event.reason)));

const figure = JSON.parse(document.getElementById("data").textContent);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const font = (size) => `${size}px system-ui, -apple-system, "Segoe UI", Roboto, Arial, "DejaVu Sans", sans-serif`;
const colours = 7;
const dashes = [[], [8, 4], [2, 4], [10, 4, 2, 4]];  // a second round of colours is dashed
const colourName = (i) => "--curve-" + (i % colours);
const dashOf = (i) => dashes[Math.floor(i / colours) % dashes.length];

function element(parent, tag, className, text) {
  const made = parent.appendChild(document.createElement(tag));
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// null stands for what is not finite
const onAxis = (value, axis) => value !== null && (!axis.logarithmic || value > 0);
const drawable = (panel, curve, k) => onAxis(curve.x[k], panel.x) && onAxis(curve.y[k], panel.y);

function extent(panel, key, isShown) {
  let low = Infinity, high = -Infinity;
  panel.curves.forEach((curve, i) => {
    if (!isShown(i)) return;
    for (let k = 0; k < curve.x.length; ++k) {
      if (!drawable(panel, curve, k)) continue;
      low = Math.min(low, curve[key][k]);
      high = Math.max(high, curve[key][k]);
    }
  });
  return low <= high ? [low, high] : panel[key].logarithmic ? [1, 10] : [0, 1];
}

// The part of a segment within the box, or null. A deep zoom puts points beyond what a canvas can hold exactly.
function clipped(x0, y0, x1, y1, box) {
  let enter = 0, leave = 1;
  for (const [p, q] of [[x0 - x1, x0 - box.left], [x1 - x0, box.right - x0], [y0 - y1, y0 - box.top], [y1 - y0, box.bottom - y0]]) {
    if (p === 0 && q < 0) return null;
    if (p < 0) enter = Math.max(enter, q / p);
    if (p > 0) leave = Math.min(leave, q / p);
  }
  if (enter > leave) return null;
  const at = (t) => [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
  return { from: enter > 0 ? at(enter) : [x0, y0], to: leave < 1 ? at(leave) : [x1, y1], entered: enter > 0 };
}

function curvePath(panel, curve, u) {
  const { left, top, width, height } = u.bbox;
  const box = { left: left - 50, right: left + width + 50, top: top - 50, bottom: top + height + 50 };
  const path = new Path2D();
  let before = null, joined = false;
  for (let k = 0; k < curve.x.length; ++k) {
    if (!drawable(panel, curve, k)) {
      before = null;
      continue;
    }
    const here = [u.valToPos(curve.x[k], "x", true), u.valToPos(curve.y[k], "y", true)];
    const part = before && clipped(...before, ...here, box);
    if (part) {
      if (!joined || part.entered) path.moveTo(...part.from);
      path.lineTo(...part.to);
    }
    joined = part !== null;
    before = here;
  }
  return { stroke: path, fill: null, clip: null, flags: 0 };
}

// Reversals, and points between gaps on both sides, which no line shows.
function drawMarks(panel, u, i) {
  const curve = panel.curves[i], { left, top, width, height } = u.bbox, ctx = u.ctx;
  const radius = 3.5 * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = css(colourName(i));
  const shown = (k) => k >= 0 && k < curve.x.length && drawable(panel, curve, k);
  const lone = [...curve.x.keys()].filter((k) => shown(k) && !shown(k - 1) && !shown(k + 1));
  for (const k of [...curve.marks, ...lone]) {
    if (!drawable(panel, curve, k)) continue;
    const x = u.valToPos(curve.x[k], "x", true), y = u.valToPos(curve.y[k], "y", true);
    if (x < left || x > left + width || y < top || y > top + height) continue;
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

// The shown point nearest to the cursor, in pixels.
function nearest(panel, u) {
  let best = null, closest = Infinity;
  panel.curves.forEach((curve, i) => {
    if (!u.series[i + 1].show) return;
    for (let k = 0; k < curve.x.length; ++k) {
      if (!drawable(panel, curve, k)) continue;
      const left = u.valToPos(curve.x[k], "x"), top = u.valToPos(curve.y[k], "y");
      const distance = (left - u.cursor.left) ** 2 + (top - u.cursor.top) ** 2;
      if (distance < closest && left >= 0 && top >= 0 && left <= u.over.clientWidth && top <= u.over.clientHeight) {
        closest = distance;
        best = { i, k, left, top };
      }
    }
  });
  return best;
}

function axisOptions(axis, key) {
  const spacing = key === "x" ? 75 : 42;  // pixels a label
  let ticks = [], room = 0;
  return {
    scale: key,
    label: axis.label,
    labelSize: 24,
    font: font(12),
    labelFont: font(13),
    stroke: () => css("--ink"),
    // uPlot leaves out an axis whose range is below 1e-16; dissipation in microslip is. One endless increment avoids it.
    incrs: (u, _, low, high, pixels) => {
      room = Math.max(2, Math.floor(pixels / spacing));
      return [Number.MAX_VALUE];
    },
    splits: (u, _, low, high) => {
      ticks = Ticks.at(low, high, axis.logarithmic, room);
      return ticks.map((t) => t.value);
    },
    values: () => ticks.map((t) => t.label),
    size: key === "x" ? 34 : (u, labels) => 18 + 7 * Math.max(2, ...(labels ?? []).map((text) => text.length)),
    grid: { stroke: () => css("--grid"), width: 1, filter: (u, splits) => splits.map((v, i) => (ticks[i]?.label ? v : null)) },
    ticks: { stroke: () => css("--quiet"), width: 1, size: 5 },
    border: { show: true, stroke: () => css("--quiet"), width: 1 },
  };
}

// Six digits are more than the eye can place; the CSV has them all.
const short = (value) => String(Number(value.toPrecision(6)));

function makePanel(panel) {
  const root = element(document.getElementById("panels"), "section", "panel");
  const head = element(root, "div", "panel-head");
  element(head, "h2", "", panel.title);
  const reset = element(head, "button", "reset", "Reset zoom");
  const legend = element(root, "div", "legend");
  const plot = element(root, "div", "plot");
  const readout = element(root, "output", "readout");
  reset.type = "button";
  reset.hidden = true;
  if (panel.curves.length === 0) {
    readout.textContent = "no curves";
    return { root };
  }

  let zoom = null;
  let dot = null;
  const size = () => ({ width: plot.clientWidth, height: Math.round(Math.min(520, Math.max(280, 0.72 * plot.clientWidth))) });
  const scale = (key) => ({
    time: false,
    distr: panel[key].logarithmic ? 3 : 1,
    range: (u) => zoom?.[key] ?? Ticks.padded(...extent(panel, key, (i) => u.series[i + 1].show), panel[key].logarithmic),
  });
  // Scales are always asked of range(): setScale() with limits refuses ranges below 1e-16.
  const rescale = () => u.batch(() => ["x", "y"].forEach((key) => u.setScale(key, { min: null, max: null })));

  function setZoom(to) {
    zoom = to;
    reset.hidden = zoom === null;
    rescale();
  }

  function selected() {
    const { left, top, width, height } = u.select;
    if (width === 0 && height === 0) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const x = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    const y = [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
    const fine = ([low, high]) => high - low > 1e-11 * Math.max(Math.abs(low), Math.abs(high));
    if (fine(x) && fine(y)) setZoom({ x, y });
  }

  function hover() {
    const found = u.cursor.left >= 0 ? nearest(panel, u) : null;
    dot.hidden = found === null;
    readout.textContent = "";
    if (found === null) return;
    const curve = panel.curves[found.i];
    dot.style.left = found.left + "px";
    dot.style.top = found.top + "px";
    dot.style.borderColor = css(colourName(found.i));
    readout.textContent =
      `${curve.label}: ${panel.x.label || "x"} = ${short(curve.x[found.k])}, ${panel.y.label || "y"} = ${short(curve.y[found.k])}`;
  }

  const u = new uPlot({
    mode: 2,
    ...size(),
    padding: [10, 14, 0, 0],
    legend: { show: false },
    scales: { x: scale("x"), y: scale("y") },
    axes: [axisOptions(panel.x, "x"), axisOptions(panel.y, "y")],
    cursor: {
      dataIdx: () => null,
      points: { show: false },
      drag: { x: true, y: true, setScale: false, dist: 6, uni: 24 },
      bind: { dblclick: () => () => setZoom(null) },
    },
    series: [{}, ...panel.curves.map((curve, i) => ({
      label: curve.label,
      stroke: () => css(colourName(i)),
      width: 2,
      dash: dashOf(i),
      cap: "round",
      paths: (plotted) => curvePath(panel, curve, plotted),
      points: { show: false },
      facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }],
    }))],
    hooks: {
      init: [(plotted) => { dot = element(plotted.over, "div", "nearest"); dot.hidden = true; }],
      drawSeries: [(plotted, i) => drawMarks(panel, plotted, i - 1)],
      setSelect: [selected],
      setCursor: [hover],
    },
  }, [null, ...panel.curves.map((curve) => [curve.x, curve.y])], plot);

  reset.addEventListener("click", () => setZoom(null));
  panel.curves.forEach((curve, i) => {
    const button = element(legend, "button");
    const line = element(button, "i");
    line.style.borderColor = `var(${colourName(i)})`;
    line.style.borderTopStyle = ["solid", "dashed", "dotted"][Math.floor(i / colours) % dashes.length] ?? "dashed";
    element(button, "span", "", curve.label);
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      const show = !u.series[i + 1].show;
      button.setAttribute("aria-pressed", String(show));
      u.setSeries(i + 1, { show });
    });
  });
  const fit = () => { if (plot.clientWidth > 0 && plot.clientWidth !== u.width) u.setSize(size()); };
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(plot);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", rescale);
  return { root, u };
}

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

function saveCsv() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
  link.download = (figure.title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "figure") + ".csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
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

document.getElementById("title").textContent = figure.title;
document.getElementById("subtitle").textContent = figure.subtitle;
const panels = figure.panels.map(makePanel);
makeTable(figure.table);
document.getElementById("save").addEventListener("click", saveCsv);
document.body.dataset.ready = "1";
