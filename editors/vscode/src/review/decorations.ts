/**
 * Hunks drawn in the text of their files: what was added or would go, and beside it the other side.
 */

import * as vscode from "vscode";
import { aboutHunk } from "./render/choices";
import { hunkDiff, hunkStatus, look, plain } from "./render/labels";
import { marksOf, type Ghost } from "./render/marks";
import type { HunkEntry } from "./render/model";
import { realPath } from "./paths";
import type { Review } from "./review";

type Kind =
  | "added"
  | "removed"
  | "addedWords"
  | "removedWords"
  | "conflict"
  | "addedGhost"
  | "removedGhost";

const KINDS: readonly Kind[] = [
  "added",
  "removed",
  "addedWords",
  "removedWords",
  "conflict",
  "addedGhost",
  "removedGhost",
];

const color = (id: string) => new vscode.ThemeColor(id);

/** A mark of lines; in high contrast, where they have no background, a bar before them. */
function ruled(
  background: string,
  ruler: string,
  border: string,
  borderStyle: string,
): vscode.DecorationRenderOptions {
  return {
    isWholeLine: true,
    backgroundColor: color(background),
    borderColor: color(border),
    borderStyle,
    borderWidth: "0 0 0 3px",
    overviewRulerColor: color(ruler),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  };
}

function looks(): Record<Kind, vscode.DecorationRenderOptions> {
  return {
    added: ruled(
      "diffEditor.insertedLineBackground",
      "editorOverviewRuler.addedForeground",
      "acpSidecar.review.addedBorder",
      "solid",
    ),
    removed: ruled(
      "diffEditor.removedLineBackground",
      "editorOverviewRuler.deletedForeground",
      "acpSidecar.review.removedBorder",
      "dashed",
    ),
    addedWords: words("diffEditor.insertedTextBackground", "acpSidecar.review.addedBorder"),
    removedWords: words("diffEditor.removedTextBackground", "acpSidecar.review.removedBorder"),
    conflict: ruled(
      "acpSidecar.review.conflictBackground",
      "acpSidecar.review.conflict",
      "acpSidecar.review.conflictBorder",
      "double",
    ),
    addedGhost: ruledGhost("editorOverviewRuler.addedForeground"),
    removedGhost: ruledGhost("editorOverviewRuler.deletedForeground"),
  };
}

function words(background: string, border: string): vscode.DecorationRenderOptions {
  return {
    backgroundColor: color(background),
    borderColor: color(border),
    borderStyle: "dashed",
    borderWidth: "0 0 1px",
  };
}

function ruledGhost(ruler: string): vscode.DecorationRenderOptions {
  return {
    overviewRulerColor: color(ruler),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  };
}

export class Decorations implements vscode.Disposable {
  private readonly types = new Map<Kind, vscode.TextEditorDecorationType>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly review: Review) {
    const options = looks();
    KINDS.forEach((kind) => {
      this.types.set(kind, vscode.window.createTextEditorDecorationType(options[kind]));
    });
    this.subscriptions = [
      ...this.types.values(),
      review.onDidChange(() => this.draw(vscode.window.visibleTextEditors)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => this.draw(editors)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.draw(vscode.window.visibleTextEditors)),
    ];
    this.draw(vscode.window.visibleTextEditors);
  }

  private draw(editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) {
      if (editor.document.uri.scheme === "file") {
        this.drawIn(editor);
      }
    }
  }

  private drawIn(editor: vscode.TextEditor): void {
    const found = new Map<Kind, vscode.DecorationOptions[]>(KINDS.map((kind) => [kind, []]));
    const hunks = isPlain(editor) ? this.review.model.openHunks(realPath(editor.document.uri)) : [];
    for (const entry of hunks) {
      for (const [kind, option] of optionsOf(entry, editor.document)) {
        found.get(kind)?.push(option);
      }
    }
    for (const [kind, type] of this.types) {
      editor.setDecorations(type, found.get(kind) ?? []);
    }
  }

  dispose(): void {
    this.subscriptions.forEach((each) => void each.dispose());
  }
}

/** Whether an editor shows just a file: diff views mark changes by themselves. */
function isPlain(editor: vscode.TextEditor): boolean {
  const name = editor.document.uri.toString();
  return vscode.window.tabGroups.all.some(({ viewColumn, activeTab }) => {
    const input = activeTab?.input;
    const isHere = editor.viewColumn === viewColumn && input instanceof vscode.TabInputText;
    return isHere && input.uri.toString() === name;
  });
}

function* optionsOf(
  entry: HunkEntry,
  document: vscode.TextDocument,
): Generator<[Kind, vscode.DecorationOptions]> {
  const { hunk } = entry;
  const hoverMessage = hover(entry);
  if (hunk.state === "conflict" && hunk.range !== null) {
    const { startLine, endLine } = hunk.range;
    yield [
      "conflict",
      { range: lines(startLine - 1, Math.max(startLine, endLine) - 1), hoverMessage },
    ];
    return;
  }
  const marks = marksOf(hunk, document.lineCount);
  if (marks === null) {
    return;
  }
  for (const { start, end } of marks.lines) {
    yield [marks.side, { range: lines(start, end), hoverMessage }];
  }
  for (const { line, start, end } of marks.words) {
    const range = new vscode.Range(line, start, line, end);
    yield [marks.side === "added" ? "addedWords" : "removedWords", { range }];
  }
  for (const each of marks.ghosts) {
    yield [`${each.side}Ghost`, ghost(each, document, hoverMessage)];
  }
}

function lines(start: number, end: number): vscode.Range {
  return new vscode.Range(start, 0, Math.max(start, end), 0);
}

function ghost(
  { line, text, side, between }: Ghost,
  document: vscode.TextDocument,
  hoverMessage: vscode.MarkdownString,
): vscode.DecorationOptions {
  const where = between === "before" ? "↑ " : between === "after" ? "↓ " : "";
  const after: vscode.ThemableDecorationAttachmentRenderOptions = {
    contentText: `${where}${side === "added" ? "+" : "-"} ${text}`,
    color: color(`acpSidecar.review.${side}Ghost`),
    fontStyle: "italic",
    margin: "0 0 0 2em",
  };
  const at = document.lineAt(line).range.end;
  return { range: new vscode.Range(at, at), hoverMessage, renderOptions: { after } };
}

/** What a hunk changes, and what can be done about it. */
function hover(entry: HunkEntry): vscode.MarkdownString {
  const { set, hunk } = entry;
  const text = new vscode.MarkdownString(undefined, true);
  text.isTrusted = { enabledCommands: ["acpSidecar.review.choose", "acpSidecar.review.showDiff"] };
  const status = look(hunkStatus(set, hunk)).word;
  text.appendText([plain(set.title), status, plain(hunk.reason)].filter(Boolean).join(" · "));
  text.appendMarkdown(`\n\n${hunkDiff(hunk)}\n`);
  const link = (title: string, command: string, ...values: unknown[]) =>
    `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(values))})`;
  const about = aboutHunk(entry);
  const links = [
    link("$(check) Accept", "acpSidecar.review.choose", "accept", about),
    link("$(discard) Reject", "acpSidecar.review.choose", "reject", about),
    link("$(diff) Show Diff", "acpSidecar.review.showDiff", about),
  ];
  return text.appendMarkdown(links.join(" &nbsp; "));
}
