/**
 * Which of many blocks are on screen: heights of all of them, known or guessed, and the range that
 * has to be drawn. Pure; heights are in pixels.
 */

/** Heights of a growing list, with sums in logarithmic time (a Fenwick tree). */
export class Heights {
  /** The tree counts from 1; its first entry is not used. */
  readonly #tree: number[] = [0];
  readonly #heights: number[] = [];

  constructor(private readonly guess: number) {}

  get length(): number {
    return this.#heights.length;
  }

  get total(): number {
    return this.offset(this.length);
  }

  of(index: number): number {
    return this.#heights[index] ?? this.guess;
  }

  /** Let the list have so many entries more than now, of a height that is guessed. */
  grow(length: number): void {
    while (this.#heights.length < length) {
      this.#heights.push(this.guess);
      const position = this.#heights.length;
      // An entry of the tree is the sum of the entries that its lowest bit covers.
      const covered = position & -position;
      this.#tree.push(this.offset(position - 1) - this.offset(position - covered) + this.guess);
    }
  }

  set(index: number, height: number): void {
    const change = height - this.of(index);
    if (change === 0 || index >= this.length) {
      return;
    }
    this.#heights[index] = height;
    for (let position = index + 1; position <= this.length; position += position & -position) {
      this.#tree[position] = (this.#tree[position] ?? 0) + change;
    }
  }

  /** Where an entry begins: the sum of all heights before it. */
  offset(index: number): number {
    let sum = 0;
    for (
      let position = Math.min(index, this.length);
      position > 0;
      position -= position & -position
    ) {
      sum += this.#tree[position] ?? 0;
    }
    return sum;
  }

  /** The entry at an offset: the last one that begins there or before. */
  indexAt(offset: number): number {
    let position = 0;
    let left = offset;
    for (let step = highestBit(this.length); step > 0; step >>= 1) {
      const next = position + step;
      const sum = this.#tree[next];
      if (sum !== undefined && sum <= left) {
        position = next;
        left -= sum;
      }
    }
    return Math.max(0, Math.min(position, this.length - 1));
  }

  clear(): void {
    this.#tree.length = 1;
    this.#heights.length = 0;
  }
}

function highestBit(number: number): number {
  return number === 0 ? 0 : 1 << (31 - Math.clz32(number));
}

/** What to draw: blocks from `start` to before `end`, with empty space around them. */
export interface Window {
  readonly start: number;
  readonly end: number;
  readonly before: number;
  readonly after: number;
}

/**
 * The blocks that are on screen or near it.
 *
 * @param top how far the list is scrolled
 * @param size height of the screen
 * @param margin how far beyond the screen blocks are drawn, so that scrolling finds them there
 */
export function windowOf(heights: Heights, top: number, size: number, margin: number): Window {
  if (heights.length === 0) {
    return { start: 0, end: 0, before: 0, after: 0 };
  }
  const start = heights.indexAt(Math.max(0, top - margin));
  const end = heights.indexAt(Math.max(0, top + size + margin)) + 1;
  return {
    start,
    end,
    before: heights.offset(start),
    after: heights.total - heights.offset(end),
  };
}
