/** What the server tells of tool calls and terminals beside the transcript. */
import * as vscode from "vscode";
import type { ReviewDelta, SetView, StateView, TerminalParams } from "../contract";
import type { Sidecar } from "../sidecar";
import type { CallExtras, TerminalExtras } from "./messages";
import { changesOf, NO_EXTRAS, UNKNOWN_TERMINAL, withDelta } from "./render/extras";

/** News of one session. */
export interface ExtrasNews {
  readonly sessionId: string;
  readonly calls: Readonly<Record<string, CallExtras>>;
  readonly terminals: Readonly<Record<string, TerminalExtras>>;
}

interface Known {
  readonly calls: Map<string, CallExtras>;
  readonly terminals: Map<string, TerminalExtras>;
}

/** Keeps them for all sessions. */
export class Extras implements vscode.Disposable {
  readonly #sidecar: Sidecar;
  readonly #sessions = new Map<string, Known>();
  /** The tool call of each change set, and its files as far as they have been told. */
  readonly #sets = new Map<string, SetView>();
  readonly #news = new vscode.EventEmitter<ExtrasNews>();
  readonly #disposables: vscode.Disposable[];

  readonly onNews = this.#news.event;

  constructor(sidecar: Sidecar) {
    this.#sidecar = sidecar;
    this.#disposables = [
      this.#news,
      sidecar.onNotification("acp/review", (delta) => this.#review(delta)),
      sidecar.onNotification("acp/terminal", (params) => this.#terminal(params)),
      sidecar.onDidChangeState(() => {
        this.#sessions.clear();
        this.#sets.clear();
      }),
    ];
  }

  /** All that is known of a session. */
  of(sessionId: string): ExtrasNews {
    const { calls, terminals } = this.#known(sessionId);
    return {
      sessionId,
      calls: Object.fromEntries(calls),
      terminals: Object.fromEntries(terminals),
    };
  }

  /** Take what was there before this began to listen. */
  take(state: StateView): void {
    for (const set of state.changeSets) {
      this.#sets.set(set.changeSet, set);
      this.#showSet(set);
    }
  }

  /** Ask whether a running tool call can be stopped by itself: only its whole state says so. */
  async lookAtCall(sessionId: string, toolCallId: string): Promise<void> {
    const { sessions } = await this.#sidecar.command("acp.state", { sessionId });
    const call = sessions[0]?.toolCalls.find((each) => each.toolCallId === toolCallId);
    if (call?.capabilities?.cancel !== undefined) {
      this.#showCall(sessionId, toolCallId, { stoppable: true });
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #known(sessionId: string): Known {
    const known = this.#sessions.get(sessionId) ?? { calls: new Map(), terminals: new Map() };
    this.#sessions.set(sessionId, known);
    return known;
  }

  #review({ changeSets, removed }: ReviewDelta): void {
    for (const delta of changeSets) {
      const set = withDelta(this.#sets.get(delta.changeSet), delta);
      this.#sets.set(delta.changeSet, set);
      this.#showSet(set);
    }
    for (const id of removed) {
      const set = this.#sets.get(id);
      this.#sets.delete(id);
      if (set !== undefined && set.toolCallId !== null) {
        this.#showCall(set.sessionId, set.toolCallId, { changes: null });
      }
    }
  }

  #showSet(set: SetView): void {
    if (set.toolCallId !== null) {
      this.#showCall(set.sessionId, set.toolCallId, { changes: changesOf(set) });
    }
  }

  #showCall(sessionId: string, toolCallId: string, news: Partial<CallExtras>): void {
    const { calls } = this.#known(sessionId);
    const call = { ...NO_EXTRAS, ...calls.get(toolCallId), ...news };
    calls.set(toolCallId, call);
    this.#news.fire({ sessionId, calls: { [toolCallId]: call }, terminals: {} });
  }

  #terminal({ sessionId, terminalId, exitStatus, cancellable }: TerminalParams): void {
    const { terminals } = this.#known(sessionId);
    const known = terminals.get(terminalId);
    const before = known ?? UNKNOWN_TERMINAL;
    const now = {
      running: exitStatus === undefined ? before.running : exitStatus === null,
      stoppable: cancellable ?? before.stoppable,
    };
    // Output comes often and changes nothing here.
    if (known?.running !== now.running || known.stoppable !== now.stoppable) {
      terminals.set(terminalId, now);
      this.#news.fire({ sessionId, calls: {}, terminals: { [terminalId]: now } });
    }
  }
}
