// The library in the page: laws made, followed, cycled and asked for their memory, and fitted. The same in a worker.
"use strict";

async function openLaws(wasmBinary, onShare) {
  const module = await makeLaws({ wasmBinary, onShare });
  const heap = () => new Float64Array(module.HEAPU8.buffer);
  const text = (pointer) => module.UTF8ToString(pointer);
  const refusal = () => new Error(text(module._faying_error()));

  // One piece of the module's memory for numbers in and out; grown when it does not suffice.
  let room = 0, place = 0;
  function reserve(count) {
    if (count > room) {
      module._free(place);
      room = Math.max(count, 2 * room);
      place = module._malloc(8 * room);
    }
    return place / 8;
  }
  // Puts arrays one behind the other and leaves `more` numbers behind them: [address of each .., of the rest].
  function given(arrays, more) {
    let at = reserve(arrays.reduce((sum, a) => sum + a.length, more));
    const places = arrays.map((array) => {
      heap().set(array, at);
      at += array.length;
      return 8 * (at - array.length);
    });
    return [...places, 8 * at];
  }
  const words = (call, types, values) => {
    const pointer = module.ccall(call, "number", types, values);
    if (pointer === 0) throw refusal();
    return JSON.parse(text(pointer));
  };

  return {
    catalogue: () => words("faying_catalogue", [], []),
    parameters: (name) => words("faying_parameters", ["string"], [name]),
    // A law to ask; free() it when it is no longer needed.
    make(name, values) {
      const id = module.ccall("faying_make", "number", ["string", "string"], [name, JSON.stringify(values)]);
      if (id < 0) throw refusal();
      const columns = (at, count, names) =>
        Object.fromEntries(names.map((key, k) => [key, heap().slice(at / 8 + k * count, at / 8 + (k + 1) * count)]));
      return {
        name,
        macroslip: module._faying_macroslip(id),
        follow(path, times) {
          const n = path.length, at = given(times ? [path, times] : [path], 5 * n), out = at[at.length - 1];
          if (module._faying_follow(id, at[0], times ? at[1] : 0, n, out) < 0) throw refusal();
          return columns(out, n, ["u", "f", "tangent", "work", "dissipated"]);
        },
        cycle(amplitudes) {
          const n = amplitudes.length, [from, out] = given([amplitudes], 4 * n);
          if (module._faying_cycle(id, from, n, out) < 0) throw refusal();
          return columns(out, n, ["dissipation", "secant", "harmonic_stiffness", "harmonic_damping"]);
        },
        memory(path) {
          const [from] = given([path], 0);
          return words("faying_memory", ["number", "number", "number"], [id, from, path.length]);
        },
        free: () => module._faying_free(id),
      };
    },
    identify(name, u, f, fixed = {}) {
      const [at_u, at_f] = given([u, f], 0);
      return words("faying_identify", ["string", "number", "number", "number", "string"], [name, at_u, at_f, u.length, JSON.stringify({ fixed })]);
    },
  };
}
