/** The commands of the palette about prompts, sessions and agents. */
import * as vscode from "vscode";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { agentCommands } from "./agents";
import { promptCommands } from "./prompts";
import { reported } from "./reported";
import { sessionCommands } from "./sessions";

export function register(
  context: vscode.ExtensionContext,
  sidecar: Sidecar,
  sessions: Sessions,
): vscode.Disposable {
  const commands: Record<string, () => Promise<void>> = {
    ...promptCommands(sidecar, sessions),
    ...sessionCommands(sidecar, sessions),
    ...agentCommands(sidecar, sessions),
    walkthrough: () => openWalkthrough(context),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`acpSidecar.${name}`, reported(run)),
  );
  return vscode.Disposable.from(...registered);
}

async function openWalkthrough(context: vscode.ExtensionContext): Promise<void> {
  const category = `${context.extension.id}#start`;
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", category, false);
}
