/**
 * What is under review, as `acp.state` and the deltas of `acp/review` add up to it. Pure.
 */

import type { FileView, HunkView, ReviewDelta, SetView } from "../../contract";

/** A file of a change set. */
export interface FileEntry {
  readonly set: SetView;
  readonly file: FileView;
}

/** A hunk of a file of a change set. */
export interface HunkEntry extends FileEntry {
  readonly hunk: HunkView;
}

/** All change sets by id, oldest first. */
export class ReviewModel {
  private sets = new Map<string, SetView>();
  private shown: readonly FileEntry[] | undefined;
  private byPath: Map<string, FileEntry[]> | undefined;

  /** Start anew from the whole state of a server. */
  reset(sets: readonly SetView[]): void {
    this.sets = new Map(sets.map((each) => [each.changeSet, each]));
    this.forget();
  }

  /** Take news: files replace those of the same index, and those past `fileCount` are gone. */
  apply(delta: ReviewDelta): void {
    for (const { fileCount, ...set } of delta.changeSets) {
      const files = new Map(
        (this.sets.get(set.changeSet)?.files ?? []).map((each) => [each.file, each]),
      );
      for (const file of set.files) {
        files.set(file.file, file);
      }
      const kept = [...files.values()].filter((each) => each.file < fileCount);
      kept.sort((one, other) => one.file - other.file);
      this.sets.set(set.changeSet, { ...set, files: kept });
    }
    for (const id of delta.removed) {
      this.sets.delete(id);
    }
    this.forget();
  }

  private forget(): void {
    this.shown = this.byPath = undefined;
  }

  set(id: string): SetView | undefined {
    return this.sets.get(id);
  }

  /** A file by its index in a set. */
  file(changeSet: string, index: number): FileEntry | undefined {
    const set = this.sets.get(changeSet);
    const file = set?.files.find((each) => each.file === index);
    return set !== undefined && file !== undefined ? { set, file } : undefined;
  }

  /**
   * All files to be shown, oldest set first. The net change of a session has only those that no
   * tool call has told of: the others would be there twice.
   */
  files(): readonly FileEntry[] {
    this.shown ??= shownFiles([...this.sets.values()]);
    return this.shown;
  }

  /** The files at a real path, oldest set first. */
  at(path: string): readonly FileEntry[] {
    if (this.byPath === undefined) {
      this.byPath = new Map();
      for (const entry of this.files()) {
        const known = this.byPath.get(entry.file.path);
        if (known === undefined) {
          this.byPath.set(entry.file.path, [entry]);
        } else {
          known.push(entry);
        }
      }
    }
    return this.byPath.get(path) ?? [];
  }

  /** The hunks in a file of the present that wait for a choice, from the top. */
  openHunks(path: string): HunkEntry[] {
    return this.at(path)
      .flatMap(({ set, file }) => file.hunks.map((hunk) => ({ set, file, hunk })))
      .filter(({ hunk }) => hunk.open && hunk.range !== null)
      .sort((one, other) => startOf(one.hunk) - startOf(other.hunk));
  }
}

function shownFiles(sets: readonly SetView[]): FileEntry[] {
  const told = new Set<string>();
  const key = (set: SetView, path: string) => `${set.sessionId}\n${path}`;
  for (const set of sets) {
    for (const { path, oldPath, operation } of set.toolCallId === null ? [] : set.files) {
      told.add(key(set, path));
      if (oldPath !== null && operation === "move") {
        told.add(key(set, oldPath));
      }
    }
  }
  return sets.flatMap((set) =>
    set.files
      .filter((file) => set.toolCallId !== null || !told.has(key(set, file.path)))
      .map((file) => ({ set, file })),
  );
}

/** The first line of a hunk in the present text, from 1; 0 if it has none. */
export function startOf(hunk: HunkView): number {
  return hunk.range?.startLine ?? 0;
}

/** How many things in a file wait for a choice: its hunks, or the file itself if it has none. */
export function openCount(file: FileView): number {
  if (file.hunks.length === 0) {
    return file.open ? 1 : 0;
  }
  return file.hunks.filter((hunk) => hunk.open).length;
}

/** How many things in files wait for a choice. */
export function openTotal(files: readonly FileEntry[]): number {
  return files.reduce((sum, { file }) => sum + openCount(file), 0);
}
