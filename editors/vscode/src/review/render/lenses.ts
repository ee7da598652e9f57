/** The lenses above hunks. Pure. */

import type { ReviewArguments } from "../../contract";
import { aboutHunk } from "./choices";
import { counts, hunkCounts, hunkStatus, look } from "./labels";
import { startOf, type HunkEntry } from "./model";

/** A lens at a line, from 0. */
export interface Lens {
  readonly line: number;
  readonly title: string;
  readonly tooltip: string;
  readonly action: "accept" | "reject" | "diff";
  readonly about: ReviewArguments;
}

/** More would hide the text that they are about. */
const MAX_LENSES = 400;

/** Accept, reject and compare for each hunk of a file; what is not made yet is not undone. */
export function lensesOf(hunks: readonly HunkEntry[], lineCount: number): Lens[] {
  return hunks.slice(0, Math.floor(MAX_LENSES / 3)).flatMap((entry) => {
    const { set, hunk } = entry;
    const isMade = hunk.state !== "proposed";
    const line = Math.min(Math.max(1, startOf(hunk)), lineCount) - 1;
    const { added, removed } = hunkCounts(hunk);
    const status = look(hunkStatus(set, hunk)).word;
    const lens = (action: Lens["action"], title: string, tooltip: string): Lens => ({
      line,
      title,
      tooltip,
      action,
      about: aboutHunk(entry),
    });
    return [
      lens("accept", `$(check) ${isMade ? "Keep" : "Accept"} ${counts(added, removed)}`, status),
      lens("reject", `$(discard) ${isMade ? "Undo" : "Refuse"}`, status),
      lens("diff", "$(diff) Show Diff", set.title),
    ];
  });
}
