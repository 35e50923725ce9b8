// Fronts: one chart a mode, frequency error against damping error. In the modes that were fitted the points of a front
// are joined; in the others they are what these parameters happen to predict. Click one to see all of it.
"use strict";

// Joined only where the points are a front in these two errors too.
function isFront(x, y) {
  for (let k = 1; k < x.length; ++k) if (!(x[k] >= x[k - 1] && y[k] <= y[k - 1])) return false;
  return x.length > 1;
}

function frontCurve(variant, j) {
  const at = (c) => variant.front.map((p) => p.errors[j]?.[c] ?? null);
  const x = at(0), y = at(1);
  return { label: fullName(variant), x, y, variant, shape: variant.shape, dash: [], joined: study.modes[j].fitted && isFront(x, y) };
}

function styleFront(curve) {
  const coloured = choice.coloured.has(curve.variant), chosen = curve.variant === choice.variant;
  curve.colour = coloured ? curve.variant.colour : "--faint";
  curve.width = !curve.joined ? 0 : chosen ? 2.5 : 1;
  curve.radius = chosen ? 4.2 : coloured ? 3 : 2;
}

// Dashed: from the origin to the experiment's own variability. Cross: the lower corner of the box of the area.
function drawBoxes(u, mode) {
  const { left, top, width, height } = u.bbox, ratio = devicePixelRatio;
  const place = ([x, y]) => [u.valToPos(x, "x", true), u.valToPos(y, "y", true)];
  withinPlot(u, (ctx) => {
    ctx.lineWidth = 1.5 * ratio;
    if (mode.variability?.every((v) => isNumber(v) && v > 0)) {
      const [x, y] = place(mode.variability);
      ctx.fillStyle = css("--band");
      ctx.fillRect(left, y, x - left, top + height - y);
      ctx.strokeStyle = css("--quiet");
      ctx.setLineDash([5 * ratio, 4 * ratio]);
      ctx.strokeRect(left - 5 * ratio, y, x - left + 5 * ratio, top + height - y + 5 * ratio);
      ctx.setLineDash([]);
    }
    if (mode.box) {
      const [x, y] = place(mode.box.lower), arm = 5 * ratio;
      ctx.strokeStyle = css("--ink");
      ctx.beginPath();
      for (const side of [-1, 1]) {
        ctx.moveTo(x - arm, y - side * arm);
        ctx.lineTo(x + arm, y + side * arm);
      }
      ctx.stroke();
    }
  });
}

function drawRing(u, variant, point, j, colour) {
  const [x, y] = variant?.front[point]?.errors[j] ?? [];
  if (!isNumber(x) || !isNumber(y)) return;
  withinPlot(u, (ctx) => {
    ctx.strokeStyle = css(colour);
    ctx.lineWidth = 2.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.arc(u.valToPos(x, "x", true), u.valToPos(y, "y", true), 7.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.stroke();
  });
}

let frontPanels = [];

function frontPanel(mode, j) {
  // Worst first: the best lie on top.
  const curves = ranked.filter((v) => v.front.some((p) => p.errors[j])).reverse().map((v) => frontCurve(v, j));
  curves.forEach(styleFront);
  const panel = {
    title: `${modeName(mode)}: ${mode.fitted ? "fitted" : "predicted"}`,
    x: { label: "frequency error", logarithmic: !choice.linear },
    y: { label: "damping error", logarithmic: !choice.linear },
    curves,
  };
  const chart = makePanel(byId("fronts-panels"), panel, {
    legend: false,
    height: (width) => Math.min(460, Math.max(270, 0.82 * width)),
    reach: () => ({ x: [mode.variability?.[0], mode.box?.lower[0]], y: [mode.variability?.[1], mode.box?.lower[1]] }),
    pick: (i, k) => choose(curves[i].variant, k),
    under: (u) => drawBoxes(u, mode),
    over: (u) => {
      const chosen = curves.findIndex((curve) => curve.variant === choice.variant);
      if (chosen >= 0) drawMarks(panel, u, chosen);
      if (choice.held) drawRing(u, choice.held.variant, choice.held.point, j, "--quiet");
      drawRing(u, choice.variant, choice.point, j, "--ink");
    },
  });
  return { chart, curves };
}

function updateFronts(what) {
  if (what === "linear" || frontPanels.length === 0) {
    frontPanels.forEach(({ chart }) => chart.remove());
    frontPanels = study.modes.map(frontPanel);
    return;
  }
  frontPanels.forEach(({ chart, curves }) => {
    curves.forEach(styleFront);
    chart.restyle?.();
  });
}

function drawFrontsLegend() {
  const legend = byId("fronts-legend");
  legend.textContent = "";
  ranked.filter((v) => choice.coloured.has(v)).forEach((v) => {
    const button = makeButton(legend, v === choice.variant ? "chosen" : "", undefined, () => choose(v, v === choice.variant ? choice.point : kneeOf(v)));
    swatch(button, v);
    element(button, "span", "", fullName(v));
  });
  const others = ranked.filter((v) => v.front.length && !choice.coloured.has(v)).length;
  if (others) element(legend, "span", "quiet", `grey: ${others} other${others > 1 ? "s" : ""}`);
  if (study.modes.some((m) => m.variability)) element(element(legend, "span", "key"), "i", "box-key").after(" experiment\u2019s variability");
  if (study.modes.some((m) => m.box)) element(legend, "span", "key", "\u00d7 lower corner of the area\u2019s box");
}

function makeFronts() {
  const fitted = study.modes.filter((m) => m.fitted).map((m) => m.mode), predicted = study.modes.filter((m) => !m.fitted).map((m) => m.mode);
  byId("fronts-lead").textContent =
    `Each point is one set of parameters, solved again at tight tolerance. Fitted: mode ${fitted.join(", ") || "none"}` +
    (predicted.length ? `; predicted with the same parameters: mode ${predicted.join(", ")}.` : ".") +
    " Errors are root mean squares over the measured amplitudes: of \u03c9/\u03c9\u2098 \u2212 1, and of ln \u03b6/ln \u03b6\u2098 \u2212 1.";
  const tools = byId("fronts-tools");
  const linear = makeButton(tools, "toggle", "Linear axes", () => {
    choice.linear = !choice.linear;
    linear.setAttribute("aria-pressed", String(choice.linear));
    changed("linear");
  });
  linear.id = "linear";
  linear.setAttribute("aria-pressed", "false");
  const colourOnly = (wanted) => () => {
    choice.coloured = new Set(ranked.filter((v) => v.front.length && (wanted(v) || v === choice.variant)));
    changed("coloured");
  };
  makeButton(tools, "", "All in colour", colourOnly(() => true));
  if (ranked.length > colours) makeButton(tools, "", `Best ${colours}`, colourOnly((v) => v.order < colours));
  for (const joint of ["whole", "full"])
    if (new Set(ranked.map((v) => v.joint)).size > 1 && ranked.some((v) => v.joint === joint))
      makeButton(tools, "", jointNames[joint][0].toUpperCase() + jointNames[joint].slice(1), colourOnly((v) => v.joint === joint));

  listeners.push((what) => {
    drawFrontsLegend();
    updateFronts(what);
  });
}
