// The bench as text for other tools: the same laws on the same path. Numbers are written so that they read back the same.
"use strict";

const pairs = (entry) => Object.entries(entry.values);
const perLine = (numbers, indent) => {
  const lines = [];
  for (let k = 0; k < numbers.length; k += 10) lines.push(indent + numbers.slice(k, k + 10).join(", "));
  return lines.join(",\n");
};
// Every point where a law's answer depends on them, else the turning points.
const pathOf = (bench) => (bench.entries.some((e) => bench.catalogue.find((c) => c.key === e.name.split("+")[0])?.key.startsWith("two-state-increment"))
  ? [...bench.history.u] : turningPoints(bench.history.u));

const copies = {
  cli(bench) {
    const path = `--path=${pathOf(bench).join(",")}`;
    if (bench.entries.length === 1) {
      const [one] = bench.entries;
      return `faying loop ${one.name} ${pairs(one).map(([key, value]) => `${key}=${value}`).join(" ")} ${path}\n`;
    }
    const laws = bench.entries.map((one) => `${one.name}:${pairs(one).map(([key, value]) => `${key}=${value}`).join(",")}`);
    return `faying loop --compare ${laws.join(" ")} ${path} --plot laws.html\n`;
  },
  toml(bench) {
    const key = (word) => (/^[A-Za-z0-9_-]+$/.test(word) ? word : JSON.stringify(word));
    return bench.entries.map((one, i) => `[[joint]]
name = "joint ${i + 1}"
law = "${one.name}"
parameters = { ${pairs(one).map(([word, value]) => `${key(word)} = ${value}`).join(", ")} }
dofs = [1, 2]                    # acts on u2 - u1; put your own here
`).join("\n");
  },
  cpp(bench) {
    const laws = bench.entries.map((one) => `        Law("${one.name}", {${pairs(one).map(([key, value]) => `{"${key}", ${value}}`).join(", ")}}),`);
    return `#include <cstdio>
#include "faying/laws/catalogue.hpp"

int main() {
    using faying::laws::Law;
    const std::vector<double> path = {
${perLine(pathOf(bench), "        ")}};
    for (const Law& law : {
${laws.join("\n")}
         }) {
        const auto h = law.follow(path);
        for (std::size_t i = 0; i < path.size(); ++i)
            std::printf("%s,%.17g,%.17g,%.17g\\n", law.name().c_str(), h.u[i], h.f[i], h.dissipated[i]);
    }
}
`;
  },
  python(bench) {
    const laws = bench.entries.map((one) => `    faying.law("${one.name}", {${pairs(one).map(([key, value]) => `"${key}": ${value}`).join(", ")}}),`);
    return `import faying

path = [
${perLine(pathOf(bench), "    ")}]
laws = [
${laws.join("\n")}
]
for law in laws:
    answer = law.follow(path)
    print(answer)                # answer.u, .f, .tangent, .work, .dissipated; answer.plot()
`;
  },
};
