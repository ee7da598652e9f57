import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PermissionParams } from "../src/contract";
import {
  account,
  canRemember,
  lines,
  onlyOption,
  refuses,
  remembering,
} from "../src/permission/render/permission";

const shorten = (path: string): string => path.replace("/home/me/project/", "");

function params(more: Partial<PermissionParams> = {}): PermissionParams {
  return {
    permissionId: "permission-1",
    sessionId: "s-1",
    agent: "peer",
    title: "Run this?",
    description: null,
    tool: null,
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
    facts: { kinds: [], files: [], complete: false, command: null, outside: false, hasDiff: false },
    warnings: [],
    reason: "",
    suggestedRules: [],
    subject: { type: null, toolCallId: null, terminalId: null },
    inert: 0.5,
    ...more,
  };
}

const facts = params().facts;

describe("what a permission says", () => {
  test("begins with the warnings and names the command with its folder", () => {
    const command = { text: "rm -r x", words: ["rm"], doubt: "", cwd: "/tmp", cwdOutside: true };
    const said = lines(
      params({ warnings: ["It deletes."], facts: { ...facts, command } }),
      shorten,
    );
    assert.deepEqual(said, [
      "⚠ It deletes.",
      "Run this?",
      "$ rm -r x",
      "in /tmp (outside the workspace)",
    ]);
  });

  test("names files within the workspace shortly and all others in full", () => {
    const file = { path: "a", operation: "move", end: null, outside: false };
    const files = [
      { ...file, real: "/home/me/project/a.py", end: "from" },
      { ...file, real: "/etc/passwd", outside: true, end: "to" },
      { ...file, real: null, path: "~x", outside: true, operation: null },
    ];
    assert.deepEqual(lines(params({ facts: { ...facts, files } }), shorten).slice(1), [
      "move from a.py",
      "move to /etc/passwd (outside the workspace)",
      "touch ~x (outside the workspace, not verified)",
    ]);
  });

  test("is complete as a document, with the answers", () => {
    const said = account(params({ description: "More.", tool: "shell" }), shorten);
    for (const part of ["peer asks", "Run this?", "More.", "Tool: shell", "- Allow (allow once)"]) {
      assert.ok(said.includes(part), part);
    }
  });
});

describe("answers by kind", () => {
  test("are there only if one option is of that kind", () => {
    assert.equal(onlyOption(params(), "allow_once")?.optionId, "yes");
    assert.equal(onlyOption(params(), "allow_always"), undefined);
    const twice = [...params().options, { optionId: "too", name: "Too", kind: "allow_once" }];
    assert.equal(onlyOption(params({ options: twice }), "allow_once"), undefined);
  });

  test("of kinds that are not known refuse nothing", () => {
    assert.equal(refuses({ optionId: "x", name: "No", kind: "_no" }), false);
    assert.equal(refuses({ optionId: "x", name: "No", kind: "reject_always" }), true);
  });
});

describe("what can be remembered", () => {
  test("begins with refusing, and names how long it lasts", () => {
    const ways = remembering(params()).map(({ label, scope }) => [label.split(" ")[0], scope]);
    assert.deepEqual(ways, [
      ["Reject", "session"],
      ["Reject", "workspace"],
      ["Allow", "session"],
      ["Allow", "workspace"],
    ]);
  });

  test("is nothing without a rule or without an option that fits", () => {
    const rules = [{ label: "this", match: {} }] as PermissionParams["suggestedRules"];
    assert.equal(canRemember(params()).length, 0);
    assert.equal(canRemember(params({ suggestedRules: rules })).length, 1);
    const options = [{ optionId: "x", name: "Maybe", kind: "maybe" }];
    assert.equal(canRemember(params({ suggestedRules: rules, options })).length, 0);
  });
});
