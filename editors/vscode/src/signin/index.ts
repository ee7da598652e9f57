/** Runs what an agent wants done in a terminal that the user can type into, such as its sign-in. */
import * as vscode from "vscode";
import type { RunInTerminalParams, RunInTerminalResult } from "../contract";
import type { Sidecar } from "../sidecar";

export function register(_context: vscode.ExtensionContext, sidecar: Sidecar): vscode.Disposable {
  return sidecar.onRequest("acp/runInTerminal", run);
}

/** The user has asked for it, so the terminal takes the focus. It closes when its program ends. */
function run(
  { title, command, args, cwd, env }: RunInTerminalParams,
  token: vscode.CancellationToken,
): Promise<RunInTerminalResult | null> {
  const terminal = vscode.window.createTerminal({
    name: title,
    shellPath: command,
    shellArgs: args,
    cwd,
    env,
    iconPath: new vscode.ThemeIcon("account"),
    isTransient: true,
  });
  terminal.show();
  return new Promise((resolve) => {
    const cancelled = token.onCancellationRequested(() => terminal.dispose());
    const closed = vscode.window.onDidCloseTerminal((each) => {
      if (each === terminal) {
        cancelled.dispose();
        closed.dispose();
        resolve({ exitCode: terminal.exitStatus?.code ?? null });
      }
    });
  });
}
