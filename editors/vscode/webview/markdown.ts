/**
 * Markdown to elements. A parser reads it and the tokens become elements here, so that no text is
 * ever read as HTML. Links name their target in an attribute of ours; the host opens them.
 */
import MarkdownIt, { type Token } from "markdown-it";
import type { Parsed } from "../src/view/render/segments";
import { element, icon } from "./dom";

const parser = new MarkdownIt("default", { html: false, linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// The host decides what may be opened, and wants the address as it was written.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;
parser.disable("image");

/** Read Markdown as top-level blocks. */
export function parse(source: string): Parsed<Token[]>[] {
  const parts: Parsed<Token[]>[] = [];
  let open: Token[] = [];
  for (const token of parser.parse(source, {})) {
    if (token.level === 0 && token.nesting >= 0) {
      open = [];
      parts.push({ startLine: token.map?.[0] ?? 0, content: open });
    }
    open.push(token);
  }
  return parts;
}

/** Inline Markdown, as the title of a tool call, put into an element. */
export function fillInline(target: HTMLElement, source: string): void {
  target.replaceChildren();
  build(parser.parseInline(source, {}), target);
}

/** The elements of one top-level block. */
export function elementsOf(tokens: readonly Token[]): Node[] {
  const made = document.createDocumentFragment();
  build(tokens, made);
  return [...made.childNodes];
}

const CONTAINERS: ReadonlySet<string> = new Set(
  "p ul ol li blockquote em strong s h4 h5 h6 table thead tbody tr th td".split(" "),
);

function build(tokens: readonly Token[], root: Node): void {
  const parents: Node[] = [root];
  for (const token of tokens) {
    const parent = parents.at(-1) ?? root;
    if (token.nesting === 1) {
      // The paragraphs of tight lists are hidden: their text stands in the list's item itself.
      parents.push(token.hidden ? parent : parent.appendChild(container(token)));
    } else if (token.nesting === -1) {
      parents.pop();
    } else if (token.type === "inline") {
      buildInline(token, parent);
    } else {
      parent.appendChild(leaf(token));
    }
  }
}

function container(token: Token): HTMLElement {
  if (token.type === "link_open") {
    return link(String(token.attrGet("href") ?? ""));
  }
  // The first three levels are the transcript's own.
  const tag = /^h[1-3]$/.test(token.tag) ? "h4" : token.tag;
  const made = document.createElement(CONTAINERS.has(tag) ? tag : "span");
  const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet("style") ?? ""))?.[1];
  if (align !== undefined) {
    made.style.textAlign = align;
  }
  const start = Number(token.attrGet("start") ?? NaN);
  if (made instanceof HTMLOListElement && Number.isInteger(start)) {
    made.start = start;
  }
  return made;
}

function link(target: string): HTMLElement {
  return element("a", { href: "#", "data-target": target, title: readable(target) });
}

function readable(target: string): string {
  try {
    return decodeURI(target).replace(/^file:\/\//, "");
  } catch {
    return target;
  }
}

const TASK = /^\[([ xX])\] /;

/** Running text; that of a task begins with a box. */
function buildInline(token: Token, parent: Node): void {
  const children = token.children ?? [];
  const [first] = children;
  const box = isInItem(parent) && first?.type === "text" ? TASK.exec(first.content) : null;
  if (box === null || first === undefined) {
    build(children, parent);
    return;
  }
  const done = box[1] !== " ";
  parent.appendChild(icon(done ? "pass-filled" : "circle-large-outline", done ? "done" : "to do"));
  parent.appendChild(document.createTextNode(` ${first.content.slice(box[0].length)}`));
  (parent as HTMLElement).closest("li")?.classList.add("task");
  build(children.slice(1), parent);
}

function isInItem(parent: Node): boolean {
  const item = parent instanceof HTMLElement ? parent.closest("li") : null;
  return item !== null && item.textContent === "";
}

function leaf(token: Token): Node {
  switch (token.type) {
    case "fence":
    case "code_block":
      return codeBlock(token.content, token.info.trim());
    case "code_inline":
      return element("code", {}, token.content);
    case "hr":
      return element("hr");
    case "hardbreak":
      return element("br");
    case "softbreak":
      return document.createTextNode("\n");
    default:
      return document.createTextNode(token.content);
  }
}

function codeBlock(content: string, language: string): HTMLElement {
  const text = content.endsWith("\n") ? content.slice(0, -1) : content;
  const copy = element("button", {
    type: "button",
    class: "icon-button copy codicon codicon-copy",
    "aria-label": "Copy",
    title: "Copy",
    "data-copy": true,
  });
  const code = element("code", {}, text);
  return element(
    "div",
    { class: "code", "data-language": language || false },
    element("pre", {}, code),
    copy,
  );
}
