/**
 * The typed line to the server. Features register here what they take and call what they want;
 * none of them knows when the server is started, restarted or gone.
 */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient/node";
import type {
  Capability,
  ClientNotifications,
  CommandName,
  Commands,
  ServerNotifications,
  ServerRequests,
} from "./contract";

/** Of the server's process; `failed` also if there is none to start. */
export type ServerState = "stopped" | "starting" | "running" | "failed";

/** What features see of the server. */
export interface Sidecar {
  readonly state: ServerState;
  /** On every "running" all earlier state is void: ask `acp.state` anew. */
  readonly onDidChangeState: vscode.Event<ServerState>;
  readonly log: vscode.LogOutputChannel;
  /** An edit of the server's is being applied: what changes now was not typed by the user. */
  readonly editing: boolean;
  /**
   * Have the server do a command. Waits for a server that is starting and starts none itself.
   * Rejects with an `Error` whose message is for the user.
   */
  command<N extends CommandName>(
    name: N,
    args: Commands[N]["arguments"],
  ): Promise<Commands[N]["result"]>;
  /** Several handlers may take the same notification. They are kept over restarts. */
  onNotification<N extends keyof ServerNotifications>(
    name: N,
    handler: (params: ServerNotifications[N]) => void,
  ): vscode.Disposable;
  /** One handler for each request; kept over restarts. */
  onRequest<N extends keyof ServerRequests>(
    name: N,
    handler: (
      params: ServerRequests[N]["params"],
      token: vscode.CancellationToken,
    ) => Promise<ServerRequests[N]["result"]>,
  ): vscode.Disposable;
  /** Tell the server something; dropped if it does not run. */
  notify<N extends keyof ClientNotifications>(name: N, params: ClientNotifications[N]): void;
}

type Notified = (params: unknown) => void;
type Asked = (params: unknown, token: vscode.CancellationToken) => Promise<unknown>;

/** By which message's handler each capability is announced. */
const ANNOUNCED_BY: Partial<Record<Capability, keyof ServerNotifications | keyof ServerRequests>> =
  {
    follow: "acp/follow",
    review: "acp/review",
    permission: "acp/permission",
    elicitation: "acp/elicitation",
    terminal: "acp/terminal",
    transcript: "acp/transcript",
    session: "acp/session",
    tools: "acp/selection",
    runInTerminal: "acp/runInTerminal",
  };

/** The line itself: what `server/` connects to one language client after the other. */
export class SidecarLine implements Sidecar, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<ServerState>();
  readonly #notified = new Map<string, Set<Notified>>();
  readonly #asked = new Map<string, Asked>();
  #client: BaseLanguageClient | undefined;
  #state: ServerState = "stopped";
  #edits = 0;

  readonly onDidChangeState = this.#changed.event;

  constructor(readonly log: vscode.LogOutputChannel) {}

  get state(): ServerState {
    return this.#state;
  }

  get editing(): boolean {
    return this.#edits > 0;
  }

  /** Apply an edit of the server's. */
  async whileEditing<T>(apply: () => Promise<T>): Promise<T> {
    this.#edits += 1;
    try {
      return await apply();
    } finally {
      this.#edits -= 1;
    }
  }

  /** What there are handlers for: the rest falls back to what any LSP client gets. */
  capabilities(): Partial<Record<Capability, true>> {
    const handled = Object.entries(ANNOUNCED_BY).filter(
      ([, method]) => this.#notified.has(method) || this.#asked.has(method),
    );
    return Object.fromEntries(handled.map(([name]) => [name, true]));
  }

  /** Take a client that has not been started yet, so that none of its messages is missed. */
  connect(client: BaseLanguageClient): void {
    this.#client = client;
    for (const name of this.#notified.keys()) {
      this.#hookNotification(client, name);
    }
    for (const name of this.#asked.keys()) {
      this.#hookRequest(client, name);
    }
  }

  setState(state: ServerState): void {
    if (state === "stopped" || state === "failed") {
      this.#client = undefined;
    }
    if (state !== this.#state) {
      this.#state = state;
      this.#changed.fire(state);
    }
  }

  async command<N extends CommandName>(
    name: N,
    args: Commands[N]["arguments"],
  ): Promise<Commands[N]["result"]> {
    await this.#started();
    const client = this.#client;
    if (this.#state !== "running" || client === undefined) {
      throw new Error('The ACP server does not run: use "ACP: Restart Server".');
    }
    return client.sendRequest<Commands[N]["result"]>("workspace/executeCommand", {
      command: name,
      arguments: [args],
    });
  }

  onNotification<N extends keyof ServerNotifications>(
    name: N,
    handler: (params: ServerNotifications[N]) => void,
  ): vscode.Disposable {
    const taken = handler as Notified;
    const handlers = this.#notified.get(name);
    if (handlers !== undefined) {
      handlers.add(taken);
    } else {
      this.#notified.set(name, new Set([taken]));
      if (this.#client !== undefined) {
        this.#hookNotification(this.#client, name);
      }
    }
    return new vscode.Disposable(() => this.#notified.get(name)?.delete(taken));
  }

  onRequest<N extends keyof ServerRequests>(
    name: N,
    handler: (
      params: ServerRequests[N]["params"],
      token: vscode.CancellationToken,
    ) => Promise<ServerRequests[N]["result"]>,
  ): vscode.Disposable {
    this.#asked.set(name, handler as Asked);
    if (this.#client !== undefined) {
      this.#hookRequest(this.#client, name);
    }
    return new vscode.Disposable(() => this.#asked.delete(name));
  }

  notify<N extends keyof ClientNotifications>(name: N, params: ClientNotifications[N]): void {
    if (this.#state === "running") {
      this.#client?.sendNotification(name, params).catch((error: unknown) => {
        this.log.warn(`${name} was not sent: ${String(error)}`);
      });
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #started(): Promise<void> {
    if (this.#state !== "starting") {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const waiting = this.onDidChangeState((state) => {
        if (state !== "starting") {
          waiting.dispose();
          resolve();
        }
      });
    });
  }

  #hookNotification(client: BaseLanguageClient, name: string): void {
    client.onNotification(name, (params: unknown) => {
      for (const handler of [...(this.#notified.get(name) ?? [])]) {
        this.#guard(name, () => handler(params));
      }
    });
  }

  // One feature's fault must not keep the news from the others.
  #guard(name: string, handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.log.error(`handling ${name} failed`, error);
    }
  }

  #hookRequest(client: BaseLanguageClient, name: string): void {
    client.onRequest(name, (params: unknown, token: vscode.CancellationToken) => {
      const handler = this.#asked.get(name);
      if (handler === undefined) {
        throw new Error(`nothing here answers ${name} any more`);
      }
      return handler(params, token);
    });
  }
}
