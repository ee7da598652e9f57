/** Markdown cut at its top-level blocks while it grows: the same as if it were read at once. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import MarkdownIt from "markdown-it";
import { Segments, type Parsed } from "../src/view/render/segments";

const parser = new MarkdownIt({ html: false });

function parse(source: string): Parsed<string>[] {
  const tops: { startLine: number; tokens: unknown[] }[] = [];
  for (const token of parser.parse(source, {})) {
    if (token.level === 0 && token.nesting >= 0) {
      tops.push({ startLine: token.map?.[0] ?? 0, tokens: [] });
    }
    tops.at(-1)?.tokens.push([token.type, token.tag, token.content]);
  }
  return tops.map(({ startLine, tokens }) => ({ startLine, content: JSON.stringify(tokens) }));
}

const PIECES = [
  "A paragraph\nof two lines.\n\n",
  "- one\n- two\n  - inner\n\n  more of two\n\n",
  "1. first\n2. second\n\n",
  "````console\nsome output\n\n# no heading\n````\n\n",
  "#### A heading\n",
  "> quoted\n> on\n\n",
  "text before a table\n| a | b |\n| - | - |\n| 1 | 2 |\n\n",
  "title\n---\n\n",
  "***\n\n",
  "    indented code\n\n    more of it\n\n",
  "last *words* and `code`\n",
];

describe("growing Markdown", () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    test(`reads as a whole text does (${seed})`, () => {
      let state = seed;
      const random = (below: number) => {
        state = (state * 48271) % 2147483647;
        return state % below;
      };
      const whole = Array.from({ length: 12 }, () => PIECES[random(PIECES.length)]).join("");
      const segments = new Segments(parse);
      let end = 0;
      while (end < whole.length) {
        end = Math.min(whole.length, end + 1 + random(9));
        // As the server does it: whole lines are final, the rest may change.
        const final = whole.lastIndexOf("\n", end - 1) + 1;
        const { parts } = segments.update(whole.slice(0, final), whole.slice(final, end));
        const read = parts.map(({ content }) => content);
        assert.deepEqual(
          read,
          parse(whole.slice(0, end)).map(({ content }) => content),
        );
        assert.equal(parts.map(({ source }) => source).join(""), whole.slice(0, end));
      }
    });
  }

  test("keeps the parts that have not changed", () => {
    const segments = new Segments(parse);
    assert.equal(segments.update("one\n\ntwo\n\n", "thr").kept, 0);
    assert.equal(segments.update("one\n\ntwo\n\n", "three").kept, 2);
    assert.equal(segments.update("one\n\ntwo\n\nthree\n\n", "four").kept, 3);
  });

  test("takes back what only looked like a block of its own", () => {
    const segments = new Segments(parse);
    assert.equal(segments.update("text\n| a | b |\n", "| - | - |").parts.length, 2);
    assert.equal(segments.update("text\n| a | b |\n", "| - | - | x").parts.length, 1);
  });

  test("reads no more again than the last parts", () => {
    let read = 0;
    const segments = new Segments((source) => {
      read += source.length;
      return parse(source);
    });
    let text = "";
    for (let number = 0; number < 500; number += 1) {
      text += `Paragraph ${number}.\n\n`;
      segments.update(text, "");
    }
    assert.ok(read < 5 * text.length, `read ${read} characters of ${text.length}`);
  });

  test("begins anew when the text was replaced", () => {
    const segments = new Segments(parse);
    segments.update("one\n\ntwo\n\nthree\n\n", "");
    const { kept, parts } = segments.update("other\n", "");
    assert.equal(kept, 0);
    assert.equal(parts.length, 1);
    assert.equal(segments.update("", "").parts.length, 0);
  });
});
