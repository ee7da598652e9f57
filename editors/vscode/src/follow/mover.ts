/** Shows where the agent is: never with the focus, never over what the user types. */
import * as vscode from "vscode";
import type { FollowPayload, FollowTarget } from "../contract";
import type { Sidecar } from "../sidecar";
import { Attribution, type Lines } from "./render/attribution";
import { BESIDE, columnFor, linesOf, type FollowColumn } from "./render/places";
import type { Roots } from "./roots";

/** Who has typed so recently is still typing. */
const TYPING_MS = 5_000;
/** For a view to be drawn where it was moved to. */
const DRAWN_MS = 250;
const GLIDE_MS = 600;

/** The lines that an editor shows. */
export function viewOf(editor: vscode.TextEditor): Lines | undefined {
  const [first, last] = [editor.visibleRanges[0], editor.visibleRanges.at(-1)];
  return first && last ? { top: first.start.line, bottom: last.end.line } : undefined;
}

/** Goes to each new target once. */
export class Mover {
  readonly #sidecar: Sidecar;
  readonly #roots: Roots;
  readonly #attribution: Attribution;
  #shownMove = 0;
  #next: FollowTarget | undefined;
  #moving = false;
  #typed: { readonly column: number | undefined; readonly at: number } | undefined;

  constructor(sidecar: Sidecar, roots: Roots, attribution: Attribution) {
    this.#sidecar = sidecar;
    this.#roots = roots;
    this.#attribution = attribution;
  }

  /** Take the state of following; the newest target is gone to, those that it overtakes are not. */
  update(state: FollowPayload): void {
    const { target } = state;
    const live = state.paused === null && state.mode === "on";
    if (!live && state.paused !== "trail" && state.trail === null) {
      this.#next = undefined;
    }
    if (target === null || target.move === this.#shownMove) {
      return;
    }
    this.#shownMove = target.move;
    if (live || state.trail !== null) {
      this.#next = target;
      void this.#goOn();
    }
  }

  /** The user types in this group of editors. */
  typedIn(column: number | undefined): void {
    this.#typed = { column, at: Date.now() };
  }

  /** Forget everything, for a new server. */
  reset(): void {
    this.#shownMove = 0;
    this.#next = undefined;
  }

  async #goOn(): Promise<void> {
    if (this.#moving) {
      return;
    }
    this.#moving = true;
    try {
      for (let target = this.#take(); target !== undefined; target = this.#take()) {
        await this.#go(target);
      }
    } finally {
      this.#moving = false;
    }
  }

  #take(): FollowTarget | undefined {
    const target = this.#next;
    this.#next = undefined;
    return target;
  }

  async #go(target: FollowTarget): Promise<void> {
    try {
      const document = await vscode.workspace.openTextDocument(this.#roots.uri(target.path));
      await this.#show(document, target);
    } catch (error) {
      // Gone meanwhile, or nothing that has text: the agent is there all the same, and goes on.
      this.#sidecar.log.debug(`${target.path} is not shown: ${String(error)}`);
    }
  }

  async #show(document: vscode.TextDocument, target: FollowTarget): Promise<void> {
    const lines = linesOf(target.range, document.lineCount);
    const column = this.#column();
    const shown = vscode.window.visibleTextEditors.find(
      (editor) => editor.document === document && editor.viewColumn === column,
    );
    this.#record(target, document, column, lines);
    const start = new vscode.Position(lines.top, 0);
    const editor =
      shown ??
      (await vscode.window.showTextDocument(document, {
        viewColumn: column,
        preserveFocus: true,
        preview: true,
        selection: new vscode.Range(start, start),
      }));
    if (shown === undefined && column === BESIDE) {
      this.#record(target, document, editor.viewColumn, lines);
    }
    this.#reveal(editor, lines);
  }

  #record(
    target: FollowTarget,
    document: vscode.TextDocument,
    column: vscode.ViewColumn | undefined,
    lines: Lines,
  ): void {
    const active = vscode.window.activeTextEditor;
    const smooth = vscode.workspace
      .getConfiguration("editor")
      .get<boolean>("smoothScrolling", false);
    this.#attribution.moved({
      move: target.move,
      at: Date.now(),
      document: document.uri.toString(),
      column,
      lines,
      switches:
        active?.document !== document &&
        vscode.window.tabGroups.activeTabGroup.viewColumn === column,
      glide: smooth ? GLIDE_MS : 0,
    });
  }

  #reveal(editor: vscode.TextEditor, lines: Lines): void {
    const view = viewOf(editor);
    const start = new vscode.Position(lines.top, 0);
    if (!editor.selection.isEqual(new vscode.Selection(start, start))) {
      editor.selection = new vscode.Selection(start, start);
    }
    const range = new vscode.Range(start, new vscode.Position(lines.bottom, 0));
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    const { last } = this.#attribution;
    if (view !== undefined) {
      this.#attribution.arrived(view);
    }
    setTimeout(() => {
      const drawn = this.#attribution.last === last ? viewOf(editor) : undefined;
      if (drawn !== undefined) {
        this.#attribution.arrived(drawn);
      }
    }, DRAWN_MS);
  }

  #column(): vscode.ViewColumn {
    const groups = vscode.window.tabGroups;
    const typing = this.#typed;
    const last = this.#attribution.last?.column;
    return columnFor({
      wanted: vscode.workspace
        .getConfiguration("acpSidecar.editor")
        .get<FollowColumn>("followColumn", "active"),
      active: groups.all.length > 0 ? groups.activeTabGroup.viewColumn : undefined,
      typing: typing && Date.now() - typing.at <= TYPING_MS ? typing.column : undefined,
      last: groups.all.some((group) => group.viewColumn === last) ? last : undefined,
    });
  }
}
