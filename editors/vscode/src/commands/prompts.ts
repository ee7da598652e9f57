/** Commands that send prompts: by an input box, about a selection, to fix what is wrong. */
import * as vscode from "vscode";
import type { ContextItem } from "../contract";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";

/** The commands, by their names without the prefix. */
export function promptCommands(
  sidecar: Sidecar,
  sessions: Sessions,
): Record<string, () => Promise<void>> {
  return {
    prompt: () => ask(sidecar, sessions, "Prompt", []),
    askSelection: () => askSelection(sidecar, sessions),
    fix,
    cancel: () => cancel(sidecar, sessions),
  };
}

/** Ask for a prompt and send it to the current session, or to a new one of the default agent. */
async function ask(
  sidecar: Sidecar,
  sessions: Sessions,
  title: string,
  context: ContextItem[],
): Promise<void> {
  const session = sessions.current;
  const text = await vscode.window.showInputBox({
    title,
    prompt: `To ${session?.agent ?? sessions.defaultAgent}`,
    placeHolder: "What is to be done? The demo agent's tour begins with: go",
    ignoreFocusOut: true,
  });
  if (text !== undefined && text.trim() !== "") {
    const to = session === undefined ? {} : { sessionId: session.sessionId };
    await sidecar.command("acp.prompt", { ...to, text, context });
  }
}

async function askSelection(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("Select code in a file first.");
    return;
  }
  const { selection, document } = editor;
  const { start, end } = selection.isEmpty
    ? document.lineAt(selection.active.line).range
    : selection;
  const range = {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
  const lines =
    start.line === end.line ? `line ${start.line + 1}` : `lines ${start.line + 1}-${end.line + 1}`;
  const path = vscode.workspace.asRelativePath(document.uri);
  const context = [{ uri: document.uri.toString(), range }];
  await ask(sidecar, sessions, `Ask about ${path}, ${lines}`, context);
}

/** Have the server's own quick fix done: it knows what to say about the problems. */
async function fix(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const actions =
    editor === undefined
      ? []
      : await vscode.commands.executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider",
          editor.document.uri,
          editor.selection,
          vscode.CodeActionKind.QuickFix.value,
        );
  const ours = actions.find((action) => action.command?.command === "acp.prompt")?.command;
  if (ours === undefined) {
    void vscode.window.showInformationMessage("There is no problem at the cursor to fix.");
    return;
  }
  await vscode.commands.executeCommand(ours.command, ...((ours.arguments ?? []) as unknown[]));
}

async function cancel(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const session = sessions.current;
  if (session !== undefined) {
    await sidecar.command("acp.cancel", { sessionId: session.sessionId });
  }
}
