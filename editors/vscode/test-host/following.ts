/** The server moves the editor by VS Code's own means, and takes nothing from the user. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Test } from "./index";
import { file, server, serverRuns, until } from "./tools";

const WORDS = "tally/words.py";

function shows(name: string, line: number): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(
    ({ document, visibleRanges }) =>
      document.uri.path === file(name).path &&
      visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line),
  );
}

async function ended(sessionId: string): Promise<void> {
  await until(async () => {
    const { sessions } = await server("acp.state", { sessionId });
    return sessions[0]?.busy === false ? true : undefined;
  }, "the end of the turn");
}

export const following: readonly Test[] = [
  [
    "the place is shown, in a preview tab, and no document is changed",
    async () => {
      await serverRuns();
      const { sessionId } = await server("acp.prompt", { text: `/read ${WORDS}:20-22` });
      const editor = await until(() => shows(WORDS, 19), "the lines that the agent reads");
      await ended(sessionId);
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      assert.deepEqual(
        tabs.map(({ isPreview, isDirty }) => ({ isPreview, isDirty })),
        [{ isPreview: true, isDirty: false }],
      );
      assert.equal(editor.document.isDirty, false);
    },
  ],
  [
    "an edit after permission reaches the buffer and the disk alike",
    async () => {
      const before = (await vscode.workspace.openTextDocument(file(WORDS))).getText();
      const { sessionId } = await server("acp.prompt", { text: `/edit ${WORDS}` });
      const [permission] = await until(async () => {
        const { permissions } = await server("acp.state", { sessionId });
        return permissions.length > 0 ? permissions : undefined;
      }, "a permission");
      const allow = permission?.options.find(({ kind }) => kind === "allow_once");
      assert.ok(permission && allow, "there is nothing to allow");
      await server("acp.permission.answer", {
        permissionId: permission.permissionId,
        optionId: allow.optionId,
      });
      await ended(sessionId);
      const disk = Buffer.from(await vscode.workspace.fs.readFile(file(WORDS))).toString();
      assert.notEqual(disk, before);
      await until(async () => {
        const document = await vscode.workspace.openTextDocument(file(WORDS));
        return document.getText() === disk && !document.isDirty ? true : undefined;
      }, "the editor shows what is on disk");
    },
  ],
];
