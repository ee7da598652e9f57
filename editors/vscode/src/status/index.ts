/** The status bar item, its menu, the status in the language menu, and the contexts for keys. */
import * as vscode from "vscode";
import type { FollowPayload } from "../contract";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { followOf, menuOf, statusOf, type Facts } from "./render/status";

const SEVERITIES = {
  none: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};
const BACKGROUNDS = {
  none: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
};

/** Shows what is so. */
class StatusBar implements vscode.Disposable {
  readonly #sidecar: Sidecar;
  readonly #sessions: Sessions;
  readonly #item: vscode.StatusBarItem;
  readonly #language: vscode.LanguageStatusItem;
  readonly #disposables: vscode.Disposable[];
  #follow: Facts["follow"];

  constructor(sidecar: Sidecar, sessions: Sessions) {
    this.#sidecar = sidecar;
    this.#sessions = sessions;
    const { window, languages, commands, workspace } = vscode;
    this.#item = window.createStatusBarItem("status", vscode.StatusBarAlignment.Left, 50);
    this.#item.name = "ACP Sidecar";
    this.#language = languages.createLanguageStatusItem("acpSidecar.status", { scheme: "file" });
    this.#language.name = "ACP Sidecar";
    this.#language.command = { command: "acpSidecar.menu", title: "ACP..." };
    this.#item.command = "acpSidecar.menu";
    this.#disposables = [
      this.#item,
      this.#language,
      sidecar.onDidChangeState(() => void this.#serverChanged()),
      sidecar.onNotification("acp/follow", (state) => this.#followChanged(state)),
      sessions.onDidChange(() => this.#show()),
      workspace.onDidGrantWorkspaceTrust(() => this.#show()),
      commands.registerCommand("acpSidecar.menu", () => this.#menu()),
    ];
    this.#show();
    this.#item.show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  async #serverChanged(): Promise<void> {
    this.#follow = undefined;
    this.#show();
    if (this.#sidecar.state === "running") {
      try {
        this.#followChanged((await this.#sidecar.command("acp.state", {})).follow);
      } catch (error) {
        this.#sidecar.log.debug(`how following is, is not known: ${String(error)}`);
      }
    }
  }

  #followChanged(state: Pick<FollowPayload, "mode" | "paused">): void {
    this.#follow = state;
    this.#show();
  }

  #facts(): Facts {
    return {
      trusted: vscode.workspace.isTrusted,
      server: this.#sidecar.state,
      follow: this.#follow,
      session: this.#sessions.current,
      agent: this.#sessions.defaultAgent,
      busy: this.#sessions.all.filter((session) => session.busy).length,
    };
  }

  #show(): void {
    const facts = this.#facts();
    const { text, tooltip, severity } = statusOf(facts);
    const plain = text.replace(/\$\([^)]*\)\s?/g, "").trim();
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: `ACP ${plain}. ${tooltip}` };
    this.#item.backgroundColor = BACKGROUNDS[severity];
    this.#language.text = `ACP: ${plain}`;
    this.#language.detail = tooltip.replaceAll("\n", ". ");
    this.#language.severity = SEVERITIES[severity];
    this.#language.busy = facts.server === "starting" || facts.busy > 0;
    const contexts = {
      running: facts.server === "running",
      busy: facts.session?.busy === true,
      session: facts.session !== undefined,
      follow: followOf(facts),
    };
    for (const [name, value] of Object.entries(contexts)) {
      void vscode.commands.executeCommand("setContext", `acpSidecar.${name}`, value);
    }
  }

  async #menu(): Promise<void> {
    const facts = this.#facts();
    const placeHolder = statusOf(facts).tooltip.replaceAll("\n", " · ");
    const picked = await vscode.window.showQuickPick(menuOf(facts), { title: "ACP", placeHolder });
    if (picked !== undefined) {
      await vscode.commands.executeCommand(picked.command);
    }
  }
}

export function register(
  _context: vscode.ExtensionContext,
  sidecar: Sidecar,
  sessions: Sessions,
): vscode.Disposable {
  return new StatusBar(sidecar, sessions);
}
