/**
 * Keeps VS Code's own files, such as the user's settings, from the server: nothing of them is any
 * agent's business. A selector cannot leave them out, for its patterns have no "not".
 */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { isIn, ownFolder } from "./render/own_files";

/** Middleware that leaves out such files, unless they are in a folder that the user has opened. */
export function withoutOwnFiles(storage: vscode.Uri): Middleware {
  const folder = ownFolder(storage.path);
  const isOwn = ({ uri }: vscode.TextDocument): boolean =>
    folder !== undefined &&
    isIn(folder, uri.path) &&
    vscode.workspace.getWorkspaceFolder(uri) === undefined;
  const nothing = Promise.resolve();
  return {
    didOpen: (document, next) => (isOwn(document) ? nothing : next(document)),
    didChange: (event, next) => (isOwn(event.document) ? nothing : next(event)),
    didSave: (document, next) => (isOwn(document) ? nothing : next(document)),
    didClose: (document, next) => (isOwn(document) ? nothing : next(document)),
    provideCodeActions: (document, range, context, token, next) =>
      isOwn(document) ? [] : next(document, range, context, token),
  };
}
