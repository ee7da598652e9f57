/** Agent terminals: opened when the user wants to see one, never with the focus unless asked for. */
import * as vscode from "vscode";
import type { Sidecar } from "../sidecar";
import { AgentTerminals, key, type AgentTerminal, type TerminalRef } from "./model";
import { AgentPty } from "./pty";
import { ending, nameOf } from "./render/labels";

interface Shown {
  readonly pty: AgentPty;
  readonly view: vscode.Terminal;
  readonly about: AgentTerminal;
}

export function register(_context: vscode.ExtensionContext, sidecar: Sidecar): vscode.Disposable {
  return new TerminalViews(new AgentTerminals(sidecar));
}

/** The terminals on screen. */
class TerminalViews implements vscode.Disposable {
  readonly #terminals: AgentTerminals;
  readonly #shown = new Map<string, Shown>();
  readonly #disposables: vscode.Disposable[];

  constructor(terminals: AgentTerminals) {
    this.#terminals = terminals;
    this.#disposables = [
      terminals,
      terminals.onNews(({ terminal, params, isNew }) => {
        this.#shown.get(key(terminal))?.pty.take(params);
        if (isNew && opensAll()) {
          this.#show(terminal, true);
        }
      }),
      terminals.onGone(() => this.#shown.forEach(({ pty }) => pty.gone())),
      vscode.window.onDidCloseTerminal((closed) => this.#forget(closed)),
      vscode.commands.registerCommand("acpSidecar.terminal.open", (ref?: TerminalRef) =>
        this.#open(ref),
      ),
      vscode.commands.registerCommand("acpSidecar.terminal.stop", () => this.#stop()),
    ];
  }

  dispose(): void {
    this.#shown.forEach(({ view }) => view.dispose());
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** Called with a terminal by links (of tool calls), without one from the palette. */
  async #open(ref?: TerminalRef): Promise<void> {
    const terminal = ref ? this.#terminals.get(ref) : await this.#choose(this.#terminals.all);
    if (terminal !== undefined) {
      this.#show(terminal, ref !== undefined);
    } else if (ref !== undefined) {
      void vscode.window.showInformationMessage("ACP: that terminal is no longer known.");
    }
  }

  async #choose(terminals: readonly AgentTerminal[]): Promise<AgentTerminal | undefined> {
    if (terminals.length === 0) {
      void vscode.window.showInformationMessage("ACP: no agent has run a command yet.");
      return undefined;
    }
    const rows = terminals.map((terminal) => ({
      label: `$(${terminal.exitStatus === null ? "loading~spin" : "terminal"}) ${nameOf(terminal.command)}`,
      description: terminal.exitStatus === null ? "running" : ending(terminal.exitStatus),
      ...(terminal.cwd === null ? {} : { detail: terminal.cwd }),
      terminal,
    }));
    const chosen = await vscode.window.showQuickPick(rows, {
      title: "Terminals of agents",
      placeHolder: "Which one do you want to see?",
      matchOnDetail: true,
    });
    return chosen?.terminal;
  }

  #show(about: AgentTerminal, preserveFocus: boolean): void {
    const shown = this.#shown.get(key(about)) ?? this.#create(about);
    shown.view.show(preserveFocus);
  }

  #create(about: AgentTerminal): Shown {
    const pty = new AgentPty(about, this.#terminals);
    const view = vscode.window.createTerminal({
      name: nameOf(about.command),
      pty,
      iconPath: new vscode.ThemeIcon("sparkle"),
      isTransient: true,
    });
    const shown = { pty, view, about };
    this.#shown.set(key(about), shown);
    return shown;
  }

  #forget(closed: vscode.Terminal): void {
    for (const [id, { view }] of this.#shown) {
      if (view === closed) {
        this.#shown.delete(id);
      }
    }
  }

  /** Stop the program in the terminal on screen, else in one of those that run. */
  async #stop(): Promise<void> {
    const active = [...this.#shown.values()].find(
      ({ view }) => view === vscode.window.activeTerminal,
    );
    const here = active && this.#terminals.get(active.about);
    const running = this.#terminals.all.filter(({ exitStatus }) => exitStatus === null);
    const terminal = here?.exitStatus === null ? here : await this.#runningOne(running);
    if (terminal === undefined) {
      return;
    }
    try {
      await this.#terminals.stop(terminal);
    } catch (error) {
      void vscode.window.showWarningMessage(
        `ACP: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async #runningOne(running: readonly AgentTerminal[]): Promise<AgentTerminal | undefined> {
    if (running.length === 0) {
      void vscode.window.showInformationMessage("ACP: no program of an agent runs now.");
      return undefined;
    }
    return running.length === 1 ? running[0] : this.#choose(running);
  }
}

/** Whether every terminal is to be shown as soon as it is there. */
function opensAll(): boolean {
  return vscode.workspace.getConfiguration("acpSidecar.editor").get("terminals") === "show";
}
