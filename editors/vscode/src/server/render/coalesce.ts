/** One thing done at a time, and however often it is asked for meanwhile, once more after it. Pure. */

/** Runs a job that must not overlap itself. */
export class Coalesced {
  readonly #job: () => Promise<void>;
  #running: Promise<void> | undefined;
  #requests = 0;

  constructor(job: () => Promise<void>) {
    this.#job = job;
  }

  /** Have the job done after now; resolves when a run that began after this call has ended. */
  request(): Promise<void> {
    this.#requests += 1;
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    try {
      for (let met = 0; met !== this.#requests; ) {
        met = this.#requests;
        await this.#job();
      }
    } finally {
      this.#requests = 0;
      this.#running = undefined;
    }
  }
}
