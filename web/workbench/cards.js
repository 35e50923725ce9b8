// A card per law: which one, what stands beside it, its parameters as sliders and numbers.
"use strict";

// Ends of a slider from the law's table: about the value a law is tested with, within its bounds.
function sliderEnds(p, start) {
  const lower = p.lower ?? -Infinity, upper = p.upper ?? Infinity;
  if (p.scale === "log") {
    const middle = start > 0 ? start : 1;
    return { log: true, low: Math.max(lower, middle * 1e-3), high: Math.min(upper, middle * 1e3), zero: lower === 0 && !p.lower_open };
  }
  const reach = Math.max(Math.abs(start), 1) * 4;
  const inner = (bound, open, sign, other) => (Number.isFinite(bound) ? (open ? bound + sign * 1e-3 * Math.min(1, Math.abs(other - bound) || 1) : bound) : start + sign * -reach);
  return { log: false, low: inner(lower, p.lower_open, 1, Number.isFinite(upper) ? upper : lower + reach),
           high: inner(upper, p.upper_open, -1, Number.isFinite(lower) ? lower : upper - reach) };
}
const steps = 1000;
function valueAt(ends, position) {
  const t = position / steps;
  if (!ends.log) return Number((ends.low + t * (ends.high - ends.low)).toPrecision(6));
  if (ends.zero && position === 0) return 0;
  return Number((ends.low * Math.pow(ends.high / ends.low, t)).toPrecision(4));
}
function positionOf(ends, value) {
  const t = ends.log ? (value > 0 ? Math.log(value / ends.low) / Math.log(ends.high / ends.low) : 0) : (value - ends.low) / (ends.high - ends.low);
  return Math.round(steps * Math.min(1, Math.max(0, t)));
}

// What `faying laws` says of a law that shall be shown first, from its table.
function startingValues(catalogue, expression, parameters) {
  const values = {};
  let first = 0;
  for (const key of expression.split("+")) {
    const entry = catalogue.find((one) => one.key === key);
    const count = entry ? entry.parameters.length : 1;
    parameters.slice(first, first + count).forEach((p, k) => {
      const start = entry?.specimen?.values[k] ?? p.default ?? (entry ? null : 0.1);
      if (p.required || (start !== null && start !== p.default)) values[p.key] = start ?? (p.scale === "log" ? 1 : 0.5 * ((p.lower ?? -1) + (p.upper ?? 1)));
    });
    first += count;
  }
  return values;
}

// entry: { name, values, refused, found }. `tell` hears of a changed value; `remake` of another law; `drop` removes it.
function makeCard(parent, bench, i, { tell, remake, drop, fit }) {
  const entry = bench.entries[i], card = element(parent, "section", "card");
  const label = `law ${i + 1}`;
  card.style.borderLeftColor = `var(${colourName(i)})`;
  card.setAttribute("aria-label", label);
  const names = element(card, "div", "names"), parts = entry.name.split("+");
  const choose = (text, options, value, act) => {
    const select = element(names, "select");
    select.setAttribute("aria-label", text);
    for (const [key, title] of options) Object.assign(element(select, "option", "", title), { value: key });
    select.value = value;
    select.addEventListener("change", () => act(select.value));
    return select;
  };
  const every = bench.catalogue.map((one) => [one.key, one.key]);
  const beside = parts.slice(1).join("+");
  const besides = [["", "alone"], ["kp", "+ kp"], ...bench.catalogue.filter((one) => one.driven_by === "displacement").map((one) => [one.key, `+ ${one.key}`])];
  if (!besides.some(([key]) => key === beside)) besides.push([beside, `+ ${beside}`]);
  choose(`${label}: which`, every, parts[0], (key) => remake(i, key));
  const second = choose(`${label}: what stands beside it`, besides, beside, (key) => remake(i, key ? `${parts[0]}+${key}` : parts[0]));
  const about = bench.catalogue.find((one) => one.key === parts[0]);
  second.disabled = about.driven_by === "force";
  element(card, "p", "about", `${about.title}${about.driven_by === "force" ? "; driven by force: the history is a force" : ""}. ${about.source}`);

  const rows = [];
  const addRow = (to, p) => {
    const start = entry.values[p.key] ?? p.default ?? 0;
    const ends = sliderEnds(p, start), row = element(to, "div", "parameter");
    const name = element(row, "label", "", p.key);
    const slider = element(row, "input"), number = element(row, "input", "number");
    element(row, "span", "unit", p.unit || "–");
    slider.type = "range";
    Object.assign(slider, { min: 0, max: steps, step: 1, id: `slider-${i}-${p.key}` });
    name.htmlFor = slider.id;
    row.title = `${p.meaning}, in ${p.range}`;
    slider.setAttribute("aria-label", `${label}: ${p.key}, ${p.meaning}, ${ends.log ? "logarithmic" : "linear"}`);
    number.inputMode = "decimal";
    number.setAttribute("aria-label", `${label}: ${p.key} as a number, in ${p.range}`);
    const show = (value, but) => {
      if (but !== slider) slider.value = positionOf(ends, value);
      if (but !== number) number.value = String(value);
      slider.setAttribute("aria-valuetext", `${value} ${p.unit}`);
    };
    show(start);
    slider.addEventListener("input", () => {
      const value = valueAt(ends, Number(slider.value));
      show(value, slider);
      tell(i, p.key, value);
    });
    number.addEventListener("change", () => {
      const value = Number(number.value);
      const good = number.value.trim() !== "" && Number.isFinite(value);
      number.setAttribute("aria-invalid", String(!good));
      if (!good) return;
      show(value, number);
      tell(i, p.key, value);
    });
    rows.push([p.key, show]);
  };
  const parameters = bench.laws.parameters(entry.name);
  const shown = parameters.filter((p) => p.required || p.key in entry.values), more = parameters.filter((p) => !shown.includes(p));
  shown.forEach((p) => addRow(card, p));
  if (more.length > 0) {
    const details = element(card, "details");
    element(details, "summary", "", `${more.length} more, by default as the law has them`);
    more.forEach((p) => addRow(details, p));
  }
  const refused = element(card, "p", "refused"), found = element(card, "p", "found");
  refused.setAttribute("role", "alert");
  const bar = element(card, "progress");
  bar.hidden = true;
  bar.setAttribute("aria-label", `${label}: fit`);
  const buttons = element(card, "div", "buttons");
  const fitButton = makeButton(buttons, "", "Fit to the measured loop", () => fit(i));
  const dropButton = makeButton(buttons, "", "Remove", () => drop(i));
  dropButton.setAttribute("aria-label", `remove ${label}`);
  return {
    show(values) { rows.forEach(([key, show]) => { if (key in values) show(values[key]); }); },
    update() {
      setText(refused, entry.refused ?? "");
      setText(found, entry.found ?? "");
      fitButton.hidden = !bench.measured;
      dropButton.hidden = bench.entries.length < 2;
    },
    progress(share) {
      bar.hidden = share === null;
      bar.value = share ?? 0;
      fitButton.disabled = share !== null;
    },
  };
}
