import assert from "node:assert/strict";
import { test } from "node:test";
import { code, columnOf, severity, symbolKind } from "../src/tools/render/entries";

test("a name is found as a whole word only", () => {
  assert.equal(columnOf("  running = run(runner)", "run"), 12);
  assert.equal(columnOf("größe = größen", "größen"), 8);
  assert.equal(columnOf("rerun(x)", "run"), undefined);
  assert.equal(columnOf("$run", "run"), undefined);
  assert.equal(columnOf("run", "run"), 0);
});

test("what VS Code numbers has a name, whatever comes", () => {
  assert.deepEqual([0, 1, 2, 3, 9].map(severity), [
    "error",
    "warning",
    "information",
    "hint",
    "hint",
  ]);
  assert.equal(symbolKind(4), "class");
  assert.equal(symbolKind(11), "function");
  assert.equal(symbolKind(25), "typeparameter");
  assert.equal(symbolKind(99), "symbol");
});

test("codes are text", () => {
  assert.equal(code(undefined), "");
  assert.equal(code(0), "0");
  assert.equal(code({ value: "E1" }), "E1");
});
