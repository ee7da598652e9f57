/** Which sessions and agents there are, and which session the user means when they name none. */
import * as vscode from "vscode";
import type { AgentView, RememberedSession, SessionParams, StateView } from "./contract";
import { currentOf, fromView, updated, type SessionModel } from "./render/session_model";
import type { Sidecar } from "./sidecar";

export type { SessionModel } from "./render/session_model";

/** What features see of the sessions. */
export interface Sessions {
  /** Of anything below. */
  readonly onDidChange: vscode.Event<void>;
  /** All since the server's start, closed ones too, oldest first. */
  readonly all: readonly SessionModel[];
  /** The one that commands are about: chosen by the user, else the newest that is open. */
  readonly current: SessionModel | undefined;
  readonly agents: readonly AgentView[];
  /** Sessions of this workspace that the server remembers, the last used first. */
  readonly remembered: readonly RememberedSession[];
  /** Name of the agent that a prompt goes to if none is named; empty before the server has run. */
  readonly defaultAgent: string;
  setCurrent(sessionId: string): void;
  /** Ask the server for agents and sessions anew: not everything about agents is pushed. */
  refresh(): Promise<void>;
}

/** Keeps `Sessions` true by what the server tells. */
export class SessionList implements Sessions, vscode.Disposable {
  readonly #sidecar: Sidecar;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #sessions = new Map<string, SessionModel>();
  readonly #disposables: vscode.Disposable[];
  #agents: readonly AgentView[] = [];
  #remembered: readonly RememberedSession[] = [];
  #defaultAgent = "";
  #chosen: string | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(sidecar: Sidecar) {
    this.#sidecar = sidecar;
    this.#disposables = [
      sidecar.onNotification("acp/session", (params) => this.#update(params)),
      sidecar.onDidChangeState((state) => {
        if (state === "running") {
          void this.refresh();
        } else if (state !== "starting") {
          this.#forget();
        }
      }),
    ];
  }

  get all(): readonly SessionModel[] {
    return [...this.#sessions.values()];
  }

  get agents(): readonly AgentView[] {
    return this.#agents;
  }

  get remembered(): readonly RememberedSession[] {
    return this.#remembered;
  }

  get defaultAgent(): string {
    return this.#defaultAgent;
  }

  get current(): SessionModel | undefined {
    return currentOf(this.all, this.#chosen);
  }

  setCurrent(sessionId: string): void {
    if (this.#chosen !== sessionId) {
      this.#chosen = sessionId;
      this.#changed.fire();
    }
  }

  async refresh(): Promise<void> {
    try {
      this.#take(await this.#sidecar.command("acp.state", {}));
    } catch (error) {
      this.#sidecar.log.warn(`the state of the server is not known: ${String(error)}`);
    }
  }

  dispose(): void {
    this.#changed.dispose();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #take(state: StateView): void {
    this.#agents = state.agents;
    this.#remembered = state.remembered;
    this.#defaultAgent = state.defaultAgent;
    this.#sessions.clear();
    for (const view of state.sessions) {
      this.#sessions.set(view.sessionId, fromView(view));
    }
    this.#chosen ??= state.currentSession ?? undefined;
    this.#changed.fire();
  }

  #update(params: SessionParams): void {
    const known = this.#sessions.get(params.sessionId);
    this.#sessions.set(params.sessionId, updated(known, params));
    if (known === undefined) {
      this.#chosen = params.sessionId;
      // Its agent has been started, so more is known of it now.
      void this.refresh();
    }
    this.#changed.fire();
  }

  #forget(): void {
    this.#sessions.clear();
    this.#agents = [];
    this.#remembered = [];
    this.#chosen = undefined;
    this.#changed.fire();
  }
}
