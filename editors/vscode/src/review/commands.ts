/** What the user can do about the changes of agents, by key, menu, lens, or from the palette. */

import * as vscode from "vscode";
import type { ReviewArguments } from "../contract";
import type { Sessions } from "../sessions";
import { aboutHunk, aboutPath, type Verb } from "./render/choices";
import { hunkLine, plain } from "./render/labels";
import { startOf, type FileEntry, type HunkEntry } from "./render/model";
import { nextHunk, touching } from "./render/walk";
import type { ReviewDocuments } from "./documents";
import { realPath, uriOf } from "./paths";
import { message, type Review } from "./review";
import type { ChangesView } from "./tree";

/** How long a hint stands in the status bar, in milliseconds. */
const SHOWN = 4_000;

/** What a caller may name to have its changes shown. */
interface Wanted {
  readonly sessionId?: string;
  readonly toolCallId?: string;
  readonly changeSet?: string;
}

export class ReviewCommands implements vscode.Disposable {
  private readonly registrations: vscode.Disposable[];

  constructor(
    private readonly review: Review,
    private readonly sessions: Sessions,
    private readonly documents: ReviewDocuments,
    private readonly view: ChangesView,
  ) {
    this.registrations = Object.entries(this.table()).map(([name, run]) =>
      vscode.commands.registerCommand(`acpSidecar.review.${name}`, (...values: never[]) =>
        this.guarded(() => run(...values)),
      ),
    );
  }

  private table(): Record<string, (...values: never[]) => unknown> {
    return {
      choose: (verb: Verb, about: ReviewArguments) => this.review.choose(verb, [about]),
      accept: (row?: string, rows?: string[]) => this.chooseRows("accept", row, rows),
      reject: (row?: string, rows?: string[]) => this.chooseRows("reject", row, rows),
      acceptHunk: () => this.chooseHunks("accept"),
      rejectHunk: () => this.chooseHunks("reject"),
      acceptFile: (uri?: vscode.Uri) => this.chooseFile("accept", uri),
      rejectFile: (uri?: vscode.Uri) => this.chooseFile("reject", uri),
      acceptSession: () => this.chooseSession("accept"),
      rejectSession: () => this.chooseSession("reject"),
      acceptAll: () => this.review.choose("accept", [{}]),
      rejectAll: () => this.review.choose("reject", [{}]),
      undo: () => this.review.undo(),
      nextHunk: () => this.go(1),
      previousHunk: () => this.go(-1),
      open: (row: string) => this.open(row),
      showDiff: (what?: string | ReviewArguments | vscode.Uri) => this.showDiff(what),
      showChanges: (what?: string | Wanted) => this.showChanges(what),
      groupByFile: () => this.view.group("file"),
      groupByChange: () => this.view.group("change"),
    };
  }

  private async guarded(run: () => unknown): Promise<unknown> {
    try {
      return await run();
    } catch (error) {
      void vscode.window.showWarningMessage(`ACP: ${message(error)}`);
      return undefined;
    }
  }

  // --- choices ------------------------------------------------------------------------------------

  /** What is meant by a row: all that is selected, if it is one of that. */
  private async chooseRows(verb: Verb, row?: string, rows?: string[]): Promise<void> {
    const meant = rows ?? (row === undefined ? this.view.selection : [row]);
    const nodes = meant.map((each) => this.view.node(each)).filter((each) => each !== undefined);
    const offered = nodes.filter((each) => each.offer[verb]);
    const ordered = verb === "reject" ? offered.reverse() : offered;
    const about = ordered.flatMap((each) => each.about(verb));
    if (about.length === 0) {
      hint("Select a change in the Changes view first");
      return;
    }
    await this.review.choose(verb, about);
  }

  private async chooseHunks(verb: Verb): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const found = editor === undefined ? [] : this.selected(editor);
    if (found.length === 0) {
      hint("No change of an agent here. Go to Next Change leads to the next one");
      return;
    }
    await this.review.choose(verb, found.map(aboutHunk));
  }

  private selected(editor: vscode.TextEditor): HunkEntry[] {
    const hunks = this.review.model.openHunks(realPath(editor.document.uri));
    const found = editor.selections.flatMap(({ start, end }) => {
      const isBelow = end.line > start.line && end.character === 0;
      return touching(hunks, start.line + 1, isBelow ? end.line : end.line + 1);
    });
    return [...new Set(found)];
  }

  private async chooseFile(verb: Verb, uri?: vscode.Uri): Promise<void> {
    const files = this.review.filesAt(uri ?? vscode.window.activeTextEditor?.document.uri);
    const about = bySession(files).flatMap((each) => aboutPath(each, verb));
    if (about.length === 0) {
      hint("No agent has changed this file");
      return;
    }
    await this.review.choose(verb, about);
  }

  private async chooseSession(verb: Verb): Promise<void> {
    const session = this.sessions.current;
    if (session === undefined) {
      hint("There is no session");
      return;
    }
    await this.review.choose(verb, [{ sessionId: session.sessionId }]);
  }

  // --- going there --------------------------------------------------------------------------------

  private async go(direction: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const from =
      editor?.document.uri.scheme !== "file"
        ? null
        : { path: realPath(editor.document.uri), line: editor.selection.active.line + 1 };
    const found = nextHunk(this.review.model, from, direction);
    if (found === null) {
      hint("Nothing is left to review");
      return;
    }
    await show(found, false);
  }

  private async open(row: string): Promise<void> {
    const node = this.view.node(row);
    const entry = node?.hunk ?? node?.files.at(-1);
    if (node === undefined || entry === undefined) {
      return;
    }
    const hunk =
      node.hunk?.hunk ?? entry.file.hunks.find((each) => each.open && each.range !== null);
    if (hunk?.range && (await exists(uriOf(entry.file.path)))) {
      await show({ ...entry, hunk }, true);
    } else {
      await this.documents.showDiff(
        entry,
        node.hunk === null ? null : hunkLine(node.hunk.hunk),
        true,
      );
    }
  }

  private async showDiff(what?: string | ReviewArguments | vscode.Uri): Promise<void> {
    if (typeof what === "string") {
      const node = this.view.node(what);
      const entry = node?.hunk ?? node?.files.at(-1);
      const line = node?.hunk ? hunkLine(node.hunk.hunk) : null;
      return entry === undefined ? undefined : this.documents.showDiff(entry, line, true);
    }
    if (what !== undefined && !(what instanceof vscode.Uri) && typeof what.file === "number") {
      const entry = this.review.model.file(what.changeSet ?? "", what.file);
      const hunk = entry?.file.hunks.find((each) => each.hunk === what.hunk);
      const line = hunk === undefined ? null : hunkLine(hunk);
      return entry === undefined ? undefined : this.documents.showDiff(entry, line, false);
    }
    const uri = what instanceof vscode.Uri ? what : vscode.window.activeTextEditor?.document.uri;
    const entry = this.review.filesAt(uri).at(-1);
    if (entry === undefined) {
      hint("No agent has changed this file");
      return;
    }
    await this.documents.showDiff(
      entry,
      (vscode.window.activeTextEditor?.selection.active.line ?? 0) + 1,
      false,
    );
  }

  /** All files of what is named, side by side: the Changes of a row, a set, a tool call, or all. */
  private async showChanges(what?: string | Wanted): Promise<void> {
    const node = typeof what === "string" ? this.view.node(what) : undefined;
    const files = typeof what === "string" ? (node?.files ?? []) : this.wanted(what ?? {});
    const title = node?.label ?? titleOf(files);
    if (files.length === 0) {
      hint("There is no change to show");
      return;
    }
    await this.documents.showChanges(`Changes: ${title}`, files);
  }

  private wanted({ sessionId, toolCallId, changeSet }: Wanted): FileEntry[] {
    return this.review.model
      .files()
      .filter(
        ({ set }) =>
          (sessionId === undefined || set.sessionId === sessionId) &&
          (toolCallId === undefined || set.toolCallId === toolCallId) &&
          (changeSet === undefined || set.changeSet === changeSet),
      );
  }

  dispose(): void {
    this.registrations.forEach((each) => void each.dispose());
  }
}

function titleOf(files: readonly FileEntry[]): string {
  const sets = new Set(files.map(({ set }) => set));
  const [first] = sets;
  return sets.size === 1 && first !== undefined ? plain(first.title) : "all";
}

function bySession(files: readonly FileEntry[]): FileEntry[][] {
  const sessions = [...new Set(files.map(({ set }) => set.sessionId))];
  return sessions.map((id) => files.filter(({ set }) => set.sessionId === id));
}

/** Show a hunk in the present text. */
async function show({ file, hunk }: HunkEntry, preserveFocus: boolean): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(file.path));
  const line = Math.min(Math.max(1, startOf(hunk)), document.lineCount) - 1;
  const at = new vscode.Position(line, 0);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus, preview: true });
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(
    new vscode.Range(at, at),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

function hint(text: string): void {
  vscode.window.setStatusBarMessage(`$(info) ${text}`, SHOWN);
}
