import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agentLine, choicesOf, openLine, optionLine } from "../src/commands/render";
import type { AgentView, SessionParams } from "../src/contract";
import { currentOf, nameOf, updated } from "../src/render/session_model";
import { menuOf, sessionWords, statusOf, type Facts } from "../src/status/render/status";

const params = (more: Partial<SessionParams> = {}): SessionParams => ({
  ...{ sessionId: "s-1", agent: "demo", cwd: "/p", state: "idle", stopReason: null },
  ...{ busy: false, cancelling: false, replaying: false, closed: false, error: null },
  queued: [],
  ...more,
});
const session = (more: Partial<SessionParams> = {}) => updated(undefined, params(more));

const facts = (more: Partial<Facts> = {}): Facts => ({
  trusted: true,
  server: "running",
  follow: { mode: "on", paused: null },
  session: undefined,
  agent: "demo",
  busy: 0,
  ...more,
});

describe("a session", () => {
  test("keeps what news leave out and takes null for what it says", () => {
    const known = session({ title: "Mend it", configOptions: [] });
    const after = updated(known, params({ busy: true }));
    assert.equal(after.title, "Mend it");
    assert.equal(after.busy, true);
    assert.equal(updated(known, params({ title: null, cleared: ["title"] })).title, null);
    assert.equal("cleared" in updated(known, params({ cleared: ["title"] })), false);
  });
  test("is current if chosen and open, else the newest that is open", () => {
    const all = [
      session({ sessionId: "a" }),
      session({ sessionId: "b" }),
      session({ sessionId: "c", closed: true }),
    ];
    assert.equal(currentOf(all, "a")?.sessionId, "a");
    assert.equal(currentOf(all, "c")?.sessionId, "b");
    assert.equal(currentOf(all, undefined)?.sessionId, "b");
    assert.equal(currentOf([], "a"), undefined);
  });
  test("is called by its title, else by agent and id", () => {
    assert.equal(nameOf(session({ title: "Mend it" })), "Mend it");
    assert.equal(nameOf(session()), "demo (s-1)");
  });
  test("says what it does", () => {
    const words = (more: Partial<SessionParams>) => sessionWords(session(more));
    assert.equal(words({}), "idle");
    assert.equal(words({ busy: true, state: "running" }), "working");
    assert.equal(words({ busy: true, state: "requires_action" }), "waits for you");
    assert.equal(words({ busy: true, cancelling: true }), "being cancelled");
    assert.equal(words({ error: { code: -1, message: "no money" } }), "failed: no money");
  });
});

describe("the status bar", () => {
  test("says whether the agent is followed, and why not", () => {
    assert.match(statusOf(facts()).text, /^\$\(eye\) demo$/);
    const paused = statusOf(facts({ follow: { mode: "on", paused: "typed" } }));
    assert.match(paused.text, /paused/);
    assert.match(paused.tooltip, /Following is paused: you typed/);
    assert.match(statusOf(facts({ follow: { mode: "off", paused: null } })).text, /eye-closed/);
  });
  test("shows who works, and who waits for the user; the count of questions is what warns", () => {
    const waits = session({ busy: true, state: "requires_action" });
    assert.match(statusOf(facts({ session: waits, busy: 1 })).text, /bell-dot/);
    assert.equal(statusOf(facts({ session: waits, busy: 1 })).severity, "none");
    const others = statusOf(facts({ session: session(), busy: 2 }));
    assert.match(others.text, /loading~spin/);
    assert.match(others.tooltip, /2 more at work/);
  });
  test("tells of the server first", () => {
    assert.equal(statusOf(facts({ server: "failed" })).severity, "error");
    assert.match(statusOf(facts({ server: "failed", trusted: false })).tooltip, /trust/);
  });
  test("has a menu that fits", () => {
    const commands = (more: Partial<Facts>) => menuOf(facts(more)).map((line) => line.command);
    assert.deepEqual(commands({ trusted: false }), ["workbench.trust.manage"]);
    assert.ok(commands({ server: "failed" }).includes("acpSidecar.server.install"));
    assert.ok(!commands({ server: "failed" }).includes("acpSidecar.prompt"));
    assert.ok(commands({ session: session({ busy: true }) }).includes("acpSidecar.cancel"));
    assert.ok(!commands({ session: session() }).includes("acpSidecar.cancel"));
  });
});

describe("options", () => {
  const select = {
    ...{ type: "select" as const, configId: "mode", name: "Mode", currentValue: "ask" },
    options: [
      { value: "ask", name: "Ask" },
      { value: "auto", name: "Accept all", description: "Asks nothing" },
    ],
  };
  test("offer their values, the present one marked", () => {
    assert.deepEqual(choicesOf(select), [
      { label: "Ask", value: "ask", current: true },
      { label: "Accept all", detail: "Asks nothing", value: "auto", current: false },
    ]);
    assert.equal(optionLine(select).description, "Ask");
  });
  test("of groups name their group", () => {
    const options = [{ groupId: "g", name: "Fast", options: [{ value: "x", name: "X" }] }];
    assert.equal(choicesOf({ ...select, options })[0]?.description, "Fast");
  });
  test("of two values are on and off", () => {
    const choices = choicesOf({ type: "boolean", configId: "t", name: "T", currentValue: false });
    assert.deepEqual(
      choices.map(({ value, current }) => [value, current]),
      [
        [true, false],
        [false, true],
      ],
    );
  });
  test("of other types, or malformed, offer nothing", () => {
    assert.deepEqual(choicesOf({ type: "slider", configId: "t", name: "T" }), []);
    const broken = { type: "select", configId: "t", name: "T", options: [null, 3, { value: 1 }] };
    assert.deepEqual(choicesOf(broken), []);
  });
  test("and sessions are lines of lists", () => {
    assert.match(openLine(session({ title: "Mend it" }), true).label, /check.*Mend it/);
  });
});

describe("an agent", () => {
  const agent: AgentView = {
    ...{ name: "claude", title: "Claude", source: "preset", run: "npx", available: true },
    ...{ needsConsent: false, command: ["npx", "claude"], installHint: null, signInNote: null },
    ...{ docs: null, authRequired: false, state: "stopped", protocolVersion: null, info: null },
    ...{ capabilities: null, authMethods: [], notes: [], failure: null, problems: 0 },
  };
  test("says how it is called and run, and whether it is the default", () => {
    assert.deepEqual(agentLine(agent, "claude"), {
      label: "Claude",
      description: "claude, not started, default",
      detail: "npx claude",
    });
  });
  test("says what it needs first", () => {
    const detail = (more: Partial<AgentView>) => agentLine({ ...agent, ...more }, "").detail;
    assert.match(detail({ needsConsent: true }) ?? "", /fetched by npx if you agree/);
    assert.match(detail({ authRequired: true }) ?? "", /sign in/);
    assert.equal(detail({ available: false, installHint: "npm i claude" }), "npm i claude");
    assert.equal(detail({ failure: "no such program" }), "no such program");
  });
});
