/** A session's transcript as the view has it: blocks by id, made of deltas. Pure. */
import type { TranscriptBlock } from "../../contract";

/** A block with everything that was said of it. */
export interface Block {
  readonly id: string;
  readonly kind: TranscriptBlock["kind"];
  readonly status: string;
  readonly head: string;
  /** Only ever grows, unless it was replaced. */
  readonly text: string;
  /** Comes behind `text`; the next change may replace it. */
  readonly tail: string;
}

/** What a delta did: which blocks have changed, by index, and from which one on all are new. */
export interface Change {
  readonly changed: ReadonlySet<number>;
  readonly newFrom: number;
}

const NOTHING = { status: "", head: "", text: "", tail: "" };

/** Not shown as a block: the view has a header of its own. */
const HIDDEN: ReadonlySet<string> = new Set(["session"]);

/** The blocks of one session, in the order of the document. */
export class Transcript {
  readonly #blocks: Block[] = [];
  readonly #indexes = new Map<string, number>();

  get length(): number {
    return this.#blocks.length;
  }

  at(index: number): Block | undefined {
    return this.#blocks[index];
  }

  indexOf(id: string): number | undefined {
    return this.#indexes.get(id);
  }

  /** Take a delta. Blocks that are not known come after all others. */
  apply(deltas: readonly TranscriptBlock[]): Change {
    const newFrom = this.#blocks.length;
    const changed = new Set<number>();
    for (const delta of deltas) {
      if (!HIDDEN.has(delta.kind)) {
        changed.add(this.#take(delta));
      }
    }
    return { changed, newFrom };
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#indexes.clear();
  }

  #take(delta: TranscriptBlock): number {
    const index = this.#indexes.get(delta.id) ?? this.#blocks.length;
    const known = this.#blocks[index];
    this.#indexes.set(delta.id, index);
    this.#blocks[index] = merged(known, delta);
    return index;
  }
}

/** A block after a delta: what is left out is unchanged. */
export function merged(known: Block | undefined, delta: TranscriptBlock): Block {
  const { id, kind, append, ...news } = delta;
  const block = { ...NOTHING, ...known, ...news, id, kind };
  return append === undefined ? block : { ...block, text: block.text + append };
}
