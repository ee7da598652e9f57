/**
 * From hunk to hunk, within a file and on to the next. Pure; lines count from 1.
 */

import { startOf, type HunkEntry, type ReviewModel } from "./model";

/** A place in a file. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

/** The hunks of a file that wait for a choice and touch lines, both included, from the top. */
export function touching(hunks: readonly HunkEntry[], first: number, last: number): HunkEntry[] {
  return hunks.filter(({ hunk }) => {
    const range = hunk.range;
    if (range === null) {
      return false;
    }
    // A deletion that was made has no lines; it is shown at the end of the line before.
    const isGap = range.endLine < range.startLine;
    const start = isGap ? range.startLine - 1 : range.startLine;
    return start <= last && Math.max(range.startLine, range.endLine) >= first;
  });
}

/**
 * The next (1) or previous (-1) hunk that waits, going on to other files and round their end.
 *
 * `from` is null if no file under review is looked at.
 */
export function nextHunk(
  model: ReviewModel,
  from: Place | null,
  direction: 1 | -1,
): HunkEntry | null {
  const paths = [...new Set(model.files().map(({ file }) => file.path))].filter(
    (path) => model.openHunks(path).length > 0,
  );
  if (paths.length === 0) {
    return null;
  }
  const here = from === null ? [] : model.openHunks(from.path);
  const beyond = here.filter(
    ({ hunk }) => from !== null && (line(hunk) - from.line) * direction > 0,
  );
  const found = edge(beyond, direction);
  if (found !== null) {
    return found;
  }
  const at = from === null ? -1 : paths.indexOf(from.path);
  const next =
    at < 0 && direction < 0 ? paths.length - 1 : (at + direction + paths.length) % paths.length;
  return edge(model.openHunks(paths[next] ?? ""), direction);
}

function line(hunk: HunkEntry["hunk"]): number {
  return Math.max(1, startOf(hunk));
}

function edge(hunks: readonly HunkEntry[], direction: 1 | -1): HunkEntry | null {
  return hunks.at(direction > 0 ? 0 : -1) ?? null;
}
