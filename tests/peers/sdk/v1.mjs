// The agent in ACP v1.

import * as acp from "@agentclientprotocol/sdk";
import { stories } from "./stories.mjs";
import { Cancelled, Turn } from "./turn.mjs";
import { onlyV1 } from "./v1_stories.mjs";

const { methods, RequestError } = acp;
const MODES = [{ id: "ask", name: "Ask" }, { id: "code", name: "Code", description: "Writes without asking" }];
const TERMINAL = { type: "terminal", id: "terminal", name: "Sign in in a terminal", args: ["--sign-in"], env: { SDK_PEER_USER: "someone" } };
const COMMANDS = [{ name: "plan", description: "Make a plan", input: { hint: "what to plan" } }, { name: "ping", description: "Answer pong" }];

export const modes = ({ options }) => ({ currentModeId: options.mode, availableModes: MODES });
export const options = ({ options: { model, verbose } }) => [
  { type: "select", id: "model", name: "Model", category: "model", currentValue: model,
    options: [{ group: "scripted", name: "Scripted", options: [{ value: "small", name: "Small" }, { value: "large", name: "Large" }] }] },
  { type: "boolean", id: "verbose", name: "Verbose", category: "_peer", currentValue: verbose },
];

const wire = {
  stopped: "failed", // v1 has no cancelled calls
  plan: (entries) => ({ sessionUpdate: "plan", entries }),
  announce: (call) => ({ sessionUpdate: "tool_call", ...call }),
  diffs: (edits) => edits.flatMap(asTexts),
  permission: ({ toolCallId, announced = {}, options: choices }) => ({ toolCall: { toolCallId, ...announced }, options: choices }),
  waiting: async () => {},
  running: async () => {},
  // As published agents do that run commands themselves: the output travels in `_meta`.
  openTerminal: (turn, { toolCallId, terminalId }) => turn.change(toolCallId, {
    status: "in_progress", content: [{ type: "terminal", terminalId }], _meta: { terminal_info: { terminal_id: terminalId, cwd: turn.root } } }),
  output: (turn, { toolCallId, terminalId, data }) => turn.change(toolCallId, {
    _meta: { terminal_output: { terminal_id: terminalId, data: decoder(turn, terminalId).decode(data, { stream: true }) } } }),
  closeTerminal: (turn, { toolCallId, terminalId, exitCode, signal }) => turn.change(toolCallId, {
    _meta: { terminal_exit: { terminal_id: terminalId, exit_code: exitCode, signal } } }),
};

function decoder(turn, terminalId) {
  turn.decoders ??= new Map();
  if (!turn.decoders.has(terminalId)) turn.decoders.set(terminalId, new TextDecoder());
  return turn.decoders.get(terminalId);
}

function asTexts({ operation, path, oldPath, before, after }) {
  const diff = (file, oldText, newText) => ({ type: "diff", path: file, oldText, newText });
  if (operation === "move") return [diff(oldPath, before, ""), diff(path, null, after)];
  return [diff(path, before, after ?? "")];
}

export function agentV1({ sessions, early }) {
  let clientCapabilities = {};
  const known = (id) => {
    const session = sessions.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  };
  const update = (client, session, content) => client.notify(methods.client.session.update, { sessionId: session.id, update: content });

  return acp.agent({ name: "sdk-peer" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      clientCapabilities = params.clientCapabilities ?? {};
      return {
        protocolVersion: 1, agentInfo: { name: "sdk-peer", title: "SDK peer", version: "1.0.0" },
        agentCapabilities: {
          loadSession: true, promptCapabilities: { image: true, audio: false, embeddedContext: true }, mcpCapabilities: { http: false, sse: false },
          sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} }, auth: { logout: {} },
        },
        authMethods: [{ id: "pretend", name: "Pretend to sign in" }, ...(clientCapabilities.auth?.terminal ? [TERMINAL] : [])],
      };
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.logout, () => ({}))
    .onRequest(methods.agent.session.new, async ({ params, client }) => {
      const session = sessions.open(params.cwd);
      if (early) await update(client, session, { sessionUpdate: "session_info_update", title: "Named before it was known" });
      setTimeout(() => update(client, session, { sessionUpdate: "available_commands_update", availableCommands: COMMANDS }), 10);
      return { sessionId: session.id, modes: modes(session), configOptions: options(session) };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const session = known(params.sessionId);
      for (const past of session.history) await update(client, session, past);
      return { modes: modes(session), configOptions: options(session) };
    })
    .onRequest(methods.agent.session.resume, ({ params }) => {
      const session = known(params.sessionId);
      return { modes: modes(session), configOptions: options(session) };
    })
    .onRequest(methods.agent.session.list, ({ params }) => sessions.page(params.cursor))
    .onRequest(methods.agent.session.close, ({ params }) => void known(params.sessionId).turn?.cancel() ?? {})
    .onRequest(methods.agent.session.delete, ({ params }) => void sessions.delete(params.sessionId) ?? {})
    .onRequest(methods.agent.session.setMode, async ({ params, client }) => {
      const session = known(params.sessionId);
      if (!MODES.some((mode) => mode.id === params.modeId)) throw RequestError.invalidParams({ modeId: params.modeId }, "no such mode");
      session.options.mode = params.modeId;
      await update(client, session, { sessionUpdate: "current_mode_update", currentModeId: params.modeId });
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params: { sessionId, configId, type, value } }) => {
      const session = known(sessionId);
      const fits = configId === "verbose" ? type === "boolean" : configId === "model" && type !== "boolean";
      if (!fits) throw RequestError.invalidParams({ configId, type }, "no such option of this type");
      session.options[configId] = value;
      return { configOptions: options(session) };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const session = known(params.sessionId);
      if (session.turn) throw RequestError.invalidRequest(undefined, "a turn is running");
      const turn = (session.turn = new Turn({ client, session, wire, clientCapabilities }));
      for (const content of params.prompt) session.remember({ sessionUpdate: "user_message_chunk", content });
      try {
        return await run(turn, params.prompt);
      } finally {
        session.turn = null;
        sessions.save();
        setTimeout(() => turn.afterwards?.(), 30); // after the answer
      }
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.turn?.cancel());
}

async function run(turn, prompt) {
  const text = prompt.map((block) => block.text ?? "").join("\n");
  const name = /\[\[peer:(\w+)\]\]/.exec(text)?.[1];
  const story = { ...stories, ...onlyV1 }[name];
  try {
    await (story ? story(turn) : turn.say(text.startsWith("/ping") ? "pong" : `I know no story for this: ${text}`));
    return { stopReason: "end_turn" };
  } catch (error) {
    if (error instanceof Cancelled) return { stopReason: "cancelled" };
    throw error instanceof RequestError ? error : RequestError.internalError({ details: error.message }, error.message);
  }
}
