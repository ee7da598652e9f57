/** Everything that the view shows but the transcript, put together from what others know. */
import * as vscode from "vscode";
import { shorten } from "../asking/paths";
import { canDelete } from "../commands/render";
import { PastSessions } from "../past_sessions";
import type { Permissions } from "../permission/model";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import type { ServerRow, SessionRow, ViewState } from "./messages";
import { currentRow, openRow, pastRow, permissionCard, takesImages } from "./render/state";

/** Tells once a turn of the loop that something has changed, however much has. */
export class ViewModel implements vscode.Disposable {
  readonly past: PastSessions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];
  #pending: NodeJS.Immediate | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly sidecar: Sidecar,
    private readonly sessions: Sessions,
    private readonly permissions: Permissions,
  ) {
    this.past = new PastSessions(sidecar, sessions);
    const changed = (): void => this.#soon();
    this.#disposables = [
      this.#changed,
      this.past,
      sidecar.onDidChangeState(changed),
      sessions.onDidChange(changed),
      permissions.onDidChange(changed),
      this.past.onDidChange(changed),
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
    ];
  }

  get state(): ViewState {
    const { current, defaultAgent, agents } = this.sessions;
    const name = current?.agent ?? defaultAgent;
    const images = takesImages(agents.find((agent) => agent.name === name));
    return {
      server: this.#server(),
      sessions: this.#rows(),
      listing: this.past.listing,
      more: this.past.hasMore,
      current: current === undefined ? null : currentRow(current),
      defaultAgent,
      permissions: this.permissions.open.map((each) => permissionCard(each, shorten, Date.now())),
      takesImages: images,
    };
  }

  dispose(): void {
    clearImmediate(this.#pending);
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #soon(): void {
    this.#pending ??= setImmediate(() => {
      this.#pending = undefined;
      this.#changed.fire();
    });
  }

  #server(): ServerRow {
    return vscode.workspace.isTrusted ? this.sidecar.state : "untrusted";
  }

  #rows(): SessionRow[] {
    const { all, current, agents } = this.sessions;
    const isDeletable = (name: string): boolean =>
      canDelete(agents.find((agent) => agent.name === name));
    const open = all.filter((session) => !session.closed);
    return [
      ...open.map((session) => openRow(session, current, isDeletable(session.agent))),
      ...this.past.all.map((each) => pastRow(each, isDeletable(each.agent))),
    ];
  }
}
