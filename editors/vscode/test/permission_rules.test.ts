import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RememberedView } from "../src/contract";
import { addedAgain, ruleLine } from "../src/permission/render/rules";

const command: RememberedView = {
  number: 3,
  sessionId: "s-1",
  rule: { match: { kind: "execute", command: "make tea" }, do: "allow", scope: "session" },
};

describe("a remembered rule", () => {
  test("is told by what it does, to what, and for how long", () => {
    assert.deepEqual(ruleLine(command), {
      label: "Allow kind execute, command make tea",
      description: "one session",
    });
    assert.deepEqual(ruleLine({ number: 1, sessionId: null, rule: { match: {}, do: "deny" } }), {
      label: "Reject everything",
      description: "until the server ends",
    });
  });

  test("leaves out what it does not look at", () => {
    const rule = { match: { agent: null, path: "docs/**" }, do: "ask" };
    assert.equal(ruleLine({ number: 1, sessionId: null, rule }).label, "Ask about path docs/**");
  });

  test("is added again for the same session, or for all", () => {
    const match = { kind: "execute", command: "make tea" };
    assert.deepEqual(addedAgain(command), {
      match,
      do: "allow",
      scope: "session",
      sessionId: "s-1",
    });
    assert.deepEqual(addedAgain({ ...command, sessionId: null }), {
      match,
      do: "allow",
      scope: "workspace",
    });
  });

  test("of a form that is not known asks", () => {
    assert.equal(addedAgain({ number: 1, sessionId: null, rule: { do: "perhaps" } }).do, "ask");
    assert.equal(ruleLine({ number: 1, sessionId: null, rule: {} }).label, "Ask about everything");
  });
});
