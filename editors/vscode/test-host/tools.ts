/** What the tests in the extension host share. */
import * as vscode from "vscode";
import type { CommandName, Commands } from "../src/contract";

const PATIENCE_MILLISECONDS = 60_000;
const PAUSE_MILLISECONDS = 50;

export const EXTENSION = "acp-sidecar.acp-sidecar";

/** A file of the workspace's first folder. */
export function file(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) {
    throw new Error("no folder is open");
  }
  return vscode.Uri.joinPath(folder.uri, name);
}

/** Have the server do a command, as key bindings and other extensions can. */
export async function server<N extends CommandName>(
  name: N,
  args: Commands[N]["arguments"],
): Promise<Commands[N]["result"]> {
  return await vscode.commands.executeCommand<Commands[N]["result"]>(name, args);
}

/** Look until something is found. */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
): Promise<T> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}

/** Wait until the server's commands are there. */
export async function serverRuns(): Promise<void> {
  await until(async () => {
    const known = await vscode.commands.getCommands(true);
    return known.includes("acp.state") ? true : undefined;
  }, "the server's commands");
}
