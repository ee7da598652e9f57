// Stories that only ACP v1 can tell: the client's files and terminals, and every kind of update.

import path from "node:path";
import { modes, options } from "./v1.mjs";
import { unique } from "./turn.mjs";

const text = (value) => ({ type: "text", text: value });

export const onlyV1 = {
  /** Each variant of `session/update` at least once. */
  async allfeatures(turn) {
    const messageId = unique("message");
    await turn.update({ sessionUpdate: "user_message_chunk", content: text("and one more thing") });
    await turn.update({ sessionUpdate: "agent_message_chunk", content: text("without an id, ") });
    await turn.update({ sessionUpdate: "agent_message_chunk", messageId, content: text("and with one") });
    await turn.update({ sessionUpdate: "agent_thought_chunk", content: text("a thought") });
    await toolCalls(turn);
    await sessionWide(turn);
  },

  /** Reads and writes through the client, if it offers that. */
  async client_files(turn) {
    const { readTextFile, writeTextFile } = turn.clientCapabilities.fs ?? {};
    if (!readTextFile || !writeTextFile) return turn.say("The client offers no files.");
    const scope = { sessionId: turn.session.id, path: path.join(turn.root, "numbers.txt") };
    const part = await turn.request("fs/read_text_file", { ...scope, line: 40, limit: 2 });
    const whole = await turn.request("fs/read_text_file", scope);
    await turn.request("fs/write_text_file", { ...scope, content: whole.content.replace("line 10\n", "line ten\n") });
    const missing = await turn.request("fs/read_text_file", { ...scope, path: path.join(turn.root, "missing.txt") }).catch((error) => error);
    return turn.say(`read ${JSON.stringify(part.content)}, missing ${missing.code}`);
  },

  /** Runs a command in the client's terminal, if it offers that. */
  async client_terminal(turn) {
    if (!turn.clientCapabilities.terminal) return turn.say("The client offers no terminal.");
    const sessionId = turn.session.id;
    const script = `process.stdout.write("from the client\\n"); process.exitCode = 3`;
    const { terminalId } = await turn.request("terminal/create", { sessionId, command: process.execPath, args: ["-e", script], cwd: turn.root, outputByteLimit: 1000 });
    const id = await turn.call({ title: "In the client's terminal", kind: "execute", content: [{ type: "terminal", terminalId }] });
    const end = await turn.request("terminal/wait_for_exit", { sessionId, terminalId });
    const { output, truncated } = await turn.request("terminal/output", { sessionId, terminalId });
    await turn.request("terminal/release", { sessionId, terminalId });
    await turn.change(id, { status: "completed" });
    return turn.say(`exit ${end.exitCode}, ${JSON.stringify(output)}, truncated ${truncated}`);
  },
};

async function toolCalls(turn) {
  const file = path.join(turn.root, "greet.py");
  const id = await turn.call({ title: "Look around", kind: "search", locations: [{ path: turn.root }, { path: file, line: null }], rawInput: "not an object" });
  await turn.change(id, { status: "in_progress", locations: [{ path: file, line: 4 }] });
  await turn.change(id, { status: "completed", texts: ["found"], rawOutput: [1, 2] });
  const late = await turn.call({ title: "Location only later", kind: "read" });
  await turn.change(late, { status: "completed", locations: [{ path: file, line: 2 }] });
}

async function sessionWide(turn) {
  const compactionId = unique("compaction");
  await turn.plan([{ content: "Show everything", priority: "high", status: "completed" }]);
  Object.assign(turn.session.options, { mode: "code", model: "large" });
  await turn.update({ sessionUpdate: "current_mode_update", currentModeId: modes(turn.session).currentModeId });
  await turn.update({ sessionUpdate: "config_option_update", configOptions: options(turn.session) });
  await turn.update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "only", description: "The only one left" }] });
  await turn.update({ sessionUpdate: "session_info_update", title: "Everything at once", updatedAt: "2026-01-02T03:04:05Z" });
  await turn.update({ sessionUpdate: "usage_update", used: 1200, size: 200000, cost: { amount: 0.01, currency: "EUR" } });
  await turn.update({ sessionUpdate: "notice", severity: "warning", title: "Model changed" });
  await turn.update({ sessionUpdate: "compaction_update", compactionId, status: "in_progress" });
  await turn.update({ sessionUpdate: "compaction_summary_chunk", compactionId, content: text("So far: ") });
  await turn.update({ sessionUpdate: "compaction_update", compactionId, status: "completed", summary: [text("So far: everything.")] });
  await turn.update({ sessionUpdate: "_peer_widget", anything: [1, 2, 3] });
}
