// The agent in ACP v2.

import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { gitPatch } from "./git_patch.mjs";
import { stories } from "./stories.mjs";
import { Cancelled, Turn, unique } from "./turn.mjs";
import { onlyV2 } from "./v2_stories.mjs";

const { methods, RequestError } = acp;
const base64 = (data) => Buffer.from(data).toString("base64");

const TERMINAL = {
  type: "terminal", methodId: "terminal", name: "Sign in in a terminal", args: ["--sign-in"], env: [{ name: "SDK_PEER_USER", value: "someone" }] };
const COMMANDS = [
  { type: "command", name: "plan", description: "Make a plan", input: { type: "text", hint: "what to plan" } },
  { type: "command", name: "ping", description: "Answer pong" },
  { type: "_peer_macro", name: "odd", description: "Of a type that no client knows" },
];

export const options = ({ options: { mode, model, verbose } }) => [
  { type: "select", configId: "mode", name: "Mode", category: "mode", currentValue: mode,
    options: [{ value: "ask", name: "Ask" }, { value: "code", name: "Code", description: "Writes without asking" }] },
  { type: "select", configId: "model", name: "Model", category: "model", currentValue: model,
    options: [{ groupId: "scripted", name: "Scripted", options: [{ value: "small", name: "Small" }, { value: "large", name: "Large" }] }] },
  { type: "boolean", configId: "verbose", name: "Verbose", category: "_peer", currentValue: verbose },
];

const wire = {
  stopped: "cancelled",
  plan: (entries) => ({ sessionUpdate: "plan_update", plan: { type: "items", planId: "plan", entries } }),
  announce: (call) => ({ sessionUpdate: "tool_call_update", ...call }),
  diffs: (edits) => [{
    type: "diff",
    changes: edits.map(({ operation, path, oldPath }) => ({ operation, path, ...(oldPath ? { oldPath } : {}), fileType: "text" })),
    patch: { format: "git_patch", text: gitPatch(edits) },
  }],
  permission: ({ title, description, command, cwd, toolCallId, announced = {}, options: choices }) => ({
    title, ...(description ? { description } : {}), options: choices,
    subject: command ? { type: "command", command, cwd, toolCallId }
      : { type: "tool_call", toolCall: { toolCallId, ...announced } },
  }),
  waiting: (turn) => turn.state("requires_action"),
  running: (turn) => turn.state("running"),
  async openTerminal(turn, { toolCallId, terminalId, command }) {
    await turn.update({ sessionUpdate: "terminal_update", terminalId, command, cwd: turn.root, capabilities: { cancel: {} } });
    await turn.change(toolCallId, { status: "in_progress", capabilities: { cancel: {} }, content: [{ type: "terminal", terminalId }] });
  },
  output: (turn, { terminalId, data }) => turn.update({ sessionUpdate: "terminal_output_chunk", terminalId, data: base64(data) }),
  async closeTerminal(turn, { toolCallId, terminalId, exitCode, signal }) {
    await turn.update({ sessionUpdate: "terminal_update", terminalId, exitStatus: { exitCode, signal }, capabilities: null });
    await turn.change(toolCallId, { capabilities: null });
  },
};

class TurnV2 extends Turn {
  async state(state, extra = {}) {
    await this.client.notify("session/update", { sessionId: this.session.id, update: { sessionUpdate: "state_update", state, ...extra } });
  }
}

export function agentV2({ sessions, early }) {
  let clientCapabilities = {};
  const known = (id) => {
    const session = sessions.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  };
  const cancelOne = (label, key) => ({ params }) => {
    if (!known(params.sessionId).turn?.cancelOne(params[key])) throw RequestError.invalidParams({ [key]: params[key] }, `the ${label} cannot be cancelled`);
    return {};
  };

  return acp.agent({ name: "sdk-peer" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      clientCapabilities = params.capabilities ?? {};
      return {
        protocolVersion: 2, info: { name: "sdk-peer", title: "SDK peer", version: "2.0.0" },
        capabilities: { session: { prompt: { image: {}, embeddedContext: {} }, mcp: { stdio: {} }, delete: {}, additionalDirectories: {} }, auth: {} },
        authMethods: [{ type: "agent", methodId: "pretend", name: "Pretend to sign in" }, ...(params.capabilities?.auth?.terminal ? [TERMINAL] : [])],
      };
    })
    .onRequest(methods.agent.auth.login, () => ({}))
    .onRequest(methods.agent.auth.logout, () => ({}))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const session = sessions.open(params.cwd);
      if (early) await client.notify(methods.client.session.update, { sessionId: session.id, update: { sessionUpdate: "session_info_update", title: "Named before it was known" } });
      setTimeout(() => client.notify(methods.client.session.update, { sessionId: session.id, update: { sessionUpdate: "available_commands_update", availableCommands: COMMANDS } }), 10);
      return { sessionId: session.id, configOptions: options(session) };
    })
    .onRequest(methods.agent.session.list, ({ params }) => sessions.page(params.cursor))
    .onRequest(methods.agent.session.resume, async ({ params, client }) => {
      const session = known(params.sessionId);
      if (params.replayFrom) for (const update of session.history) await client.notify(methods.client.session.update, { sessionId: session.id, update });
      await client.notify(methods.client.session.update, { sessionId: session.id, update: { sessionUpdate: "state_update", state: session.turn ? "running" : "idle" } });
      return { configOptions: options(session), availableCommands: COMMANDS };
    })
    .onRequest(methods.agent.session.close, ({ params }) => void known(params.sessionId).turn?.cancel() ?? {})
    .onRequest(methods.agent.session.delete, ({ params }) => void sessions.delete(params.sessionId) ?? {})
    .onRequest(methods.agent.session.setConfigOption, ({ params: { sessionId, configId, type, value } }) => {
      const session = known(sessionId);
      const wanted = configId === "verbose" ? "boolean" : "id";
      if (!(configId in session.options) || type !== wanted) throw RequestError.invalidParams({ configId, type }, "no such option of this type");
      session.options[configId] = value;
      return { configOptions: options(session) };
    })
    .onRequest(methods.agent.toolCall.cancel, cancelOne("tool call", "toolCallId"))
    .onRequest(methods.agent.terminal.cancel, cancelOne("terminal", "terminalId"))
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const session = known(params.sessionId);
      if (session.turn) throw RequestError.invalidRequest(undefined, "a turn is running");
      const turn = (session.turn = new TurnV2({ client, session, wire, clientCapabilities }));
      const messageId = unique("user");
      await turn.update({ sessionUpdate: "user_message", messageId, content: params.prompt });
      setTimeout(() => run(turn, params.prompt, sessions), 0); // after the answer
      return { messageId };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.turn?.cancel());
}

async function run(turn, prompt, sessions) {
  await turn.state("running");
  const end = await ending(turn, prompt);
  turn.session.turn = null;
  await turn.state("idle", end);
  await turn.afterwards?.();
  sessions.save();
}

async function ending(turn, prompt) {
  const text = prompt.map((block) => block.text ?? "").join("\n");
  const name = /\[\[peer:(\w+)\]\]/.exec(text)?.[1];
  const story = { ...stories, ...onlyV2 }[name];
  try {
    await (story ? story(turn) : turn.say(text.startsWith("/ping") ? "pong" : `I know no story for this: ${text}`));
    return { stopReason: "end_turn" };
  } catch (error) {
    if (error instanceof Cancelled) return { stopReason: "cancelled" };
    return { stopReason: "error", error: { code: -32603, message: error.message } };
  }
}
