// One prompt turn, in words that both protocol versions share; `wire` puts them into one version.

import { spawn } from "node:child_process";
import { report } from "./referee.mjs";

export class Cancelled extends Error {}

export const OPTIONS = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
const ALLOWS = new Set(["yes", "always"]);

let counter = 0;
/** An identifier that no other thing of this process has. */
export const unique = (prefix) => `${prefix}-${++counter}`;

export class Turn {
  #cancel = new AbortController();
  #calls = new Map(); // what `tool_call/cancel` and `terminal/cancel` can stop, by id

  constructor({ client, session, wire, clientCapabilities }) {
    Object.assign(this, { client, session, wire, clientCapabilities });
  }

  get root() {
    return this.session.cwd;
  }

  cancel() {
    this.#cancel.abort();
    for (const stop of this.#calls.values()) stop();
  }

  /** Stop one tool call or terminal; false if it is not one that can be stopped now. */
  cancelOne(id) {
    const stop = this.#calls.get(id);
    stop?.();
    return stop !== undefined;
  }

  check() {
    if (this.#cancel.signal.aborted) throw new Cancelled();
  }

  async update(update) {
    this.session.remember(update);
    await this.client.notify("session/update", { sessionId: this.session.id, update });
  }

  async say(text) {
    await this.#stream("agent_message_chunk", text);
  }

  async think(text) {
    await this.#stream("agent_thought_chunk", text);
  }

  async #stream(sessionUpdate, text) {
    const messageId = unique("message");
    for (const part of text.match(/.{1,9}/gsu) ?? []) {
      await this.update({ sessionUpdate, messageId, content: { type: "text", text: part } });
    }
  }

  async plan(entries) {
    await this.update(this.wire.plan(entries));
  }

  /** Announce a tool call and return its id. */
  async call(fields) {
    const toolCallId = unique("call");
    await this.update(this.wire.announce({ toolCallId, status: "pending", ...fields }));
    return toolCallId;
  }

  /** Change a tool call. `edits` and `texts` are put into content items of this version. */
  async change(toolCallId, { edits, texts = [], content, ...fields }) {
    const items = content ?? this.items({ edits, texts });
    const patch = items.length ? { ...fields, content: items } : fields;
    await this.update({ sessionUpdate: "tool_call_update", toolCallId, ...patch });
  }

  items({ edits = [], texts = [] }) {
    const blocks = texts.map((text) => ({ type: "content", content: { type: "text", text } }));
    return [...(edits.length ? this.wire.diffs(edits) : []), ...blocks];
  }

  /** Ask the client; true if it was allowed. */
  async allowed(question, signal) {
    const answer = await this.ask(question, signal);
    return answer.outcome === "selected" && ALLOWS.has(answer.optionId);
  }

  async ask(question, cancellationSignal) {
    await this.wire.waiting(this);
    const params = { sessionId: this.session.id, ...this.wire.permission({ options: OPTIONS, ...question }) };
    const { outcome } = await this.request("session/request_permission", params, { cancellationSignal });
    this.check();
    if (outcome.outcome === "cancelled" && !cancellationSignal?.aborted) throw new Cancelled();
    await this.wire.running(this);
    return outcome;
  }

  /** Send a request; an answer of the wrong shape is the client's fault and is reported. */
  async request(method, params, options) {
    try {
      return await this.client.request(method, params, options);
    } catch (error) {
      if (error.name === "ZodError") report(`answer to ${method}: ${error.message.replaceAll(/\s+/g, " ").slice(0, 300)}`);
      throw error;
    }
  }

  /** Run a program, its output live in a terminal of the call; return how it ended. */
  async run(toolCallId, { command, script }) {
    const terminalId = unique("terminal");
    await this.wire.openTerminal(this, { toolCallId, terminalId, command });
    const child = spawn(process.execPath, ["-e", script], { cwd: this.root, stdio: ["ignore", "pipe", "pipe"] });
    const stop = () => child.kill("SIGTERM");
    this.#calls.set(toolCallId, stop).set(terminalId, stop);
    if (this.#cancel.signal.aborted) stop();
    const output = (data) => this.wire.output(this, { toolCallId, terminalId, data });
    child.stdout.on("data", output);
    child.stderr.on("data", output);
    const [exitCode, signal] = await new Promise((resolve) => child.on("close", (...end) => resolve(end)));
    this.#calls.delete(toolCallId);
    this.#calls.delete(terminalId);
    await this.wire.closeTerminal(this, { toolCallId, terminalId, exitCode, signal });
    return { exitCode, signal };
  }

  async pause(milliseconds) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#cancel.signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    });
    this.check();
  }
}
