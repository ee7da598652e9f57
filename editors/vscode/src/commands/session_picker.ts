/** The list of sessions: open ones, and those that agents remember; with buttons on each. */
import * as vscode from "vscode";
import type { SessionInfo } from "../contract";
import type { SessionModel, Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { messageOf } from "./reported";
import { canDelete, openLine, rememberedLine } from "./render";

interface Item extends vscode.QuickPickItem {
  /** What picking it does; a separator has nothing. */
  readonly pick?: () => unknown;
  /** The list stays open after it. */
  readonly stays?: true;
  readonly close?: () => Promise<unknown>;
  readonly forget?: () => Promise<unknown>;
}

/** A page of what an agent remembers. */
interface Remembered {
  readonly agent: string;
  readonly sessions: readonly SessionInfo[];
  readonly nextCursor: string | null;
}

const CLOSE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("close"),
  tooltip: "Close",
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
  readonly #remembered: Remembered[] = [];

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
      void this.#try(button === CLOSE ? item.close : item.forget);
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
    // Agents that do not run are not started just to be asked; the default one is what users mean.
    const asked = agents.filter((agent) => agent.state === "ready" || agent.name === defaultAgent);
    await Promise.all(asked.map((agent) => this.#loadPage(agent.name, null)));
    this.#pick.busy = false;
  }

  async #loadPage(agent: string, cursor: string | null): Promise<void> {
    try {
      const page = await this.#sidecar.command("acp.session.list", { agent, cursor });
      this.#remembered.push({ agent, ...page });
      this.#fill();
    } catch (error) {
      // Many agents remember nothing; that is no failure of this list.
      this.#sidecar.log.debug(`${agent} lists no sessions: ${messageOf(error)}`);
    }
  }

  #fill(): void {
    const open = this.#sessions.all.filter((session) => !session.closed);
    const known = new Set(open.map((session) => session.sessionId));
    const pages = this.#remembered.flatMap((page) => this.#pageItems(page, known));
    const kind = vscode.QuickPickItemKind.Separator;
    this.#pick.keepScrollPosition = true;
    this.#pick.items = [
      ...(open.length > 0 ? [{ label: "open", kind }] : []),
      ...open.map((session) => this.#openItem(session)),
      ...(pages.length > 0 ? [{ label: "remembered", kind }] : []),
      ...pages,
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
      forget: () => this.#forget(sessionId, agent, session.title ?? sessionId),
    };
  }

  #pageItems(page: Remembered, known: ReadonlySet<string>): Item[] {
    const { agent, nextCursor } = page;
    const items = page.sessions
      .filter((info) => !known.has(info.sessionId))
      .map((info) => this.#rememberedItem(info, agent));
    const isLast = this.#remembered.findLast((each) => each.agent === agent) === page;
    const more = {
      label: "$(ellipsis) More...",
      description: agent,
      pick: () => this.#loadPage(agent, nextCursor),
      stays: true as const,
    };
    return nextCursor !== null && isLast ? [...items, more] : items;
  }

  #rememberedItem(info: SessionInfo, agent: string): Item {
    const { sessionId, cwd } = info;
    return {
      ...rememberedLine(info, agent),
      buttons: this.#isDeletable(agent) ? [DELETE] : [],
      pick: () => this.#resume(sessionId, agent, cwd),
      forget: () => this.#forget(sessionId, agent, info.title ?? sessionId),
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

  async #forget(sessionId: string, agent: string, name: string): Promise<void> {
    const button = "Delete";
    const message = `Delete "${name}" for good? ${agent} forgets it; files stay as they are.`;
    if ((await vscode.window.showWarningMessage(message, button)) === button) {
      await this.#sidecar.command("acp.session.delete", { sessionId, agent });
      for (const page of this.#remembered.splice(0)) {
        const kept = page.sessions.filter((info) => info.sessionId !== sessionId);
        this.#remembered.push({ ...page, sessions: kept });
      }
      await this.#sessions.refresh();
    }
  }
}
