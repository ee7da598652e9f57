/**
 * The Changes view: sessions, their files, their hunks; what waits is counted in its badge.
 */

import * as vscode from "vscode";
import type { SessionModel, Sessions } from "../sessions";
import { look, plural } from "./render/labels";
import { openTotal } from "./render/model";
import { changedRows, contextOf } from "./render/rows";
import { tree, type Grouping, type Node, type SessionName } from "./render/tree";
import { uriOf } from "./paths";
import type { Review } from "./review";

export const VIEW = "acpSidecar.changes";

/** How the files are grouped is remembered for the workspace. */
const GROUPING = "acpSidecar.changes.grouping";

/** For how long news are gathered before the view is drawn anew, in milliseconds. */
const FRAME = 100;

interface Placed {
  readonly node: Node;
  readonly parent: string | undefined;
}

/** Its elements are the ids of nodes, which stay while what they stand for changes. */
export class ChangesView implements vscode.TreeDataProvider<string>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<string[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private roots: Node[] | undefined;
  private nodes = new Map<string, Placed>();
  private names: SessionName[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly view: vscode.TreeView<string>;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly review: Review,
    private readonly sessions: Sessions,
    private readonly memory: vscode.Memento,
  ) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this,
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.subscriptions = [
      this.view,
      this.changed,
      review.onDidChange(() => this.soon()),
      sessions.onDidChange(() => this.named()),
    ];
    this.named();
    this.announce();
  }

  get grouping(): Grouping {
    return this.memory.get<Grouping>(GROUPING) ?? "file";
  }

  /** Show the files of a session together, or by the change that they are part of. */
  async group(grouping: Grouping): Promise<void> {
    await this.memory.update(GROUPING, grouping);
    this.refresh();
  }

  /** What is selected in the view. */
  get selection(): readonly string[] {
    return this.view.selection;
  }

  /** What a row stands for now; nothing if that is gone. */
  node(id: string): Node | undefined {
    this.all();
    return this.nodes.get(id)?.node;
  }

  /** Sessions tell of much; here only their names are shown. */
  private named(): void {
    const names = this.sessions.all.map(nameOf);
    if (JSON.stringify(names) !== JSON.stringify(this.names)) {
      this.names = names;
      this.soon();
    }
  }

  private soon(): void {
    this.timer ??= setTimeout(() => this.refresh(), FRAME);
  }

  private refresh(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const before = this.roots;
    this.roots = undefined;
    const changed = before === undefined ? null : changedRows(before, this.all());
    if (changed === null || changed.length > 0) {
      this.changed.fire(changed ?? undefined);
    }
    this.announce();
  }

  private announce(): void {
    const files = this.review.model.files();
    const open = openTotal(files);
    const tooltip = `${plural(open, "change")} to review`;
    this.view.badge = open > 0 ? { value: open, tooltip } : undefined;
    void vscode.commands.executeCommand("setContext", "acpSidecar.changes.open", open > 0);
    void vscode.commands.executeCommand("setContext", "acpSidecar.changes.any", files.length > 0);
    void vscode.commands.executeCommand("setContext", "acpSidecar.changes.grouping", this.grouping);
  }

  getChildren(id?: string): string[] {
    const nodes = id === undefined ? this.all() : (this.node(id)?.children ?? []);
    return nodes.map((each) => each.id);
  }

  getParent(id: string): string | undefined {
    this.all();
    return this.nodes.get(id)?.parent;
  }

  private all(): Node[] {
    if (this.roots === undefined) {
      this.roots = tree(this.review.model, this.names, this.grouping);
      this.nodes = new Map();
      this.place(this.roots, undefined);
    }
    return this.roots;
  }

  private place(nodes: readonly Node[], parent: string | undefined): void {
    for (const node of nodes) {
      this.nodes.set(node.id, { node, parent });
      this.place(node.children, node.id);
    }
  }

  getTreeItem(id: string): vscode.TreeItem {
    const node = this.node(id);
    return node === undefined ? new vscode.TreeItem("") : itemOf(node);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.forEach((each) => void each.dispose());
  }
}

function itemOf(node: Node): vscode.TreeItem {
  const item = new vscode.TreeItem(node.label, collapsible(node));
  item.id = node.id;
  item.description = node.description;
  item.tooltip = node.tooltip.join("\n");
  item.contextValue = contextOf(node);
  item.iconPath = iconOf(node);
  item.accessibilityInformation = {
    label: [node.label, node.description, ...node.tooltip].filter(Boolean).join(", "),
  };
  if (node.kind === "file") {
    item.resourceUri = uriOf(node.files[0]?.file.path ?? "");
  }
  if (node.kind === "file" || node.kind === "hunk") {
    item.command = { command: "acpSidecar.review.open", title: "Open", arguments: [node.id] };
  }
  return item;
}

function nameOf({ sessionId, title, agent }: SessionModel): SessionName {
  return { id: sessionId, title: title ?? `Session with ${agent}` };
}

function collapsible(node: Node): vscode.TreeItemCollapsibleState {
  if (node.children.length === 0) {
    return vscode.TreeItemCollapsibleState.None;
  }
  return node.open > 0 || node.kind === "session"
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

function iconOf(node: Node): vscode.ThemeIcon {
  if (node.kind === "file") {
    return vscode.ThemeIcon.File;
  }
  const { icon, color } = look(node.status);
  const shown = node.kind === "session" ? "comment-discussion" : icon;
  return new vscode.ThemeIcon(
    shown,
    color === undefined ? undefined : new vscode.ThemeColor(color),
  );
}
