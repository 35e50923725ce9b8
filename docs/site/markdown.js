// Markdown with equations to HTML. An equation that KaTeX cannot read is an error: pages are checked by being made.
"use strict";

const katex = require("katex");
const MarkdownIt = require("markdown-it");

const render = (text, displayMode) => katex.renderToString(text, { displayMode, throwOnError: true, strict: "error", trust: false });

// $..$ within a line, $$..$$ as a block of its own or within a line; as on the hosts that show these files.
function equations(md) {
  md.inline.ruler.after("escape", "equation", (state, silent) => {
    const { src, pos } = state;
    if (src[pos] !== "$") return false;
    const marks = src[pos + 1] === "$" ? 2 : 1, from = pos + marks;
    let end = from;
    do end = src.indexOf("$".repeat(marks), end + (end === from ? 0 : 1));
    while (end > 0 && src[end - 1] === "\\");
    if (end < 0 || end === from) return false;
    if (marks === 1 && (/\s/.test(src[from]) || /\s/.test(src[end - 1]) || /\d/.test(src[end + 1] ?? ""))) return false;
    if (!silent) Object.assign(state.push("equation", "math", 0), { content: src.slice(from, end), block: marks === 2 });
    state.pos = end + marks;
    return true;
  });
  md.block.ruler.before("fence", "equation_block", (state, first, last, silent) => {
    const line = (k) => state.src.slice(state.bMarks[k] + state.tShift[k], state.eMarks[k]);
    if (state.sCount[first] - state.blkIndent >= 4 || !line(first).startsWith("$$")) return false;
    if (silent) return true;
    let text = line(first).slice(2), k = first;
    while (!text.trimEnd().endsWith("$$")) {
      if (++k >= last) return false;
      text += "\n" + line(k);
    }
    Object.assign(state.push("equation", "math", 0), { content: text.trimEnd().slice(0, -2), block: true, map: [first, k + 1] });
    state.line = k + 1;
    return true;
  }, { alt: ["paragraph", "reference", "blockquote", "list"] });
  md.renderer.rules.equation = (tokens, k) => render(tokens[k].content, tokens[k].block) + (tokens[k].map ? "\n" : "");
}

// Headings have the anchors that links of the repository's host expect.
function anchors(md) {
  md.core.ruler.push("anchors", (state) => {
    const seen = new Map();
    state.tokens.forEach((token, k) => {
      if (token.type !== "heading_open") return;
      const words = state.tokens[k + 1].children.map((child) => child.content).join("");
      const name = words.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      token.attrSet("id", count ? `${name}-${count}` : name);
    });
  });
}

// `link(target, kind, alt)` says what takes the place of a link's or an image's target.
function markdown(text, link) {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: false });
  equations(md);
  anchors(md);
  md.core.ruler.push("links", (state) => {
    const walk = (tokens) => tokens.forEach((token) => {
      if (token.type === "link_open") token.attrSet("href", link(token.attrGet("href"), "link"));
      if (token.type === "image") token.attrSet("src", link(token.attrGet("src"), "image", token.content));
      if (token.children) walk(token.children);
    });
    walk(state.tokens);
  });
  const wide = (name) => (tokens, k, options, env, self) => (name === "open" ? '<div class="wide">' + self.renderToken(tokens, k, options) : self.renderToken(tokens, k, options) + "</div>");
  md.renderer.rules.table_open = wide("open");
  md.renderer.rules.table_close = wide("close");
  return md.render(text);
}

module.exports = { markdown };
