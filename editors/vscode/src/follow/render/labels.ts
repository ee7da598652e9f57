/** The words about agents, following and the trail. Pure. */
import type { FollowPayload, TrailEntryView } from "../../contract";

/** Why following is paused, for a sentence. */
const PAUSES: Record<NonNullable<FollowPayload["paused"]>, string> = {
  typed: "you typed",
  scrolled: "you scrolled",
  selected: "you moved the cursor",
  switched: "you went to another file",
  closed: "you closed the file",
  command: "you paused it",
  trail: "you walk along the trail",
};

/** The words for a pause, also one that a newer server may have. */
export function pauseWords(paused: string): string {
  return (PAUSES as Partial<Record<string, string>>)[paused] ?? paused;
}

/** A text of at most so many characters. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** What stands beside an agent's caret. */
export function caretLabel(agent: string, title: string): string {
  return title === "" ? agent : `${agent}: ${shortened(title, 48)}`;
}

const WHY_NOT_SHOWN: Partial<Record<string, string>> = {
  missing: "no longer there",
  directory: "a folder",
  binary: "not text",
  "too-large": "too large",
  unreadable: "cannot be read",
  outside: "outside of the workspace",
  "not-a-file": "not a file",
};

/** Why a place of the trail cannot be gone to; undefined if it can. */
export function whyNotShown(entry: TrailEntryView): string | undefined {
  return WHY_NOT_SHOWN[entry.state];
}

/** How long ago, in words. */
export function ago(seconds: number): string {
  if (seconds < 60) {
    return "just now";
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
}

/** A place of the trail, as an item of a list. */
export interface TrailLabel {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** @param path as it is to be shown, relative to the workspace */
export function trailLabel(entry: TrailEntryView, path: string): TrailLabel {
  const where = entry.line === null ? path : `${path}:${entry.line}`;
  const why = whyNotShown(entry);
  return {
    label: `${entry.current ? "$(arrow-right) " : ""}${shortened(entry.title, 80)}`,
    description: why === undefined ? where : `${where} (${why})`,
    detail: [entry.agent, entry.kind, ago(entry.age)].join(" · "),
  };
}
