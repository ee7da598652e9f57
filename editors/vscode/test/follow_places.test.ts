import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PresencePayload } from "../src/contract";
import { arrivals, colourOf, placeKey, stepOf, STEPS } from "../src/follow/render/fading";
import { caretLabel, pauseWords, shortened, trailLabel } from "../src/follow/render/labels";
import { BESIDE, columnFor, linesOf, shownPath } from "../src/follow/render/places";

const range = (top: number, past: number, character = 0) => ({
  start: { line: top, character: 0 },
  end: { line: past, character },
});

describe("lines of a range", () => {
  const cases: [string, ReturnType<typeof range>, number, number, number][] = [
    ["whole lines end before the last", range(3, 6), 10, 3, 5],
    ["an empty range is its line", range(3, 3), 10, 3, 3],
    ["a part of a line counts", range(3, 6, 2), 10, 3, 6],
    ["beyond the end there is the last line", range(30, 40), 10, 9, 9],
    ["a range that leaves the document is cut", range(8, 40), 10, 8, 9],
    ["an empty document has a line", range(0, 5), 0, 0, 0],
  ];
  for (const [name, given, count, top, bottom] of cases) {
    test(name, () => assert.deepEqual(linesOf(given, count), { top, bottom }));
  }
});

describe("paths", () => {
  const roots = [{ shown: "/home/me/link", real: "/data/project" }];
  test("below a linked folder are named as the workspace does", () => {
    assert.equal(shownPath("/data/project/a.py", roots, "/"), "/home/me/link/a.py");
    assert.equal(shownPath("/data/project", roots, "/"), "/home/me/link");
  });
  test("of folders that only begin alike stay", () => {
    assert.equal(shownPath("/data/project2/a.py", roots, "/"), "/data/project2/a.py");
  });
});

describe("the group of editors", () => {
  const none = { active: 1, typing: undefined, last: undefined };
  test("is the active one", () => {
    assert.equal(columnFor({ ...none, wanted: "active", active: 2 }), 2);
    assert.equal(columnFor({ ...none, wanted: "active", active: undefined }), 1);
  });
  test("is never the one that the user types in", () => {
    assert.equal(columnFor({ ...none, wanted: "active", typing: 1 }), BESIDE);
    assert.equal(columnFor({ ...none, wanted: "first", typing: 1, last: 3 }), 3);
    assert.equal(columnFor({ ...none, wanted: "active", typing: 1, last: 1 }), BESIDE);
  });
  test("stays beside where it was", () => {
    assert.equal(columnFor({ ...none, wanted: "beside" }), BESIDE);
    assert.equal(columnFor({ ...none, wanted: "beside", last: 2 }), 2);
    assert.equal(columnFor({ ...none, wanted: "beside", active: 2, last: 2 }), BESIDE);
    assert.equal(columnFor({ ...none, wanted: "beside", active: undefined }), 1);
  });
  test("is the one that was named", () => {
    assert.equal(columnFor({ ...none, wanted: "third", last: 1 }), 3);
  });
});

const place = (line: number): PresencePayload => ({
  sessionId: "s",
  agent: "demo",
  colour: 0,
  uri: "file:///a",
  path: "/a",
  range: range(line, line + 1),
  basis: "location",
  kind: "read",
  title: "Read a",
  toolCallId: null,
  age: 0,
});

describe("fading", () => {
  test("goes on for places that stay and begins anew for others", () => {
    const first = arrivals([place(1)], new Map(), 100);
    const second = arrivals([place(1), place(2)], first, 500);
    assert.deepEqual([...second.values()], [100, 500]);
    assert.deepEqual([...arrivals([place(2)], second, 900).keys()], [placeKey(place(2))]);
  });
  test("has steps from fresh to faint and stays faint", () => {
    assert.deepEqual(
      [0, 799, 800, 3_999, 100_000].map((age) => stepOf(age, 4_000)),
      [0, 0, 1, STEPS - 1, STEPS - 1],
    );
    assert.equal(stepOf(0, 0), STEPS - 1);
  });
  test("uses colours again", () => {
    assert.deepEqual([0, 5, 6, -1].map(colourOf), [0, 5, 0, 5]);
  });
});

describe("words", () => {
  test("of pauses are known, or the server's", () => {
    assert.equal(pauseWords("scrolled"), "you scrolled");
    assert.equal(pauseWords("dreamed"), "dreamed");
  });
  test("are shortened by characters, not inside of them", () => {
    assert.equal(shortened("abc", 3), "abc");
    assert.equal(shortened("a😀😀😀", 3), "a😀…");
    assert.equal(caretLabel("demo", ""), "demo");
    assert.equal(caretLabel("demo", "Read a"), "demo: Read a");
  });
  test("of the trail say where, and why it cannot be shown", () => {
    const entry = {
      ...{ sessionId: "s", agent: "demo", path: "/p/a.py", uri: "file:///p/a.py", line: 3 },
      ...{ endLine: 4, kind: "read", title: "Read a.py", toolCallId: null, age: 125 },
    };
    const shown = trailLabel({ ...entry, state: "shown", current: true }, "a.py");
    assert.deepEqual(shown, {
      label: "$(arrow-right) Read a.py",
      description: "a.py:3",
      detail: "demo · read · 2 min ago",
    });
    const gone = trailLabel({ ...entry, line: null, state: "missing", current: false }, "a.py");
    assert.equal(gone.description, "a.py (no longer there)");
  });
});
