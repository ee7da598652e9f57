/** Where a place of the server is in this editor: which document, which lines, which group. Pure. */
import type { Range } from "../../contract";
import type { Lines } from "./attribution";

/** A folder of the workspace, as it is named here and with symbolic links followed. */
export interface Root {
  readonly shown: string;
  readonly real: string;
}

/** Setting `acpSidecar.editor.followColumn`. */
export type FollowColumn = "active" | "beside" | "first" | "second" | "third";

/** VS Code's number for "beside the active one". */
export const BESIDE = -2;

/**
 * The path by which the editor knows a file of the server's, whose paths have no symbolic links.
 *
 * @param separator between the parts of a path
 */
export function shownPath(path: string, roots: readonly Root[], separator: string): string {
  for (const { shown, real } of roots) {
    if (shown !== real && (path === real || path.startsWith(real + separator))) {
      return shown + path.slice(real.length);
    }
  }
  return path;
}

/** The lines of a range that a document of so many lines has: never none. */
export function linesOf(range: Range, lineCount: number): Lines {
  const most = Math.max(0, lineCount - 1);
  const past = range.end.character > 0 ? range.end.line + 1 : range.end.line;
  const top = Math.min(Math.max(0, range.start.line), most);
  return { top, bottom: Math.min(Math.max(top, past - 1), most) };
}

/** The group to show the agent's place in. */
export interface Groups {
  readonly wanted: FollowColumn;
  /** The active group; undefined if there is none. */
  readonly active: number | undefined;
  /** The group that the user types in just now; undefined if they do not. */
  readonly typing: number | undefined;
  /** The group that our last move was in, if it is still there. */
  readonly last: number | undefined;
}

/**
 * Which group: the wanted one, and never one that the user types in.
 *
 * @returns a number of a group, or `BESIDE`
 */
export function columnFor({ wanted, active, typing, last }: Groups): number {
  const numbered = { first: 1, second: 2, third: 3, active: active ?? 1, beside: undefined };
  const column = numbered[wanted] ?? beside(active, last);
  return column === typing ? besideTyping(typing, last) : column;
}

// What was beside once stays the place, also when the user goes there to look closer.
function beside(active: number | undefined, last: number | undefined): number {
  return last !== undefined && last !== active ? last : active === undefined ? 1 : BESIDE;
}

function besideTyping(typing: number, last: number | undefined): number {
  return last !== undefined && last !== typing ? last : BESIDE;
}
