/**
 * The host side of the Agent view. It keeps nothing of what the webview shows: a webview that
 * begins (also because it was hidden before) says `ready` and is told everything, from the server's
 * own transcript, and from then on what changes.
 */
import * as vscode from "vscode";
import { messageOf } from "../commands/reported";
import type { TranscriptParams } from "../contract";
import type { Permissions } from "../permission/model";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { Actions } from "./actions";
import { Extras } from "./extras";
import { WorkspaceFiles } from "./files";
import type { Chip, FromWebview, ToWebview } from "./messages";
import { ViewModel } from "./model";
import { page } from "./page";

/** The view's id in package.json. */
export const VIEW = "acpSidecar.agent";

export class AgentView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #model: ViewModel;
  readonly #extras: Extras;
  readonly #files = new WorkspaceFiles();
  readonly #actions: Actions;
  readonly #disposables: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;
  #ready = false;
  /** The session whose transcript the webview has, or is about to get. */
  #shown: string | undefined;
  /** Its transcript has been asked for: deltas that come before the answer are in it. */
  #loading = false;
  /** For a webview that is not ready yet. */
  readonly #waiting: ToWebview[] = [];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly sidecar: Sidecar,
    sessions: Sessions,
    permissions: Permissions,
  ) {
    this.#model = new ViewModel(sidecar, sessions, permissions);
    this.#extras = new Extras(sidecar);
    this.#actions = new Actions({
      ...{ sidecar, sessions, permissions, past: this.#model.past },
      ...{ extras: this.#extras, files: this.#files },
      post: (message) => this.#post(message),
    });
    this.#disposables = [
      this.#model,
      this.#extras,
      this.#files,
      this.#model.onDidChange(() => this.#changed()),
      this.#extras.onNews((news) => this.#onScreen(news.sessionId, { type: "extras", ...news })),
      sidecar.onNotification("acp/transcript", (params) => this.#transcript(params)),
      sidecar.onDidChangeState((state) => {
        if (state === "running") {
          void this.#takeState();
        }
      }),
    ];
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.#ready = false;
    const { webview } = view;
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(this.extension, "dist")],
    };
    webview.onDidReceiveMessage((message: FromWebview) => this.#take(message));
    view.onDidChangeVisibility(() => (this.#ready &&= view.visible));
    view.onDidDispose(() => {
      this.#view = undefined;
      this.#ready = false;
    });
    webview.html = page(webview, this.extension);
  }

  /** Bring the view to front, with the focus in the prompt box: the user has asked for it. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.#postOrWait({ type: "focus" });
  }

  /** Put something into the prompt box, and show it. */
  async compose(text: string, chips: readonly Chip[]): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.#postOrWait({ type: "compose", text, chips });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #take(message: FromWebview): void {
    if (message.type === "ready") {
      this.#begin();
    } else {
      void this.#actions.do(message);
    }
  }

  #begin(): void {
    this.#ready = true;
    this.#shown = undefined;
    this.#changed();
    this.#waiting.splice(0).forEach((message) => this.#post(message));
  }

  #post(message: ToWebview): void {
    if (this.#ready) {
      void this.#view?.webview.postMessage(message);
    }
  }

  #postOrWait(message: ToWebview): void {
    if (this.#ready) {
      this.#post(message);
    } else {
      this.#waiting.push(message);
    }
  }

  #changed(): void {
    if (this.#view === undefined) {
      return;
    }
    const { state } = this.#model;
    this.#showBadge(state.permissions.length);
    if (!this.#ready) {
      return;
    }
    this.#post({ type: "state", state });
    const wanted = state.current?.sessionId;
    if (wanted !== this.#shown) {
      this.#shown = wanted;
      if (wanted === undefined) {
        this.#post({ type: "empty" });
      } else {
        void this.#load(wanted);
      }
    }
  }

  #showBadge(count: number): void {
    if (this.#view !== undefined) {
      const tooltip = count === 1 ? "An agent asks for permission" : `${count} permissions`;
      this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
    }
  }

  async #load(sessionId: string): Promise<void> {
    this.#loading = true;
    try {
      const { blocks } = await this.sidecar.command("acp.transcript.blocks", { sessionId });
      this.#onScreen(sessionId, { type: "transcript", sessionId, reset: true, blocks });
      this.#onScreen(sessionId, { type: "extras", ...this.#extras.of(sessionId) });
    } catch (error) {
      this.sidecar.log.debug(`no transcript of ${sessionId}: ${messageOf(error)}`);
    } finally {
      this.#loading &&= this.#shown !== sessionId;
    }
  }

  #transcript({ sessionId, blocks, reset }: TranscriptParams): void {
    if (!this.#loading) {
      this.#onScreen(sessionId, { type: "transcript", sessionId, reset: reset === true, blocks });
    }
  }

  #onScreen(sessionId: string, message: ToWebview): void {
    if (sessionId === this.#shown) {
      this.#post(message);
    }
  }

  async #takeState(): Promise<void> {
    try {
      this.#extras.take(await this.sidecar.command("acp.state", {}));
      this.#shown = undefined; // whatever is shown was told by the server before
      this.#changed();
    } catch (error) {
      this.sidecar.log.debug(`the Agent view is not told the state: ${messageOf(error)}`);
    }
  }
}
