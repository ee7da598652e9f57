/** The rules that answers have left behind, as a list from which each can be taken back. */
import * as vscode from "vscode";
import { messageOf, reported } from "../commands/reported";
import type { RememberedView } from "../contract";
import type { Sidecar } from "../sidecar";
import { addedAgain, ruleLine } from "./render/rules";

interface Item extends vscode.QuickPickItem {
  readonly rule: RememberedView;
}

const FORGET: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("trash"),
  tooltip: "Forget",
};
const SETTINGS: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("settings-gear"),
  tooltip: "Rules of your settings, which are kept",
};

export function registerRules(sidecar: Sidecar): vscode.Disposable {
  return vscode.commands.registerCommand(
    "acpSidecar.permission.rules",
    reported(() => showRules(sidecar)),
  );
}

/** Show the list; it stays open while rules are forgotten. */
async function showRules(sidecar: Sidecar): Promise<void> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = "Remembered permission rules";
  pick.matchOnDescription = true;
  pick.buttons = [SETTINGS];
  const fill = async (): Promise<void> => {
    const { rules } = await sidecar.command("acp.state", {});
    pick.items = rules.map((rule) => ({ ...ruleLine(rule), rule, buttons: [FORGET] }));
    pick.placeholder =
      rules.length > 0
        ? "A rule to forget"
        : "No answer has been remembered since the server's start";
  };
  const forget = async (rule: RememberedView | undefined): Promise<void> => {
    try {
      if (rule !== undefined) {
        await sidecar.command("acp.permission.forgetRule", { number: rule.number });
        void tellForgotten(sidecar, rule);
        await fill();
      }
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
    }
  };
  pick.onDidTriggerButton(() => {
    const query = "acpSidecar.permissions.rules";
    void vscode.commands.executeCommand("workbench.action.openSettings", query);
  });
  pick.onDidTriggerItemButton(({ item }) => void forget(item.rule));
  pick.onDidAccept(() => void forget(pick.selectedItems[0]?.rule));
  pick.onDidHide(() => pick.dispose());
  await fill();
  pick.show();
}

async function tellForgotten(sidecar: Sidecar, rule: RememberedView): Promise<void> {
  const undo = "Undo";
  const { label } = ruleLine(rule);
  if ((await vscode.window.showInformationMessage(`Forgotten: ${label}`, undo)) === undo) {
    await reported(() => sidecar.command("acp.permission.addRule", addedAgain(rule)))();
  }
}
