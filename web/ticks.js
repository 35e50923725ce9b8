// Axis ranges and ticks; include/faying/io/ticks.hpp says what they are, src/io/ticks.cpp is the same in C++.
"use strict";
const Ticks = (() => {
  const air = 0.04, resolution = 1e-12, slack = 1e-9;

  // significand x 10^exponent, so that 3 x 0.1 is 0.3 to the last bit
  const decimal = (significand, exponent) => ({ significand, exponent, value: Number(`${significand}e${exponent}`) });
  const readsWellWithoutExponent = (magnitude) => magnitude >= 1e-3 && magnitude < 1e6;
  const withMinusSign = (text) => text.replace(/^-/, "\u2212");

  const fixedLabel = (d) => withMinusSign((d.value + 0).toFixed(Math.max(0, -d.exponent)));

  function scientificLabel(d) {
    if (d.significand === 0) return "0";
    let digits = String(Math.abs(d.significand));
    const exponent = d.exponent + digits.length - 1;
    digits = digits.replace(/0+$/, "");
    if (digits.length > 1) digits = digits[0] + "." + digits.slice(1);
    return withMinusSign((d.significand < 0 ? "-" : "") + digits + "e" + exponent);
  }

  const raised = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  const powerOfTenLabel = (exponent) =>
    "10" + String(exponent).replace(/./g, (c) => (c === "-" ? "\u207b" : raised[Number(c)]));

  function niceStep(width) {
    const exponent = Math.floor(Math.log10(width));
    for (const m of [1, 2, 5]) {
      const step = decimal(m, exponent);
      if (step.value >= width * (1 - 1e-9)) return step;
    }
    return decimal(1, exponent + 1);
  }

  function linear(low, high, count) {
    const width = (high - low) / count;
    if (!(width > 0) || !isFinite(width)) return [];
    const step = niceStep(width);
    const first = Math.ceil(low / step.value - slack), last = Math.floor(high / step.value + slack);
    const fixed = readsWellWithoutExponent(Math.max(Math.abs(first), Math.abs(last)) * step.value);
    const ticks = [];
    for (let k = first; k <= last; ++k) {
      const d = decimal(k * step.significand + 0, step.exponent);
      ticks.push({ value: d.value, label: fixed ? fixedLabel(d) : scientificLabel(d) });
    }
    return ticks;
  }

  function logarithmic(low, high, count) {
    const below = Math.floor(Math.log10(low) + slack), above = Math.floor(Math.log10(high) + slack);
    const decades = above - Math.ceil(Math.log10(low) - slack) + 1;
    const onlyDecades = decades >= 3, every = Math.ceil(decades / count);
    const thirds = 3 * Math.log10(high / low) > count;
    const ticks = [];
    for (let e = below; e <= above; ++e) {
      for (let m = 1; m <= (onlyDecades && every > 1 ? 1 : 9); ++m) {
        const d = decimal(m, e), v = d.value;
        if (v < low * (1 - slack) || v > high * (1 + slack)) continue;
        let label = "";
        if (onlyDecades && m === 1 && e % every === 0) label = powerOfTenLabel(e);
        if (!onlyDecades && (m === 1 || (thirds ? m === 3 : m === 2 || m === 5)))
          label = readsWellWithoutExponent(v) ? fixedLabel(d) : scientificLabel(d);
        ticks.push({ value: v, label });
      }
    }
    const labelled = ticks.filter((t) => t.label !== "").length;
    if (labelled >= 3) return ticks;
    const straight = linear(low, high, count);  // on a short axis these may say more
    return labelled < straight.length ? straight : ticks;
  }

  function padded(low, high, isLogarithmic) {
    if (isLogarithmic) {
      const a = Math.log10(low), b = Math.log10(high);
      const pad = b - a > resolution ? air * (b - a) : 0.5;
      return [Math.pow(10, Math.max(a - pad, -323)), Math.pow(10, Math.min(b + pad, 308))];
    }
    const size = Math.max(Math.abs(low), Math.abs(high)), extent = high - low;
    const pad = extent > resolution * size ? air * extent : size > 0 ? 0.1 * size : 1;
    return [low - pad, high + pad];
  }

  const at = (low, high, isLogarithmic, count) => (isLogarithmic ? logarithmic : linear)(low, high, count);
  return { at, padded };
})();
