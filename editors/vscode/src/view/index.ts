/** The Agent view: the conversation with an agent, in a view of its own. */
import * as vscode from "vscode";
import { permissionsOf } from "../permission/model";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { fileChip, fileEditor, problemsChip, selectionChip } from "./context";
import type { Chip } from "./messages";
import { AgentView, VIEW } from "./view";

export function register(
  context: vscode.ExtensionContext,
  sidecar: Sidecar,
  sessions: Sessions,
): vscode.Disposable {
  const view = new AgentView(
    context.extensionUri,
    sidecar,
    sessions,
    permissionsOf(context, sidecar),
  );
  const { registerCommand } = vscode.commands;
  return vscode.Disposable.from(
    view,
    vscode.window.registerWebviewViewProvider(VIEW, view),
    registerCommand("acpSidecar.view.focus", () => view.focus()),
    registerCommand("acpSidecar.addSelectionToPrompt", () => addSelection(view)),
    registerCommand("acpSidecar.addProblemsToPrompt", () => addProblems(view)),
    registerCommand("acpSidecar.addFileToPrompt", (uri?: vscode.Uri, uris?: vscode.Uri[]) =>
      addFiles(view, uris ?? (uri === undefined ? [] : [uri])),
    ),
  );
}

async function addSelection(view: AgentView): Promise<void> {
  const editor = fileEditor();
  if (editor === undefined) {
    hint("Select code in a file first.");
  } else {
    await view.compose("", [selectionChip(editor)]);
  }
}

async function addProblems(view: AgentView): Promise<void> {
  const editor = fileEditor();
  const chip = editor && problemsChip(editor);
  if (chip === undefined) {
    hint("There is no problem in this file.");
  } else {
    await view.compose("Fix this.", [chip]);
  }
}

async function addFiles(view: AgentView, uris: readonly vscode.Uri[]): Promise<void> {
  const editor = fileEditor();
  const meant = uris.length > 0 || editor === undefined ? uris : [editor.document.uri];
  const chips: Chip[] = meant.filter(({ scheme }) => scheme === "file").map(fileChip);
  if (chips.length === 0) {
    hint("Open a file first.");
  } else {
    await view.compose("", chips);
  }
}

function hint(text: string): void {
  vscode.window.setStatusBarMessage(`$(info) ${text}`, 4000);
}
