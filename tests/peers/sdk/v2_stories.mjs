// Stories that only ACP v2 can tell: every kind of update, and what patches mean.

import path from "node:path";
import { options } from "./v2.mjs";
import { unique } from "./turn.mjs";

const text = (value) => ({ type: "text", text: value });
const item = (value) => ({ type: "content", content: text(value) });
const base64 = (value) => Buffer.from(value).toString("base64");

export const onlyV2 = {
  /** Each variant of `session/update` and of its unions at least once, some of them unknown. */
  async allfeatures(turn) {
    for (const part of [messages, toolCalls, terminals, sessionWide, unknowns]) await part(turn);
  },

  /** Fields left out, null, empty and set; chunks before, between and after whole values. */
  async patches(turn) {
    const call = (fields) => turn.update({ sessionUpdate: "tool_call_update", toolCallId, ...fields });
    const chunk = (value) => turn.update({ sessionUpdate: "tool_call_content_chunk", toolCallId, content: item(value) });
    const toolCallId = unique("call");
    await chunk("before the call was known");
    await call({ title: "First", kind: "search", status: "in_progress", content: [item("A")], locations: [{ path: path.join(turn.root, "greet.py"), line: 2 }] });
    await chunk("B");
    await call({ content: [item("C")] });
    await call({ content: null, locations: [] });
    await chunk("D");
    await call({ title: null, kind: null, status: null, _meta: { "peer.example/a": 1, "peer.example/b": 2 } });
    await call({ status: "completed", title: "Last", _meta: { "peer.example/a": null } });
  },
};

async function messages(turn) {
  const [user, agent, thought] = ["user", "message", "thought"].map(unique);
  await turn.update({ sessionUpdate: "user_message_chunk", messageId: user, content: text("and ") });
  await turn.update({ sessionUpdate: "user_message_chunk", messageId: user, content: text("one more thing") });
  await turn.update({ sessionUpdate: "agent_message", messageId: agent, content: [text("replaced later")] });
  await turn.update({ sessionUpdate: "agent_message", messageId: agent, content: [text("whole")] });
  await turn.update({ sessionUpdate: "agent_message_chunk", messageId: agent, content: text(" and a chunk") });
  await turn.update({ sessionUpdate: "agent_thought", messageId: thought, content: [text("a whole thought")] });
  await turn.update({ sessionUpdate: "agent_thought_chunk", messageId: thought, content: text(" and more") });
  const link = { type: "resource_link", name: "greet.py", uri: `file://${turn.root}/greet.py`, mimeType: "text/x-python" };
  const resource = { type: "resource", resource: { uri: `file://${turn.root}/numbers.txt`, text: "line 1\n" } };
  const image = { type: "image", mimeType: "image/png", data: base64("not really a picture") };
  for (const content of [link, resource, image]) await turn.update({ sessionUpdate: "agent_message_chunk", messageId: agent, content });
}

async function toolCalls(turn) {
  const changes = [
    { operation: "add", path: path.join(turn.root, "picture.png"), fileType: "binary", mimeType: "image/png" },
    { operation: "copy", oldPath: path.join(turn.root, "greet.py"), path: path.join(turn.root, "greet_copy.py"), fileType: "text" },
    { operation: "_peer_touch", path: path.join(turn.root, "touched") },
  ];
  const id = await turn.call({ name: "many", title: "Many operations", kind: "other", locations: [{ path: turn.root }, { path: path.join(turn.root, "greet.py"), line: null }] });
  await turn.change(id, { status: "paused" });
  await turn.update({ sessionUpdate: "tool_call_content_chunk", toolCallId: id, content: item("so far so good") });
  await turn.change(id, { status: "completed", content: [{ type: "diff", changes }, item("no patch for these")] });
}

async function terminals(turn) {
  const terminalId = unique("terminal");
  const chunk = (data) => turn.update({ sessionUpdate: "terminal_output_chunk", terminalId, data: Buffer.from(data).toString("base64") });
  const euro = Buffer.from("\u20ac");
  await chunk(Buffer.concat([Buffer.from("price \x1b[31m"), euro.subarray(0, 1)]));
  await chunk(Buffer.concat([euro.subarray(1), Buffer.from([0xff]), Buffer.from("\x1b[0m\r\n")]));
  await turn.update({ sessionUpdate: "terminal_update", terminalId, command: "known late", cwd: turn.root, size: { cols: 80, rows: 24 } });
  await turn.update({ sessionUpdate: "terminal_update", terminalId, output: { data: base64("snapshot\n") } });
  await chunk("after the snapshot\n");
  await turn.update({ sessionUpdate: "terminal_update", terminalId, exitStatus: { signal: "SIGTERM" } });
  const id = await turn.call({ title: "Shows a terminal", kind: "execute" });
  await turn.change(id, { status: "completed", content: [{ type: "terminal", terminalId }] });
  await turn.state("running", { background: [{ type: "terminal", terminalId }, { type: "tool_call", toolCallId: id }] });
}

async function sessionWide(turn) {
  const compactionId = unique("compaction");
  await turn.plan([{ content: "Show everything", priority: "high", status: "completed" }, { content: "Show more", priority: "low", status: "cancelled" }]);
  turn.session.options.model = "large";
  await turn.update({ sessionUpdate: "config_option_update", configOptions: options(turn.session) });
  await turn.update({ sessionUpdate: "available_commands_update", availableCommands: [{ type: "command", name: "only", description: "The only one left" }] });
  await turn.update({ sessionUpdate: "session_info_update", title: "Everything at once", updatedAt: "2026-01-02T03:04:05Z" });
  await turn.update({ sessionUpdate: "usage_update", used: 1200, size: 200000, cost: { amount: 0.01, currency: "EUR" } });
  await turn.update({ sessionUpdate: "notice", severity: "warning", title: "Model changed", description: "To the large one." });
  await turn.update({ sessionUpdate: "compaction_update", compactionId, status: "in_progress" });
  await turn.update({ sessionUpdate: "compaction_summary_chunk", compactionId, content: text("So far: ") });
  await turn.update({ sessionUpdate: "compaction_update", compactionId, status: "completed", summary: [text("So far: everything.")] });
}

async function unknowns(turn) {
  await turn.update({ sessionUpdate: "_peer_widget", anything: [1, 2, 3] });
  await turn.update({ sessionUpdate: "plan_update", plan: { type: "_peer_tree", planId: "tree", root: {} } });
  await turn.update({ sessionUpdate: "agent_message_chunk", messageId: unique("message"), content: { type: "_peer_block", value: 1 } });
  const id = await turn.call({ title: "Odd", kind: "_peer_kind" });
  await turn.change(id, { status: "_peer_status", content: [{ type: "_peer_chart", points: [1, 2] }, item("and text")] });
  await turn.change(id, { status: "completed" });
}
