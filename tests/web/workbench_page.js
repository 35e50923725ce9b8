// workbench_page.js PAGE FAYING: the workbench used as a reader would, its numbers against the tool's.
"use strict";

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { assert, browse, phone, becomes, holds, savedBy } = require("./browser.js");

const [file, faying] = process.argv.slice(2);
const tool = (...words) => JSON.parse(execFileSync(faying, [...words.map(String), "--json"], { maxBuffer: 1 << 28 })).result;
const settled = (page) => holds(page, "everything is computed", () => bench.complete && bench.entries.every((entry) => !entry.stale));

// Largest difference over the largest number of the column: 0 where every bit is the same.
function apart(ours, theirs) {
  assert.equal(ours.length, theirs.length);
  const size = Math.max(...theirs.map((v) => Math.abs(v ?? 0)), Number.MIN_VALUE);
  return Math.max(...theirs.map((v, k) => (v === null ? (Number.isFinite(ours[k]) ? Infinity : 0) : Math.abs(ours[k] - v) / size)));
}

// Every law of the page, along a path that closes loops, and in steady cycles, against the tool. C libraries round
// powers, sines and exponentials differently in the last bit; what a law makes of that is asserted per law.
async function numbers(page) {
  const catalogue = await page.evaluate(() => bench.catalogue);
  assert.equal(catalogue.length, tool("laws").laws.filter((law) => law.displacements === 1).length);
  const seen = { bits: 0, laws: 0, worst: 0, of: "" };
  for (const law of catalogue) {
    const values = Object.fromEntries(law.parameters.map((p, k) => [p.key, law.specimen?.values[k]]).filter(([, v]) => v !== null && v !== undefined));
    const A = law.specimen.amplitude, turns = [0, 0.7, -0.4, 0.6, 0.1, 1, -1, 0.3].map((x) => x * A);
    const amplitudes = [1e-2, 0.3, 1].map((x) => x * A);
    const ours = await page.evaluate(([name, given, points, sizes]) => {
      const made = bench.laws.make(name, given), h = made.follow(Float64Array.from(points));
      const out = { f: [...h.f], u: [...h.u], tangent: [...h.tangent], dissipated: [...h.dissipated] };
      try {
        const c = made.cycle(Float64Array.from(sizes));
        out.cycle = { dissipation: [...c.dissipation], secant: [...c.secant], harmonic_stiffness: [...c.harmonic_stiffness], harmonic_damping: [...c.harmonic_damping] };
      } catch { out.cycle = null; }
      made.free();
      return out;
    }, [law.key, values, turns, amplitudes]);
    const words = Object.entries(values).map(([key, value]) => `${key}=${value}`);
    let told = tool("loop", law.key, ...words, `--path=${turns.join(",")}`);
    told = told.laws?.[0] ?? told;
    let worst = 0;
    for (const key of ["u", "f", "tangent", "dissipated"]) worst = Math.max(worst, apart(ours[key], told[key]));
    if (ours.cycle) {
      const cycles = tool("loop", law.key, ...words, `--cycle=${amplitudes.join(",")}`).cycles;
      for (const key of Object.keys(ours.cycle)) worst = Math.max(worst, apart(ours.cycle[key], cycles.map((c) => c[key])));
    }
    ++seen.laws;
    seen.bits += worst === 0;
    if (worst > seen.worst) Object.assign(seen, { worst, of: law.key });
    const allowed = tolerances[law.key] ?? 1e-15;
    assert.ok(worst <= allowed, `${law.key}: ${worst} apart from the tool, ${allowed} allowed`);
  }
  console.log(`${seen.laws} laws, ${seen.bits} with the tool's bits, at most ${seen.worst.toExponential(1)} apart (${seen.of})`);
  assert.ok(seen.bits >= 10, `${seen.bits} laws with the same bits`);
}
// Six states go through an eigenproblem and a search for the end of slip: the last bits of both add up.
const tolerances = { "six-state": 5e-15 };

async function sliders(page) {
  const slider = page.getByRole("slider", { name: /^law 2: FS/ }), number = page.getByRole("textbox", { name: /^law 2: FS as a number/ });
  const before = await page.evaluate(() => Math.max(...bench.entries[1].answer.f));
  await slider.focus();
  for (let k = 0; k < 40; ++k) await page.keyboard.press("ArrowLeft");
  await settled(page);
  const value = Number(await number.inputValue());
  assert.ok(value < 0.6 && value > 0.3, `40 steps to the left: ${value}`);
  assert.match(await slider.getAttribute("aria-valuetext"), /^0\.[0-9]+ N$/);
  assert.ok((await page.evaluate(() => Math.max(...bench.entries[1].answer.f))) < before, "less slip force, less force");
  await number.fill("-3");
  await number.press("Enter");
  await holds(page, "the law's own words", () => /'FS' = -3 is outside \(0, inf\)/.test(document.querySelectorAll(".card .refused")[1].textContent));
  await number.fill("0.6");
  await number.press("Enter");
  await settled(page);
  assert.equal(await page.evaluate(() => document.querySelectorAll(".card .refused")[1].textContent), "");
}

async function drawing(page) {
  const [left, top, width, height] = await page.evaluate(() => {
    const { over } = pictures.history.u;
    over.scrollIntoView({ block: "center", behavior: "instant" });
    const box = over.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height];
  });
  await page.mouse.move(left + 0.1 * width, top + 0.5 * height);
  await page.mouse.down();
  await page.mouse.move(left + 0.4 * width, top + 0.2 * height, { steps: 5 });
  await page.mouse.move(left + 0.9 * width, top + 0.8 * height, { steps: 5 });
  await page.mouse.up();
  await settled(page);
  const drawn = await page.evaluate(() => ({ kind: bench.kind, u: [...bench.history.u], f: [...bench.entries[0].answer.f], zoomed: !pictures.history.root.querySelector(".reset").hidden }));
  assert.equal(drawn.kind, "drawn");
  assert.equal(drawn.zoomed, false, "drawing does not zoom");
  const n = drawn.u.length, top_ = Math.max(...drawn.u.slice(Math.round(0.35 * n), Math.round(0.45 * n)));
  assert.ok(top_ > 0.5 && top_ < 0.9, `the top of the stroke: ${top_}`);
  // The tool follows what was drawn.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "workbench-"));
  try {
    const saved = await savedBy(page, "#save-history");
    assert.equal(saved.name, "history.csv");
    fs.writeFileSync(path.join(folder, saved.name), saved.text);
    const told = tool("loop", "jenkins", "kt=1", "fs=0.6", "--history", path.join(folder, saved.name));
    assert.deepEqual(drawn.f, (told.laws?.[0] ?? told).f, "the drawn history's bits");
  } finally { fs.rmSync(folder, { recursive: true }); }
}

async function paste(page, text) {
  await page.fill("#csv", text);
  await page.click("#use");
}

// Loops that close are forgotten: 0, 1, -0.5, 0.5, and past -0.5 again.
async function memory(page) {
  await paste(page, "0, 1, -0.5, 0.5, -0.2");
  await settled(page);
  const atTheEnd = async (turns, what) => {
    await page.evaluate(() => { const slider = document.getElementById("at"); slider.value = bench.history.u.length - 1; slider.dispatchEvent(new Event("input")); });
    await becomes(page, what, turns, () => bench.entries[1].remembered[0].turns.map(([u]) => u));
  };
  await atTheEnd([1, -0.5, 0.5], "three turning points are open");
  assert.match(await page.textContent("#memory"), /iwan4, 3 open turning points/);
  await paste(page, "0, 1, -0.5, 0.5, -0.8");
  await settled(page);
  await atTheEnd([1], "the inner loop has closed");
  await paste(page, "0, 1, x");
  await becomes(page, "what is wrong", "line 1: 'x' is no finite number", () => document.getElementById("said").textContent);
}

async function fitting(page) {
  const loop = tool("loop", "iwan4", "FS=0.8", "KT=2", "chi=-0.4", "beta=0.5", "--signal", "sin(t)", "--time", "0:12.5:161");
  const { u, f } = loop.laws?.[0] ?? loop;
  await paste(page, "u,f\n" + u.map((x, k) => `${x},${f[k]}`).join("\n"));
  await settled(page);
  await page.getByRole("button", { name: "Fit to the measured loop" }).nth(1).click();
  await holds(page, "fitted", () => bench.entries[1].fit?.converged === true);
  const found = await page.evaluate(() => bench.entries[1].values);
  // The samples miss the tips, so the truth is not the best fit; the tool's answer is, by another solver (Ceres).
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "workbench-"));
  try {
    fs.writeFileSync(path.join(folder, "loop.csv"), "u,f\n" + u.map((x, k) => `${x},${f[k]}`).join("\n") + "\n");
    const told = tool("identify", path.join(folder, "loop.csv"), "--law", "iwan4").parameters;
    for (const [key, value] of Object.entries({ FS: 0.8, KT: 2, chi: -0.4, beta: 0.5 })) {
      assert.ok(Math.abs(found[key] / told[key] - 1) < 1e-5, `${key} = ${found[key]}, by the tool ${told[key]}`);
      assert.ok(Math.abs(found[key] / value - 1) < 0.05, `${key} = ${found[key]}, not ${value}`);
    }
  } finally { fs.rmSync(folder, { recursive: true }); }
  assert.equal(await page.locator(".card progress:visible").count(), 0);
  await page.click("#forget");
  await becomes(page, "no fit without a loop", 0, () => [...document.querySelectorAll(".card button")].filter((b) => b.textContent.startsWith("Fit") && !b.hidden).length);
}

// What is copied gives the page's numbers elsewhere.
async function copies(page) {
  const text = async (name) => {
    await page.getByRole("button", { name, exact: true }).click();
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    return page.textContent("#text");
  };
  await paste(page, "0, 1, -0.5, 0.7");
  await settled(page);
  const f = await page.evaluate(() => bench.entries.map((entry) => { const law = bench.laws.make(entry.name, entry.values), out = [...law.follow(Float64Array.of(0, 1, -0.5, 0.7)).f]; law.free(); return out; }));
  const cli = (await text("Command line")).trim().split(" ");
  assert.equal(cli.shift(), "faying");
  const told = tool(...cli.filter((word, k) => word !== "--plot" && cli[k - 1] !== "--plot"));
  told.laws.forEach((law, k) => assert.ok(apart(f[k], law.f) <= (tolerances[law.law] ?? 1e-15), `${law.law} by the copied command`));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "workbench-"));
  try {
    const model = path.join(folder, "model.toml");
    fs.writeFileSync(model, `[structure]\nmass = [[1, 0], [0, 1]]\nstiffness = [[2, -1], [-1, 2]]\n${await text("TOML")}`);
    assert.equal(tool("modes", model, "--about", "stuck").omega.length, 2);
    fs.writeFileSync(path.join(folder, "laws.cpp"), await text("C++"));
    const include = path.resolve(__dirname, "../../include");
    execFileSync("g++", ["-std=c++20", "-fsyntax-only", "-I", include, "-isystem", "/usr/include/eigen3", path.join(folder, "laws.cpp")]);
    if (process.env.PYTHONPATH) {
      fs.writeFileSync(path.join(folder, "laws.py"), `${await text("Python")}\nimport json\nprint(json.dumps([list(law.follow(path).f) for law in laws]))\n`);
      const said = execFileSync("/usr/bin/python3", ["-B", path.join(folder, "laws.py")]).toString().trim().split("\n");
      assert.equal(said.length, f.length + 1);
      JSON.parse(said.pop()).forEach((column, k) => assert.ok(apart(f[k], column) <= 1e-14, `law ${k + 1} in Python`));
    }
  } finally { fs.rmSync(folder, { recursive: true }); }
}

async function sharing(page, open) {
  await page.click("#share");
  const link = await page.evaluate(() => location.href), state = () => page.evaluate(() => JSON.stringify([bench.entries.map((e) => [e.name, e.values]), [...bench.history.u], bench.at]));
  const before = await state();
  const other = await open(file, { hash: new URL(link).hash });
  await settled(other);
  assert.equal(await other.evaluate(() => JSON.stringify([bench.entries.map((e) => [e.name, e.values]), [...bench.history.u], bench.at])), before, "the link brings the same bench");
  await other.close();
}

// Five laws, 2,000 points, one slider moved in every frame: what the page's own work takes per frame.
async function speed(page) {
  await page.evaluate(() => {
    bench.entries.forEach((entry) => entry.law?.free());
    bench.entries = [newEntry("jenkins", { kt: 1, fs: 0.6 }), newEntry("iwan4", { FS: 0.6, KT: 1, chi: -0.5, beta: 0.1 }),
                     newEntry("bouc-wen", { A: 1, alpha: 1.5, beta: -0.2, n: 1.5 }), newEntry("valanis", { E0: 1, Et: 0.02, lambda: 1.6, kappa: 0.3 }),
                     newEntry("two-state", { alpha: 0.6667, sigma: 0.0625, b1: 0.48686, b2: 0.65546 })];
    Object.assign(bench, { kind: "growing sine", amplitude: 1, points: 2000 });
    madeHistory();
    rebuild();
  });
  await settled(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });  // of the page's own thread: other work on the machine does not count
  const spent = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value])).TaskDuration;
  const before = await spent();
  const seen = await page.evaluate(async () => {
    const count = 90, first = performance.now();
    for (let k = 0; k < count; ++k) {
      if (k % 2) setAmplitude(1 + 0.001 * k);               // every law along another history
      else acts.tell(k % 5, Object.keys(bench.entries[k % 5].values)[0], 1 + 0.001 * k);
      await new Promise((done) => { requestAnimationFrame(done); });
    }
    return { count, seconds: (performance.now() - first) / 1000, points: bench.history.u.length, laws: bench.entries.length };
  });
  const each = (1000 * ((await spent()) - before)) / seen.count;
  assert.deepEqual([seen.points, seen.laws], [2000, 5]);
  console.log(`five laws, 2000 points: ${each.toFixed(1)} ms of the page's thread per frame; ${(seen.count / seen.seconds).toFixed(0)} frames a second here`);
  // A quiet machine needs less than 1000/60 ms; this one may be doing other things, which slow every instruction down.
  assert.ok(each < 3 * (1000 / 60), `${each} ms per frame are far from 60 frames a second`);
}

// By keyboard alone: every control is reached, has a name, and the focus is seen.
async function keyboard(page) {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea")].filter((e) => e.offsetParent !== null)
    .filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.trim())).map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, [], "controls without a name");
  await page.evaluate(() => { document.activeElement?.blur(); scrollTo(0, 0); });
  const seen = new Set();
  for (let k = 0; k < 120; ++k) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("aria-label") || document.activeElement.textContent.trim().slice(0, 30)));
  }
  for (const id of ["share", "scheme", "add", "kind", "amplitude", "points", "csv", "use", "at", "copy"]) assert.ok(seen.has(id), `${id} is reached by Tab`);
}

browse(async (open) => {
  const page = await open(file);
  await settled(page);
  for (const i of [0, 1, 2]) await holds(page, `law ${i + 1} is drawn`, (k) => reader.pixelsOf(pictures.loops, colourName(k)) > 200, i);
  await numbers(page);
  await sliders(page);
  await drawing(page);
  await memory(page);
  await fitting(page);
  await copies(page);
  await sharing(page, open);
  await page.getByRole("combobox", { name: "law 1: which" }).selectOption("valanis");
  await page.getByRole("combobox", { name: "law 1: what stands beside it" }).selectOption("kp");
  await settled(page);
  assert.equal(await page.evaluate(() => bench.entries[0].name), "valanis+kp");
  await page.click("#add");
  await settled(page);
  assert.equal(await page.locator(".card").count(), 4);
  await page.getByRole("button", { name: "remove law 4" }).click();
  await keyboard(page);
  await speed(page);
  await page.click("#scheme");
  await holds(page, "dark when chosen", () => reader.isDark());
  const small = await open(file, { ...phone, colorScheme: "dark" });
  await settled(small);
  await becomes(small, "dark at once", true, () => reader.isDark());
  await becomes(small, "wider than the phone", 0, () => reader.tooWide());
  await holds(small, "drawn on a phone", () => reader.pixelsOf(pictures.loops, colourName(1)) > 200);
});
