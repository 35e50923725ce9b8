// One uPlot a panel, for every page: curves whose x need not increase (loops), drawn and searched point by point; points
// to pick; bands; linear and logarithmic axes with ticks.js.
//
//     const chart = makePanel(parent, { title, x: { label, logarithmic }, y: {..}, curves: [curve, ..] }, options);
//
// curve: label, x[], y[] (null: not finite), and optionally
//     marks     indices of points to dot
//     colour    name of a style variable ("--curve-0"); dash; width (0: no line); radius and shape of dots at every point
//     band      { low[], high[] } about y, filled
//     quiet     true: not in the legend
// options (all optional): height(width), pick(i, k), under(u) and over(u) to draw more, reach() => {x: [..], y: [..]} more
//     values the axes shall show, legend: false
"use strict";

// Two canvas pixels or more a CSS pixel: paper is finer than most screens, and a page is printed from these canvases. A page
// that draws many times a second (<html data-live>) has those of the screen.
{
  const own = Object.getOwnPropertyDescriptor(window, "devicePixelRatio");
  if (own?.get && document.documentElement.dataset.live === undefined) Object.defineProperty(window, "devicePixelRatio", { configurable: true, get: () => Math.max(2, own.get.call(window)) });
}

// null, or NaN in an array of numbers, stands for what is not finite
const onAxis = (value, axis) => Number.isFinite(value) && (!axis.logarithmic || value > 0);
const drawable = (panel, curve, k) => onAxis(curve.x[k], panel.x) && onAxis(curve.y[k], panel.y);

function extent(panel, key, isShown, more) {
  let low = Infinity, high = -Infinity;
  const reach = (value) => {
    if (!onAxis(value, panel[key])) return;
    if (value < low) low = value;
    if (value > high) high = value;
  };
  panel.curves.forEach((curve, i) => {
    if (!isShown(i)) return;
    const values = curve[key], { x, y } = curve, band = key === "y" ? curve.band : undefined;
    for (let k = 0; k < x.length; ++k) {
      if (!onAxis(x[k], panel.x) || !onAxis(y[k], panel.y)) continue;
      const value = values[k];
      if (value < low) low = value;
      if (value > high) high = value;
      if (band) [band.low[k], band.high[k]].forEach(reach);
    }
  });
  (more ?? []).forEach(reach);
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

// Canvas pixels of values on an axis: what u.valToPos() gives, without asking for each of thousands.
function pixelsOn(panel, u, key) {
  const { min, max } = u.scales[key], from = u.valToPos(min, key, true), to = u.valToPos(max, key, true);
  if (!panel[key].logarithmic) return (value) => from + ((value - min) / (max - min)) * (to - from);
  const low = Math.log10(min), high = Math.log10(max);
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

// A path of straight pieces that leaves out points on the straight way between others, to a tenth of a pixel: thousands of points
// are drawn in a fraction of the time, and look the same.
function penOf(path) {
  const near = 0.1;
  let ax = 0, ay = 0, x1 = 0, y1 = 0, pending = false;           // the last point drawn, the last given
  let open = true, lx = 0, ly = 0, rx = 0, ry = 0, farthest = 0;  // directions that keep all since near the line; open: any
  const flush = () => {
    if (pending) path.lineTo(x1, y1);
    pending = false;
  };
  function from(x, y) {
    ax = x1 = x;
    ay = y1 = y;
    open = true;
    farthest = 0;
  }
  function line(x, y) {
    const dx = x - ax, dy = y - ay, d = Math.sqrt(dx * dx + dy * dy);  // pixels: nothing overflows, and hypot is slow
    const away = d >= farthest && (open || (rx * dy - ry * dx >= 0 && lx * dy - ly * dx <= 0));
    if (!away && pending) {
      flush();
      from(x1, y1);
      return line(x, y);
    }
    farthest = d;
    if (d > near) {
      const nx = (near * dy) / d, ny = (near * dx) / d;
      if (open || lx * (dy + ny) - ly * (dx - nx) < 0) {
        lx = dx - nx;
        ly = dy + ny;
      }
      if (open || rx * (dy - ny) - ry * (dx + nx) > 0) {
        rx = dx + nx;
        ry = dy - ny;
      }
      open = false;
    }
    x1 = x;
    y1 = y;
    pending = true;
    return undefined;
  }
  return { line, end: flush, move: (x, y) => { flush(); path.moveTo(x, y); from(x, y); } };
}

function curvePath(panel, curve, u) {
  const { left, top, width, height } = u.bbox;
  const box = { left: left - 50, right: left + width + 50, top: top - 50, bottom: top + height + 50 };
  const inside = (x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  const atX = pixelsOn(panel, u, "x"), atY = pixelsOn(panel, u, "y");
  const path = new Path2D(), pen = penOf(path);
  let hasBefore = false, joined = false, x0 = 0, y0 = 0, wasInside = false;
  for (let k = 0; k < curve.x.length && curve.width !== 0; ++k) {
    if (!drawable(panel, curve, k)) {
      hasBefore = joined = false;
      continue;
    }
    const x = atX(curve.x[k]), y = atY(curve.y[k]), isInside = inside(x, y);
    if (hasBefore && wasInside && isInside) {
      if (!joined) pen.move(x0, y0);
      pen.line(x, y);
      joined = true;
    } else if (hasBefore) {
      const part = clipped(x0, y0, x, y, box);
      if (part) {
        if (!joined || part.entered) pen.move(...part.from);
        pen.line(...part.to);
      }
      joined = part !== null;
    }
    hasBefore = true;
    x0 = x;
    y0 = y;
    wasInside = isInside;
  }
  pen.end();
  return { stroke: path, fill: null, clip: null, flags: 0 };
}

function withinPlot(u, draw) {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  draw(u.ctx);
  u.ctx.restore();
}

// Where a bound has no logarithm the band reaches the edge of the plot.
function drawBand(panel, u, curve) {
  const clamp = (v) => Math.max(u.bbox.top - 50, Math.min(u.bbox.top + u.bbox.height + 50, v));
  const below = u.bbox.top + u.bbox.height + 50;
  const at = (value) => (onAxis(value, panel.y) ? clamp(u.valToPos(value, "y", true)) : below);
  const shown = [...curve.x.keys()].filter((k) => onAxis(curve.x[k], panel.x) && onAxis(curve.band.high[k], panel.y));
  withinPlot(u, (ctx) => {
    ctx.beginPath();
    shown.forEach((k) => ctx.lineTo(u.valToPos(curve.x[k], "x", true), at(curve.band.high[k])));
    shown.reverse().forEach((k) => ctx.lineTo(u.valToPos(curve.x[k], "x", true), at(curve.band.low[k])));
    ctx.closePath();
    ctx.fillStyle = css("--band");
    ctx.fill();
  });
}

const shapes = ["circle", "square", "triangle", "diamond"];
const shapeOf = (i) => shapes[Math.floor(i / colours) % shapes.length];

// A mark of about the area of a circle of this radius.
function addMark(ctx, shape, x, y, radius) {
  const corners = { square: [4, 0.25, 1.25], triangle: [3, 0.25, 1.5], diamond: [4, 0, 1.35] }[shape];
  if (!corners) return ctx.arc(x, y, radius, 0, 2 * Math.PI);
  const [count, turn, size] = corners;
  for (let c = 0; c < count; ++c) {
    const angle = 2 * Math.PI * ((shape === "square" ? 0.125 : -turn) + c / count);
    ctx[c ? "lineTo" : "moveTo"](x + size * radius * Math.cos(angle), y + size * radius * Math.sin(angle));
  }
  ctx.closePath();
}

// Every point of a curve that has a radius; else reversals, and points between gaps on both sides, which no line shows.
function drawMarks(panel, u, i) {
  const curve = panel.curves[i], { left, top, width, height } = u.bbox, ctx = u.ctx;
  const shown = (k) => k >= 0 && k < curve.x.length && drawable(panel, curve, k);
  const dotted = curve.radius ? [...curve.x.keys()] : [...(curve.marks ?? [])];
  if (!curve.radius)
    for (let k = 0, before = false, here = shown(0), after; k < curve.x.length; ++k, before = here, here = after)
      if (after = shown(k + 1), here && !before && !after) dotted.push(k);
  const radius = (curve.radius ?? 3.5) * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = css(curve.colour ?? colourName(i));
  for (const k of dotted) {
    if (!shown(k)) continue;
    const x = u.valToPos(curve.x[k], "x", true), y = u.valToPos(curve.y[k], "y", true);
    if (x < left || x > left + width || y < top || y > top + height) continue;
    ctx.beginPath();
    addMark(ctx, curve.shape, x, y, radius);
    ctx.fill();
  }
  ctx.restore();
}

// The shown point nearest to a place in the plot, in pixels.
function nearest(panel, u, at) {
  let best = null, closest = Infinity;
  panel.curves.forEach((curve, i) => {
    if (!u.series[i + 1].show) return;
    for (let k = 0; k < curve.x.length; ++k) {
      if (!drawable(panel, curve, k)) continue;
      const left = u.valToPos(curve.x[k], "x"), top = u.valToPos(curve.y[k], "y");
      const distance = (left - at.left) ** 2 + (top - at.top) ** 2;
      if (distance < closest && left >= 0 && top >= 0 && left <= u.over.clientWidth && top <= u.over.clientHeight) {
        closest = distance;
        best = { i, k, left, top };
      }
    }
  });
  return best;
}

function axisOptions(axis, key) {
  const spacing = key === "y" ? 42 : axis.logarithmic ? 52 : 75;  // pixels a label; powers of ten are short
  const fewest = axis.logarithmic ? 3 : 2;                        // with fewer, decades fall back to linear ticks
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
      room = Math.max(fewest, Math.floor(pixels / spacing));
      return [Number.MAX_VALUE];
    },
    splits: (u, _, low, high) => {
      ticks = Ticks.at(low, high, axis.logarithmic, room);
      if (ticks.length < 3) ticks = Ticks.at(low, high, axis.logarithmic, 2 * room);  // steps of 1, 2, 5 may miss by a hair
      return ticks.map((t) => t.value);
    },
    values: () => ticks.map((t) => t.label),
    size: key === "x" ? 34 : (u, labels) => 18 + 7 * Math.max(2, ...(labels ?? []).map((text) => text.length)),
    grid: { stroke: () => css("--grid"), width: 1, filter: (u, splits) => splits.map((v, i) => (ticks[i]?.label ? v : null)) },
    ticks: { stroke: () => css("--quiet"), width: 1, size: 5 },
    border: { show: true, stroke: () => css("--quiet"), width: 1 },
  };
}

// Every chart on the page. Their colours are asked anew of the style when the scheme changes.
const charts = new Set();
const redrawCharts = () => charts.forEach((chart) => chart.rescale());

// Dark or light: as the reader's system says, or as chosen on the page; on paper always light.
const scheme = (() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const rule = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).find((r) => r.media?.mediaText === system.media);
  let chosen = "system", printing = false;
  const isDark = () => !printing && (chosen === "system" ? system.matches : chosen === "dark");
  function apply() {
    rule.media.mediaText = isDark() ? "all" : "not all";
    document.documentElement.style.colorScheme = isDark() ? "dark" : "light";
    document.documentElement.dataset.scheme = isDark() ? "dark" : "light";
    known.clear();
    redrawCharts();
  }
  function print(isPrinting) {
    printing = isPrinting;
    document.body.classList.toggle("printing", printing);
    apply();
    charts.forEach((chart) => chart.fit());
  }
  system.addEventListener("change", apply);
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
  apply();
  return { isDark, choose: (to) => { chosen = to; apply(); } };
})();

function makeLegend(legend, panel, u) {
  panel.curves.forEach((curve, i) => {
    if (curve.quiet) return;
    const button = makeButton(legend, "", undefined, () => {
      const show = !u.series[i + 1].show;
      button.setAttribute("aria-pressed", String(show));
      u.setSeries(i + 1, { show });
    });
    const line = element(button, "i");
    line.style.borderColor = `var(${curve.colour ?? colourName(i)})`;
    line.style.borderTopStyle = curve.width === 0 ? "dotted" : curve.dash ? (curve.dash.length ? "dashed" : "solid")
                                           : ["solid", "dashed", "dotted"][Math.floor(i / colours) % dashes.length] ?? "dashed";
    element(button, "span", "", curve.label);
    button.setAttribute("aria-pressed", "true");
  });
}

function makePanel(parent, panel, options = {}) {
  const root = element(parent, "section", "panel");
  const head = element(root, "div", "panel-head");
  element(head, "h2", "", panel.title);
  const reset = makeButton(head, "reset", "Reset zoom", () => setZoom(null));
  const legend = element(root, "div", "legend");
  const plot = element(root, "div", "plot");
  const readout = element(root, "output", "readout");
  reset.hidden = true;
  if (panel.curves.length === 0) {
    readout.textContent = "no curves";
    return { root, remove: () => root.remove() };
  }

  let zoom = null, dot = null, dragged = false;
  const height = options.height ?? ((width) => Math.min(520, Math.max(280, 0.72 * width)));
  const size = () => ({ width: plot.clientWidth, height: Math.round(height(plot.clientWidth)) });
  const scale = (key) => ({
    time: false,
    distr: panel[key].logarithmic ? 3 : 1,
    range: (u) => zoom?.[key] ?? Ticks.padded(...extent(panel, key, (i) => u.series[i + 1].show, options.reach?.()[key]), panel[key].logarithmic),
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
    dragged = width > 0 || height > 0;
    if (!dragged) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const x = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    const y = [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
    const fine = ([low, high]) => high - low > 1e-11 * Math.max(Math.abs(low), Math.abs(high));
    if (fine(x) && fine(y)) setZoom({ x, y });
  }

  function hover() {
    const found = u.cursor.left >= 0 ? nearest(panel, u, u.cursor) : null;
    dot.hidden = found === null;
    readout.textContent = "";
    if (found === null) return;
    const curve = panel.curves[found.i];
    dot.style.left = found.left + "px";
    dot.style.top = found.top + "px";
    dot.style.borderColor = css(curve.colour ?? colourName(found.i));
    readout.textContent =
      `${curve.label}: ${panel.x.label || "x"} = ${short(curve.x[found.k])}, ${panel.y.label || "y"} = ${short(curve.y[found.k])}`;
  }

  function drawUnder(plotted) {
    panel.curves.forEach((curve, i) => { if (curve.band && plotted.series[i + 1].show) drawBand(panel, plotted, curve); });
    options.under?.(plotted);
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
      drag: { x: true, y: true, setScale: false, dist: 6, uni: 24, click: () => {} },  // a click may tremble
      bind: { dblclick: () => () => setZoom(null) },
    },
    series: [{}, ...panel.curves.map((curve, i) => ({
      label: curve.label,
      stroke: () => css(curve.colour ?? colourName(i)),
      width: curve.width ?? 2,
      dash: curve.dash ?? dashOf(i),
      cap: "round",
      paths: (plotted) => curvePath(panel, curve, plotted),
      points: { show: false },
      facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }],
    }))],
    hooks: {
      init: [(plotted) => { dot = element(plotted.over, "div", "nearest"); dot.hidden = true; }],
      drawAxes: [drawUnder],
      drawSeries: [(plotted, i) => drawMarks(panel, plotted, i - 1)],
      draw: [(plotted) => options.over?.(plotted)],
      setSelect: [selected],
      setCursor: [hover],
    },
  }, [null, ...panel.curves.map((curve) => [curve.x, curve.y])], plot);

  // A finger does not hover first: the click says where it is.
  function pick(event) {
    if (dragged) return;
    const { x, y } = u.over.getBoundingClientRect();
    const found = nearest(panel, u, { left: event.clientX - x, top: event.clientY - y });
    if (found) options.pick(found.i, found.k);
  }
  if (options.pick) {
    u.over.style.cursor = "pointer";
    u.over.addEventListener("mousedown", () => { dragged = false; });
    u.over.addEventListener("click", pick);
  }
  if (options.legend !== false) makeLegend(legend, panel, u);
  const fit = () => { if (plot.clientWidth > 0 && plot.clientWidth !== u.width) u.setSize(size()); };
  const watch = new ResizeObserver(() => requestAnimationFrame(fit));
  watch.observe(plot);
  function remove() {
    watch.disconnect();
    charts.delete(chart);
    u.destroy();
    root.remove();
  }
  // Without a graphics card a line of one pixel takes a fraction of the time that a wider one does.
  function setWidths(most) {
    panel.curves.forEach((curve, i) => {
      u.series[i + 1].width = Math.min(most, curve.width ?? 2);
      u.series[i + 1].cap = most > 1 ? "round" : "butt";
    });
  }
  // Colours, widths and dots of the curves were changed.
  function restyle() {
    setWidths(Infinity);
    rescale();
  }
  // The curves have other points. `moving`: more of them will follow at once, so that thin lines do.
  function refresh(moving = false) {
    setWidths(moving ? 1 / devicePixelRatio : Infinity);
    u.batch(() => {
      u.setData([null, ...panel.curves.map((curve) => [curve.x, curve.y])], false);
      rescale();
    });
  }
  const chart = { root, u, rescale, restyle, refresh, fit, remove };
  charts.add(chart);
  return chart;
}
