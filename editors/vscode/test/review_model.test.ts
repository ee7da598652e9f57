import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openCount, openTotal, ReviewModel } from "../src/review/render/model";
import { addressOf, queryOf } from "../src/review/render/addresses";
import { delta, file, hunk, set } from "./review_fixtures";

const paths = (model: ReviewModel) => model.files().map((each) => each.file.path);

describe("the model", () => {
  test("adds deltas up: files replace those of the same index, the others stay", () => {
    const model = new ReviewModel();
    model.reset([set({ files: [file({ path: "/a" }), file({ file: 1, path: "/b" })] })]);
    model.apply({
      changeSets: [delta(set({ files: [file({ file: 1, path: "/c" })] }), 2)],
      removed: [],
    });
    assert.deepEqual(paths(model), ["/a", "/c"]);
  });

  test("forgets files past the count, and sets that are removed", () => {
    const model = new ReviewModel();
    model.reset([set({ files: [file({ path: "/a" }), file({ file: 1, path: "/b" })] })]);
    model.apply({ changeSets: [delta(set({ title: "New", files: [] }), 1)], removed: [] });
    assert.deepEqual(paths(model), ["/a"]);
    assert.equal(model.set("s/c")?.title, "New");
    model.apply({ changeSets: [], removed: ["s/c", "never there"] });
    assert.deepEqual(paths(model), []);
  });

  test("shows of the net change only the files that no tool call of the session has told of", () => {
    const model = new ReviewModel();
    const net = { changeSet: "s/net", toolCallId: null };
    model.reset([
      set({ files: [file({ path: "/a" })] }),
      set({ ...net, files: [file({ path: "/a" }), file({ file: 1, path: "/b" })] }),
      set({ changeSet: "t/net", sessionId: "t", toolCallId: null, files: [file({ path: "/a" })] }),
    ]);
    assert.deepEqual(
      model.files().map(({ set: { changeSet }, file: { path } }) => [changeSet, path]),
      [
        ["s/c", "/a"],
        ["s/net", "/b"],
        ["t/net", "/a"],
      ],
    );
  });

  test("has the old path of a renamed file not as a deleted one of the net change", () => {
    const model = new ReviewModel();
    const move = { operation: "move", path: "/new", oldPath: "/old", hunks: [] };
    const copy = { operation: "copy", path: "/copy", oldPath: "/source", hunks: [] };
    const net = [file({ path: "/old" }), file({ file: 1, path: "/source" })];
    model.reset([
      set({ files: [file(move), file({ ...copy, file: 1 })] }),
      set({ changeSet: "s/net", toolCallId: null, files: net }),
    ]);
    assert.deepEqual(paths(model), ["/new", "/copy", "/source"]);
  });

  test("finds open hunks by path, from the top, over several sets", () => {
    const model = new ReviewModel();
    const at = (startLine: number, given = {}) =>
      hunk({ range: { startLine, endLine: startLine }, ...given });
    model.reset([
      set({ files: [file({ hunks: [at(9), at(4, { hunk: 1, open: false })] })] }),
      set({ changeSet: "s/d", files: [file({ hunks: [at(2), hunk({ hunk: 1, range: null })] })] }),
    ]);
    const found = model.openHunks("/project/a.txt").map((each) => each.hunk.range?.startLine);
    assert.deepEqual(found, [2, 9]);
    assert.deepEqual(model.openHunks("/elsewhere"), []);
  });

  test("counts hunks that wait, and files that have none by themselves", () => {
    const some = file({ hunks: [hunk(), hunk({ hunk: 1, open: false })] });
    const binary = file({ file: 1, hunks: [], fileType: "binary", open: true });
    assert.equal(openCount(some), 1);
    assert.equal(openCount(binary), 1);
    assert.equal(openCount(file({ hunks: [], open: false })), 0);
    assert.equal(
      openTotal([
        { set: set(), file: some },
        { set: set(), file: binary },
      ]),
      2,
    );
  });
});

describe("addresses of virtual documents", () => {
  test("name a side, a set and a file, whatever the id of the set", () => {
    for (const changeSet of ["s-1/call", "ü ?#/%2F", "😀"]) {
      const address = { side: "after", changeSet, file: 12 } as const;
      assert.match(queryOf(address), /^[\w/-]+$/u);
      assert.deepEqual(addressOf(queryOf(address)), address);
    }
  });

  for (const query of ["", "x", "middle/0/c2V0", "before/x/c2V0", "before/0/", "before/0/a/b"]) {
    test(`are not what looks like ${JSON.stringify(query)}`, () => {
      assert.equal(addressOf(query), null);
    });
  }
});
