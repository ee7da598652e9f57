// The sessions of this agent; kept in a file if one is given, so that they outlive the process.

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export class Session {
  constructor({ id = randomUUID(), cwd, history = [], title = null, options = {} }) {
    Object.assign(this, { id, cwd, history, title });
    this.options = { mode: "ask", model: "small", verbose: false, ...options };
    this.turn = null;
  }

  remember(update) {
    this.history.push(update);
  }

  toJSON() {
    const { id, cwd, history, title, options } = this;
    return { id, cwd, history, title, options };
  }
}

export class Sessions {
  #file;
  #all = new Map();

  constructor(file) {
    this.#file = file;
    if (!file || !existsSync(file)) return;
    for (const kept of JSON.parse(readFileSync(file, "utf8"))) this.#all.set(kept.id, new Session(kept));
  }

  open(cwd) {
    const session = new Session({ cwd });
    this.#all.set(session.id, session);
    return session;
  }

  get(id) {
    return this.#all.get(id);
  }

  delete(id) {
    this.#all.delete(id);
    this.save();
  }

  /** One page of sessions, two at a time, so that clients have to follow the cursor. */
  page(cursor) {
    const from = Number(cursor ?? 0);
    const page = [...this.#all.values()].slice(from, from + 2);
    const nextCursor = from + 2 < this.#all.size ? String(from + 2) : undefined;
    const sessions = page.map(({ id, cwd, title }) => ({ sessionId: id, cwd, title }));
    return nextCursor ? { sessions, nextCursor } : { sessions };
  }

  /** Stop whatever is still running, at the end of the connection. */
  cancelAll() {
    for (const session of this.#all.values()) session.turn?.cancel();
  }

  save() {
    if (this.#file) writeFileSync(this.#file, JSON.stringify([...this.#all.values()]));
  }
}
