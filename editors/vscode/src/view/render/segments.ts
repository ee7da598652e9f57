/**
 * Markdown that grows, cut at its top-level blocks, so that what has been drawn once stays. Pure.
 *
 * A top-level block of CommonMark is read without regard to what stands before it, except for link
 * reference definitions, which the server's Markdown never has. So it is enough to read again from
 * near the last block whose first line will not change any more.
 * https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy
 */

/** A top-level block: its source, and where that begins. */
export interface Part<T> {
  readonly source: string;
  readonly start: number;
  readonly content: T;
}

/** What a parser says of a top-level block; lines count from 0, the end is not included. */
export interface Parsed<T> {
  readonly startLine: number;
  readonly content: T;
}

export type Parse<T> = (source: string) => readonly Parsed<T>[];

/** What has changed: the parts before `kept` are as they were, the others are new. */
export interface Cut<T> {
  readonly kept: number;
  readonly parts: readonly Part<T>[];
}

/** Cuts one text that grows. */
export class Segments<T> {
  #text = "";
  #parts: readonly Part<T>[] = [];
  /** How many parts cannot change any more. */
  #settled = 0;

  constructor(private readonly parse: Parse<T>) {}

  /**
   * Take the text as it is now.
   *
   * @param text what will stay
   * @param tail what stands behind it for now
   */
  update(text: string, tail: string): Cut<T> {
    const from = this.#resumeAt(text);
    const whole = text + tail;
    const before = this.#parts.slice(0, this.#settled);
    const again = cut(whole, from, this.parse);
    const kept = before.length + same(this.#parts.slice(before.length), again);
    this.#text = text;
    this.#parts = [...before, ...again];
    this.#settled = settled(this.#parts, text);
    return { kept, parts: this.#parts };
  }

  #resumeAt(text: string): number {
    if (!text.startsWith(this.#text)) {
      this.#settled = 0; // it was replaced
    }
    return this.#parts[this.#settled]?.start ?? 0;
  }
}

function cut<T>(whole: string, from: number, parse: Parse<T>): Part<T>[] {
  const source = whole.slice(from);
  const parsed = parse(source);
  const lines = lineStarts(source);
  return parsed.map(({ startLine, content }, index) => {
    const next = parsed[index + 1];
    const start = index === 0 ? 0 : (lines[startLine] ?? source.length);
    const end = next === undefined ? source.length : (lines[next.startLine] ?? source.length);
    return { source: source.slice(start, end), start: from + start, content };
  });
}

/** Where lines begin, as CommonMark counts them. */
function lineStarts(source: string): number[] {
  const starts = [0];
  for (const match of source.matchAll(/\r\n?|\n/g)) {
    starts.push(match.index + match[0].length);
  }
  return starts;
}

function same<T>(known: readonly Part<T>[], again: readonly Part<T>[]): number {
  const differs = again.findIndex(
    (part, index) => part.source.trimEnd() !== known[index]?.source.trimEnd(),
  );
  return differs === -1 ? again.length : differs;
}

/**
 * How many parts cannot change any more: those before the last two whose first line is complete.
 * The last one may turn out to go on with the one before it, as a table whose second line is not.
 */
function settled<T>(parts: readonly Part<T>[], text: string): number {
  const lastComplete = text.lastIndexOf("\n");
  return Math.max(0, parts.findLastIndex(({ start }) => start <= lastComplete) - 1);
}
