/** Opens what links of a transcript lead to, because the user has pressed one. */
import * as path from "node:path";
import * as vscode from "vscode";
import { uriOf } from "../review/paths";
import { targetOf, type Target } from "./render/targets";

/** @param cwd the session's folder, which relative paths are of */
export async function openLink(link: string, cwd: string): Promise<void> {
  const target = targetOf(link);
  switch (target.type) {
    case "file":
      return openFile(target, cwd);
    case "outside":
      // VS Code shows the whole address and asks, unless the user trusts it already.
      await vscode.env.openExternal(vscode.Uri.parse(target.address));
      return;
    case "nowhere":
      vscode.window.setStatusBarMessage("$(info) That link leads nowhere.", 4000);
  }
}

async function openFile(target: Extract<Target, { type: "file" }>, cwd: string): Promise<void> {
  const uri = uriOf(path.resolve(cwd, target.path));
  const stat = await statOf(uri);
  if (stat === undefined) {
    vscode.window.setStatusBarMessage(`$(info) ${target.path} is not there.`, 4000);
  } else if ((stat.type & vscode.FileType.Directory) !== 0) {
    await vscode.commands.executeCommand("revealInExplorer", uri);
  } else {
    await vscode.commands.executeCommand("vscode.open", uri, { selection: selectionOf(target) });
  }
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
}

function selectionOf({
  line,
  endLine,
}: {
  line?: number;
  endLine?: number;
}): vscode.Range | undefined {
  if (line === undefined) {
    return undefined;
  }
  const start = new vscode.Position(line - 1, 0);
  return new vscode.Range(start, endLine === undefined ? start : new vscode.Position(endLine, 0));
}
