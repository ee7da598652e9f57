/** The review of what agents change: the Changes view, diffs, marks in text and explorer, commands. */

import * as vscode from "vscode";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { ReviewCommands } from "./commands";
import { Decorations } from "./decorations";
import { ReviewDocuments } from "./documents";
import { FileMarks } from "./explorer";
import { ReviewLenses } from "./lenses";
import { EditorContext } from "./editor_context";
import { Review } from "./review";
import { ChangesView } from "./tree";

/** Start reviewing; before the server is started, so that nothing is missed. */
export function register(
  context: vscode.ExtensionContext,
  sidecar: Sidecar,
  sessions: Sessions,
): vscode.Disposable {
  const review = new Review(sidecar);
  const documents = new ReviewDocuments(review);
  const view = new ChangesView(review, sessions, context.workspaceState);
  return vscode.Disposable.from(
    review,
    documents,
    view,
    new Decorations(review),
    new ReviewLenses(review),
    new FileMarks(review),
    new EditorContext(review),
    new ReviewCommands(review, sessions, documents, view),
  );
}
