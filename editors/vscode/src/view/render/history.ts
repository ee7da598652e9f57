/** Prompts that were sent, walked through by Up and Down as in a shell. Pure. */

const KEPT = 100;

/** Prompts, oldest first. Walking starts behind the last one, at what is being typed. */
export class History {
  #prompts: string[];
  #position: number;
  #draft = "";

  constructor(prompts: readonly string[] = []) {
    this.#prompts = prompts.slice(-KEPT);
    this.#position = this.#prompts.length;
  }

  get prompts(): readonly string[] {
    return this.#prompts;
  }

  /** A prompt was sent: it is the last one now, and once only. */
  add(prompt: string): void {
    const others = this.#prompts.filter((each) => each !== prompt);
    this.#prompts = [...others, prompt].slice(-KEPT);
    this.#position = this.#prompts.length;
    this.#draft = "";
  }

  /** The prompt before, or undefined at the oldest. `now` is kept for the way back. */
  back(now: string): string | undefined {
    if (this.#position === 0) {
      return undefined;
    }
    if (this.#position === this.#prompts.length) {
      this.#draft = now;
    }
    this.#position -= 1;
    return this.#prompts[this.#position];
  }

  /** The prompt behind, at last what was being typed; undefined there. */
  forward(): string | undefined {
    if (this.#position === this.#prompts.length) {
      return undefined;
    }
    this.#position += 1;
    return this.#prompts[this.#position] ?? this.#draft;
  }
}
