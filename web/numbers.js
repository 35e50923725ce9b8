// How numbers and units are written, on every page.
"use strict";

// Numbers. A dash for what is not known.
const isNumber = (value) => typeof value === "number" && isFinite(value);
const raisedDigits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
const raised = (n) => String(n).replace(/./g, (c) => (c === "-" ? "\u207b" : raisedDigits[Number(c)]));
function figures(value, digits = 4) {
  if (!isNumber(value)) return "\u2013";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(digits))).replace("-", "\u2212");
  const [significand, exponent] = value.toExponential(digits - 1).split("e");
  const factor = Number(significand) === 1 ? "" : `${String(Number(significand)).replace("-", "\u2212")}\u00b7`;
  return factor + "10" + raised(Number(exponent));
}
const unitOf = (label, unit) => (unit ? `${label} / ${/[/ \u00b7]/.test(unit) ? `(${unit})` : unit}` : label);
