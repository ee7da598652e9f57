/** The list of sessions: open ones, and those that agents remember; with buttons on each. */
import * as vscode from "vscode";
import type { ListedSession } from "../contract";
import { agentsToAsk, keyOf, pastSessions, type PastSession } from "../render/past_sessions";
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

/** A page of what an agent lists. */
interface Page {
  readonly agent: string;
  readonly sessions: readonly ListedSession[];
  readonly nextCursor: string | null;
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
  readonly #pick = vscode.window.createQuickPick<Item>();
  readonly #pages: Page[] = [];

  constructor(sidecar: Sidecar, sessions: Sessions) {
    this.#sidecar = sidecar;
    this.#sessions = sessions;
  }

  async show(): Promise<void> {
    const pick = this.#pick;
    pick.title = "Sessions";
    pick.placeholder = "Go on with a session";
    pick.matchOnDescription = pick.matchOnDetail = true;
    const news = this.#sessions.onDidChange(() => this.#fill());
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
      news.dispose();
      pick.dispose();
    });
    this.#fill();
    pick.show();
    await this.#load();
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

  async #load(): Promise<void> {
    this.#pick.busy = true;
    await this.#sessions.refresh();
    const { agents, defaultAgent } = this.#sessions;
    const asked = agentsToAsk(agents, defaultAgent);
    await Promise.all(asked.map((agent) => this.#loadPage(agent.name, null)));
    this.#pick.busy = false;
  }

  async #loadPage(agent: string, cursor: string | null): Promise<void> {
    try {
      const page = await this.#sidecar.command("acp.session.list", { agent, cursor });
      this.#pages.push({ agent, ...page });
      this.#fill();
    } catch (error) {
      // An agent that does not start has its own place to say so.
      this.#sidecar.log.debug(`${agent} lists no sessions: ${messageOf(error)}`);
    }
  }

  #fill(): void {
    const open = this.#sessions.all.filter((session) => !session.closed);
    const listed = this.#pages.flatMap(({ sessions }) => sessions);
    const past = pastSessions(this.#sessions.remembered, listed, new Set(open.map(keyOf)));
    const before = [...past.map((each) => this.#pastItem(each)), ...this.#moreItems()];
    const kind = vscode.QuickPickItemKind.Separator;
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
      remove: () => this.#remove(sessionId, agent, session.title ?? sessionId),
    };
  }

  /** Ask for more, for each agent whose list has not ended. */
  #moreItems(): Item[] {
    const last = new Map(this.#pages.map((page) => [page.agent, page.nextCursor]));
    return [...last].flatMap(([agent, cursor]) =>
      cursor === null
        ? []
        : [
            {
              label: "$(ellipsis) More...",
              description: agent,
              pick: () => this.#loadPage(agent, cursor),
              stays: true as const,
            },
          ],
    );
  }

  #pastItem(past: PastSession): Item {
    const { sessionId, agent, cwd, remembered, resumable } = past;
    return {
      ...pastLine(past),
      buttons: [...(remembered ? [FORGET] : []), ...(this.#isDeletable(agent) ? [DELETE] : [])],
      ...(resumable ? { pick: () => this.#resume(sessionId, agent, cwd) } : {}),
      forget: () => this.#forget(sessionId, agent),
      remove: () => this.#remove(sessionId, agent, past.title ?? sessionId),
    };
  }

  #isDeletable(agent: string): boolean {
    return canDelete(this.#sessions.agents.find((each) => each.name === agent));
  }

  async #resume(sessionId: string, agent: string, cwd: string): Promise<void> {
    const options = { location: vscode.ProgressLocation.Window, title: "Resuming the session" };
    await vscode.window.withProgress(options, async () => {
      const args = { sessionId, agent, cwd, replay: true };
      const opened = await this.#sidecar.command("acp.session.resume", args);
      this.#sessions.setCurrent(opened.sessionId);
    });
  }

  async #forget(sessionId: string, agent: string): Promise<void> {
    await this.#sidecar.command("acp.session.forget", { sessionId, agent });
    this.#pages.length = 0;
    await this.#load();
  }

  async #remove(sessionId: string, agent: string, name: string): Promise<void> {
    const button = "Delete";
    const message = `Delete "${name}" for good? ${agent} forgets it; files stay as they are.`;
    if ((await vscode.window.showWarningMessage(message, button)) === button) {
      await this.#sidecar.command("acp.session.delete", { sessionId, agent });
      for (const page of this.#pages.splice(0)) {
        const kept = page.sessions.filter((listed) => listed.sessionId !== sessionId);
        this.#pages.push({ ...page, sessions: kept });
      }
      await this.#sessions.refresh();
    }
  }
}
