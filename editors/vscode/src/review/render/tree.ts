/**
 * The Changes view as a tree of plain nodes. Pure.
 */

import type { ReviewArguments, SetView } from "../../contract";
import {
  aboutFiles,
  aboutHunk,
  aboutPath,
  aboutSet,
  offerOf,
  offerOfFiles,
  type Offer,
  type Verb,
} from "./choices";
import * as labels from "./labels";
import { openCount, openTotal, type FileEntry, type HunkEntry, type ReviewModel } from "./model";

/** Whether the files of a session stand together, or by tool call. */
export type Grouping = "file" | "change";

export interface Node {
  /** The same for the same thing as long as it is there. */
  readonly id: string;
  readonly kind: "session" | "change" | "file" | "hunk";
  readonly label: string;
  readonly description: string;
  /** Lines of text. */
  readonly tooltip: readonly string[];
  readonly status: labels.Status;
  /** How many things in it wait for a choice. */
  readonly open: number;
  readonly offer: Offer;
  readonly files: readonly FileEntry[];
  readonly hunk: HunkEntry | null;
  readonly children: readonly Node[];
  /** The arguments of the commands that carry a choice out, one after the other. */
  readonly about: (verb: Verb) => ReviewArguments[];
}

/** What the tree needs to know of a session. */
export interface SessionName {
  readonly id: string;
  readonly title: string;
}

/** The roots: sessions, and in them what they have changed, all in the order of time. */
export function tree(
  model: ReviewModel,
  sessions: readonly SessionName[],
  grouping: Grouping,
): Node[] {
  const bySession = new Map<string, FileEntry[]>();
  for (const entry of model.files()) {
    add(bySession, entry.set.sessionId, entry);
  }
  const titles = new Map(sessions.map((each) => [each.id, each.title]));
  return [...bySession].map(([id, files]) =>
    sessionNode(id, titles.get(id) ?? id, files, grouping),
  );
}

function add<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const known = groups.get(key);
  if (known === undefined) {
    groups.set(key, [value]);
  } else {
    known.push(value);
  }
}

function sessionNode(id: string, title: string, files: FileEntry[], grouping: Grouping): Node {
  const children = grouping === "file" ? byFile(id, files) : byChange(files);
  const count = new Set(files.map(({ file }) => file.path)).size;
  const open = openTotal(files);
  return {
    ...group(`session ${id}`, "session", labels.plain(title) || id, files, children),
    description: described(labels.plural(count, "file"), open),
    tooltip: [labels.plain(title), ...setProblems(files)],
    offer: { accept: open > 0, reject: open > 0 },
    about: () => [{ sessionId: id }],
  };
}

function group(
  id: string,
  kind: Node["kind"],
  label: string,
  files: FileEntry[],
  children: Node[],
) {
  return {
    id,
    kind,
    label,
    files,
    children,
    hunk: null,
    status: together(children.map((each) => each.status)),
    open: openTotal(files),
    offer: offerOfFiles(files),
  };
}

function described(what: string, open: number): string {
  return [what, open > 0 ? `${open} to review` : ""].filter(Boolean).join(" · ");
}

function byChange(files: FileEntry[]): Node[] {
  const sets = new Map<SetView, FileEntry[]>();
  files.forEach((entry) => add(sets, entry.set, entry));
  return [...sets].map(([set, entries]) => {
    const children = entries.map((entry) => fileNode(set.changeSet, [entry], aboutFiles));
    const title = labels.plain(set.title) || "Untitled change";
    const waits = set.pending ? "waits for your permission" : "";
    const what = [labels.plural(entries.length, "file"), waits].filter(Boolean).join(" · ");
    return {
      ...group(`change ${set.changeSet}`, "change", title, entries, children),
      description: described(what, openTotal(entries)),
      tooltip: [title, ...labels.problemLines(set.problems)],
      about: (verb: Verb) => aboutSet(entries, verb),
    };
  });
}

function byFile(session: string, files: FileEntry[]): Node[] {
  const paths = new Map<string, FileEntry[]>();
  files.forEach((entry) => add(paths, entry.file.path, entry));
  return [...paths.values()].map((entries) => fileNode(session, entries, aboutPath));
}

function fileNode(parent: string, entries: FileEntry[], about: typeof aboutPath): Node {
  const path = entries[0]?.file.path ?? "";
  const id = `file ${parent} ${path}`;
  const hunks = entries.flatMap(({ set, file }) => file.hunks.map((hunk) => ({ set, file, hunk })));
  hunks.sort((one, other) => labels.hunkLine(one.hunk) - labels.hunkLine(other.hunk));
  const children = hunks.map((entry) => hunkNode(id, entry));
  const whole = entries.filter(({ file }) => file.hunks.length === 0);
  const states = [
    ...children.map((each) => each.status),
    ...whole.map(({ set, file }) => labels.fileStatus(set, file)),
  ];
  const status = together(states);
  return {
    ...group(id, "file", labels.baseName(path), entries, children),
    status,
    description: fileDescription(entries, children.length === 0 ? status : null),
    tooltip: fileTooltip(entries, status),
    about: (verb) => about(entries, verb),
  };
}

function fileDescription(entries: readonly FileEntry[], status: labels.Status | null): string {
  const sum = (key: "added" | "removed") => entries.reduce((all, { file }) => all + file[key], 0);
  const words = new Set(entries.map(({ file }) => labels.operationWords(file)));
  const problems = entries.some(({ set, file }) => set.problems.length + file.problems.length > 0);
  const open = entries.reduce((all, { file }) => all + openCount(file), 0);
  const parts = [
    labels.counts(sum("added"), sum("removed")),
    ...words,
    status === null ? "" : labels.look(status).word,
    status === null && open > 0 ? `${open} to review` : "",
    problems ? "has problems" : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

function fileTooltip(entries: readonly FileEntry[], status: labels.Status): string[] {
  const titles = entries.map(({ set }) => labels.plain(set.title)).filter(Boolean);
  const problems = entries.flatMap(({ file }) => labels.problemLines(file.problems));
  const path = entries[0]?.file.path ?? "";
  const word = labels.look(status).word;
  return [
    ...new Set([labels.plain(path), word, ...titles, ...setProblems(entries), ...problems]),
  ].filter(Boolean);
}

function setProblems(entries: readonly FileEntry[]): string[] {
  return [...new Set(entries.flatMap(({ set }) => labels.problemLines(set.problems)))];
}

function hunkNode(parent: string, entry: HunkEntry): Node {
  const { set, file, hunk } = entry;
  const status = labels.hunkStatus(set, hunk);
  const { added, removed } = labels.hunkCounts(hunk);
  const word = labels.look(status).word;
  return {
    id: `hunk ${parent} ${set.changeSet} ${file.file} ${hunk.hunk}`,
    kind: "hunk",
    label: `${labels.hunkLine(hunk)}: ${labels.hunkLabel(hunk)}`,
    description: [labels.counts(added, removed), word].filter(Boolean).join(" · "),
    tooltip: [word, labels.plain(hunk.reason), labels.plain(set.title)].filter(Boolean),
    status,
    open: hunk.open ? 1 : 0,
    offer: offerOf(hunk),
    files: [{ set, file }],
    hunk: entry,
    children: [],
    about: () => [aboutHunk(entry)],
  };
}

// What needs the user most stands for all.
const WEIGHT: readonly labels.Status[] = [
  "pending",
  "conflict",
  "applied",
  "proposed",
  "unanchored",
  "undoing",
  "accepted",
  "refused",
  "undone",
  "kept",
  "written",
  "withdrawn",
  "unknown",
];

function together(states: readonly labels.Status[]): labels.Status {
  return WEIGHT.find((each) => states.includes(each)) ?? "unknown";
}
