/**
 * What is said of sets, files and hunks: words, icons, counts, tooltips. Pure.
 */

import type { FileView, HunkView, ProblemView, SetView } from "../../contract";

/** Where a hunk or a file without hunks stands, as the user sees it. */
export type Status =
  | "pending"
  | "proposed"
  | "accepted"
  | "refused"
  | "withdrawn"
  | "applied"
  | "written"
  | "undoing"
  | "kept"
  | "undone"
  | "conflict"
  | "unanchored"
  | "unknown";

interface Look {
  readonly word: string;
  /** Name of a codicon. */
  readonly icon: string;
  /** Id of a theme colour; none for what needs no attention. */
  readonly color?: string;
}

const LOOKS: Record<Status, Look> = {
  pending: {
    word: "waits for your permission",
    icon: "question",
    color: "acpSidecar.review.proposed",
  },
  proposed: { word: "proposed", icon: "circle-large-outline", color: "acpSidecar.review.proposed" },
  accepted: {
    word: "accepted, not written yet",
    icon: "pass",
    color: "acpSidecar.review.proposed",
  },
  refused: { word: "refused", icon: "circle-slash" },
  withdrawn: { word: "was not made", icon: "circle-slash" },
  applied: { word: "to review", icon: "circle-filled", color: "acpSidecar.review.applied" },
  written: { word: "written", icon: "circle-outline" },
  undoing: {
    word: "rejected, not undone yet",
    icon: "discard",
    color: "acpSidecar.review.applied",
  },
  kept: { word: "kept", icon: "check" },
  undone: { word: "undone", icon: "discard" },
  conflict: {
    word: "in conflict with your edits",
    icon: "warning",
    color: "acpSidecar.review.conflict",
  },
  unanchored: {
    word: "not found in the text",
    icon: "warning",
    color: "acpSidecar.review.conflict",
  },
  unknown: { word: "", icon: "circle-large-outline" },
};

/** How a status looks. */
export function look(status: Status): Look {
  return LOOKS[status];
}

/** Where a hunk stands. */
export function hunkStatus(set: SetView, hunk: HunkView): Status {
  if (hunk.state !== "proposed" && hunk.state !== "applied") {
    return hunk.state;
  }
  return textStatus(set, hunk.state, hunk.choice, hunk.open);
}

/** Where a file stands that is chosen about as a whole. */
export function fileStatus(set: SetView, file: FileView): Status {
  if (file.state === "conflicting") {
    return "conflict";
  }
  if (file.state === "applied" && file.choice === "accepted") {
    return "kept";
  }
  if (file.state === "proposed" || file.state === "applied") {
    return textStatus(set, file.state, file.choice, file.open);
  }
  return set.pending && file.open ? "pending" : "unknown";
}

function textStatus(
  set: SetView,
  state: "proposed" | "applied",
  choice: "accepted" | "rejected" | null,
  open: boolean,
): Status {
  if (state === "applied") {
    return open ? "applied" : choice === "rejected" ? "undoing" : "written";
  }
  if (open) {
    return set.pending ? "pending" : "proposed";
  }
  if (choice === null) {
    return "withdrawn";
  }
  return choice === "accepted" ? "accepted" : "refused";
}

const OPERATIONS: Record<string, string> = {
  add: "new",
  delete: "deleted",
  move: "renamed",
  copy: "copied",
};

/** What happens to a file: "new", "renamed from old.py", "binary"; empty for changed text. */
export function operationWords(file: FileView): string {
  const words: string[] = [];
  const operation =
    OPERATIONS[file.operation] ?? (file.operation === "modify" ? "" : plain(file.operation));
  const from = file.oldPath !== null && operation !== "" ? ` from ${baseName(file.oldPath)}` : "";
  if (operation !== "") {
    words.push(operation + from);
  }
  if (file.fileType !== null && file.fileType !== "text") {
    words.push(plain(file.fileType));
  }
  return words.join(", ");
}

/** "+3 -1"; empty if no lines are known. */
export function counts(added: number, removed: number): string {
  return [added > 0 ? `+${added}` : "", removed > 0 ? `-${removed}` : ""].filter(Boolean).join(" ");
}

/** Lines that a hunk adds and removes. */
export function hunkCounts(hunk: HunkView): { added: number; removed: number } {
  const starting = (mark: string) => hunk.lines.filter((line) => line.startsWith(mark)).length;
  return { added: starting("+"), removed: starting("-") };
}

/** The first line that says something of what a hunk changes, for a row in a list. */
export function hunkLabel(hunk: HunkView): string {
  const changed = (mark: string) =>
    hunk.lines.find((line) => line.startsWith(mark) && line.slice(1).trim() !== "");
  const line = changed("+") ?? changed("-");
  return line === undefined ? "blank lines" : plain(line.slice(1).trim()).slice(0, 120);
}

/** Where a hunk is, from 1: in the present text, or else where the agent says. */
export function hunkLine(hunk: HunkView): number {
  const leading = hunk.lines.findIndex((line) => !line.startsWith(" "));
  return Math.max(1, hunk.range?.startLine ?? hunk.newStart + Math.max(0, leading));
}

/** Problems as lines of text. */
export function problemLines(problems: readonly ProblemView[]): string[] {
  return problems.map((each) => plain(each.message));
}

/** "1 change", "3 changes". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The last part of a path of any system. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

// Control characters and those that turn the direction of text: an agent's text must not look
// like something that it is not.
const INVISIBLE =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Text of an agent as one line that shows what is in it. */
export function plain(text: string): string {
  return text.replace(/\r$/u, "").replace(INVISIBLE, "\ufffd").replaceAll("\t", "    ");
}

/** Text as a Markdown code block that it cannot leave. */
export function fenced(text: string, language: string): string {
  const runs = text.match(/`{3,}/gu) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}\n`;
}

const MAX_HOVER_LINES = 40;

/** The lines of a hunk as a Markdown diff; what is too long is counted. */
export function hunkDiff(hunk: HunkView): string {
  const lines = hunk.lines.slice(0, MAX_HOVER_LINES).map((line) => plain(line).slice(0, 300));
  const more = hunk.lines.length - lines.length;
  return fenced(lines.join("\n"), "diff") + (more > 0 ? `\n${plural(more, "more line")}\n` : "");
}
