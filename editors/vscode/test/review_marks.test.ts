import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { marksOf, utf16 } from "../src/review/render/marks";
import { hunk } from "./review_fixtures";

describe("marks of a hunk", () => {
  test("what was written is marked as added, with what was there before beside it", () => {
    const marks = marksOf(hunk(), 10);
    assert.deepEqual(marks?.lines, [{ start: 1, end: 1 }]);
    assert.equal(marks.side, "added");
    assert.deepEqual(marks.ghosts, [{ line: 1, text: "two", side: "removed", between: null }]);
  });

  test("what is proposed is marked as what would go, with the new lines beside the last of it", () => {
    const lines = [" a", "-b", "-c", "+x", "+y", "+z"];
    const marks = marksOf(
      hunk({ state: "proposed", lines, range: { startLine: 2, endLine: 3 } }),
      10,
    );
    assert.equal(marks?.side, "removed");
    assert.deepEqual(marks.lines, [{ start: 1, end: 2 }]);
    assert.deepEqual(marks.ghosts, [
      { line: 2, text: "x  (and 2 more lines)", side: "added", between: null },
    ]);
  });

  test("a deletion that was made stands at the end of the line before it", () => {
    const lines = [" a", "-b", " c"];
    const marks = marksOf(hunk({ lines, range: { startLine: 2, endLine: 1 } }), 2);
    assert.deepEqual(marks?.lines, []);
    assert.deepEqual(marks.ghosts, [{ line: 0, text: "b", side: "removed", between: "after" }]);
  });

  test("a deletion at the top of the file stands before its first line", () => {
    const marks = marksOf(
      hunk({ lines: ["-a", "-b", " c"], range: { startLine: 1, endLine: 0 } }),
      1,
    );
    assert.deepEqual(marks?.ghosts, [
      { line: 0, text: "a  (and 1 more line)", side: "removed", between: "before" },
    ]);
  });

  test("context between changed lines is not marked", () => {
    const lines = [" a", " b", "-c", "+C", " d", " e", "+f", " g"];
    const marks = marksOf(hunk({ lines, range: { startLine: 3, endLine: 6 } }), 10);
    assert.deepEqual(marks?.lines, [
      { start: 2, end: 2 },
      { start: 5, end: 5 },
    ]);
  });

  test("a remark on the final newline is no line of the text", () => {
    const none = "\\ No newline at end of file";
    const lines = [" a", "-b", none, "+c", none];
    const marks = marksOf(hunk({ lines }), 2);
    assert.deepEqual(marks?.lines, [{ start: 1, end: 1 }]);
    assert.deepEqual(marks.ghosts[0]?.text, "b");
  });

  test("nothing is marked past the end of the text, whatever the hunk says", () => {
    const range = { startLine: 5, endLine: 6 };
    const marks = marksOf(
      hunk({ lines: ["+a", "+b", "-c"], range, words: [{ line: 0, start: 0, end: 1 }] }),
      1,
    );
    assert.deepEqual(marks?.lines, []);
    assert.deepEqual(marks.words, []);
    assert.equal(marks.ghosts[0]?.line, 0);
  });

  test("nothing is marked of what has no place or needs no mark", () => {
    assert.equal(marksOf(hunk({ range: null }), 3), null);
    assert.equal(marksOf(hunk({ state: "kept" }), 3), null);
    assert.equal(marksOf(hunk({ state: "unanchored" }), 3), null);
  });

  test("words are marked in the side that the text has, in UTF-16", () => {
    const lines = [" a", "-😀 old x", "+😀 new x"];
    const words = [
      { line: 1, start: 2, end: 5 },
      { line: 2, start: 2, end: 5 },
      { line: 9, start: 0, end: 1 },
    ];
    const marks = marksOf(hunk({ lines, words }), 3);
    assert.deepEqual(marks?.words, [{ line: 1, start: 3, end: 6 }]);
    assert.equal("😀 new x".slice(3, 6), "new");
  });

  test("blank and long lines beside the text say what they are", () => {
    const ghosts = (lines: string[]) =>
      marksOf(hunk({ lines }), 3)?.ghosts.map((each) => each.text);
    assert.deepEqual(ghosts(["-", "-  ", "+x"]), ["2 blank lines"]);
    assert.deepEqual(ghosts(["-", "-  y", "+x"]), ["y  (and 1 more line)"]);
    assert.deepEqual(ghosts([`-${"y".repeat(300)}`, "+x"]), [`${"y".repeat(100)}…`]);
    assert.deepEqual(ghosts(["-a\u202eb\u0007\r", "+x"]), ["a\ufffdb\ufffd"]);
  });
});

/** A small generator, seeded, so that a failure comes again. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

test("the marked lines are exactly those that a hunk has in the text, for any hunk", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = numbers(seed);
    const next = () => random.next().value;
    const body = Array.from({ length: 1 + Math.floor(next() * 8) }, (_, at) => {
      const mark = [" ", "-", "+"][Math.floor(next() * 3)] ?? " ";
      return `${mark}line ${at}`;
    });
    if (body.every((line) => line.startsWith(" "))) {
      body.push("+last");
    }
    for (const [state, present] of [
      ["applied", "+"],
      ["proposed", "-"],
    ] as const) {
      const before = Array.from({ length: Math.floor(next() * 4) }, (_, at) => `before ${at}`);
      const inText = body.filter((line) => line.startsWith(" ") || line.startsWith(present));
      const text = [...before, ...inText.map((line) => line.slice(1)), "after"];
      const first = body.findIndex((line) => !line.startsWith(" "));
      const startLine = before.length + first + 1;
      const marks = marksOf(
        hunk({ state, lines: body, range: { startLine, endLine: startLine } }),
        text.length,
      );
      const marked = marks?.lines.flatMap(({ start, end }) => text.slice(start, end + 1));
      const wanted = body.filter((line) => line.startsWith(present)).map((line) => line.slice(1));
      assert.deepEqual(marked, wanted, `seed ${seed}, ${state}`);
    }
  }
});

test("columns in code points become columns in UTF-16", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((column) => utf16("a😀b", column)),
    [0, 1, 3, 4, 4],
  );
});
