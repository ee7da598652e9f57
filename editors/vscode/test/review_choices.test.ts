import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { doneText, failureText, joined, offerOf } from "../src/review/render/choices";
import { fenced, hunkDiff, plain } from "../src/review/render/labels";
import { lensesOf } from "../src/review/render/lenses";
import { ReviewModel } from "../src/review/render/model";
import { nextHunk, touching } from "../src/review/render/walk";
import { file, hunk, set } from "./review_fixtures";

const at = (startLine: number, endLine = startLine, given = {}) =>
  hunk({ range: { startLine, endLine }, ...given });

describe("what can be chosen", () => {
  const offer = (given: Parameters<typeof hunk>[0]) => {
    const { accept, reject } = offerOf(hunk({ open: false, ...given }));
    return [accept, reject];
  };

  test("both, while a hunk waits", () => assert.deepEqual(offer({ open: true }), [true, true]));

  test("the other, once it is chosen", () => {
    assert.deepEqual(offer({ state: "kept", choice: "accepted" }), [false, true]);
    assert.deepEqual(offer({ state: "undone", choice: "rejected" }), [true, false]);
    assert.deepEqual(offer({ state: "proposed", choice: "accepted" }), [false, true]);
  });

  test("what was refused can still be had, the past be undone, what is not found neither", () => {
    assert.deepEqual(offer({ state: "proposed" }), [true, false]);
    assert.deepEqual(offer({ state: "applied" }), [false, true]);
    assert.deepEqual(offer({ state: "unanchored" }), [false, false]);
    assert.deepEqual(offer({ state: "conflict", choice: "accepted" }), [false, false]);
  });
});

describe("what became of choices", () => {
  const failed = (reason: string) => ({ changeSet: "s/c", file: 0, hunk: 0, reason });

  test("is told together, with the first reason", () => {
    const result = joined([
      { changed: 1, failed: [failed("It is gone.")] },
      { changed: 2, failed: [failed("It moved."), failed("It is gone.")] },
    ]);
    assert.equal(result.changed, 3);
    assert.equal(doneText("reject", result), "Rejected 3 changes");
    assert.equal(
      failureText(result),
      "3 changes could not be brought to what you chose: It is gone. (and 1 other reason)",
    );
  });

  test("is nothing to worry about if nothing failed", () => {
    assert.equal(failureText({ changed: 1, failed: [] }), null);
    assert.equal(doneText("undo", joined([])), "Took back the choice of 0 changes");
  });
});

describe("lenses", () => {
  const titles = (given: Parameters<typeof hunk>[0]) =>
    lensesOf([{ set: set(), file: file(), hunk: hunk(given) }], 3).map((each) => each.title);

  test("keep and undo what is made, accept and refuse what is not", () => {
    assert.deepEqual(titles({}), ["$(check) Keep +1 -1", "$(discard) Undo", "$(diff) Show Diff"]);
    assert.deepEqual(titles({ state: "proposed" }), [
      "$(check) Accept +1 -1",
      "$(discard) Refuse",
      "$(diff) Show Diff",
    ]);
  });

  test("stand at a line of the text and name their hunk", () => {
    const lens = lensesOf([{ set: set(), file: file(), hunk: at(9, 8, { hunk: 4 }) }], 3)[0];
    assert.equal(lens?.line, 2);
    assert.deepEqual(lens.about, { changeSet: "s/c", file: 0, hunk: 4 });
  });

  test("are not too many", () => {
    const many = Array.from({ length: 1000 }, () => ({ set: set(), file: file(), hunk: hunk() }));
    assert.ok(lensesOf(many, 3).length <= 400);
  });
});

describe("walking", () => {
  const model = new ReviewModel();
  model.reset([
    set({
      files: [
        file({ path: "/a", hunks: [at(3), at(8, 9, { hunk: 1 })] }),
        file({ file: 1, path: "/decided", hunks: [at(1, 1, { open: false })] }),
        file({ file: 2, path: "/b", hunks: [at(1, 0)] }),
      ],
    }),
  ]);
  const step = (path: string | null, line: number, direction: 1 | -1) => {
    const found = nextHunk(model, path === null ? null : { path, line }, direction);
    return found === null ? null : [found.file.path, found.hunk.range?.startLine];
  };

  test("goes on within a file, then to the next, and round", () => {
    assert.deepEqual(step("/a", 1, 1), ["/a", 3]);
    assert.deepEqual(step("/a", 3, 1), ["/a", 8]);
    assert.deepEqual(step("/a", 8, 1), ["/b", 1]);
    assert.deepEqual(step("/b", 1, 1), ["/a", 3]);
    assert.deepEqual(step("/a", 3, -1), ["/b", 1]);
    assert.deepEqual(step("/b", 1, -1), ["/a", 8]);
  });

  test("starts anywhere", () => {
    assert.deepEqual(step(null, 0, 1), ["/a", 3]);
    assert.deepEqual(step("/other", 5, 1), ["/a", 3]);
    assert.deepEqual(step("/other", 5, -1), ["/b", 1]);
    assert.equal(nextHunk(new ReviewModel(), null, 1), null);
  });

  test("finds the hunks that lines touch, deletions also from the line before", () => {
    const hunks = [at(3), at(8, 9), at(12, 11)].map((each) => ({
      set: set(),
      file: file(),
      hunk: each,
    }));
    const found = (first: number, last: number) =>
      touching(hunks, first, last).map((each) => each.hunk.range?.startLine);
    assert.deepEqual(found(1, 2), []);
    assert.deepEqual(found(3, 8), [3, 8]);
    assert.deepEqual(found(9, 9), [8]);
    assert.deepEqual(found(11, 11), [12]);
    assert.deepEqual(found(12, 12), [12]);
    assert.deepEqual(found(13, 99), []);
  });
});

describe("text of agents", () => {
  test("shows what is invisible and turns nothing round", () => {
    assert.equal(plain("a\u202eb\u0000c\u200b\ufeff\t|\r"), "a\ufffdb\ufffdc\ufffd\ufffd    |");
  });

  test("stays in its code block", () => {
    const block = fenced("```\n[x](command:evil)\n````", "diff");
    const [fence] = block.split("diff");
    assert.equal(fence, "`````");
    assert.ok(block.endsWith("\n`````\n"));
  });

  test("is cut where it is long", () => {
    const text = hunkDiff(hunk({ lines: Array.from({ length: 50 }, (_, each) => `+${each}`) }));
    assert.ok(text.includes("+39") && !text.includes("+40"));
    assert.ok(text.includes("10 more lines"));
  });
});
