/** What is being typed at the cursor, and what becomes of it when a completion is taken. Pure. */
import type { Completion, SlashCommand } from "../messages";
import { score } from "./fuzzy";

/** A word that can be completed. */
export interface Typed {
  readonly what: "file" | "context" | "command";
  /** What stands behind the sign. */
  readonly query: string;
  /** Where the sign is. */
  readonly start: number;
  readonly end: number;
}

const COMMAND = /^\/(\S*)$/;
const WORD = /(?:^|\s)([@#])([^\s@#]*)$/;

/** The word before the cursor, if there is something to complete: `/` at the start, `@`, `#`. */
export function typedAt(text: string, cursor: number): Typed | undefined {
  const before = text.slice(0, cursor);
  const command = COMMAND.exec(before);
  if (command !== null) {
    return { what: "command", query: command[1] ?? "", start: 0, end: cursor };
  }
  const word = WORD.exec(before);
  if (word === null) {
    return undefined;
  }
  const [, sign, query = ""] = word;
  const what = sign === "@" ? "file" : "context";
  return { what, query, start: cursor - query.length - 1, end: cursor };
}

/** A text with its cursor. */
export interface Edited {
  readonly text: string;
  readonly cursor: number;
}

/** The text once a completion is taken; a space is put behind it unless there is one. */
export function completed(text: string, typed: Typed, insert: string): Edited {
  const rest = text.slice(typed.end);
  const space = insert === "" || /^\s/.test(rest) ? "" : " ";
  const before = text.slice(0, typed.start) + insert + space;
  const skipped = insert !== "" && space === "" ? 1 : 0;
  return { text: before + rest, cursor: before.length + skipped };
}

/** The commands that fit, as completions. */
export function commandCompletions(commands: readonly SlashCommand[], query: string): Completion[] {
  return commands
    .map((command) => ({ command, fits: score(command.name, query) }))
    .filter((each) => each.fits !== undefined)
    .sort((one, other) => (query === "" ? 0 : (other.fits ?? 0) - (one.fits ?? 0)))
    .map(({ command }) => ({
      label: `/${command.name}`,
      detail: command.description,
      icon: "symbol-event",
      insert: `/${command.name}`,
      chip: null,
    }));
}

/** What to say about the command that stands in a prompt without its input, or nothing. */
export function hintFor(text: string, commands: readonly SlashCommand[]): string {
  const [, name] = /^\/(\S+)\s*$/.exec(text) ?? [];
  return commands.find((command) => command.name === name)?.hint ?? "";
}
