import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FieldPayload } from "../src/contract";
import {
  askable,
  firstError,
  hint,
  initial,
  missing,
  read,
  shown,
} from "../src/elicitation/render/form";

function field(more: Partial<FieldPayload> = {}): FieldPayload {
  return {
    ...{ name: "f", type: "string", title: "F", description: null, required: false },
    ...{ default: null, choices: [], least: null, most: null, pattern: null, format: null },
    error: null,
    ...more,
  };
}

describe("what is typed into a field", () => {
  test("is left out if it is empty, unless it is required", () => {
    assert.deepEqual(read(field(), ""), { value: undefined });
    assert.deepEqual(read(field({ required: true }), ""), { problem: "This is required." });
  });

  test("is text as it is, blanks included", () => {
    assert.deepEqual(read(field(), " a "), { value: " a " });
  });

  for (const [typed, outcome] of [
    ["3", { value: 3 }],
    [" 4 ", { value: 4 }],
    ["2.5", { problem: "This is a whole number." }],
    ["ten", { problem: "This is a number." }],
    [" ", { problem: "This is a number." }],
    ["Infinity", { problem: "This is a number." }],
    ["0", { problem: "At least 1." }],
    ["10", { problem: "At most 9." }],
  ] as const) {
    test(`is a whole number from 1 to 9: ${typed}`, () => {
      assert.deepEqual(read(field({ type: "integer", least: 1, most: 9 }), typed), outcome);
    });
  }
});

test("fields of unknown types are not asked for, and have no value", () => {
  const fields = [field({ name: "odd", type: "unknown", default: 1 }), field({ default: "x" })];
  const form = { title: null, description: null, fields };
  assert.deepEqual(
    askable(form).map(({ name }) => name),
    ["f"],
  );
  assert.deepEqual(initial(form), { f: "x" });
});

test("what is missing is what is required and has no value", () => {
  const fields = [
    field({ name: "a", required: true }),
    field({ name: "b", required: true }),
    field(),
  ];
  assert.deepEqual(
    missing(fields, { a: false }).map(({ name }) => name),
    ["b"],
  );
});

test("values are shown by the titles of their choices", () => {
  const choices = [{ value: "s", title: "Small", description: null }];
  assert.equal(shown(field({ type: "choice", choices }), "s"), "Small");
  assert.equal(shown(field({ type: "choices", choices }), ["s", "t"]), "Small, t");
  assert.equal(shown(field({ type: "boolean" }), false), "No");
  assert.equal(shown(field(), undefined), "(left out)");
});

test("the first mistake is found, and what fits is said", () => {
  assert.equal(firstError([field(), field({ error: "No." })]), 1);
  assert.equal(firstError([field()]), -1);
  const said = hint(field({ description: "Why", least: 1, required: true }));
  assert.equal(said, "Why · at least 1 characters · required");
});
