/** Pure: what terminals are called, and how their end is told. */
import type { TerminalExit } from "../../contract";

const NAME_LIMIT = 40;

/** The command of a terminal in one short line. */
export function nameOf(command: string | null | undefined): string {
  const line = (command ?? "").replace(/\s+/g, " ").trim();
  if (line === "") {
    return "Agent terminal";
  }
  return line.length <= NAME_LIMIT
    ? line
    : `${Array.from(line)
        .slice(0, NAME_LIMIT - 1)
        .join("")}…`;
}

/** How the program ended, in words. */
export function ending(exit: TerminalExit): string {
  if (exit.signal !== null) {
    return `ended by signal ${exit.signal}`;
  }
  return exit.exitCode === null ? "ended" : `ended with exit status ${exit.exitCode}`;
}

/** Whether it did what it was for. */
export function succeeded(exit: TerminalExit): boolean {
  return exit.signal === null && (exit.exitCode ?? 0) === 0;
}

/** A line in the terminal that is ours, not the program's: dim, on a line of its own. */
export function remark(text: string): string {
  return `\x1b[0m\r\n\x1b[2m[${text}]\x1b[0m\r\n`;
}
