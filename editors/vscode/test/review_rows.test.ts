import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { SetView } from "../src/contract";
import { ReviewModel } from "../src/review/render/model";
import { changedRows } from "../src/review/render/rows";
import { tree, type Node } from "../src/review/render/tree";
import { file, hunk, set } from "./review_fixtures";

function build(...sets: SetView[]): Node[] {
  const model = new ReviewModel();
  model.reset(sets);
  return tree(model, [{ id: "s", title: "Mend the tests" }], "file");
}

const two = (line: number, more: Partial<SetView> = {}) =>
  set({
    files: [
      file({ hunks: [hunk(), hunk({ hunk: 1, range: { startLine: line, endLine: line } })] }),
    ],
    ...more,
  });

describe("rows that are drawn anew", () => {
  test("are none if all looks as it did", () => {
    assert.deepEqual(changedRows(build(two(20)), build(two(20))), []);
  });

  test("are hunks alone when lines move", () => {
    const after = build(two(21));
    const moved = after[0]?.children[0]?.children[1];
    assert.deepEqual(changedRows(build(two(20)), after), [moved?.id]);
  });

  test("are what has other rows below it", () => {
    const other = set({ changeSet: "s/d", files: [file({ path: "/w/b.txt", hunks: [hunk()] })] });
    const more = changedRows(build(two(20)), build(two(20), other));
    assert.deepEqual(more, ["session s"]);
  });

  test("are all if sessions come or go", () => {
    const other = set({ changeSet: "t/d", sessionId: "t" });
    assert.equal(changedRows(build(two(20)), build(two(20), other)), null);
    assert.equal(changedRows(build(two(20), other), build(two(20))), null);
  });

  test("are those whose state changed, from the topmost that tells of it", () => {
    const kept = set({
      files: [file({ hunks: [hunk({ state: "kept", open: false }), hunk({ hunk: 1 })] })],
    });
    const before = set({ files: [file({ hunks: [hunk(), hunk({ hunk: 1 })] })] });
    assert.deepEqual(changedRows(build(before), build(kept)), ["session s"]);
  });
});
