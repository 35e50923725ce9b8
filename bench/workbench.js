// What the workbench costs: five laws, 2,000 points, something changed in every frame. Of the page's own thread, by processor time (other work on
// the machine does not count), and frames per second as Chromium shows them, without a graphics card.
//
//     ./do workbench && (cd tests/web && npm ci) && node bench/workbench.js build/workbench/workbench.html [profile]
"use strict";

const { browse } = require("../tests/web/browser.js");

const laws = [["jenkins", { kt: 1, fs: 0.6 }], ["iwan4", { FS: 0.6, KT: 1, chi: -0.5, beta: 0.1 }], ["bouc-wen", { A: 1, alpha: 1.5, beta: -0.2, n: 1.5 }],
              ["valanis", { E0: 1, Et: 0.02, lambda: 1.6, kappa: 0.3 }], ["two-state", { alpha: 0.6667, sigma: 0.0625, b1: 0.48686, b2: 0.65546 }]];
const [file, wantsProfile] = process.argv.slice(2);
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

// `what`: which of a history for all laws ("amplitude"), one law's parameter ("parameter"), or the two in turn changes in a frame.
const moved = ([what, count]) => new Promise((done) => {
  const own = [], spans = [];
  let k = 0, before = 0;
  const first = performance.now();
  const next = (now) => {
    if (k > 0) spans.push(now - before);
    before = now;
    if (k++ === count) return done({ own, spans, seconds: (performance.now() - first) / 1000 });
    if (what === "amplitude" || (what === "both in turn" && k % 2)) setAmplitude(1 + 0.001 * (k % 60));
    else acts.tell(k % 5, Object.keys(bench.entries[k % 5].values)[0], 1 + 0.001 * k);
    requestAnimationFrame(next);
    if (bench.frame !== undefined) own.push(bench.frame);
  };
  requestAnimationFrame(next);
});

browse(async (open) => {
  const page = await open(file);
  await page.evaluate((five) => {
    bench.entries.forEach((entry) => entry.law?.free());
    bench.entries = five.map(([name, values]) => newEntry(name, values));
    Object.assign(bench, { kind: "growing sine", amplitude: 1, points: 2000 });
    madeHistory();
    rebuild();
  }, laws);
  await page.waitForFunction(() => bench.complete);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, 1000 * value]));
  await page.evaluate(moved, ["both in turn", 60]);  // compiled by then
  console.log("changed        ms of the page's thread per frame (script, style, layout)   ms in frame()   frames per second");
  for (const what of ["amplitude", "parameter", "both in turn"]) {
    if (wantsProfile) {
      await session.send("Profiler.enable");
      await session.send("Profiler.start");
    }
    const count = 240, before = await spent(), seen = await page.evaluate(moved, [what, count]), after = await spent();
    const each = (name) => ((after[name] - before[name]) / count).toFixed(1);
    console.log(`${what.padEnd(14)} ${each("TaskDuration").padStart(5)} (${each("ScriptDuration")}, ${each("RecalcStyleDuration")}, ${each("LayoutDuration")})`.padEnd(70) +
                `${median(seen.own).toFixed(1).padStart(8)} ${(seen.spans.length / seen.spans.reduce((sum, span) => sum + span, 0) * 1000).toFixed(1).padStart(16)}`);
    if (!wantsProfile) continue;
    const { profile } = await session.send("Profiler.stop"), total = new Map();
    const names = new Map(profile.nodes.map((node) => [node.id, `${node.callFrame.functionName || "(anonymous)"}:${node.callFrame.lineNumber}`]));
    profile.samples.forEach((id, k) => total.set(names.get(id), (total.get(names.get(id)) ?? 0) + profile.timeDeltas[k]));
    [...total].sort((a, b) => b[1] - a[1]).slice(0, 22).forEach(([name, time]) => console.log(`    ${(time / 1000 / count).toFixed(2).padStart(6)} ms  ${name}`));
  }
});
