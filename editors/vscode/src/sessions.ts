/** Which sessions and agents there are, and which session the user means when they name none. */
import * as vscode from "vscode";
import type { AgentView, SessionParams, SessionView, StateView } from "./contract";
import type { Sidecar } from "./sidecar";

/** A session: all that `acp/session` has told of it so far. */
export type SessionModel = Readonly<Required<SessionParams>>;

/** What features see of the sessions. */
export interface Sessions {
  /** Of anything below. */
  readonly onDidChange: vscode.Event<void>;
  /** All since the server's start, closed ones too, oldest first. */
  readonly all: readonly SessionModel[];
  /** The one that commands are about: chosen by the user, else the newest that is open. */
  readonly current: SessionModel | undefined;
  readonly agents: readonly AgentView[];
  /** Name of the agent that a prompt goes to if none is named; empty before the server has run. */
  readonly defaultAgent: string;
  setCurrent(sessionId: string): void;
  /** Ask the server for agents and sessions anew: not everything about agents is pushed. */
  refresh(): Promise<void>;
}

const UNSAID = {
  title: null,
  updatedAt: null,
  usage: null,
  configOptions: [],
  availableCommands: [],
  plans: [],
} satisfies Partial<SessionParams>;

/** A session as `acp.state` has it, as `acp/session` would tell it. */
function fromView(view: SessionView): SessionModel {
  const { sessionId, agent, cwd, state, stopReason, busy, cancelling, replaying, closed } = view;
  const { error, title, updatedAt, usage, configOptions, availableCommands, plans } = view;
  return {
    ...{ sessionId, agent, cwd, state, stopReason, busy, cancelling, replaying, closed },
    ...{ error, title, updatedAt, usage, configOptions, availableCommands, plans },
  };
}

/** Keeps `Sessions` true by what the server tells. */
export class SessionList implements Sessions, vscode.Disposable {
  readonly #sidecar: Sidecar;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #sessions = new Map<string, SessionModel>();
  readonly #disposables: vscode.Disposable[];
  #agents: readonly AgentView[] = [];
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

  get defaultAgent(): string {
    return this.#defaultAgent;
  }

  get current(): SessionModel | undefined {
    const chosen = this.#chosen === undefined ? undefined : this.#sessions.get(this.#chosen);
    return chosen?.closed === false ? chosen : this.all.findLast((session) => !session.closed);
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
    this.#sessions.set(params.sessionId, { ...UNSAID, ...known, ...params });
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
    this.#chosen = undefined;
    this.#changed.fire();
  }
}
