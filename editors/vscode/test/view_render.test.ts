/** Heads of blocks, links, times, and rows for the view. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AgentView, PermissionParams, SetView } from "../src/contract";
import { changesOf, withDelta } from "../src/view/render/extras";
import { headOf, isRunning, kindIcon, noticeIcon, statusLook } from "../src/view/render/heads";
import { currentRow, openRow, permissionCard, takesImages } from "../src/view/render/state";
import { targetOf } from "../src/view/render/targets";
import { ago, counted, planDone, tokens, usageLook } from "../src/view/render/words";
import { updated } from "../src/render/session_model";

describe("the head of a block", () => {
  test("of a tool call has sign, title, kind and places", () => {
    const head =
      "### ✓ Read numbers.txt\n\nread, completed · [a.py:4](file:///p/a.py#L4) · [b](file:///p/b)";
    assert.deepEqual(headOf({ kind: "tool_call", head }), {
      mark: "✓",
      title: "Read numbers.txt",
      kind: "read",
      more: "[a.py:4](file:///p/a.py#L4) · [b](file:///p/b)",
    });
  });

  test("of a tool call without places has none", () => {
    const { kind, more } = headOf({ kind: "tool_call", head: "### ○ `make`\n\nexecute, pending" });
    assert.deepEqual([kind, more], ["execute", ""]);
  });

  test("of a notice keeps its text", () => {
    const head = "### ⚠ Low on tokens\n\nOnly *few*, really, are left.";
    const { mark, title, more } = headOf({ kind: "notice", head });
    assert.deepEqual([mark, title, more], ["⚠", "Low on tokens", "Only *few*, really, are left."]);
  });

  test("without a heading is kept as it is", () => {
    assert.equal(headOf({ kind: "note", head: "*Cancelled*" }).more, "*Cancelled*");
  });

  test("that has a title like a sign of ours keeps it", () => {
    assert.equal(headOf({ kind: "agent", head: "### ✗" }).title, "✗");
  });

  test("has an icon also for what is not known", () => {
    assert.equal(kindIcon("peer kind"), "tools");
    assert.equal(noticeIcon("?"), "info");
    assert.deepEqual(statusLook("half_done"), { icon: "question", label: "half done" });
    assert.ok(isRunning("in_progress") && !isRunning("completed"));
  });
});

describe("a link", () => {
  const cases: readonly [string, unknown][] = [
    ["file:///p/a.py", { type: "file", path: "/p/a.py" }],
    ["file:///p/a%20b.py#L7", { type: "file", path: "/p/a b.py", line: 7 }],
    ["file:///p/a.py#L7-L9", { type: "file", path: "/p/a.py", line: 7, endLine: 9 }],
    ["src/a.py#L3-5", { type: "file", path: "src/a.py", line: 3, endLine: 5 }],
    ["a.py:12", { type: "file", path: "a.py", line: 12 }],
    ["a.py:12:3", { type: "file", path: "a.py", line: 12 }],
    ["../a.py#section", { type: "file", path: "../a.py" }],
    ["100%.txt", { type: "file", path: "100%.txt" }],
    ["C:/p/a.py", { type: "file", path: "C:/p/a.py" }],
    ["https://example.org/a#L3", { type: "outside", address: "https://example.org/a#L3" }],
    ["mailto:me@example.org", { type: "outside", address: "mailto:me@example.org" }],
    ["command:workbench.action.quit", { type: "nowhere" }],
    ["vscode://x/y", { type: "nowhere" }],
    ["javascript:alert(1)", { type: "nowhere" }],
    ["data:text/html,x", { type: "nowhere" }],
    ["file://host/share/a", { type: "nowhere" }],
    ["file:////host/share/a", { type: "nowhere" }],
    ["//host/share", { type: "nowhere" }],
    ["\\\\host\\share", { type: "nowhere" }],
    ["%2F%2Fhost/share", { type: "nowhere" }],
    ["#here", { type: "nowhere" }],
    ["", { type: "nowhere" }],
  ];
  for (const [link, target] of cases) {
    test(`${JSON.stringify(link)} leads where it says`, () => {
      assert.deepEqual(targetOf(link), target);
    });
  }
});

describe("words", () => {
  const now = Date.parse("2026-05-05T12:00:00Z");

  test("say how long ago something was", () => {
    assert.equal(ago("2026-05-05T11:59:30Z", now), "now");
    assert.equal(ago("2026-05-05T11:15:00Z", now), "45 min");
    assert.equal(ago("2026-05-05T02:00:00Z", now), "10 h");
    assert.equal(ago("2026-05-01T12:00:00Z", now), "4 d");
    assert.equal(ago("2025-01-01T12:00:00Z", now), "2025-01-01");
    assert.equal(ago("soon", now), "");
    assert.equal(ago(null, now), "");
    assert.equal(ago("2026-05-06T12:00:00Z", now), "now"); // clocks differ
  });

  test("shorten numbers", () => {
    assert.deepEqual([999, 1500, 12_345, 2_500_000].map(tokens), ["999", "1.5k", "12k", "2.5M"]);
    assert.equal(counted(1, "file"), "1 file");
    assert.equal(counted(2, "file"), "2 files");
    assert.equal(planDone([{ status: "completed" }, { status: "pending" }]), 1);
  });

  test("say how full the context is, whatever the agent says", () => {
    const look = usageLook({ used: 50_000, size: 200_000, cost: { amount: 0.5, currency: "USD" } });
    assert.equal(look.share, 0.25);
    assert.equal(look.label, "50k / 200k · $0.50");
    assert.equal(look.detail, "50,000 of 200,000 tokens of context, $0.50 so far");
    assert.equal(usageLook({ used: 5, size: 0 }).share, 0);
    assert.equal(usageLook({ used: 9, size: 3 }).share, 1);
    const odd = usageLook({ used: 1, size: 2, cost: { amount: 1, currency: "coins" } });
    assert.equal(odd.label, "1 / 2 · 1.00 coins");
  });
});

const SESSION = updated(undefined, {
  ...{ sessionId: "s", agent: "demo", cwd: "/p", state: "idle", stopReason: null, busy: false },
  ...{ cancelling: false, replaying: false, closed: false, error: null, title: "Tour" },
  queued: [],
  configOptions: [
    { type: "boolean", configId: "b", name: "Thoughts", currentValue: true },
    {
      ...{ type: "select", configId: "m", name: "Mode", currentValue: "ask", category: "mode" },
      options: [{ groupId: "g", name: "Safe", options: [{ value: "ask", name: "Ask" }] }],
    },
    { type: "dial", configId: "d", name: "Dial" },
    { type: "select", configId: "x", name: "Broken", currentValue: "y", options: [null] as never },
  ],
  availableCommands: [
    { type: "command", name: "plan", description: "Plan", input: { type: "text", hint: "what" } },
    { type: "other", name: "odd", description: "Odd" },
  ],
  plans: [
    { type: "items", planId: "p", entries: [{ content: "a", priority: "low", status: "pending" }] },
    { type: "tree", planId: "t" },
  ],
});

describe("rows", () => {
  test("of options have those that can be set", () => {
    const { options } = currentRow(SESSION);
    assert.deepEqual(
      options.map(({ type, configId, value }) => [type, configId, value]),
      [
        ["boolean", "b", true],
        ["select", "m", "ask"],
      ],
    );
    const [, mode] = options;
    assert.ok(mode?.type === "select");
    assert.deepEqual(mode.choices, [{ value: "ask", label: "Ask", group: "Safe", detail: null }]);
  });

  test("of commands and plans have what can be shown", () => {
    const { commands, plans, queued } = currentRow(SESSION);
    assert.deepEqual(
      commands.map(({ name, hint }) => [name, hint]),
      [
        ["plan", "what"],
        ["odd", null],
      ],
    );
    assert.deepEqual(
      plans.map(({ planId }) => planId),
      ["p"],
    );
    assert.deepEqual(queued, []);
  });

  test("of sessions say which one is on screen", () => {
    assert.equal(openRow(SESSION, SESSION, true).current, true);
    assert.equal(openRow(SESSION, undefined, true).current, false);
    assert.equal(openRow({ ...SESSION, state: "requires_action" }, SESSION, true).waits, true);
  });

  test("know who takes images", () => {
    const agent = { capabilities: { session: { prompt: { image: {} } } } } as unknown as AgentView;
    assert.equal(takesImages(agent), true);
    assert.equal(takesImages({ capabilities: null } as unknown as AgentView), false);
    assert.equal(takesImages(undefined), false);
  });
});

describe("a permission", () => {
  const params: PermissionParams = {
    ...{ permissionId: "p", sessionId: "s", agent: "demo", title: "Run it?", tool: null },
    description: "$ ls",
    options: [{ optionId: "y", name: "Allow", kind: "allow_once" }],
    facts: {
      ...{ kinds: [], files: [], complete: false, outside: false, hasDiff: false },
      command: {
        text: "rm -r x",
        words: null,
        doubt: "two commands",
        cwd: "/p",
        cwdOutside: false,
      },
    },
    warnings: ["Look"],
    reason: "",
    suggestedRules: [],
    subject: { type: "command", toolCallId: null, terminalId: null },
    inert: 0.5,
  };

  test("keeps what the agent says apart from what was verified", () => {
    const card = permissionCard({ params, since: 1000 }, (path) => path.slice(1), 1200);
    assert.equal(card.description, "$ ls");
    assert.deepEqual(card.facts, ["$ rm -r x", "in p", "two commands"]);
    assert.deepEqual(card.warnings, ["Look"]);
    assert.equal(card.inertFor, 300);
  });

  test("is not inert any more after a while", () => {
    assert.equal(permissionCard({ params, since: 0 }, String, 9999).inertFor, 0);
  });
});

describe("changes of a tool call", () => {
  const file = { added: 2, removed: 1, open: true };
  const set = { changeSet: "c", files: [file], toolCallId: "t" } as unknown as SetView;

  test("are counted over its files", () => {
    assert.deepEqual(changesOf(set), { files: 1, added: 2, removed: 1, open: true });
    assert.equal(changesOf({ ...set, files: [] }), null);
  });

  test("follow deltas, which have only files that have changed", () => {
    const delta = { ...set, files: [{ ...file, file: 1, open: false }], fileCount: 2 } as never;
    assert.equal(changesOf(withDelta(set, delta))?.files, 2);
    const shrunk = withDelta(withDelta(set, delta), { ...set, files: [], fileCount: 1 });
    assert.deepEqual(changesOf(shrunk), { files: 1, added: 2, removed: 1, open: true });
  });
});
