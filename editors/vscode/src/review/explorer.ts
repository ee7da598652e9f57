/** Marks on files that agents have touched: how many changes wait, in the explorer and in tabs. */

import * as vscode from "vscode";
import { plural } from "./render/labels";
import { openTotal } from "./render/model";
import { realPath, uriOf } from "./paths";
import type { Review } from "./review";

export class FileMarks implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private shown = new Map<string, number>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly review: Review) {
    this.subscriptions = [
      this.changed,
      review.onDidChange(() => this.refresh()),
      vscode.window.registerFileDecorationProvider(this),
    ];
  }

  private refresh(): void {
    const counts = new Map<string, number>();
    for (const { file } of this.review.model.files()) {
      if (!counts.has(file.path)) {
        counts.set(file.path, openTotal(this.review.model.at(file.path)));
      }
    }
    const paths = new Set([...this.shown.keys(), ...counts.keys()]);
    const different = [...paths].filter((path) => counts.get(path) !== this.shown.get(path));
    this.shown = counts;
    if (different.length > 0) {
      this.changed.fire(different.map(uriOf));
    }
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const count = uri.scheme === "file" ? (this.shown.get(realPath(uri)) ?? 0) : 0;
    if (count === 0) {
      return undefined;
    }
    const badge = count > 99 ? "99" : String(count);
    return {
      badge,
      tooltip: `${plural(count, "change")} by an agent to review`,
      color: new vscode.ThemeColor("acpSidecar.review.fileForeground"),
      propagate: true,
    };
  }

  dispose(): void {
    this.subscriptions.forEach((each) => void each.dispose());
  }
}
