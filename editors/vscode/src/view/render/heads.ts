/** The head of a transcript block, taken apart: `### ✓ title`, then `kind, status · places`. Pure. */
import type { Block } from "./transcript";

/** Markdown of a head's parts; empty where there is none. */
export interface Head {
  /** The sign before the title, as ✓ or ⚠. */
  readonly mark: string;
  readonly title: string;
  /** Words for the kind of a tool call, as `read`. */
  readonly kind: string;
  /** Where a tool call works, as links; or whatever else stands below the heading. */
  readonly more: string;
}

const HEADING = /^#{1,6} (?:([○◐⏸✓✗⊘ℹ⚠•]) )?(.*)$/u;
const FACTS = /^([^·\n]*), ([^,·\n]*)(?: · (.*))?$/su;

/** Take a head apart. What is not of the expected form is kept as `more`. */
export function headOf(block: Pick<Block, "kind" | "head">): Head {
  const [first = "", ...rest] = block.head.split("\n");
  const below = rest.join("\n").trim();
  const heading = HEADING.exec(first);
  if (heading === null) {
    return { mark: "", title: "", kind: "", more: block.head };
  }
  const [, mark = "", title = ""] = heading;
  const facts = block.kind === "tool_call" ? FACTS.exec(below) : null;
  return facts === null
    ? { mark, title, kind: "", more: below }
    : { mark, title, kind: facts[1] ?? "", more: facts[3] ?? "" };
}

const KIND_ICONS: Readonly<Record<string, string>> = {
  read: "file",
  edit: "edit",
  delete: "trash",
  move: "file-symlink-file",
  search: "search",
  execute: "terminal",
  think: "lightbulb",
  fetch: "globe",
  "switch mode": "settings",
};

/** The icon of a tool call's kind, as VS Code names it; unknown kinds have one in common. */
export function kindIcon(kind: string): string {
  return KIND_ICONS[kind] ?? "tools";
}

/** What a status looks like, and what it is called. */
export interface StatusLook {
  readonly icon: string;
  readonly label: string;
}

const STATUS_ICONS: Readonly<Record<string, string>> = {
  pending: "circle-large-outline",
  in_progress: "loading",
  paused: "debug-pause",
  completed: "check",
  failed: "error",
  cancelled: "circle-slash",
};

/** Of a tool call, a plan entry or a compaction; unknown statuses are named as they are. */
export function statusLook(status: string): StatusLook {
  const label = status.replaceAll("_", " ");
  return { icon: STATUS_ICONS[status] ?? "question", label };
}

/** Whether something with this status may still be stopped. */
export function isRunning(status: string): boolean {
  return status === "in_progress" || status === "pending";
}

const NOTICE_ICONS: Readonly<Record<string, string>> = {
  ℹ: "info",
  "⚠": "warning",
  "✗": "error",
};

/** The icon of a notice, by its sign. */
export function noticeIcon(mark: string): string {
  return NOTICE_ICONS[mark] ?? "info";
}
