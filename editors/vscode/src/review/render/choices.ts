/**
 * What can be chosen about a hunk, a file, a set or a session, and how that is asked for. Pure.
 */

import type { ChoiceResult, HunkView, ReviewArguments } from "../../contract";
import { plural } from "./labels";
import type { FileEntry, HunkEntry } from "./model";

export type Verb = "accept" | "reject";

/** Which choices there are. */
export interface Offer {
  readonly accept: boolean;
  readonly reject: boolean;
}

/** What can be chosen about a hunk: also to revise what was chosen, where that can be done. */
export function offerOf(hunk: HunkView): Offer {
  if (hunk.open) {
    return { accept: true, reject: true };
  }
  if (hunk.state === "unanchored" || hunk.state === "conflict") {
    return { accept: false, reject: false };
  }
  return {
    accept: hunk.choice === "rejected" || (hunk.choice === null && hunk.state === "proposed"),
    reject: hunk.choice === "accepted" || (hunk.choice === null && hunk.state === "applied"),
  };
}

/** What can be chosen about files together. */
export function offerOfFiles(files: readonly FileEntry[]): Offer {
  const offers = files.flatMap(({ file }) =>
    file.hunks.length > 0 ? file.hunks.map(offerOf) : [wholeOffer(file)],
  );
  return { accept: offers.some((each) => each.accept), reject: offers.some((each) => each.reject) };
}

function wholeOffer(file: FileEntry["file"]): Offer {
  if (file.open) {
    return { accept: true, reject: true };
  }
  const isText = file.fileType === null || file.fileType === "text";
  return {
    accept: isText && file.state === "proposed",
    reject: isText && file.state === "applied" && file.choice === "accepted",
  };
}

/** The arguments that name a hunk. */
export function aboutHunk({ set, file, hunk }: HunkEntry): ReviewArguments {
  return { changeSet: set.changeSet, file: file.file, hunk: hunk.hunk };
}

/** The arguments that name a change set, whole or what waits in it; one for each command. */
export function aboutSet(files: readonly FileEntry[], verb: Verb): ReviewArguments[] {
  const [first] = files;
  const isUntouched = files.every(({ file }) => file.open && file.hunks.every((hunk) => hunk.open));
  return first !== undefined && isUntouched
    ? [{ changeSet: first.set.changeSet }]
    : aboutFiles(files, verb);
}

/**
 * The arguments that name files of one change set: what waits in them, or if nothing does, all to
 * revise it.
 */
export function aboutFiles(files: readonly FileEntry[], verb: Verb): ReviewArguments[] {
  const open = files.filter(({ file }) => file.open);
  const named = open.length > 0 ? open.flatMap(aboutOpen) : files.map(aboutFile);
  return verb === "reject" ? named.reverse() : named;
}

/**
 * The arguments that name a file in all change sets of a session.
 *
 * By its path, what waits is meant, in one choice; only if nothing waits, earlier choices are
 * revised: the newest first when going back, so that no change is buried under a later one.
 */
export function aboutPath(files: readonly FileEntry[], verb: Verb): ReviewArguments[] {
  const [first] = files;
  if (first !== undefined && files.some(({ file }) => file.open)) {
    return [{ sessionId: first.set.sessionId, file: first.file.path }];
  }
  const named = files.map(aboutFile);
  return verb === "reject" ? named.reverse() : named;
}

function aboutFile({ set, file }: FileEntry): ReviewArguments {
  return { changeSet: set.changeSet, file: file.file };
}

function aboutOpen(entry: FileEntry): ReviewArguments[] {
  const { set, file } = entry;
  const waiting = file.hunks.filter((hunk) => hunk.open);
  return waiting.length === file.hunks.length
    ? [aboutFile(entry)]
    : waiting.map((hunk) => aboutHunk({ set, file, hunk }));
}

/** What became of choices, as one. */
export function joined(results: readonly ChoiceResult[]): ChoiceResult {
  return {
    changed: results.reduce((sum, each) => sum + each.changed, 0),
    failed: results.flatMap((each) => each.failed),
  };
}

/** What went wrong, for a person; null if nothing did. */
export function failureText(result: ChoiceResult): string | null {
  const [first] = result.failed;
  if (first === undefined) {
    return null;
  }
  const reasons = new Set(result.failed.map((each) => each.reason));
  const rest = reasons.size > 1 ? ` (and ${plural(reasons.size - 1, "other reason")})` : "";
  return `${plural(result.failed.length, "change")} could not be brought to what you chose: ${first.reason}${rest}`;
}

/** What was done, for the status bar. */
export function doneText(verb: Verb | "undo", result: ChoiceResult): string {
  const word = { accept: "Accepted", reject: "Rejected", undo: "Took back the choice of" }[verb];
  return `${word} ${plural(result.changed, "change")}`;
}
