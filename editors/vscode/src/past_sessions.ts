/** Sessions from before: what the server remembers, and what agents list when the user looks. */
import * as vscode from "vscode";
import { messageOf } from "./commands/reported";
import type { ListedSession } from "./contract";
import { agentsToAsk, keyOf, pastSessions, type PastSession } from "./render/past_sessions";
import type { Sessions } from "./sessions";
import type { Sidecar } from "./sidecar";

interface Page {
  readonly sessions: readonly ListedSession[];
  readonly nextCursor: string | null;
}

/** Names a session of an agent. */
export interface SessionOf {
  readonly agent: string;
  readonly sessionId: string;
}

/** Fills page by page, and does what can be done with what is listed. */
export class PastSessions implements vscode.Disposable {
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
    await this.sessions.refresh();
    const { agents, defaultAgent } = this.sessions;
    const asked = agentsToAsk(agents, defaultAgent);
    await Promise.all(asked.map(({ name }) => this.#load(name, null)));
  }

  /** Ask for what comes behind. */
  async listMore(): Promise<void> {
    const more = [...this.#pages].filter(([, { nextCursor }]) => nextCursor !== null);
    await Promise.all(more.map(([agent, { nextCursor }]) => this.#load(agent, nextCursor)));
  }

  /** Go on with one, which is told anew; it is the current one then. */
  async resume({ sessionId, agent, cwd }: SessionOf & { readonly cwd: string }): Promise<void> {
    const args = { sessionId, agent, cwd, replay: true };
    const opened = await this.sidecar.command("acp.session.resume", args);
    this.sessions.setCurrent(opened.sessionId);
  }

  /** Its agent keeps it, so it may still be listed. */
  async forget({ sessionId, agent }: SessionOf): Promise<void> {
    await this.sidecar.command("acp.session.forget", { sessionId, agent });
    await this.list();
  }

  /** Have its agent delete it, open or not. */
  async delete({ sessionId, agent }: SessionOf): Promise<void> {
    await this.sidecar.command("acp.session.delete", { sessionId, agent });
    this.#drop(agent, sessionId);
    await this.sessions.refresh();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #drop(agent: string, sessionId: string): void {
    const page = this.#pages.get(agent);
    if (page !== undefined) {
      const sessions = page.sessions.filter((listed) => listed.sessionId !== sessionId);
      this.#pages.set(agent, { ...page, sessions });
      this.#changed.fire();
    }
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
