/** What of the editor goes with a prompt: files, selections and problems, as chips. */
import * as vscode from "vscode";
import type { ContextItem, Range } from "../contract";
import type { Chip, Completion } from "./messages";
import { counted } from "./render/words";

/** A file as a whole. */
export function fileChip(uri: vscode.Uri): Chip {
  const path = vscode.workspace.asRelativePath(uri);
  return {
    label: path.slice(path.lastIndexOf("/") + 1),
    detail: path,
    icon: "file",
    item: { uri: uri.toString() },
  };
}

function lspRange({ start, end }: vscode.Range): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}

/** What is selected in an editor; without a selection, the line of the cursor. */
export function selectionChip({ document, selection }: vscode.TextEditor): Chip {
  const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
  return rangeChip(document.uri, range, "selection", {});
}

function rangeChip(
  uri: vscode.Uri,
  range: vscode.Range,
  icon: string,
  more: Partial<ContextItem>,
): Chip {
  const { label, detail } = fileChip(uri);
  // A selection of whole lines ends at the beginning of the next one.
  const last =
    range.end.character === 0 ? Math.max(range.start.line, range.end.line - 1) : range.end.line;
  const first = range.start.line + 1;
  const lines = last + 1 === first ? `${first}` : `${first}-${last + 1}`;
  return {
    label: `${label}:${lines}`,
    detail: `${detail}, lines ${lines}`,
    icon,
    item: { uri: uri.toString(), range: lspRange(range), ...more },
  };
}

/** What is wrong in an editor: at the selection if there is something, else in the whole file. */
export function problemsChip({ document, selection }: vscode.TextEditor): Chip | undefined {
  const all = vscode.languages.getDiagnostics(document.uri);
  const here = all.filter(({ range }) => range.intersection(selection) !== undefined);
  const meant = here.length > 0 ? here : all;
  const [first, ...others] = meant;
  if (first === undefined) {
    return undefined;
  }
  const whole = others.reduce((sum, { range }) => sum.union(range), first.range);
  const chip = rangeChip(document.uri, whole, "warning", {
    diagnostics: meant.map(lspDiagnostic),
  });
  return { ...chip, label: `${counted(meant.length, "problem")} in ${chip.label}` };
}

function lspDiagnostic(diagnostic: vscode.Diagnostic): Record<string, unknown> {
  const { range, message, severity, source, code } = diagnostic;
  const plain = typeof code === "object" ? code.value : code;
  return {
    range: lspRange(range),
    message,
    severity: severity + 1, // LSP counts from 1
    ...(source === undefined ? {} : { source }),
    ...(plain === undefined ? {} : { code: plain }),
  };
}

/** The text editor that is meant: the active one, if it shows a file. */
export function fileEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const isFile = (editor: vscode.TextEditor): boolean => editor.document.uri.scheme === "file";
  // Where the prompt box has the focus there may be no active editor.
  return activeTextEditor !== undefined && isFile(activeTextEditor)
    ? activeTextEditor
    : visibleTextEditors.find(isFile);
}

/** What `#` offers: selection, file and problems of the editor. */
export function contextCompletions(query: string): Completion[] {
  const editor = fileEditor();
  if (editor === undefined) {
    return [];
  }
  const offers: readonly (readonly [string, Chip | undefined])[] = [
    ["#selection", selectionChip(editor)],
    ["#file", fileChip(editor.document.uri)],
    ["#problems", problemsChip(editor)],
  ];
  return offers.flatMap(([label, chip]) =>
    chip === undefined || !label.startsWith(`#${query.toLowerCase()}`)
      ? []
      : [{ label, detail: chip.detail, icon: chip.icon, insert: "", chip }],
  );
}
