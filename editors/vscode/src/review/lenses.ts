/**
 * Lenses above the hunks of a file. They are drawn here and not by the server's lenses for plain
 * clients, so that they come and go together with the decorations.
 */

import * as vscode from "vscode";
import { lensesOf, type Lens } from "./render/lenses";
import { realPath } from "./paths";
import type { Review } from "./review";

export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  private readonly registration: vscode.Disposable;

  constructor(private readonly review: Review) {
    this.onDidChangeCodeLenses = review.onDidChange;
    this.registration = vscode.languages.registerCodeLensProvider({ scheme: "file" }, this);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const hunks = this.review.model.openHunks(realPath(document.uri));
    return lensesOf(hunks, document.lineCount).map(codeLens);
  }

  dispose(): void {
    this.registration.dispose();
  }
}

function codeLens({ line, title, tooltip, action, about }: Lens): vscode.CodeLens {
  const command =
    action === "diff"
      ? { command: "acpSidecar.review.showDiff", arguments: [about] }
      : { command: "acpSidecar.review.choose", arguments: [action, about] };
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, tooltip, ...command });
}
