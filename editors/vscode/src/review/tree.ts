/**
 * The Changes view: sessions, their files, their hunks; what waits is counted in its badge.
 */

import * as vscode from "vscode";
import type { SessionModel, Sessions } from "../sessions";
import { look, plural } from "./render/labels";
import { openTotal } from "./render/model";
import { tree, type Grouping, type Node, type SessionName } from "./render/tree";
import { uriOf } from "./paths";
import type { Review } from "./review";

export const VIEW = "acpSidecar.changes";

/** How the files are grouped is remembered for the workspace. */
const GROUPING = "acpSidecar.changes.grouping";

/** For how long news are gathered before the view is drawn anew, in milliseconds. */
const FRAME = 100;

export class ChangesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private roots: Node[] | undefined;
  private parents = new Map<string, Node>();
  private names: SessionName[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly view: vscode.TreeView<Node>;
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
  get selection(): readonly Node[] {
    return this.view.selection;
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
    this.roots = undefined;
    this.changed.fire();
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

  getChildren(node?: Node): Node[] {
    return node === undefined ? this.all() : [...node.children];
  }

  getParent(node: Node): Node | undefined {
    this.all();
    return this.parents.get(node.id);
  }

  private all(): Node[] {
    if (this.roots === undefined) {
      this.roots = tree(this.review.model, this.names, this.grouping);
      this.parents = new Map();
      this.roots.forEach((root) => this.adopt(root));
    }
    return this.roots;
  }

  private adopt(parent: Node): void {
    for (const child of parent.children) {
      this.parents.set(child.id, parent);
      this.adopt(child);
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
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
      item.command = { command: "acpSidecar.review.open", title: "Open", arguments: [node] };
    }
    return item;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.forEach((each) => void each.dispose());
  }
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

/** For the `when` clauses of menus: the kind, and what can be done. */
function contextOf(node: Node): string {
  const isText = node.files.some(({ file }) => file.fileType === null || file.fileType === "text");
  return [
    node.kind,
    ...(node.offer.accept ? ["accept"] : []),
    ...(node.offer.reject ? ["reject"] : []),
    ...(isText ? ["diff"] : []),
  ].join(" ");
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
