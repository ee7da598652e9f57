/** What is said about the server's process. Pure. */

/** How a process has ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** How it ended, for a sentence; `undefined` is not known. */
export function exitWords(exit: Exit | undefined): string {
  if (exit === undefined) {
    return "closed the connection";
  }
  if (exit.signal !== null) {
    return `was ended by ${exit.signal}`;
  }
  return `ended with status ${String(exit.code)}`;
}

/** The last lines of what it wrote to stderr, which mostly say why it ended. */
export function lastWords(stderr: string, lines = 3): string {
  const kept = stderr.split(/\r?\n/).filter((line) => line.trim() !== "");
  return kept.slice(-lines).join("\n");
}

/** What to do about a version of the editor protocol that is not this extension's; else nothing. */
export function versionWords(theirs: unknown, ours: number): string | undefined {
  if (theirs === ours) {
    return undefined;
  }
  const older = typeof theirs === "number" && theirs > ours ? "the extension" : "the server";
  return (
    `The server speaks version ${String(theirs)} of the editor protocol, ` +
    `this extension version ${ours}: update ${older}.`
  );
}
