/** Context keys for the active editor, so that keys and menus are there only where they act. */

import * as vscode from "vscode";
import { openTotal } from "./render/model";
import type { Review } from "./review";

export class EditorContext implements vscode.Disposable {
  private shown: string | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly review: Review) {
    this.subscriptions = [
      review.onDidChange(() => this.update()),
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
    ];
    this.update();
  }

  private update(): void {
    const files = this.review.filesAt(vscode.window.activeTextEditor?.document.uri);
    const state = files.length === 0 ? "none" : openTotal(files) > 0 ? "open" : "decided";
    if (state !== this.shown) {
      this.shown = state;
      void vscode.commands.executeCommand("setContext", "acpSidecar.editor.review", state);
    }
  }

  dispose(): void {
    this.subscriptions.forEach((each) => void each.dispose());
  }
}
