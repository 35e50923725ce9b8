// What a joint does at a point: its loops, and where it slips and presses. For the report and for pages of backbones and preloads.
"use strict";

const makeLoopsPanel = (parent, panel) => makePanel(parent, panel, { height: (width) => Math.min(380, Math.max(260, 0.7 * width)) });

// Where the sites are on the picture, the same for every quantity of a map.
function siteSquares(map) {
  const side = map.x.map((_, i) => (isNumber(map.area?.[i]) && map.area[i] > 0 ? Math.sqrt(map.area[i]) : null));
  const span = Math.max(...map.x) - Math.min(...map.x) || 1e-3;
  const sideOf = (i) => side[i] ?? span / Math.max(8, Math.sqrt(map.x.length));
  const edge = (values, sign) => sign * Math.max(...values.map((v, i) => sign * v + sideOf(i) / 2));
  const [x0, x1, y0, y1] = [edge(map.x, -1), edge(map.x, 1), edge(map.y, -1), edge(map.y, 1)];
  const scale = 1000 / (x1 - x0);
  return {
    width: x1 - x0,
    viewBox: `0 0 1000 ${((y1 - y0) * scale).toFixed(1)}`,
    squares: map.x.map((x, i) => {
      const size = sideOf(i) * scale;
      return { x: (x - x0) * scale - size / 2, y: (y1 - map.y[i]) * scale - size / 2, width: size, height: size };
    }),
  };
}

// All that is known of a site, as the mouse shows it.
function siteNote(map, i) {
  const parts = [];
  if (isNumber(map.slip?.[i])) parts.push(`slip ${figures(map.slip[i], 3)} m`);
  if (isNumber(map.pressure?.[i])) parts.push(`pressure ${figures(map.pressure[i], 3)} ${map.pressure_unit ?? "Pa"}`);
  if (map.gap?.[i] > 0) parts.push(`gap ${figures(map.gap[i], 3)} m`);
  if (map.status?.[i]) parts.push(map.status[i]);
  return `x ${figures(1e3 * map.x[i], 3)} mm, y ${figures(1e3 * map.y[i], 3)} mm: ${parts.join(", ")}` +
         (map.closure_error?.[i] > 0 ? `; its loop does not close, by ${figures(map.closure_error[i], 1)} of its swing` : "");
}

// The greatest slip, pressure and gap of several maps: of each the same scale, to be seen one after the other.
const greatestOf = (maps) => Object.fromEntries(["slip", "pressure", "gap"].map((key) => [key, maps.reduce((most, map) => (map[key] ?? []).reduce((a, b) => (isNumber(b) ? Math.max(a, b) : a), most), 0)]));

// One quantity: squares coloured from 0 to its greatest value, or empty.
function makeMapOf(parent, map, place, { values, name, caption, emptied, greatestText, greatest = Math.max(...values.filter(isNumber), 0) }) {
  const root = element(parent, "div", "site-map");
  element(root, "p", "quiet small", caption);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", place.viewBox);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${name} map`);
  place.squares.forEach((at, i) => {
    const square = svg.appendChild(document.createElementNS(svg.namespaceURI, "rect"));
    for (const [key, value] of Object.entries(at)) square.setAttribute(key, value.toFixed(1));
    square.style.setProperty("--share", greatest > 0 ? Math.max(0, (values[i] ?? 0) / greatest).toFixed(3) : 0);
    if (emptied(i)) square.setAttribute("class", "open");
    square.appendChild(document.createElementNS(svg.namespaceURI, "title")).textContent = siteNote(map, i);
  });
  element(root, "div", `slip ${name}`).append(svg);
  const key = element(root, "div", `slip-key ${name}`);
  element(key, "span", "", "0");
  element(key, "i");
  element(key, "span", "", greatestText(greatest));
  return key;
}

// Maps of slip and, where they are known, of pressure and gap, side by side: a square of its area at every site.
//     map: x[], y[] / m, area[] / m^2, and what is known of slip[] / m, pressure[] / pressure_unit, gap[] / m (how far the
//     faces are apart, 0 where they touch), status[], closure_error[] (0: the loop closed)
//     scale: greatest slip, pressure and gap where they are not this map's own (greatestOf)
function makeSlipMap(parent, map, caption, scale = {}) {
  const place = siteSquares(map), row = element(parent, "div", "site-maps"), unit = map.pressure_unit ?? "Pa";
  const micrometres = (value) => `${figures(1e6 * value, 3)} \u00b5m`;
  const kinds = [];
  if (map.slip?.length > 0)
    kinds.push({ values: map.slip, name: "slip", caption: "slip: how far the faces move against each other; empty where they part", emptied: (i) => map.status?.[i] === "open", greatestText: micrometres });
  if (map.pressure?.length > 0)
    kinds.push({ values: map.pressure, name: "pressure", caption: `${unit === "Pa" ? "pressure" : "normal force"}; empty where there is none`, emptied: (i) => !(map.pressure[i] > 0),
                 greatestText: (value) => (unit === "Pa" ? `${figures(1e-6 * value, 3)} MPa` : `${figures(value, 3)} ${unit}`) });
  if (map.gap?.some((gap) => gap > 0) || scale.gap > 0)
    kinds.push({ values: map.gap, name: "gap", caption: "gap: how far the faces are apart; empty where they touch", emptied: (i) => !(map.gap[i] > 0), greatestText: micrometres });
  const keys = kinds.map((kind, k) => makeMapOf(row, map, place, { ...kind, greatest: scale[kind.name], caption: [k === 0 ? caption : "", kind.caption, k === 0 ? "squares of the sites\u2019 area" : ""].filter((t) => t).join("; ") }));
  if (keys.length === 0) return;
  const counts = new Map();
  for (const status of map.status ?? []) counts.set(status, (counts.get(status) ?? 0) + 1);
  const said = [...counts].map(([status, count]) => `${count} ${status}`), missing = (map.closure_error ?? []).filter((miss) => miss > 0).length;
  if (missing > 0) said.push(`${missing} with loops that do not close`);
  element(keys[0], "span", "quiet", [`${figures(1e3 * place.width, 3)} mm wide, ${map.x.length} sites`, ...said].join(", "));
}
