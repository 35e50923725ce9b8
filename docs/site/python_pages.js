// The Python module from what python_api.py says of it: signatures, docstrings, examples (which the tests run).
"use strict";

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const inCode = (text) => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>");

// Paragraphs and examples of a docstring.
function prose(text) {
  return (text ?? "").split(/\n\s*\n/).map((part) => (/^\s*>>>/.test(part) ? `<pre>${escape(part)}</pre>` : part.trim() ? `<p>${inCode(part.replace(/\s+/g, " ").trim())}</p>` : "")).join("\n");
}

const entry = (one, level) => `<h${level} id="${one.id}"><code>${escape(one.title)}</code></h${level}>\n${prose(one.doc)}`;

function pythonPages(api, page) {
  if (!api) {
    page("api/python/index.html", "Python API", `<h1>Python API</h1>\n<p>This copy of the docs was made without the built module; <code>./do docs</code> has it. <code>help(faying)</code> says the same.</p>`);
    return;
  }
  const list = api.groups.map((group) => `<h2>${escape(group.title)}</h2>\n<ul>\n${group.names.map((one) => `<li><a href="${one.name}.html"><code>${escape(one.name)}</code></a> – ${inCode((one.doc ?? "").split("\n")[0])}</li>`).join("\n")}\n</ul>`);
  page("api/python/index.html", "Python API", `<h1>The Python module, name by name</h1>\n${prose(api.doc)}\n<p>The guide is <a href="../../python.html">Faying in Python</a>.</p>\n${list.join("\n")}`);
  for (const one of api.groups.flatMap((group) => group.names)) {
    const members = (one.members ?? []).map((member) => entry(member, 3));
    page(`api/python/${one.name}.html`, `faying.${one.name}`, `${entry(one, 1)}\n${members.length ? `<h2>Members</h2>\n${members.join("\n")}` : ""}\n<p><a href="index.html">All names</a></p>`);
  }
}

module.exports = { pythonPages };
