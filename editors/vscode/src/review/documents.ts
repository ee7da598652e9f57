/**
 * Both sides of a change as read-only documents, and the diff views made of them.
 */

import * as vscode from "vscode";
import { REVIEW_SCHEME } from "../contract";
import { addressOf, queryOf, type Address } from "./render/addresses";
import { baseName, plain } from "./render/labels";
import type { FileEntry } from "./render/model";
import { uriOf } from "./paths";
import { message, type Review } from "./review";

const GONE = "This change is no longer under review.\n";

export class ReviewDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly review: Review) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, this),
      review.onDidChange(() => this.refresh()),
    ];
  }

  /** Sets that are gone keep the text that they had. */
  private refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      const address = uri.scheme === REVIEW_SCHEME ? addressOf(uri.query) : null;
      if (address !== null && this.review.model.set(address.changeSet) !== undefined) {
        this.changed.fire(uri);
      }
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri.query);
    if (address === null) {
      return GONE;
    }
    try {
      const { changeSet, file, side } = address;
      const texts = await this.review.sidecar.command("acp.review.texts", { changeSet, file });
      return texts[side].text;
    } catch (error) {
      this.review.sidecar.log.debug(`No text for ${uri.path}: ${message(error)}`);
      return GONE;
    }
  }

  /** Compare a file before and after. */
  async showDiff(entry: FileEntry, line: number | null, preserveFocus: boolean): Promise<void> {
    if (!isText(entry)) {
      await vscode.commands.executeCommand("vscode.open", uriOf(entry.file.path), {
        preserveFocus,
      });
      return;
    }
    const { before, after } = sidesOf(entry);
    const title = `${baseName(entry.file.path)} (${plain(entry.set.title) || "change"})`;
    const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
    const where = line === null ? {} : { selection: new vscode.Range(at, at) };
    const options: vscode.TextDocumentShowOptions = { preserveFocus, preview: true, ...where };
    await vscode.commands.executeCommand("vscode.diff", before, after, title, options);
  }

  /** Compare all files of a change set, a session, or everything, in one view. */
  async showChanges(title: string, files: readonly FileEntry[]): Promise<void> {
    const resources = files.filter(isText).map((entry) => {
      const { before, after } = sidesOf(entry);
      const { operation } = entry.file;
      // A side that is not there says of itself that the file is new, or deleted.
      return [
        uriOf(entry.file.path),
        operation === "add" ? undefined : before,
        operation === "delete" ? undefined : after,
      ];
    });
    await vscode.commands.executeCommand("vscode.changes", title, resources);
  }

  dispose(): void {
    this.subscriptions.forEach((each) => void each.dispose());
  }
}

/** Both sides; the present file stands for what has been written to it. */
function sidesOf(entry: FileEntry): { before: vscode.Uri; after: vscode.Uri } {
  const { path, oldPath } = entry.file;
  const file = uriOf(path);
  return {
    before: virtual("before", entry, oldPath === null ? file : uriOf(oldPath)),
    after: isWritten(entry) ? file : virtual("after", entry, file),
  };
}

function virtual(side: Address["side"], { set, file }: FileEntry, like: vscode.Uri): vscode.Uri {
  const query = queryOf({ side, changeSet: set.changeSet, file: file.file });
  return vscode.Uri.from({ scheme: REVIEW_SCHEME, path: like.path, query });
}

function isText({ file }: FileEntry): boolean {
  return file.fileType === null || file.fileType === "text";
}

/** Whether the present file is, or has been, what the agent wanted: it can be edited in the view. */
function isWritten({ file }: FileEntry): boolean {
  if (file.operation === "delete") {
    return false;
  }
  return (
    file.state === "applied" ||
    file.hunks.some((hunk) => hunk.state === "applied" || hunk.state === "kept")
  );
}
