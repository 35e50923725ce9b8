// What stands behind the fronts: parameter ranges ([S0] Tables 11-15), convergence, failures, time ([S0] Table 10), inputs.
"use strict";

// The part of a parameter's effect that no combination of the others has, over the greatest effect of all.
const identifiability = (share) => (!isNumber(share) ? null : share < 1e-6 ? "not identifiable" : `identifiability ${figures(share, 2)}`);

function rangeCard(parent, variant) {
  const card = element(parent, "article", "card");
  card.dataset.variant = variant.name;
  const title = element(card, "h3");
  swatch(title, variant);
  element(title, "span", "", variant.title);
  element(card, "p", "quiet small", traits(variant).join(", "));
  const table = element(element(card, "div", "scroll"), "table");
  const head = element(element(table, "thead"), "tr");
  ["", "lower", "upper", "unit"].forEach((text, c) => element(head, "th", c === 1 || c === 2 ? "number" : "", text));
  const body = element(table, "tbody");
  variant.parameters.forEach((parameter, p) => {
    const values = variant.front.map((q) => q.x[p]).filter(isNumber);
    const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [null, null];
    const row = element(body, "tr");
    symbol(element(row, "th"), parameter.symbol ?? parameter.key).scope = "row";
    element(row, "td", "number", figures(low, 3));
    element(row, "td", "number", figures(high, 3));
    element(row, "td", "", parameter.unit || "\u2013");
    const bar = element(element(body, "tr", "bar-row"), "td");
    bar.colSpan = 4;
    makeRangeBar(bar, variant, p, variant === choice.variant ? choice.point : null);
    if (values.length) {
      const at = [position(parameter, low), position(parameter, high)];
      const ends = [at[0] < 1e-3 ? "lower" : null, at[1] > 1 - 1e-3 ? "upper" : null].filter((e) => e);
      const facts = [`searched ${figures(parameter.low, 3)} to ${figures(parameter.high, 3)}${parameter.log ? ", in its logarithm" : ""}`,
                     parameter.published?.every(isNumber) ? `published ${parameter.published.map((v) => figures(v, 3)).join(" to ")}` : null,
                     identifiability(parameter.sensitivity)];
      const line = element(bar, "small", "quiet", facts.filter((f) => f).join("; "));
      if (ends.length) element(line, "span", "warning", ` at the ${ends.join(" and ")} end`);
    }
  });
}

function makeRanges() {
  const published = study.variants.some((v) => v.parameters.some((p) => p.published));
  byId("ranges-lead").textContent =
    `Grey: the range that was searched. Coloured: where the front\u2019s points lie.${published ? " Bracket: the published range." : ""} ` +
    "Dot: the chosen point. A front that ends where the search ended would go further if it could.";
  const draw = () => {
    byId("ranges-cards").textContent = "";
    ranked.filter((v) => v.front.length).forEach((v) => rangeCard(byId("ranges-cards"), v));
  };
  let shown = null;
  listeners.push((what) => {
    if (what !== "point") return;
    if (shown === null) return (shown = choice.variant), draw();
    // Only two cards differ: the one that was chosen and the one that is.
    for (const v of new Set([shown, choice.variant])) {
      const old = [...byId("ranges-cards").children].find((card) => card.dataset.variant === v.name);
      rangeCard(byId("ranges-cards"), v);
      old.replaceWith(byId("ranges-cards").lastChild);
    }
    shown = choice.variant;
  });
}

// Where two searches were made, the area that each reached alone says whether they agree.
const searches = [...new Set(ranked.flatMap((v) => (v.methods?.length > 1 ? v.methods.map((m) => m.method) : [])))];
const effortColumns = [
  ...(searches.length ? [] : [["Method", methodName, false]]),
  ...searches.map((name) => [`Area, ${name}`, (v) => v.methods?.find((m) => m.method === name)?.area?.toFixed(4) ?? "\u2013"]),
  ["Evaluations", (v) => whole(v.counts?.evaluations)],
  ["Not converged", (v) => share100(v.counts?.unconverged, v.counts?.evaluations)],
  ["Failed", (v) => share100(v.counts?.failed, v.counts?.evaluations)],
  ["Candidates", (v) => whole(v.counts?.candidates)],
  ["Certified", (v) => whole(v.counts?.certified)],
  ["Corrected", (v) => whole(v.counts?.corrected)],
  ["Turned down", (v) => whole(v.counts?.not_certified)],
  ["Greatest residual", (v) => figures(Math.max(...v.front.map((p) => p.residual).filter(isNumber)), 2)],
  ["One evaluation", (v) => duration(v.seconds_per_backbone)],
  ["In all", (v) => duration(v.seconds)],
];
const share100 = (count, total) => (isNumber(count) ? whole(count) + (count > 0 && total > 0 ? ` (${figures((100 * count) / total, 2)} %)` : "") : "\u2013");

function makeEffort() {
  byId("effort-lead").textContent =
    "Evaluations that did not converge are counted and never reach a front. Candidates are solved again at tight tolerance; " +
    "what converges there is certified, with the errors found there (corrected: they differ by more than 1 %).";
  const table = element(byId("effort-table"), "table");
  const head = element(element(table, "thead"), "tr");
  element(head, "th", "", "Model");
  effortColumns.forEach(([name, , number = true]) => element(head, "th", number ? "number" : "", name));
  const body = element(table, "tbody");
  ranked.forEach((v) => {
    const row = element(body, "tr"), name = element(row, "th", "model", v.title);
    name.scope = "row";
    element(name, "small", "", traits(v).join(", "));
    if (v.status && v.status !== "finished") element(name, "small", "warning", [v.status, v.message].filter((t) => t).join(": "));
    effortColumns.forEach(([, text, number = true]) => element(row, "td", number ? "number" : "", text(v)));
  });
  const counts = (key) => sum(study.variants.map((v) => v.counts?.[key]));
  const total = element(element(table, "tfoot"), "tr");
  element(total, "th", "", "Sum").scope = "row";
  const evaluations = counts("evaluations");
  [...(searches.length ? searches : [""]).map(() => ""), whole(evaluations), share100(counts("unconverged"), evaluations), share100(counts("failed"), evaluations), whole(counts("candidates")),
   whole(counts("certified")), whole(counts("corrected")), whole(counts("not_certified")), "", "", duration(sum(study.variants.map((v) => v.seconds)))]
    .forEach((text) => element(total, "td", "number", text));
  makeConvergence();
}

function makeConvergence() {
  const recorded = ranked.filter((v) => v.convergence?.evaluations?.length > 1);
  if (recorded.length === 0) return;
  let chart = null;
  const draw = () => {
    chart?.remove();
    chart = makePanel(byId("effort-chart"), {
      title: "Area of the fitted modes as the search went on",
      x: { label: "evaluations", logarithmic: true },
      y: { label: "area", logarithmic: true },
      curves: recorded.map((v) => ({ label: fullName(v), x: v.convergence.evaluations, y: v.convergence.area, dash: dashOf(v.order),
                                                 colour: choice.coloured.has(v) ? v.colour : "--faint", width: choice.coloured.has(v) ? 2 : 1,
                                                 quiet: !choice.coloured.has(v) })).sort((a, b) => b.quiet - a.quiet),
    }, { height: (width) => Math.min(380, Math.max(260, 0.4 * width)) });
  };
  listeners.push((what) => { if (what === "coloured" || chart === null) draw(); });
}

function makeInputs() {
  const root = byId("inputs-list"), list = element(root, "dl");
  const fact = (name, value) => {
    if (value === undefined || value === null || value === "") return;
    element(list, "dt", "", name);
    element(list, "dd", "", String(value));
  };
  fact("command", study.command);
  fact("version", study.code_version ? `faying ${study.code_version}` : "");
  fact("seed", study.seed);
  fact("threads, ranks", [study.timing?.threads, study.timing?.ranks].filter(isNumber).join(", "));
  fact("evaluations per second", isNumber(study.timing?.evaluations_per_second) ? figures(study.timing.evaluations_per_second, 3) : "");
  fact("measurements", study.virtual ? "virtual experiment" : "measured");
  study.modes.forEach((m) => fact(`viscous \u03b6\u2080 of mode ${m.mode}`, isNumber(m.zeta0) ? figures(m.zeta0, 4) : ""));
  (study.inputs ?? []).forEach((input) => {
    const fold = element(root, "details"), title = element(fold, "summary");
    element(title, "code", "", input.name);
    makeButton(fold, "", "Save", () => saveFile(input.name.split("/").pop(), "text/plain", input.text));
    element(fold, "pre", "", input.text);
  });
}
