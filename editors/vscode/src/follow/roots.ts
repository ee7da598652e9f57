/** Which documents of the editor are the server's files, whose paths have no symbolic links. */
import { promises as fs } from "node:fs";
import { sep } from "node:path";
import * as vscode from "vscode";
import { shownPath, type Root } from "./render/places";

/** Knows the real paths of the workspace's folders. */
export class Roots implements vscode.Disposable {
  readonly #watch: vscode.Disposable;
  #roots: readonly Root[] = [];

  constructor() {
    this.#watch = vscode.workspace.onDidChangeWorkspaceFolders(() => void this.#read());
    void this.#read();
  }

  /** The address by which the editor knows a file of the server's. */
  uri(path: string): vscode.Uri {
    return vscode.Uri.file(shownPath(path, this.#roots, sep));
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async #read(): Promise<void> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    this.#roots = await Promise.all(
      folders.map(async (shown) => ({ shown, real: await fs.realpath(shown).catch(() => shown) })),
    );
  }
}
