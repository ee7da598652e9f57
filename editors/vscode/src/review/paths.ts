/**
 * Between the real paths that the server tells and the addresses under which VS Code has files.
 */

import { realpathSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

const known = new Map<string, string>();
const MAX_KNOWN = 5_000;

/** A path as the server names it: links followed, also where the file itself does not exist. */
export function realPath(uri: vscode.Uri): string {
  const asked = uri.fsPath;
  const remembered = known.get(asked);
  if (remembered !== undefined) {
    return remembered;
  }
  if (known.size >= MAX_KNOWN) {
    known.clear();
  }
  const real = resolve(asked);
  known.set(asked, real);
  return real;
}

function resolve(asked: string): string {
  try {
    return realpathSync.native(asked);
  } catch {
    const parent = path.dirname(asked);
    return parent === asked ? asked : path.join(resolve(parent), path.basename(asked));
  }
}

/** The address of a real path: that of its open document, or as the workspace spells it. */
export function uriOf(real: string): vscode.Uri {
  const open = vscode.workspace.textDocuments.find(
    (each) => each.uri.scheme === "file" && realPath(each.uri) === real,
  );
  if (open !== undefined) {
    return open.uri;
  }
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const inside = path.relative(realPath(folder.uri), real);
    if (inside !== "" && !inside.startsWith("..") && !path.isAbsolute(inside)) {
      return vscode.Uri.joinPath(folder.uri, ...inside.split(path.sep));
    }
  }
  return vscode.Uri.file(real);
}
