import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FileView, SetView } from "../src/contract";
import { ReviewModel } from "../src/review/render/model";
import { tree, type Grouping, type Node } from "../src/review/render/tree";
import { file, hunk, set } from "./review_fixtures";

function build(sets: SetView[], grouping: Grouping = "file"): Node[] {
  const model = new ReviewModel();
  model.reset(sets);
  return tree(model, [{ id: "s", title: "Mend the tests" }], grouping);
}

function only(nodes: readonly Node[]): Node {
  assert.equal(nodes.length, 1);
  return nodes[0]!;
}

const second = (given: Partial<SetView> = {}) =>
  set({ changeSet: "s/d", toolCallId: "d", title: "Edit again", ...given });

describe("the tree by file", () => {
  test("has sessions, their files, and the hunks of all their changes by line", () => {
    const session = only(
      build([
        set({ files: [file({ hunks: [hunk({ range: { startLine: 9, endLine: 9 } })] })] }),
        second(),
      ]),
    );
    assert.equal(session.label, "Mend the tests");
    assert.equal(session.description, "1 file · 2 to review");
    const node = only(session.children);
    assert.equal(node.label, "a.txt");
    assert.equal(node.description, "+2 -2 · 2 to review");
    assert.deepEqual(
      node.children.map((each) => [each.label, each.description]),
      [
        ["2: 2", "+1 -1 · to review"],
        ["9: 2", "+1 -1 · to review"],
      ],
    );
  });

  test("is empty if nothing was changed", () => assert.deepEqual(build([]), []));

  test("names a session that is not known by its id", () => {
    assert.equal(only(build([set({ sessionId: "other" })])).label, "other");
  });

  test("gives each node an id of its own that stays when states change", () => {
    const ids = (state: "applied" | "kept") => {
      const hunks = [hunk({ state }), hunk({ hunk: 1 })];
      const all: string[] = [];
      const collect = (nodes: readonly Node[]) =>
        nodes.forEach((each) => {
          all.push(each.id);
          collect(each.children);
        });
      collect(build([set({ files: [file({ hunks })] }), second()]));
      return all;
    };
    assert.equal(new Set(ids("applied")).size, ids("applied").length);
    assert.deepEqual(ids("applied"), ids("kept"));
  });

  test("chooses about a file by its path, so that what waits in all changes is one choice", () => {
    const node = only(only(build([set(), second()])).children);
    assert.deepEqual(node.about("reject"), [{ sessionId: "s", file: "/project/a.txt" }]);
  });

  test("revises a decided file by its changes, the newest first when going back", () => {
    const kept = file({ hunks: [hunk({ state: "kept", choice: "accepted", open: false })] });
    const node = only(only(build([set({ files: [kept] }), second({ files: [kept] })])).children);
    assert.deepEqual(node.offer, { accept: false, reject: true });
    assert.deepEqual(node.about("reject"), [
      { changeSet: "s/d", file: 0 },
      { changeSet: "s/c", file: 0 },
    ]);
  });

  test("chooses about a session as a whole, and only if something waits", () => {
    const session = only(build([set()]));
    assert.deepEqual(session.about("accept"), [{ sessionId: "s" }]);
    const decided = only(
      build([
        set({
          files: [file({ hunks: [hunk({ open: false, state: "kept", choice: "accepted" })] })],
        }),
      ]),
    );
    assert.deepEqual(decided.offer, { accept: false, reject: false });
  });
});

describe("the tree by change", () => {
  test("has the change sets of a session between it and the files", () => {
    const changes = only(build([set({ pending: true }), second()], "change")).children;
    assert.deepEqual(
      changes.map((each) => [each.label, each.description]),
      [
        ["Edit", "1 file · waits for your permission · 1 to review"],
        ["Edit again", "1 file · 1 to review"],
      ],
    );
  });

  test("chooses about a set that nobody has touched by one command", () => {
    const change = only(only(build([set()], "change")).children);
    assert.deepEqual(change.about("accept"), [{ changeSet: "s/c" }]);
  });

  test("leaves what was chosen in a set as it is while something waits", () => {
    const hunks = [
      hunk({ open: false, state: "kept", choice: "accepted" }),
      hunk({ hunk: 1 }),
      hunk({ hunk: 2 }),
    ];
    const files = [file({ hunks }), file({ file: 1, path: "/project/b.txt" })];
    const change = only(only(build([set({ files })], "change")).children);
    assert.deepEqual(change.about("reject"), [
      { changeSet: "s/c", file: 1 },
      { changeSet: "s/c", file: 0, hunk: 2 },
      { changeSet: "s/c", file: 0, hunk: 1 },
    ]);
    assert.deepEqual(change.children[1]?.about("accept"), [{ changeSet: "s/c", file: 1 }]);
  });
});

describe("what a node says", () => {
  const fileOf = (given: Parameters<typeof file>[0], of: Partial<SetView> = {}) =>
    only(only(build([set({ files: [file(given)], ...of })])).children);

  test("new, deleted, renamed, copied and binary files say so", () => {
    const description = (given: Parameters<typeof file>[0]) => fileOf(given).description;
    assert.equal(description({ operation: "add", removed: 0 }), "+1 · new · 1 to review");
    assert.equal(description({ operation: "delete", added: 0 }), "-1 · deleted · 1 to review");
    const bare: Partial<FileView> = { hunks: [], added: 0, removed: 0, open: true };
    assert.equal(
      description({ ...bare, operation: "move", oldPath: "/project/old.txt", state: "proposed" }),
      "renamed from old.txt · proposed",
    );
    assert.equal(
      description({ ...bare, operation: "add", fileType: "binary", state: "applied", open: false }),
      "new, binary · written",
    );
    assert.equal(
      description({ ...bare, operation: "chmod", state: "unknown", open: false }),
      "chmod",
    );
  });

  test("a binary file cannot be chosen about once it is written", () => {
    const node = fileOf({ hunks: [], fileType: "binary", open: false });
    assert.deepEqual(node.offer, { accept: false, reject: false });
  });

  test("problems of the set and the file are in the tooltip, as plain lines", () => {
    const node = fileOf(
      { problems: [{ code: "x", message: "The patch\u202e has no such file." }] },
      { problems: [{ code: "y", message: "Half of it." }] },
    );
    assert.equal(node.description, "+1 -1 · 1 to review · has problems");
    assert.deepEqual(node.tooltip, [
      "/project/a.txt",
      "to review",
      "Edit",
      "Half of it.",
      "The patch\ufffd has no such file.",
    ]);
  });

  const word = (given: Parameters<typeof hunk>[0], of: Partial<SetView> = {}) =>
    only(fileOf({ hunks: [hunk(given)] }, of).children).description.split(" · ")[1];

  test("every state of a hunk has its own word", () => {
    const closed = { open: false } as const;
    assert.equal(word({ state: "proposed" }, { pending: true }), "waits for your permission");
    assert.equal(word({ state: "proposed" }), "proposed");
    assert.equal(
      word({ state: "proposed", choice: "accepted", ...closed }),
      "accepted, not written yet",
    );
    assert.equal(word({ state: "proposed", choice: "rejected", ...closed }), "refused");
    assert.equal(word({ state: "proposed", ...closed }), "was not made");
    assert.equal(word({ state: "applied" }), "to review");
    assert.equal(
      word({ state: "applied", choice: "rejected", ...closed }),
      "rejected, not undone yet",
    );
    assert.equal(word({ state: "applied", choice: "rejected" }), "to review");
    assert.equal(word({ state: "applied", ...closed }), "written");
    assert.equal(word({ state: "kept", choice: "accepted", ...closed }), "kept");
    assert.equal(word({ state: "undone", choice: "rejected", ...closed }), "undone");
    assert.equal(word({ state: "conflict" }), "in conflict with your edits");
    assert.equal(word({ state: "unanchored", range: null, ...closed }), "not found in the text");
  });

  test("a hunk without a place or a word has a row all the same", () => {
    const node = only(
      fileOf({ hunks: [hunk({ lines: ["+", "+  "], range: null, newStart: 7 })] }).children,
    );
    assert.equal(node.label, "7: blank lines");
    assert.equal(node.description, "+2 · to review");
  });
});
