/**
 * What is under review now: follows the server, and carries the user's choices to it.
 */

import * as vscode from "vscode";
import { REVIEW_SCHEME, type ChoiceResult, type ReviewArguments } from "../contract";
import type { Sidecar } from "../sidecar";
import { realPath } from "./paths";
import { addressOf } from "./render/addresses";
import { doneText, failureText, joined, type Verb } from "./render/choices";
import { ReviewModel, type FileEntry } from "./render/model";

/** How long what was done stands in the status bar, in milliseconds. */
const SHOWN = 4_000;

export class Review implements vscode.Disposable {
  readonly model = new ReviewModel();
  private readonly changed = new vscode.EventEmitter<void>();
  /** Something that is shown of the review has changed. */
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(readonly sidecar: Sidecar) {
    this.subscriptions = [
      this.changed,
      sidecar.onNotification("acp/review", (delta) => {
        this.model.apply(delta);
        this.changed.fire();
      }),
      sidecar.onDidChangeState(() => void this.reload()),
    ];
    void this.reload();
  }

  /** Another server knows nothing of what the last one has told. */
  private async reload(): Promise<void> {
    if (this.sidecar.state !== "running") {
      this.model.reset([]);
      this.changed.fire();
      return;
    }
    try {
      const state = await this.sidecar.command("acp.state", {});
      this.model.reset(state.changeSets);
      this.changed.fire();
    } catch (error) {
      this.sidecar.log.warn(`The changes under review are not known: ${message(error)}`);
    }
  }

  /** The files under review behind an address: that of a file, or of one side of a change. */
  filesAt(uri: vscode.Uri | undefined): readonly FileEntry[] {
    if (uri?.scheme === "file") {
      return this.model.at(realPath(uri));
    }
    const address = uri?.scheme === REVIEW_SCHEME ? addressOf(uri.query) : null;
    const entry = address === null ? undefined : this.model.file(address.changeSet, address.file);
    return entry === undefined ? [] : [entry];
  }

  /** Accept or reject what is named, one after the other, and say what became of it. */
  async choose(verb: Verb, about: readonly ReviewArguments[]): Promise<ChoiceResult> {
    const command = verb === "accept" ? "acp.review.accept" : "acp.review.reject";
    return this.tell(verb, async () => {
      const results: ChoiceResult[] = [];
      for (const each of about) {
        results.push(await this.sidecar.command(command, each));
      }
      return joined(results);
    });
  }

  /** Take the last choice back. */
  async undo(): Promise<ChoiceResult> {
    return this.tell("undo", () => this.sidecar.command("acp.review.undo", {}));
  }

  private async tell(verb: Verb | "undo", run: () => Promise<ChoiceResult>): Promise<ChoiceResult> {
    try {
      const result = await run();
      if (result.changed > 0) {
        vscode.window.setStatusBarMessage(`$(check) ${doneText(verb, result)}`, SHOWN);
      }
      const failure = failureText(result);
      if (failure !== null) {
        void this.warn(failure);
      }
      return result;
    } catch (error) {
      void vscode.window.showWarningMessage(`ACP: ${message(error)}`);
      return { changed: 0, failed: [] };
    }
  }

  private async warn(text: string): Promise<void> {
    const show = "Show Changes";
    if ((await vscode.window.showWarningMessage(`ACP: ${text}`, show)) === show) {
      await vscode.commands.executeCommand("acpSidecar.changes.focus");
    }
  }

  dispose(): void {
    this.subscriptions.forEach((each) => void each.dispose());
  }
}

/** What an error says. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
