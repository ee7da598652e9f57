/**
 * `workspace/applyEdit` for our server: stale edits are refused truthfully, and files that had no
 * unsaved edits are saved, so that editor and disk stay the same for the agent.
 */

import * as vscode from "vscode";
import {
  CancellationToken,
  ResponseError,
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditRequest,
  type ApplyWorkspaceEditResult,
  type WorkspaceEdit,
} from "vscode-languageclient/node";

/** What the language client would do with an edit. */
type Apply = ApplyWorkspaceEditRequest.HandlerSignature;

/** For how long the answer to the server may wait for files to be saved, in milliseconds. */
const SAVE_PATIENCE = 3_000;

/** For how long VS Code has to load what the agent has just written, in milliseconds. */
const RELOAD_PATIENCE = 5_000;
const LOOK_AGAIN = 50;

let last: Promise<unknown> = Promise.resolve();

/** Apply an edit of the server when those before it are done. */
export function handleApplyEdit(
  params: ApplyWorkspaceEditParams,
  next: Apply,
): Promise<ApplyWorkspaceEditResult> {
  const result = last.then(() => apply(params, next));
  last = result.catch(() => undefined);
  return result;
}

async function apply(
  params: ApplyWorkspaceEditParams,
  next: Apply,
): Promise<ApplyWorkspaceEditResult> {
  const clean = touchedUris(params.edit).filter((uri) => !(documentAt(uri)?.isDirty ?? false));
  await Promise.all(clean.map(caughtUp));
  const stale = staleReason(params.edit);
  if (stale !== null) {
    return { applied: false, failureReason: stale };
  }
  const result = await next(params, CancellationToken.None);
  if (result instanceof ResponseError) {
    return { applied: false, failureReason: result.message };
  }
  if (!result.applied) {
    return { failureReason: "VS Code did not apply the edit.", ...result };
  }
  const saved = Promise.all(clean.map(save));
  await Promise.race([saved, new Promise((done) => setTimeout(done, SAVE_PATIENCE))]);
  return result;
}

/**
 * Wait until a document without unsaved edits is what the disk has. An edit of an older text could
 * not be saved, and VS Code would ask the user to choose between two versions that nobody wants.
 */
async function caughtUp(uri: vscode.Uri): Promise<void> {
  const end = Date.now() + RELOAD_PATIENCE;
  while (Date.now() < end && (await isBehind(uri))) {
    await new Promise((done) => setTimeout(done, LOOK_AGAIN));
  }
}

async function isBehind(uri: vscode.Uri): Promise<boolean> {
  const document = documentAt(uri);
  if (document === undefined || document.isDirty) {
    return false;
  }
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    const { encoding } = document;
    const text = await vscode.workspace.decode(bytes, { encoding });
    return plain(text) !== plain(document.getText());
  } catch {
    return false; // it is not there, or no text: the edit itself will tell
  }
}

/** A document has one kind of line endings, whatever the file mixes. */
const plain = (text: string): string => text.replace(/\r\n?/g, "\n");

/**
 * Why an edit is not of the text that is there; null if it is.
 *
 * The language client's own check lets version 0 pass, and documents that were closed meanwhile.
 */
function staleReason(edit: WorkspaceEdit): string | null {
  for (const change of edit.documentChanges ?? []) {
    if (!("textDocument" in change) || change.textDocument.version === null) {
      continue;
    }
    const uri = vscode.Uri.parse(change.textDocument.uri);
    const document = documentAt(uri);
    if (document?.version !== change.textDocument.version) {
      const what = document === undefined ? "was closed" : "was changed";
      return `${vscode.workspace.asRelativePath(uri)} ${what} meanwhile.`;
    }
  }
  return null;
}

/** The files that have text to be saved after an edit. */
function touchedUris(edit: WorkspaceEdit): vscode.Uri[] {
  const found = new Map<string, vscode.Uri>();
  const touch = (uri: string) => found.set(uri, vscode.Uri.parse(uri));
  Object.keys(edit.changes ?? {}).forEach(touch);
  for (const change of edit.documentChanges ?? []) {
    if ("textDocument" in change) {
      touch(change.textDocument.uri);
    } else if (change.kind === "rename") {
      if (found.delete(change.oldUri)) {
        touch(change.newUri);
      }
    } else if (change.kind === "delete") {
      found.delete(change.uri);
    }
  }
  return [...found.values()];
}

function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const name = uri.toString();
  return vscode.workspace.textDocuments.find((each) => each.uri.toString() === name);
}

const isDirty = (document: vscode.TextDocument) => document.isDirty;

async function save(uri: vscode.Uri): Promise<void> {
  const document = documentAt(uri);
  if (document === undefined) {
    return;
  }
  if (isDirty(document) && vscode.window.activeTextEditor?.document === document) {
    // A formatter would change more than was agreed upon; only the active editor can do without.
    await vscode.commands.executeCommand("workbench.action.files.saveWithoutFormatting");
  }
  if (isDirty(document) && !(await document.save())) {
    const name = vscode.workspace.asRelativePath(uri);
    void vscode.window.showWarningMessage(
      `ACP: ${name} has the change that you chose, but could not be saved. The agent sees the file on disk until you save it.`,
    );
  }
}
