// What a joint does at a point: its loops, and where it slips. For the report and for pages of backbones.
"use strict";

const makeLoopsPanel = (parent, panel) => makePanel(parent, panel, { height: (width) => Math.min(380, Math.max(260, 0.7 * width)) });

// A square of its area at every site, coloured by how far it slips; open ones are empty.
//     map: x[], y[] / m, area[] / m^2, slip[] / m, and if known pressure[] / Pa, status[], gap[] (0: the loop closed)
function makeSlipMap(parent, map, caption) {
  element(parent, "p", "quiet small", [caption, "how far the faces move against each other; squares of the sites\u2019 area"].filter((t) => t).join("; "));
  const side = map.x.map((_, i) => (isNumber(map.area?.[i]) && map.area[i] > 0 ? Math.sqrt(map.area[i]) : null));
  const span = Math.max(...map.x) - Math.min(...map.x) || 1e-3;
  const sideOf = (i) => side[i] ?? span / Math.max(8, Math.sqrt(map.x.length));
  const edge = (values, sign) => sign * Math.max(...values.map((v, i) => sign * v + sideOf(i) / 2));
  const [x0, x1, y0, y1] = [edge(map.x, -1), edge(map.x, 1), edge(map.y, -1), edge(map.y, 1)];
  const scale = 1000 / (x1 - x0), greatest = Math.max(...map.slip.filter(isNumber), 0);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 1000 ${((y1 - y0) * scale).toFixed(1)}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "slip map");
  map.x.forEach((x, i) => {
    const size = sideOf(i) * scale, square = svg.appendChild(document.createElementNS(svg.namespaceURI, "rect"));
    for (const [key, value] of [["x", (x - x0) * scale - size / 2], ["y", (y1 - map.y[i]) * scale - size / 2], ["width", size], ["height", size]])
      square.setAttribute(key, value.toFixed(1));
    square.style.setProperty("--share", greatest > 0 ? ((map.slip[i] ?? 0) / greatest).toFixed(3) : 0);
    if (map.status?.[i]) square.setAttribute("class", map.status[i]);
    const tip = square.appendChild(document.createElementNS(svg.namespaceURI, "title"));
    tip.textContent = `x ${figures(1e3 * x, 3)} mm, y ${figures(1e3 * map.y[i], 3)} mm: slip ${figures(map.slip[i], 3)} m` +
                      (isNumber(map.pressure?.[i]) ? `, pressure ${figures(map.pressure[i], 3)} Pa` : "") + (map.status?.[i] ? `, ${map.status[i]}` : "") +
                      (map.gap?.[i] > 0 ? `; its loop does not close, by ${figures(map.gap[i], 1)} of its swing` : "");
  });
  element(parent, "div", "slip").append(svg);
  const key = element(parent, "div", "slip-key");
  element(key, "span", "", "0");
  element(key, "i");
  element(key, "span", "", `${figures(1e6 * greatest, 3)} \u00b5m`);
  const counts = new Map();
  for (const status of map.status ?? []) counts.set(status, (counts.get(status) ?? 0) + 1);
  const said = [...counts].map(([status, count]) => `${count} ${status}`), open = (map.gap ?? []).filter((gap) => gap > 0).length;
  if (open > 0) said.push(`${open} with loops that do not close`);
  element(key, "span", "quiet", [`${figures(1e3 * (x1 - x0), 3)} mm wide, ${map.x.length} sites`, ...said].join(", "));
}
