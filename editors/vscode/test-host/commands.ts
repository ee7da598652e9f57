/** What package.json promises is there. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../src/contract";
import type { Test } from "./index";
import { EXTENSION, serverRuns } from "./tools";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly keybindings: readonly { readonly command: string }[];
  };
}

async function contributed(): Promise<Manifest["contributes"]> {
  const extension = vscode.extensions.getExtension(EXTENSION);
  assert.ok(extension, "the extension is not there");
  await extension.activate();
  return (extension.packageJSON as Manifest).contributes;
}

export const commands: readonly Test[] = [
  [
    "every command and key of the manifest has something that runs",
    async () => {
      const { commands: titled, keybindings } = await contributed();
      await serverRuns();
      const known = new Set(await vscode.commands.getCommands(true));
      const wanted = [...titled, ...keybindings].map(({ command }) => command);
      assert.deepEqual(
        wanted.filter((command) => !known.has(command)),
        [],
      );
    },
  ],
  [
    "every command of the contract is offered by the server",
    async () => {
      await serverRuns();
      const known = new Set(await vscode.commands.getCommands(true));
      assert.deepEqual(
        COMMANDS.filter((command) => !known.has(command)),
        [],
      );
    },
  ],
];
