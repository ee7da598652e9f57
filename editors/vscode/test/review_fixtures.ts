/** Change sets as a server tells of them, with everything but what a test is about filled in. */

import type { FileView, HunkView, SetDelta, SetView } from "../src/contract";

export function hunk(given: Partial<HunkView> = {}): HunkView {
  return {
    hunk: 0,
    state: "applied",
    choice: null,
    open: true,
    reason: "",
    oldStart: 1,
    newStart: 1,
    lines: [" one", "-two", "+2", " three"],
    range: { startLine: 2, endLine: 2 },
    ...given,
  };
}

export function file(given: Partial<FileView> = {}): FileView {
  const hunks = given.hunks ?? [hunk()];
  return {
    file: 0,
    operation: "modify",
    path: "/project/a.txt",
    oldPath: null,
    fileType: "text",
    state: "applied",
    choice: null,
    open: hunks.some((each) => each.open),
    added: 1,
    removed: 1,
    problems: [],
    hunks,
    ...given,
  };
}

export function set(given: Partial<SetView> = {}): SetView {
  return {
    changeSet: "s/c",
    sessionId: "s",
    toolCallId: "c",
    title: "Edit",
    state: "applied",
    pending: false,
    problems: [],
    files: [file()],
    ...given,
  };
}

export function delta(view: SetView, fileCount = view.files.length): SetDelta {
  return { ...view, fileCount };
}
