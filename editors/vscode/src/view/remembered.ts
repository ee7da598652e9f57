/** Sessions from before: what the server remembers, and what agents list when the user looks. */
import * as vscode from "vscode";
import type { ListedSession } from "../contract";
import { messageOf } from "../commands/reported";
import { agentsToAsk, keyOf, pastSessions, type PastSession } from "../render/past_sessions";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";

interface Page {
  readonly sessions: readonly ListedSession[];
  readonly nextCursor: string | null;
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

  /** All that are not open, each once. */
  get all(): PastSession[] {
    const { all, remembered } = this.sessions;
    const open = new Set(all.filter((session) => !session.closed).map(keyOf));
    const listed = [...this.#pages.values()].flatMap(({ sessions }) => sessions);
    return pastSessions(remembered, listed, open);
  }

  /** Ask anew. */
  async list(): Promise<void> {
    const { agents, defaultAgent } = this.sessions;
    const asked = agentsToAsk(agents, defaultAgent);
    await Promise.all(asked.map(({ name }) => this.#load(name, null)));
  }

  /** Ask for what comes behind. */
  async listMore(): Promise<void> {
    const more = [...this.#pages].filter(([, { nextCursor }]) => nextCursor !== null);
    await Promise.all(more.map(([agent, { nextCursor }]) => this.#load(agent, nextCursor)));
  }

  /** A session is deleted: it is in no page any more. */
  drop(agent: string, sessionId: string): void {
    const page = this.#pages.get(agent);
    if (page !== undefined) {
      const sessions = page.sessions.filter((listed) => listed.sessionId !== sessionId);
      this.#pages.set(agent, { ...page, sessions });
      this.#changed.fire();
    }
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
      // An agent that does not start has its own place to say so.
      this.sidecar.log.debug(`${agent} lists no sessions: ${messageOf(error)}`);
    } finally {
      this.#listing -= 1;
      this.#changed.fire();
    }
  }
}
