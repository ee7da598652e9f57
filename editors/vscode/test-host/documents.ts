/** Which documents the server sees, and what it offers for them. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Test } from "./index";
import { file, serverRuns, until } from "./tools";

const LINES = new vscode.Range(2, 0, 4, 0);

async function offers(uri: vscode.Uri): Promise<string[]> {
  await vscode.workspace.openTextDocument(uri);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    LINES,
  );
  return actions.map(({ title }) => title).filter((title) => /\bagent\b/i.test(title));
}

export const documents: readonly Test[] = [
  [
    "agents are offered for code, and not for the user's own settings",
    async () => {
      await serverRuns();
      await until(async () => {
        const found = await offers(file("tally/words.py"));
        return found.length > 0 ? found : undefined;
      }, "an offer to ask an agent about code");
      const folder = process.env["ACP_TEST_USER_FOLDER"];
      assert.ok(folder, "the tests are not told where the user's settings are");
      assert.deepEqual(await offers(vscode.Uri.file(`${folder}/settings.json`)), []);
    },
  ],
];
