// A page per header of the library: what its opening comment says, what it declares, and the header itself.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const inCode = (text) => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>");

// Paragraphs, and indented lines as code.
function prose(lines) {
  const out = [];
  let text = [], code = [];
  const flush = () => {
    if (text.length) out.push(`<p>${inCode(text.join(" "))}</p>`);
    if (code.length) out.push(`<pre>${escape(code.join("\n").replace(/\s+$/, ""))}</pre>`);
    text = [];
    code = [];
  };
  for (const line of lines) {
    if (/^ {4}/.test(line)) {
      if (text.length) flush();
      code.push(line.slice(4));
    } else if (line.trim() === "") {
      if (code.length) code.push("");
      else flush();
    } else {
      if (code.length) flush();
      text.push(line.trim());
    }
  }
  flush();
  return out.join("\n");
}

function opening(source) {
  const lines = source.split("\n"), first = lines.findIndex((line) => line.startsWith("//"));
  if (first < 0 || first > 3) return [];
  const end = lines.findIndex((line, k) => k > first && !line.startsWith("//"));
  return lines.slice(first, end).map((line) => line.replace(/^\/\/ ?/, ""));
}

// Names declared at the level of the namespace, with their lines and what is said before them.
function declared(source) {
  const lines = source.split("\n"), found = [];
  lines.forEach((line, k) => {
    const type = /^(?:struct|class|enum class|concept|using)\s+([A-Za-z_]\w*)/.exec(line) ?? /^(?:inline\s+)?constexpr\s+.*?\b(\w+)\s*[={]/.exec(line);
    const call = /^[A-Za-z_][\w:<>,&*\s]*?[\s&*>]([a-z_]\w*|operator[^\s(]+)\(/.exec(line);
    const name = type?.[1] ?? call?.[1];
    if (!name || /^(return|if|for|while|namespace|template|requires|static_assert)\b/.test(line)) return;
    let said = [], j = k - 1;
    while (j >= 0 && /^template|^requires/.test(lines[j])) --j;
    for (; j >= 0 && lines[j].startsWith("///"); --j) said.unshift(lines[j].replace(/^\/\/\/ ?/, ""));
    found.push({ name, line: k + 1, said: said.join(" ") });
  });
  return found;
}

function headerPages(root, page, placeOf) {
  const base = path.join(root, "include/faying"), folders = fs.readdirSync(base).sort();
  const index = [];
  for (const folder of folders) {
    const rows = [];
    for (const name of fs.readdirSync(path.join(base, folder)).filter((file) => file.endsWith(".hpp")).sort()) {
      const file = `include/faying/${folder}/${name}`, source = fs.readFileSync(path.join(root, file), "utf8");
      const said = opening(source), names = declared(source);
      const shown = source.split("\n").map((line, k) => `<span id="L${k + 1}">${escape(line)}</span>`).join("\n");
      const list = names.map((n) => `<li><a href="#L${n.line}"><code>${escape(n.name)}</code></a>${n.said ? ` – ${inCode(n.said)}` : ""}</li>`);
      page(placeOf(file), `faying/${folder}/${name}`, `<h1><code>faying/${folder}/${name}</code></h1>
${prose(said)}
${list.length ? `<h2>Declares</h2>\n<ul>\n${list.join("\n")}\n</ul>` : ""}
<h2>The header</h2>
<pre>${shown}</pre>`);
      rows.push(`<tr><td><a href="${folder}/${name.slice(0, -4)}.html"><code>${folder}/${name}</code></a></td><td>${inCode((said.join(" ").split(/(?<=[.:])\s/)[0] ?? "").trim())}</td></tr>`);
    }
    if (rows.length) index.push(`<h2 id="${folder}">${folder}</h2>\n<div class="wide"><table><tbody>\n${rows.join("\n")}\n</tbody></table></div>`);
  }
  page("api/index.html", "C++ API", `<h1>The C++ library, header by header</h1>
<p>Folder, namespace and CMake target have one name: <code>faying/laws/catalogue.hpp</code> is in <code>faying::laws</code>, of <code>faying::laws</code>.
<a href="../library.html">The commands from C++</a> shows what belongs together, <a href="../own-laws.html">a law of your own</a> how to add one.</p>
${index.join("\n")}`);
}

module.exports = { headerPages };
