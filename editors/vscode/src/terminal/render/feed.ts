/** Pure: the bytes of a terminal put together from what the server tells, and made text. */
import type { TerminalParams } from "../../contract";

/** What a piece of news does to what was read so far. */
export interface Step {
  /** Bytes in order; empty if there is nothing new. */
  readonly bytes: Uint8Array;
  /** The screen is to be cleared first. */
  readonly reset: boolean;
  /** How many bytes before these are gone for good. */
  readonly lost: number;
  /** Bytes between what was read and these have not come: ask from `next` on. */
  readonly gap: boolean;
}

const NOTHING = new Uint8Array(0);
const STAY: Step = { bytes: NOTHING, reset: false, lost: 0, gap: false };

/** Reads one terminal's bytes in order, each once. */
export class Feed {
  #next = 0;

  /** How many bytes were read, from the last snapshot on. */
  get next(): number {
    return this.#next;
  }

  /** Take news; `answer` says that we asked for it, so that what is missing in it is gone. */
  take(params: TerminalParams, answer: boolean): Step {
    const reset = params.reset === true;
    const have = reset ? 0 : this.#next;
    const offset = params.offset ?? have;
    const data = params.data === undefined ? NOTHING : Buffer.from(params.data, "base64");
    const missing = offset - have;
    const known = params.skipped ?? 0;
    if (missing > 0 && !answer && known < missing) {
      return { ...STAY, gap: true };
    }
    if (missing < 0 && offset + data.length <= have) {
      return STAY; // all of it was read already
    }
    this.#next = offset + data.length;
    const bytes = missing < 0 ? data.subarray(-missing) : data;
    return { bytes, reset, lost: Math.max(0, missing), gap: false };
  }
}

/** Makes text of bytes that may end inside a character, with line ends as terminals need them. */
export class Decoder {
  #utf8 = new TextDecoder("utf-8");
  #afterReturn = false;

  /** Text for the terminal: programs that write to a pipe end lines by a line feed alone. */
  text(bytes: Uint8Array): string {
    const text = this.#utf8.decode(bytes, { stream: true });
    let made = "";
    for (const part of text.split(/(\n)/)) {
      if (part === "\n" && !this.#afterReturn) {
        made += "\r";
      }
      made += part;
      if (part !== "") {
        this.#afterReturn = part.endsWith("\r");
      }
    }
    return made;
  }

  reset(): void {
    this.#utf8 = new TextDecoder("utf-8");
    this.#afterReturn = false;
  }
}
