// The chosen point: its errors, its backbones against the data, its parameters, the loops of its joints, where it slips.
"use strict";

let pointCharts = [];

// Where on its search range a value lies, 0 to 1.
function position(parameter, value) {
  const f = parameter.log ? Math.log10 : (v) => v;
  const t = (f(value) - f(parameter.low)) / (f(parameter.high) - f(parameter.low));
  return isFinite(t) ? Math.min(1, Math.max(0, t)) : null;
}

function makeRangeBar(parent, variant, p, point) {
  const { parameters, front } = variant, parameter = parameters[p];
  const values = front.map((q) => position(parameter, q.x[p])).filter((t) => t !== null);
  if (values.length === 0) return;
  const bar = element(parent, "div", "bar"), part = element(bar, "i");
  const low = Math.min(...values), high = Math.max(...values);
  part.style.left = `${100 * low}%`;
  part.style.width = `${100 * (high - low)}%`;
  part.style.background = `var(${variant.colour})`;
  if (parameter.published?.every(isNumber)) {
    const [from, to] = parameter.published.map((value) => position(parameter, value)), bracket = element(bar, "u");
    bracket.style.left = `${100 * from}%`;
    bracket.style.width = `${100 * (to - from)}%`;
  }
  if (point !== null) element(bar, "b").style.left = `${100 * position(parameter, front[point].x[p])}%`;
}

function makeChosenBar() {
  const bar = byId("chosen"), { variant, point } = choice, here = variant.front[point];
  bar.textContent = "";
  const title = element(bar, "h2");
  swatch(title, variant);
  element(title, "span", "", fullName(variant));
  element(bar, "span", "quiet", [`point ${point + 1} of ${variant.front.length}`, ...kindsOf(here).map((k) => kindNames[k])].join(", "));
  const tools = element(bar, "div", "tools");
  const go = (text, name, to) => {
    const button = makeButton(tools, "", text, () => choose(variant, to));
    button.title = name;
    button.disabled = to === point || to < 0 || to >= variant.front.length;
  };
  go("\u25c0", "next point with less frequency error", point - 1);
  go("\u25b6", "next point with less damping error", point + 1);
  for (const kind of Object.keys(kindNames)) {
    const at = variant.front.findIndex((p) => kindsOf(p).includes(kind));
    if (at >= 0) go(kind === "knee" ? "Knee" : "Utopia", kindNames[kind], at);
  }
  const held = choice.held;
  const hold = makeButton(tools, "toggle", held ? "Let go" : "Hold to compare", () => {
    choice.held = held ? null : { variant, point };
    changed("point");
  });
  hold.setAttribute("aria-pressed", String(Boolean(held)));
  const unit = makeButton(tools, "toggle", "rad/s", () => {
    choice.radians = !choice.radians;
    changed("point");
  });
  unit.id = "radians";
  unit.title = "frequencies in rad/s instead of Hz";
  unit.setAttribute("aria-pressed", String(choice.radians));
  if (held) {
    const note = element(bar, "span", "quiet held", "dashed: ");
    swatch(note, held.variant);
    note.append(` ${fullName(held.variant)}, point ${held.point + 1}`);
  }
}

function modelCurve(variant, point, j, key, style) {
  const b = variant.front[point].backbones?.[j];
  if (!b) return null;
  const ok = (k) => b.converged === undefined || b.converged === true || b.converged[k] === true;
  return { x: b.amplitude, y: b[key].map((value, k) => (ok(k) ? value : null)), ...style };
}

// Every measured point, and where the errors are taken if not there.
function measuredCurves(mode, key) {
  const { measured, compared } = mode;
  const curves = [{ label: dataName, x: measured.amplitude, y: measured[key], colour: "--ink", dash: [], width: 0, radius: measured.amplitude.length > 300 ? 1.5 : 2.5,
                    band: measured[key + "_low"]?.length ? { low: measured[key + "_low"], high: measured[key + "_high"] } : undefined }];
  if (compared?.[key]?.length) curves.push({ label: `compared: ${compared.points} interpolated points`, x: compared.amplitude, y: compared[key], colour: "--quiet", dash: [2, 3], width: 1 });
  return curves;
}

const inUnit = (values) => (choice.radians ? values.map((value) => (isNumber(value) ? 2 * Math.PI * value : value)) : values);
const curveInUnit = (curve) => ({ ...curve, y: inUnit(curve.y), band: curve.band && { low: inUnit(curve.band.low), high: inUnit(curve.band.high) } });

function backbonePanel(parent, mode, j, key) {
  const data = mode.measured, isDamping = key === "damping";
  const curves = measuredCurves(mode, key);
  const { variant, point, held } = choice;
  const other = held && modelCurve(held.variant, held.point, j, key, { label: fullName(held.variant) + ", held", colour: held.variant.colour, dash: [6, 4] });
  if (other) curves.push(other);
  const model = modelCurve(variant, point, j, key, { label: variant.title, colour: variant.colour, dash: [], width: 2.5 });
  if (model) curves.push(model);
  const chart = makePanel(parent, {
    title: `${modeName(mode)}: ${key}`,
    x: { label: unitOf(data.amplitude_label ?? "amplitude", data.amplitude_unit), logarithmic: true },
    y: { label: isDamping ? "damping ratio \u03b6" : choice.radians ? "\u03c9 / (rad/s)" : "frequency / Hz", logarithmic: isDamping },
    curves: isDamping ? curves : curves.map(curveInUnit),
  }, { height: (width) => Math.min(340, Math.max(230, 0.62 * width)) });
  if (isDamping === false) {
    const errors = variant.front[point].errors[j];
    const line = element(chart.root, "p", "errors");
    if (errors) line.append(`errors: frequency ${percent(errors[0])}, damping\u00a0${percent(errors[1])}`, verdict(errors, mode.variability));
    chart.root.querySelector(".panel-head").after(line);
  }
  if (!model) makeMissing(chart.root, variant, point, j);
  return chart;
}

// Large fronts keep the backbones of some points only.
function makeMissing(parent, variant, point, j) {
  const note = element(parent, "p", "quiet small", "This point\u2019s backbone is not in the report. ");
  const there = [...variant.front.keys()].filter((k) => variant.front[k].backbones?.[j]);
  if (there.length === 0) return;
  const next = there.reduce((a, b) => (Math.abs(b - point) < Math.abs(a - point) ? b : a));
  makeButton(note, "link", `Point ${next + 1} has one.`, () => choose(variant, next));
}

// Against what the experiment itself leaves open.
function verdict(errors, variability) {
  if (!variability?.every(isNumber)) return "";
  const within = ["frequency", "damping"].filter((_, c) => errors[c] <= variability[c]);
  return `; within the variability: ${within.length === 2 ? "both" : within[0] ?? "neither"}`;
}

function makeParameters() {
  const root = byId("point-parameters"), { variant, point } = choice, here = variant.front[point];
  root.textContent = "";
  element(root, "h3", "", "Parameters");
  const table = element(element(root, "div", "scroll"), "table");
  const head = element(element(table, "thead"), "tr");
  ["", "value", "unit", "within the search"].forEach((text, c) => element(head, "th", c === 1 ? "number" : "", text));
  const body = element(table, "tbody");
  variant.parameters.forEach((parameter, p) => {
    const row = element(body, "tr");
    const name = symbol(element(row, "th"), parameter.symbol ?? parameter.key);
    name.scope = "row";
    if (parameter.symbol && parameter.symbol !== parameter.key) element(name, "small", "", " " + parameter.key);
    element(row, "td", "number", figures(here.x[p], 5));
    element(row, "td", "", parameter.unit || "\u2013");
    makeRangeBar(element(row, "td"), variant, p, point);
  });
  const held = Object.entries(variant.fixed ?? {}).map(([key, value]) => `${key} = ${isNumber(value) ? figures(value, 5) : value}`);
  const facts = [variant.law ? `law ${variant.law}` : null, held.length ? `held: ${held.join(", ")}` : null, variant.method ? `found by ${methodName(variant)}` : null,
                 isNumber(here.residual) ? `residual ${figures(here.residual, 2)}` : null, here.model ? `model file ${here.model}` : null];
  element(root, "p", "quiet small", facts.filter((f) => f).join("; "));
}

const atAmplitude = (thing) => {
  const data = study.modes.find((m) => m.mode === thing.mode)?.measured;
  return thing.mode && isNumber(thing.amplitude)
    ? `mode ${thing.mode} at ${data?.amplitude_label ?? "amplitude"} ${figures(thing.amplitude, 3)} ${data?.amplitude_unit ?? ""}`.trimEnd() : "";
};

const notThere = "Not in the report for this point; those of the knee and the ends are.";

function makeLoops() {
  const root = byId("point-loops"), loops = choice.variant.front[choice.point].loops ?? [];
  root.textContent = "";
  element(root, "h3", "", "Joint loops");
  if (loops.length === 0) return element(root, "p", "quiet", notThere);
  pointCharts.push(makeLoopsPanel(root, {
    title: atAmplitude(loops[0]),
    x: { label: unitOf("displacement u", loops[0].u_unit ?? "m") },
    y: { label: unitOf("force f", loops[0].f_unit ?? "N") },
    curves: loops.map((loop) => ({ label: loop.joint, x: loop.u, y: loop.f })),
  }));
}

function makeSlip() {
  const root = byId("point-slip"), slip = choice.variant.front[choice.point].slip;
  root.textContent = "";
  element(root, "h3", "", "Slip map");
  if (!slip?.x?.length) return element(root, "p", "quiet", notThere);
  makeSlipMap(root, slip, atAmplitude(slip));
}

function showPoint() {
  pointCharts.splice(0).forEach((chart) => chart.remove());
  makeChosenBar();
  study.modes.forEach((mode, j) => {
    for (const key of ["frequency", "damping"]) pointCharts.push(backbonePanel(byId("backbones"), mode, j, key));
  });
  makeParameters();
  makeLoops();
  makeSlip();
}

function makePoint() {
  byId("point").hidden = !ranked.some((v) => v.front.length);
  listeners.push((what) => { if (what === "point") showPoint(); });
  // Arrow keys walk along the front, unless they are needed elsewhere.
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, pre, summary, .scroll") || event.altKey || event.ctrlKey || event.metaKey || !choice.variant) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const to = choice.point + step;
    if (step && to >= 0 && to < choice.variant.front.length) choose(choice.variant, to);
  });
}
