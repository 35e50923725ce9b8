// What checks ask of a page, there before its own scripts.
"use strict";

globalThis.reader = {
  // Pixels of the plot in a colour of the style; the canvas is transparent elsewhere.
  pixelsOf({ u }, name, area) {
    const probe = document.createElement("canvas").getContext("2d");
    probe.fillStyle = css(name);
    probe.fillRect(0, 0, 1, 1);
    const colour = probe.getImageData(0, 0, 1, 1).data;
    const { left, top, width, height } = area ?? u.bbox;
    const { data } = u.ctx.getImageData(left, top, width, height);
    let count = 0;
    for (let p = 0; p < data.length; p += 4)
      if (data[p + 3] > 200 && [0, 1, 2].every((c) => Math.abs(data[p + c] - colour[c]) < 12)) ++count;
    return count;
  },
  around: (u, x, y, half) => ({ left: Math.round(u.valToPos(x, "x", true)) - half,
                                top: Math.round(u.valToPos(y, "y", true)) - half, width: 2 * half, height: 2 * half }),
  limits: (u) => [u.scales.x.min, u.scales.x.max, u.scales.y.min, u.scales.y.max],

  corner(u) {
    u.over.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y } = u.over.getBoundingClientRect();
    return [x, y];
  },
  // Where values of a chart are in the window. Nothing may lie over them: a click there would not reach the chart.
  place(u, x, y) {
    const [left, top] = reader.corner(u), at = [left + u.valToPos(x, "x"), top + u.valToPos(y, "y")];
    const hit = document.elementFromPoint(...at);
    if (!u.over.contains(hit)) throw new Error(`${x}, ${y} is covered by ${hit?.outerHTML.slice(0, 80)}`);
    return at;
  },

  isDark: () => getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).slice(0, 3).reduce((sum, c) => sum + Number(c), 0) < 240,
  // What lies beside the window: nothing should.
  tooWide: () => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
};
