/** The agents' terminals: what is known of each, without their output. */
import * as vscode from "vscode";
import type { TerminalExit, TerminalParams } from "../contract";
import type { Sidecar } from "../sidecar";

/** A terminal of an agent, shown or not. */
export interface AgentTerminal {
  readonly sessionId: string;
  readonly terminalId: string;
  readonly command: string | null;
  readonly cwd: string | null;
  readonly exitStatus: TerminalExit | null;
  readonly cancellable: boolean;
}

/** Names a terminal. */
export type TerminalRef = Pick<AgentTerminal, "sessionId" | "terminalId">;

/** News of one terminal. */
export interface TerminalNews {
  readonly terminal: AgentTerminal;
  readonly params: TerminalParams;
  /** It was not known before. */
  readonly isNew: boolean;
}

const UNKNOWN = { command: null, cwd: null, exitStatus: null, cancellable: false };

/** Keeps the list true by what the server tells. */
export class AgentTerminals implements vscode.Disposable {
  readonly #known = new Map<string, AgentTerminal>();
  readonly #news = new vscode.EventEmitter<TerminalNews>();
  readonly #gone = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];

  readonly onNews = this.#news.event;
  /** The server has ended, and all terminals with it. */
  readonly onGone = this.#gone.event;

  constructor(private readonly sidecar: Sidecar) {
    this.#disposables = [
      this.#news,
      this.#gone,
      sidecar.onNotification("acp/terminal", (params) => this.#take(params)),
      sidecar.onDidChangeState((state) => {
        if (state !== "running" && this.#known.size > 0) {
          this.#known.clear();
          this.#gone.fire();
        }
      }),
    ];
  }

  /** Newest first, as a person looks for them. */
  get all(): readonly AgentTerminal[] {
    return [...this.#known.values()].reverse();
  }

  get(ref: TerminalRef): AgentTerminal | undefined {
    return this.#known.get(key(ref));
  }

  /** One page of what a terminal wrote, from `offset` on. */
  output({ sessionId, terminalId }: TerminalRef, offset: number): Promise<TerminalParams> {
    return this.sidecar.command("acp.terminal.output", { sessionId, terminalId, offset });
  }

  /** Stop the program; rejects with what to tell the user if the agent does not allow it. */
  async stop({ sessionId, terminalId }: TerminalRef): Promise<void> {
    await this.sidecar.command("acp.terminal.stop", { sessionId, terminalId });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #take(params: TerminalParams): void {
    const known = this.#known.get(key(params));
    const { command, cwd, exitStatus, cancellable } = { ...UNKNOWN, ...known, ...params };
    const { sessionId, terminalId } = params;
    const terminal = { sessionId, terminalId, command, cwd, exitStatus, cancellable };
    this.#known.set(key(params), terminal);
    this.#news.fire({ terminal, params, isNew: known === undefined });
  }
}

/** Ids are unique within a session only. */
export function key({ sessionId, terminalId }: TerminalRef): string {
  return JSON.stringify([sessionId, terminalId]);
}
