/** What of change sets and terminals stands beside their tool calls. Pure. */
import type { SetDelta, SetView } from "../../contract";
import type { CallExtras, TerminalExtras } from "../messages";

export const NO_EXTRAS: CallExtras = { changes: null, stoppable: false };
export const UNKNOWN_TERMINAL: TerminalExtras = { running: true, stoppable: false };

/** The changes of a tool call, in numbers; nothing if it touches no file. */
export function changesOf(set: SetView): CallExtras["changes"] {
  const { files } = set;
  if (files.length === 0) {
    return null;
  }
  return {
    files: files.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    open: files.some((file) => file.open),
  };
}

/** A change set after a delta: its files replace those of the same index. */
export function withDelta(known: SetView | undefined, delta: SetDelta): SetView {
  const { files, fileCount, ...set } = delta;
  const all = [...(known?.files ?? [])];
  for (const file of files) {
    all[file.file] = file;
  }
  return { ...set, files: all.slice(0, fileCount) };
}
