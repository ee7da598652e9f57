/** What the review wants of the language client itself. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import type { ChoiceResult } from "../contract";
import { handleApplyEdit } from "./edits";
import { failureText } from "./render/choices";

const CHOICES: ReadonlySet<string> = new Set([
  "acp.review.accept",
  "acp.review.reject",
  "acp.review.undo",
]);

export const reviewMiddleware: Middleware = {
  workspace: { handleApplyEdit },
  // Drawn by `lenses`, together with the decorations.
  provideCodeLenses: () => [],
  // Answered by `documents`, which knows when they change, and what to say when they are gone.
  provideTextDocumentContent: () => null,
  // Code actions run the server's commands by themselves: what failed must be told all the same.
  async executeCommand(command, args, next) {
    const result: unknown = await next(command, args);
    const failure = CHOICES.has(command) ? failureText(result as ChoiceResult) : null;
    if (failure !== null) {
      void vscode.window.showWarningMessage(`ACP: ${failure}`);
    }
    return result;
  },
};
