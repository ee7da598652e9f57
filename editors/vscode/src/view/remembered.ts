/** Sessions that agents remember, asked for when the user looks at the list. */
import * as vscode from "vscode";
import type { SessionInfo } from "../contract";
import { messageOf } from "../commands/reported";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";

interface Page {
  readonly sessions: readonly SessionInfo[];
  readonly nextCursor: string | null;
}

/** A remembered session and its agent. */
export interface Remembered {
  readonly info: SessionInfo;
  readonly agent: string;
}

export class RememberedSessions implements vscode.Disposable {
  readonly #pages = new Map<string, Page>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];
  #listing = 0;

  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly sidecar: Sidecar,
    private readonly sessions: Sessions,
  ) {
    this.#disposables = [
      this.#changed,
      sidecar.onDidChangeState(() => {
        this.#pages.clear();
        this.#changed.fire();
      }),
    ];
  }

  get listing(): boolean {
    return this.#listing > 0;
  }

  get hasMore(): boolean {
    return [...this.#pages.values()].some(({ nextCursor }) => nextCursor !== null);
  }

  get all(): Remembered[] {
    return [...this.#pages].flatMap(([agent, { sessions }]) =>
      sessions.map((info) => ({ info, agent })),
    );
  }

  /**
   * Ask anew. Agents that do not run are not started for it, but for the default one; nor is that
   * if it would have to be fetched.
   */
  async list(): Promise<void> {
    const { agents, defaultAgent } = this.sessions;
    const asked = agents.filter(
      ({ name, state, needsConsent }) =>
        state === "ready" || (name === defaultAgent && !needsConsent),
    );
    await Promise.all(asked.map(({ name }) => this.#load(name, null)));
  }

  /** Ask for what comes behind. */
  async listMore(): Promise<void> {
    const more = [...this.#pages].filter(([, { nextCursor }]) => nextCursor !== null);
    await Promise.all(more.map(([agent, { nextCursor }]) => this.#load(agent, nextCursor)));
  }

  forget(sessionId: string): void {
    for (const [agent, page] of this.#pages) {
      const sessions = page.sessions.filter((info) => info.sessionId !== sessionId);
      this.#pages.set(agent, { ...page, sessions });
    }
    this.#changed.fire();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  async #load(agent: string, cursor: string | null): Promise<void> {
    this.#listing += 1;
    this.#changed.fire();
    try {
      const page = await this.sidecar.command("acp.session.list", { agent, cursor });
      const before = cursor === null ? [] : (this.#pages.get(agent)?.sessions ?? []);
      this.#pages.set(agent, { ...page, sessions: [...before, ...page.sessions] });
    } catch (error) {
      // Many agents remember nothing; that is no failure of this list.
      this.sidecar.log.debug(`${agent} lists no sessions: ${messageOf(error)}`);
    } finally {
      this.#listing -= 1;
      this.#changed.fire();
    }
  }
}
