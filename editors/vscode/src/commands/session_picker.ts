/** The list of sessions: open ones, and those that agents remember; with buttons on each. */
import * as vscode from "vscode";
import { PastSessions, type SessionOf } from "../past_sessions";
import type { PastSession } from "../render/past_sessions";
import type { SessionModel, Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { messageOf } from "./reported";
import { canDelete, openLine, pastLine } from "./render";

interface Item extends vscode.QuickPickItem {
  /** What picking it does; a separator has nothing. */
  readonly pick?: () => unknown;
  /** The list stays open after it. */
  readonly stays?: true;
  readonly close?: () => Promise<unknown>;
  readonly forget?: () => Promise<unknown>;
  readonly remove?: () => Promise<unknown>;
}

const CLOSE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("close"),
  tooltip: "Close",
};
const FORGET: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("eye-closed"),
  tooltip: "Forget that it was used here",
};
const DELETE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("trash"),
  tooltip: "Delete for good",
};

/** Shows the list once; it fills as agents answer. */
export class SessionPicker {
  readonly #sidecar: Sidecar;
  readonly #sessions: Sessions;
  readonly #past: PastSessions;
  readonly #pick = vscode.window.createQuickPick<Item>();

  constructor(sidecar: Sidecar, sessions: Sessions) {
    this.#sidecar = sidecar;
    this.#sessions = sessions;
    this.#past = new PastSessions(sidecar, sessions);
  }

  async show(): Promise<void> {
    const pick = this.#pick;
    pick.title = "Sessions";
    pick.placeholder = "Go on with a session";
    pick.matchOnDescription = pick.matchOnDetail = true;
    const news = [this.#sessions, this.#past].map((each) => each.onDidChange(() => this.#fill()));
    pick.onDidAccept(() => this.#accept());
    pick.onDidTriggerItemButton(({ item, button }) => {
      const acts = new Map([
        [CLOSE, item.close],
        [FORGET, item.forget],
        [DELETE, item.remove],
      ]);
      void this.#try(acts.get(button));
    });
    pick.onDidHide(() => {
      vscode.Disposable.from(...news, this.#past, pick).dispose();
    });
    this.#fill();
    pick.show();
    await this.#past.list();
  }

  #accept(): void {
    const item = this.#pick.selectedItems[0];
    if (item?.stays !== true) {
      this.#pick.hide();
    }
    void this.#try(item?.pick);
  }

  async #try(act: (() => unknown) | undefined): Promise<void> {
    try {
      await act?.();
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
    }
  }

  #fill(): void {
    const open = this.#sessions.all.filter((session) => !session.closed);
    const before = [...this.#past.all.map((each) => this.#pastItem(each)), ...this.#moreItems()];
    const kind = vscode.QuickPickItemKind.Separator;
    this.#pick.busy = this.#past.listing;
    this.#pick.keepScrollPosition = true;
    this.#pick.items = [
      ...(open.length > 0 ? [{ label: "open", kind }] : []),
      ...open.map((session) => this.#openItem(session)),
      ...(before.length > 0 ? [{ label: "remembered", kind }] : []),
      ...before,
    ];
  }

  #openItem(session: SessionModel): Item {
    const { sessionId, agent } = session;
    const deletable = this.#isDeletable(agent);
    return {
      ...openLine(session, session === this.#sessions.current),
      buttons: deletable ? [CLOSE, DELETE] : [CLOSE],
      pick: () => {
        this.#sessions.setCurrent(sessionId);
      },
      close: () => this.#sidecar.command("acp.session.close", { sessionId }),
      remove: () => this.#remove(session, session.title),
    };
  }

  #moreItems(): Item[] {
    const pick = () => this.#past.listMore();
    return this.#past.hasMore ? [{ label: "$(ellipsis) More...", pick, stays: true }] : [];
  }

  #pastItem(past: PastSession): Item {
    const { agent, remembered, resumable } = past;
    return {
      ...pastLine(past),
      buttons: [...(remembered ? [FORGET] : []), ...(this.#isDeletable(agent) ? [DELETE] : [])],
      ...(resumable ? { pick: () => this.#resume(past) } : {}),
      forget: () => this.#past.forget(past),
      remove: () => this.#remove(past, past.title),
    };
  }

  #isDeletable(agent: string): boolean {
    return canDelete(this.#sessions.agents.find((each) => each.name === agent));
  }

  async #resume(past: PastSession): Promise<void> {
    const options = { location: vscode.ProgressLocation.Window, title: "Resuming the session" };
    await vscode.window.withProgress(options, () => this.#past.resume(past));
  }

  async #remove(session: SessionOf, title: string | null): Promise<void> {
    const button = "Delete";
    const name = title ?? session.sessionId;
    const message = `Delete "${name}" for good? ${session.agent} forgets it; files stay as they are.`;
    if ((await vscode.window.showWarningMessage(message, button)) === button) {
      await this.#past.delete(session);
    }
  }
}
