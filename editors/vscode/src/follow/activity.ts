/** Reports what the user does in text editors, and what comes of our own moves as that. */
import * as vscode from "vscode";
import type { UserActivityParams } from "../contract";
import type { Sidecar } from "../sidecar";
import { viewOf, type Mover } from "./mover";
import type { Attribution, SelectionCause } from "./render/attribution";

/** The same thing is not told again within this time: it changes nothing. */
const SAME_MS = 250;

const CAUSES: Partial<Record<vscode.TextEditorSelectionChangeKind, SelectionCause>> = {
  [vscode.TextEditorSelectionChangeKind.Keyboard]: "keyboard",
  [vscode.TextEditorSelectionChangeKind.Mouse]: "mouse",
  [vscode.TextEditorSelectionChangeKind.Command]: "command",
};

/** Whether it is a file that the server may know. */
function isFile(document: vscode.TextDocument): boolean {
  return document.uri.scheme === "file";
}

/** Listens to the editors. */
export class Activity implements vscode.Disposable {
  readonly #sidecar: Sidecar;
  readonly #attribution: Attribution;
  readonly #mover: Mover;
  readonly #listeners: vscode.Disposable[];
  readonly #told = new Map<string, number>();

  constructor(sidecar: Sidecar, attribution: Attribution, mover: Mover) {
    this.#sidecar = sidecar;
    this.#attribution = attribution;
    this.#mover = mover;
    const { window, workspace } = vscode;
    this.#listeners = [
      workspace.onDidChangeTextDocument((event) => this.#changed(event)),
      window.onDidChangeTextEditorSelection((event) => this.#selected(event)),
      window.onDidChangeTextEditorVisibleRanges((event) => this.#scrolled(event)),
      window.onDidChangeActiveTextEditor((editor) => this.#switched(editor)),
      window.tabGroups.onDidChangeTabs((event) => event.closed.forEach((tab) => this.#closed(tab))),
    ];
  }

  /** What was told before may be news again. */
  reset(): void {
    this.#told.clear();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listeners).dispose();
  }

  #changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0 || !isFile(document)) {
      return;
    }
    const active = vscode.window.activeTextEditor;
    // A clean document was read again from disk; one that is not active is changed by a program.
    if (!document.isDirty || this.#sidecar.editing || active?.document !== document) {
      this.#attribution.shifted(Date.now());
      return;
    }
    this.#mover.typedIn(active.viewColumn);
    this.#report("typed", document.uri, undefined);
  }

  #selected({ textEditor, selections, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const first = selections[0];
    if (first === undefined || !isFile(textEditor.document)) {
      return;
    }
    const cause = (kind === undefined ? undefined : CAUSES[kind]) ?? "unknown";
    this.#inView("selected", textEditor, (now) =>
      this.#attribution.selected(first.active.line, cause, now),
    );
  }

  #scrolled({ textEditor }: vscode.TextEditorVisibleRangesChangeEvent): void {
    const view = viewOf(textEditor);
    if (view !== undefined && isFile(textEditor.document)) {
      this.#inView("scrolled", textEditor, (now) => this.#attribution.scrolled(view, now));
    }
  }

  /** Another view of the followed file is the user's own: what they do there is no news. */
  #inView(
    kind: "selected" | "scrolled",
    editor: vscode.TextEditor,
    judge: (now: number) => number | undefined,
  ): void {
    const key = editor.document.uri.toString();
    if (this.#attribution.isFollowed(key, editor.viewColumn)) {
      this.#report(kind, editor.document.uri, judge(Date.now()));
    } else if (this.#attribution.last?.document !== key) {
      this.#report(kind, editor.document.uri, undefined);
    }
  }

  #switched(editor: vscode.TextEditor | undefined): void {
    if (editor === undefined || !isFile(editor.document)) {
      return;
    }
    const { last } = this.#attribution;
    const key = editor.document.uri.toString();
    const move = this.#attribution.switched(key, Date.now());
    // Whoever follows in a group of its own may look at other files in the others.
    if (move === undefined && last !== undefined && last.column !== editor.viewColumn) {
      return;
    }
    this.#report("switched", editor.document.uri, move);
  }

  #closed(tab: vscode.Tab): void {
    if (!(tab.input instanceof vscode.TabInputText) || tab.input.uri.scheme !== "file") {
      return;
    }
    const key = tab.input.uri.toString();
    const column = tab.group.viewColumn;
    const move = this.#attribution.closed(key, column, Date.now());
    if (move !== undefined || this.#attribution.isFollowed(key, column)) {
      this.#report("closed", tab.input.uri, move);
    }
  }

  #report(kind: UserActivityParams["kind"], uri: vscode.Uri, move: number | undefined): void {
    const now = Date.now();
    const key = [kind, uri.toString(), move].join(" ");
    if (now - (this.#told.get(key) ?? -Infinity) < SAME_MS) {
      return;
    }
    this.#told.set(key, now);
    const params = { kind, uri: uri.toString() };
    this.#sidecar.notify("acp/userActivity", move === undefined ? params : { ...params, move });
  }
}
