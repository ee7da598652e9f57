/**
 * Hunks as marks in the text of a file. Pure; lines and columns count from 0, columns in UTF-16.
 */

import type { HunkView } from "../../contract";
import { plain, plural } from "./labels";

/** Whole lines, both included. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** Characters of one line. */
export interface Columns {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Text that is not in the file, shown beside a line of it. */
export interface Ghost {
  readonly line: number;
  readonly text: string;
  /** The side that it is of. */
  readonly side: "added" | "removed";
  /** Whether lines stand between this line and the next, rather than instead of it. */
  readonly between: "before" | "after" | null;
}

/** How one hunk is drawn. `lines` are those of the text that the hunk has added or would remove. */
export interface HunkMarks {
  readonly side: "added" | "removed";
  readonly lines: Lines[];
  readonly words: Columns[];
  readonly ghosts: Ghost[];
}

interface Block {
  readonly row: number;
  present: number;
  readonly absent: string[];
}

/**
 * The marks of a hunk in a text of `lineCount` lines; null where there is nothing to be marked.
 *
 * A proposal stands in the text by the lines that it would remove, what was applied by those that
 * it has added; the other side is shown as ghosts.
 */
export function marksOf(hunk: HunkView, lineCount: number): HunkMarks | null {
  if (hunk.range === null || (hunk.state !== "proposed" && hunk.state !== "applied")) {
    return null;
  }
  const side = hunk.state === "applied" ? "added" : "removed";
  const present = side === "added" ? "+" : "-";
  const { blocks, rows } = walk(hunk, present);
  const last = Math.max(0, lineCount - 1);
  return {
    side,
    lines: blocks
      .filter((each) => each.present > 0 && each.row <= last)
      .map((each) => ({ start: each.row, end: Math.min(last, each.row + each.present - 1) })),
    words: words(hunk, rows).filter((each) => each.line <= last),
    ghosts: blocks.filter((each) => each.absent.length > 0).map((each) => ghost(each, side, last)),
  };
}

/** The changed lines of a hunk in runs, and the row of each line that is in the text. */
function walk(hunk: HunkView, present: string): { blocks: Block[]; rows: Map<number, number> } {
  const blocks: Block[] = [];
  const rows = new Map<number, number>();
  let row = (hunk.range?.startLine ?? 1) - 1;
  let block: Block | undefined;
  for (const [at, line] of hunk.lines.entries()) {
    if (line.startsWith("\\")) {
      continue;
    }
    if (line.startsWith(" ")) {
      // The range begins with the first changed line: the context before it does not count.
      row += blocks.length > 0 ? 1 : 0;
      block = undefined;
      continue;
    }
    if (block === undefined) {
      block = { row, present: 0, absent: [] };
      blocks.push(block);
    }
    if (line.startsWith(present)) {
      rows.set(at, row);
      row += 1;
      block.present += 1;
    } else {
      block.absent.push(line.slice(1));
    }
  }
  return { blocks, rows };
}

function ghost(block: Block, side: "added" | "removed", last: number): Ghost {
  const other = side === "added" ? "removed" : "added";
  const text = summary(block.absent);
  if (block.present > 0) {
    // Old lines stand beside the first of the new ones, new lines beside the last of the old.
    const line = side === "added" ? block.row : block.row + block.present - 1;
    return { line: Math.min(line, last), text, side: other, between: null };
  }
  if (block.row === 0) {
    return { line: 0, text, side: other, between: "before" };
  }
  return { line: Math.min(block.row - 1, last), text, side: other, between: "after" };
}

const MAX_GHOST = 100;

function summary(lines: readonly string[]): string {
  const shown = lines.find((line) => line.trim() !== "") ?? "";
  const text = plain(shown.trim());
  const short = text.length > MAX_GHOST ? `${text.slice(0, MAX_GHOST)}…` : text;
  const more = lines.length - 1;
  if (short === "") {
    return plural(lines.length, "blank line");
  }
  return more > 0 ? `${short}  (and ${plural(more, "more line")})` : short;
}

/** The changed characters of the lines that are in the text. */
function words(hunk: HunkView, rows: ReadonlyMap<number, number>): Columns[] {
  return (hunk.words ?? []).flatMap((word) => {
    const row = rows.get(word.line);
    const text = hunk.lines[word.line]?.slice(1);
    if (row === undefined || text === undefined) {
      return [];
    }
    return [{ line: row, start: utf16(text, word.start), end: utf16(text, word.end) }];
  });
}

/** A column in code points as one in UTF-16. */
export function utf16(text: string, column: number): number {
  let at = 0;
  for (let left = column; left > 0 && at < text.length; left -= 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
