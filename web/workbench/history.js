// Displacement histories: made by a rule, drawn, or read from text.
"use strict";

const unit = (n) => Float64Array.from({ length: n }, (_, k) => (n > 1 ? k / (n - 1) : 0));
const kinds = {
  "growing sine": (n, A) => unit(n).map((t) => A * t * Math.sin(2 * Math.PI * 5 * t)),
  "dying sine": (n, A) => unit(n).map((t) => A * Math.exp(-3 * t) * Math.sin(2 * Math.PI * 8 * t)),
  "two sines": (n, A) => unit(n).map((t) => A * (0.52 * Math.sin(2 * Math.PI * 1.25 * t) - 0.48 * Math.sin(2 * Math.PI * 3.75 * t))),
  "steady cycles": (n, A) => unit(n).map((t) => A * Math.sin(2 * Math.PI * 3 * t)),
};

// Straight ways between turning points, in n points; the turning points are among them.
function throughPoints(turns, n) {
  if (turns.length === 1) return Float64Array.of(turns[0]);
  const travelled = [0];
  for (let k = 1; k < turns.length; ++k) travelled.push(travelled[k - 1] + Math.abs(turns[k] - turns[k - 1]));
  const total = travelled[turns.length - 1], out = [turns[0]];
  for (let k = 1; k < turns.length; ++k) {
    const share = total > 0 ? (travelled[k] - travelled[k - 1]) / total : 1 / (turns.length - 1);
    const steps = Math.max(1, Math.round(share * (n - 1)));
    for (let s = 1; s < steps; ++s) out.push(turns[k - 1] + ((turns[k] - turns[k - 1]) * s) / steps);
    out.push(turns[k]);
  }
  return Float64Array.from(out);
}

// Where a path turns, its ends included: all that a law independent of its increments needs.
function turningPoints(u) {
  const turns = [];
  for (let k = 0; k < u.length; ++k) {
    if (turns.length >= 1 && u[k] === turns[turns.length - 1]) continue;
    const [a, b] = turns.slice(-2);
    if (turns.length >= 2 && (b - a) * (u[k] - b) > 0) turns.pop();
    turns.push(u[k]);
  }
  return turns;
}

// Turning points ("0, 1, -0.5"), or a table with columns u, or t and u, and perhaps f. Says what is wrong with it.
function readHistory(text, n) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) throw new Error("nothing to read: write turning points, or paste a CSV");
  const cells = (line) => line.split(/[,;\t]|\s+/).map((cell) => cell.trim()).filter((cell) => cell !== "");
  const number = (cell, row) => {
    const value = Number(cell);
    if (cell === "" || !Number.isFinite(value)) throw new Error(`line ${row + 1}: '${cell}' is no finite number`);
    return value;
  };
  if (lines.length === 1) return { u: throughPoints(cells(lines[0]).map((cell) => number(cell, 0)), n) };
  let names = cells(lines[0]).map((name) => name.toLowerCase());
  const named = names.some((name) => !Number.isFinite(Number(name)));
  const rows = lines.slice(named ? 1 : 0).map((line, r) => cells(line).map((cell) => number(cell, r + (named ? 1 : 0))));
  if (!named) names = { 1: ["u"], 2: ["u", "f"], 3: ["t", "u", "f"] }[rows[0].length] ?? [];
  const uneven = rows.findIndex((row) => row.length !== names.length);
  if (uneven >= 0) throw new Error(`line ${uneven + (named ? 2 : 1)}: ${rows[uneven].length} columns, ${names.length || "1 to 3"} are needed`);
  if (!names.includes("u")) throw new Error(`the columns are ${names.join(", ")}; one must be called u`);
  if (rows.length > 20000) throw new Error(`${rows.length} rows; at most 20000 are followed here`);
  const column = (name) => (names.includes(name) ? Float64Array.from(rows, (row) => row[names.indexOf(name)]) : undefined);
  return { u: column("u"), t: column("t"), f: column("f") };
}

// Numbers in a link: bytes as base64 without signs that a link would change.
function packed(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  let text = "";
  for (let k = 0; k < bytes.length; k += 4096) text += String.fromCharCode(...bytes.subarray(k, k + 4096));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
function unpacked(text) {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new Float64Array(Uint8Array.from(raw, (c) => c.charCodeAt(0)).buffer);
}
