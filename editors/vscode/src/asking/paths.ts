/** Paths as a person knows them. */
import * as vscode from "vscode";

/** Relative to the workspace; a workspace folder by its name, anything else as it is. */
export function shorten(path: string): string {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.fsPath === path);
  return folder?.name ?? vscode.workspace.asRelativePath(path);
}
