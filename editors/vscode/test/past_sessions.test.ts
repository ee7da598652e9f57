import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ListedSession, RememberedSession } from "../src/contract";
import { keyOf, pastSessions } from "../src/render/past_sessions";

const listed = (more: Partial<ListedSession> = {}): ListedSession => ({
  ...{ sessionId: "s-1", agent: "demo", cwd: "/p", additionalDirectories: [] },
  ...{ title: null, updatedAt: null, lastUsed: null, remembered: false, open: false },
  ...more,
});
const remembered = (more: Partial<RememberedSession> = {}): RememberedSession => ({
  ...{ sessionId: "s-1", agent: "demo", cwd: "/p", additionalDirectories: [], title: null },
  ...{ updatedAt: null, lastUsed: "2026-01-01T00:00:00Z", open: false, resume: "replay" },
  ...more,
});

describe("sessions from before", () => {
  test("are each there once, and say more if they are remembered here", () => {
    const past = pastSessions([remembered()], [listed(), listed({ sessionId: "s-2" })], new Set());
    assert.deepEqual(
      past.map(({ sessionId, remembered: here }) => [sessionId, here]),
      [
        ["s-1", true],
        ["s-2", false],
      ],
    );
  });
  test("are told apart by their agents, too", () => {
    const others = [listed({ agent: "other" }), listed()];
    assert.equal(pastSessions([remembered()], others, new Set()).length, 2);
  });
  test("are not those that are open", () => {
    const open = new Set([keyOf({ agent: "demo", sessionId: "s-1" })]);
    assert.deepEqual(pastSessions([remembered()], [listed()], open), []);
  });
  test("say when they were last used if the agent does not say, and whether they can go on", () => {
    const [past] = pastSessions([remembered({ resume: "none" })], [], new Set());
    assert.equal(past?.when, "2026-01-01T00:00:00Z");
    assert.equal(past.resumable, false);
  });
});
