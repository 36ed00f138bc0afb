// Checks style sheets: what is no CSS, properties and values that do not exist, names that are in no other file, and the format.
//
//   node scripts/css-check.cjs FILE.css WITH...    WITH: files that may use the names, such as the document and the scripts
"use strict";
const fs = require("fs");
const path = require("path");
const csstree = require("css-tree");

const widest = 140;
const [file, ...users] = process.argv.slice(2);
const text = fs.readFileSync(file, "utf8");
const used = users.map((name) => fs.readFileSync(name, "utf8")).join("\n");
let problems = 0;
const tell = (line, what) => {
  problems += 1;
  console.log(`${path.relative(".", file)}:${line}: ${what}`);
};

const tree = csstree.parse(text, {
  positions: true, parseCustomProperty: true, onParseError: (error) => tell(error.line, error.message.split("\n")[0]),
});
// What the lexer is too old for, or what browsers alone know.
const newer = new Set(["inset", "margin-inline", "margin-block", "padding-inline", "padding-block", "accent-color", "color-scheme"]);
const declared = new Set();
const read = new Map();
csstree.walk(tree, (node) => {
  const line = node.loc ? node.loc.start.line : 0;
  if (node.type === "Declaration") {
    const { property } = node;
    if (property.startsWith("--")) {
      declared.add(property);
    } else if (!newer.has(property)) {
      const hasVariable = csstree.find(node.value, (part) => part.type === "Function" && part.name === "var");
      // A function of a value within one of its own is beyond the lexer.
      const isBeyond = csstree.find(node.value, (part) => part.type === "Function" && ["min", "max", "clamp"].includes(part.name));
      const { error } = hasVariable || isBeyond ? { error: null } : csstree.lexer.matchProperty(property, node.value);
      if (error) tell(line, `${property}: ${error.message.split("\n")[0]}`);
      else if (hasVariable && !csstree.lexer.getProperty(property)) tell(line, `unknown property ${property}`);
    }
  }
  if (node.type === "Function" && node.name === "var") {
    const name = node.children.first && node.children.first.name;
    if (name) read.set(name, line);
  }
  if (["ClassSelector", "IdSelector"].includes(node.type) && !new RegExp(`\\b${node.name}\\b`).test(used)) {
    tell(line, `'${node.name}' is used in no other file`);
  }
});
for (const [name, line] of read) if (!declared.has(name) && !used.includes(name)) tell(line, `${name} is declared nowhere`);
// Drawings read colours by their names without the dashes.
for (const name of declared) {
  if (!read.has(name) && !new RegExp(`\\b${name.slice(2)}\\b`).test(used)) tell(1, `${name} is never used`);
}

// The format: two spaces for each brace that is open, or for a rule that goes on; a space behind ':' and ',' and about '{' and '}'.
let depth = 0;
let isInRule = false;
text.split("\n").forEach((source, index) => {
  const number = index + 1;
  const line = source.replace(/\/\*.*?\*\//g, "").replace(/"[^"]*"/g, '""');
  if (source.length > widest) tell(number, `${source.length} columns, more than ${widest}`);
  if (/\s$/.test(source)) tell(number, "space at the end");
  if (/\t/.test(source)) tell(number, "tab");
  const code = line.trim();
  if (!code) return;
  const closes = code.startsWith("}") ? 1 : 0;
  const indentation = source.length - source.trimStart().length;
  const expected = 2 * (depth - closes);
  if (indentation !== expected && !(isInRule && indentation > expected)) tell(number, `indented by ${indentation}, expected ${expected}`);
  if (/\S\{|\{\S|[^\s]\}/.test(code)) tell(number, "expected a space about { and }");
  if (/[;,]\S/.test(code)) tell(number, "expected a space behind ; and ,");
  if (/^\s*[a-z-]+:\S/.test(code.replace(/^.*\{\s*/, "")) && code.includes(";")) tell(number, "expected a space behind :");
  if (/[^;{}\s]\s*\}/.test(code)) tell(number, "expected ; before }");
  for (const letter of code) depth += letter === "{" ? 1 : letter === "}" ? -1 : 0;
  isInRule = !/[;{}]$/.test(code);
});
process.exit(problems ? 1 : 0);
