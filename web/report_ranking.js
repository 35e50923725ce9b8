// The ranking: a sortable table, its areas coloured on one scale for all columns ([S0] Table 9).
"use strict";

const hasPrediction = study.modes.some((m) => !m.fitted) && study.modes.length > 1;
const areas = [...ranked.flatMap((v) => [v.score, ...v.area]), ...study.modes.map((m) => m.variability_area)].filter(isNumber);
const greatestArea = Math.max(1e-9, ...areas);
// The square root spreads the small areas, where the good models are.
const share = (area) => Math.sqrt(Math.min(1, Math.max(0, area) / greatestArea));

// value: what is sorted by. effort: told again further down, so not on paper.
const rankingColumns = [
  { name: "", value: null },
  { name: "Rank", value: (v) => v.rank ?? null, text: (v) => (v.rank ? String(v.rank) : "\u2013"), number: true },
  { name: "Model", value: (v) => fullName(v) },
  ...(hasPrediction ? [{ name: `Predicted, mean of ${study.modes.filter((m) => !m.fitted).map((m) => m.mode).join(", ")}`, value: (v) => v.score, area: true, rank: (v) => v.rank }] : []),
  ...study.modes.map((m, j) => ({ name: `Mode ${m.mode} ${m.fitted ? "(fitted)" : "(predicted)"}`, value: (v) => v.area[j], area: true, rank: (v) => v.ranks?.[j] })),
  { name: "Points", value: (v) => v.front.length, text: (v) => whole(v.front.length), number: true },
  { name: "Evaluations", value: (v) => v.counts?.evaluations, text: (v) => whole(v.counts?.evaluations), number: true, effort: true },
  { name: "Time", value: (v) => v.seconds, text: (v) => duration(v.seconds), number: true, effort: true },
];

const classOf = (column) => [column.number || column.area ? "number" : "", column.effort ? "effort" : ""].join(" ").trim();

// Unknown values last, whichever way.
function compare(a, b, direction) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return direction * (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b);
}

function areaCell(row, area, rank) {
  const cell = element(row, "td", "area number");
  if (!isNumber(area)) return element(cell, "span", "quiet", "\u2013");
  cell.style.setProperty("--share", share(area).toFixed(4));
  element(cell, "span", "", area > 0 && area < 5e-5 ? figures(area, 2) : area.toFixed(4));
  if (rank) element(cell, "small", "", ` (${rank})`);
  return cell;
}

function rankingRow(body, variant) {
  const row = element(body, "tr");
  row.dataset.variant = variant.name;
  for (const column of rankingColumns) {
    if (column.area) {
      areaCell(row, column.value(variant), column.rank(variant));
    } else if (column.name === "") {
      const box = element(element(row, "td", "pick"), "label");
      const tick = element(box, "input");
      tick.type = "checkbox";
      tick.title = "in colour in the fronts";
      tick.disabled = !variant.front.length;
      tick.addEventListener("change", () => {
        choice.coloured[tick.checked ? "add" : "delete"](variant);
        changed("coloured");
      });
      swatch(box, variant);
    } else if (column.name === "Model") {
      const cell = element(row, "th", "model");
      cell.scope = "row";
      if (variant.front.length) {
        makeButton(cell, "link", variant.title, () => {
          choose(variant, kneeOf(variant));
          byId("fronts").scrollIntoView({ behavior: "smooth" });
        });
      } else {
        element(cell, "span", "", variant.title);
      }
      element(cell, "small", "", traits(variant).join(", "));
      if (variant.status && variant.status !== "finished") element(cell, "small", "warning", [variant.status, variant.message].filter((t) => t).join(": "));
    } else {
      element(row, "td", classOf(column), column.text(variant));
    }
  }
  return row;
}

// What the experiment's own spread would score, as a front of one point.
function referenceRow(table) {
  if (!study.modes.some((m) => isNumber(m.variability_area))) return;
  const row = element(element(table, "tfoot"), "tr");
  for (const column of rankingColumns) {
    const j = study.modes.findIndex((m) => column.name.startsWith(`Mode ${m.mode} `));
    if (column.name === "Model") element(row, "th", "model", "The experiment's own variability").scope = "row";
    else if (j >= 0) areaCell(row, study.modes[j].variability_area);
    else element(row, "td", classOf(column));
  }
}

function makeRanking() {
  byId("ranking-lead").textContent =
    "Area: the share of the error box that a model's front leaves out of reach; smaller is better, its rank stands beside it." +
    (hasPrediction ? " The ranking is by modes that were not fitted: fitting shows flexibility, predicting shows physics." : "") +
    (study.box_source ? ` Boxes: ${study.box_source}.` : "");
  const table = element(byId("ranking-table"), "table", "ranking");
  const head = element(element(table, "thead"), "tr");
  const body = element(table, "tbody");
  const rows = new Map(ranked.map((v) => [v, rankingRow(body, v)]));
  referenceRow(table);

  function sortBy(heading, column) {
    const direction = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    head.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    [...ranked].sort((a, b) => compare(column.value(a), column.value(b), direction)).forEach((v) => body.append(rows.get(v)));
  }
  rankingColumns.forEach((column) => {
    const heading = element(head, "th", classOf(column));
    heading.scope = "col";
    if (!column.value) return;
    makeButton(heading, "sort", column.name, () => sortBy(heading, column));
    if (column.name === "Rank") heading.setAttribute("aria-sort", "ascending");
  });

  const scale = element(byId("ranking-scale"), "div", "scale");
  [0, 0.25, 0.5, 0.75, 1].forEach((t) => {
    const step = element(scale, "span", "area", figures(greatestArea * t * t, 2));
    step.style.setProperty("--share", t);
  });
  element(byId("ranking-scale"), "small", "quiet", "one scale for all columns");

  listeners.push((what) => {
    rows.forEach((row, v) => {
      row.classList.toggle("chosen", v === choice.variant);
      row.querySelector("input").checked = choice.coloured.has(v);
      row.classList.toggle("faint", !choice.coloured.has(v));
    });
  });
}
