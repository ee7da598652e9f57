/** The workspace's files, for completion behind `@`. */
import * as vscode from "vscode";
import { fileChip } from "./context";
import type { Completion } from "./messages";
import { ranked } from "./render/fuzzy";

/** More files than these are not offered: listing them would take longer than typing the name. */
const MOST_FILES = 50_000;
const MOST_OFFERED = 30;
/** How long a list is taken for true, in milliseconds: files come and go while an agent works. */
const FRESH = 10_000;

/** Lists files when they are asked for, and remembers the list for a moment. */
export class WorkspaceFiles implements vscode.Disposable {
  #listed: Promise<ReadonlyMap<string, vscode.Uri>> | undefined;
  #at = 0;
  #stop = new vscode.CancellationTokenSource();

  async completions(query: string): Promise<Completion[]> {
    const files = await this.#files();
    const open = openFirst(files);
    return ranked([...open.keys()], query, MOST_OFFERED).flatMap((path) => {
      const uri = files.get(path);
      return uri === undefined ? [] : [completion(path, uri)];
    });
  }

  dispose(): void {
    this.#stop.cancel();
    this.#stop.dispose();
  }

  #files(): Promise<ReadonlyMap<string, vscode.Uri>> {
    if (this.#listed === undefined || Date.now() - this.#at > FRESH) {
      this.#at = Date.now();
      this.#listed = this.#list();
    }
    return this.#listed;
  }

  async #list(): Promise<ReadonlyMap<string, vscode.Uri>> {
    const found = await vscode.workspace.findFiles(
      "**/*",
      excluded(),
      MOST_FILES,
      this.#stop.token,
    );
    return new Map(found.map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
  }
}

/** What the user leaves out of searches, too. */
function excluded(): string {
  const configured = ["files.exclude", "search.exclude"].flatMap((name) =>
    Object.entries(vscode.workspace.getConfiguration().get<Record<string, unknown>>(name) ?? {}),
  );
  const globs = configured.filter(([, value]) => value === true).map(([glob]) => glob);
  return `{${[...new Set([...globs, "**/.git", "**/node_modules"])].join(",")}}`;
}

/** Files in editors come first, where nothing else tells files apart. */
function openFirst(files: ReadonlyMap<string, vscode.Uri>): ReadonlyMap<string, vscode.Uri> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const open = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputText ? [vscode.workspace.asRelativePath(input.uri)] : [],
  );
  const first = open.flatMap((path) => {
    const uri = files.get(path);
    return uri === undefined ? [] : [[path, uri] as const];
  });
  return new Map([...first, ...files]);
}

function completion(path: string, uri: vscode.Uri): Completion {
  const slash = path.lastIndexOf("/");
  return {
    label: path.slice(slash + 1),
    detail: slash === -1 ? "" : path.slice(0, slash),
    icon: "file",
    insert: `@${path}`,
    chip: fileChip(uri),
  };
}
