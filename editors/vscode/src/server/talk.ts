/** What the user is told about the server, each with buttons that do something about it. */
import * as vscode from "vscode";

const INSTALL = { title: "Install", command: "acpSidecar.server.install" };
const RESTART = { title: "Restart", command: "acpSidecar.server.restart" };
const LOG = { title: "Show Log", command: "acpSidecar.log.show" };
const DOCTOR = { title: "Run Doctor", command: "acpSidecar.doctor" };
const SETTINGS = {
  title: "Open Settings",
  command: "workbench.action.openSettings",
  argument: "acpSidecar.server",
};

interface Button {
  readonly title: string;
  readonly command: string;
  readonly argument?: string;
}

type Show = (message: string, ...buttons: Button[]) => Thenable<Button | undefined>;

/** Speaks to the user. Nothing here waits for an answer. */
export class Talk {
  /** There is none to start, and none was set. */
  absent(): void {
    tell(
      vscode.window.showInformationMessage,
      "ACP Sidecar needs its server, a Python program. It can be installed into an environment " +
        "of this extension, apart from your own Python packages.",
      [INSTALL, SETTINGS],
    );
  }

  /** The one that was set does not work. */
  notThere(message: string): void {
    tell(vscode.window.showErrorMessage, message, [SETTINGS, LOG]);
  }

  notStarted(message: string): void {
    const words = `The ACP server did not start: ${message}`;
    tell(vscode.window.showErrorMessage, words, [LOG, DOCTOR, RESTART]);
  }

  /** It ended and is started again. */
  restarted(words: string): void {
    tell(vscode.window.showWarningMessage, `${words} and is started once again.`, [LOG]);
  }

  /** It ended again and stays so. */
  ended(words: string): void {
    const again = `${words} again. It is not started any more by itself.`;
    tell(vscode.window.showErrorMessage, again, [RESTART, LOG, DOCTOR]);
  }

  outdated(words: string): void {
    tell(vscode.window.showWarningMessage, words, [INSTALL, LOG]);
  }
}

function tell(show: Show, message: string, buttons: readonly Button[]): void {
  void show(message, ...buttons).then((button) => {
    if (button !== undefined) {
      void vscode.commands.executeCommand(button.command, button.argument);
    }
  });
}
