/**
 * Whether what happens in an editor is the user's doing, or comes of our own moves. Pure.
 *
 * VS Code tells of tabs, selections and scrolling alike whoever caused them, and some time after
 * the fact, which on a busy machine is long. So what our own moves must lead to is compared with
 * what is seen, and time is only a limit to waiting for it.
 */

/** The lines that a view shows, or a range has, from 0, both included. */
export interface Lines {
  readonly top: number;
  readonly bottom: number;
}

/** One of our moves. Times are milliseconds of the clock that is passed to every method. */
export interface Move {
  /** The `move` of `acp/follow`. */
  readonly move: number;
  readonly at: number;
  /** Key of the document. */
  readonly document: string;
  /** The group of editors. */
  readonly column: number | undefined;
  /** What must be in view in the end; the cursor is at its top. */
  readonly lines: Lines;
  /** It makes another document the active one. */
  readonly switches: boolean;
  /** For how long the view may still glide although it already shows `lines`. */
  readonly glide: number;
}

/** How an editor says that a selection was made. */
export type SelectionCause = "keyboard" | "mouse" | "command" | "unknown";

/** For how long VS Code may take to tell of what we did, and to do it. */
export const PATIENCE_MS = 3_000;
/** For how long views may shift after the text has changed without the user. */
export const SHIFT_MS = 700;
const KEPT = 32;

function shows(view: Lines, lines: Lines): boolean {
  const fits = lines.bottom - lines.top <= view.bottom - view.top;
  return view.top <= lines.top && view.bottom >= (fits ? lines.bottom : lines.top);
}

/** Remembers our moves, and judges what happens by them. */
export class Attribution {
  #moves: Move[] = [];
  /** The view as our last move left it; undefined while it is on its way there. */
  #settled: Lines | undefined;
  #shiftedAt = -Infinity;

  /** Our last move. */
  get last(): Move | undefined {
    return this.#moves.at(-1);
  }

  /** We are about to move. */
  moved(move: Move): void {
    this.#moves = [...this.#moves, move].slice(-KEPT);
    this.#settled = undefined;
  }

  /** Take what the followed view shows, if that is where our last move was to bring it. */
  arrived(view: Lines): void {
    if (this.last !== undefined && shows(view, this.last.lines)) {
      this.#settled = view;
    }
  }

  /** The text of the followed document changed without the user: its view shifts by itself. */
  shifted(at: number): void {
    this.#shiftedAt = at;
  }

  /** Forget everything, for a new server. */
  clear(): void {
    this.#moves = [];
    this.#settled = undefined;
  }

  /** Whether this is the view that was moved last. */
  isFollowed(document: string, column: number | undefined): boolean {
    return this.last?.document === document && this.last.column === column;
  }

  /** The move that made this document the active one, once for each; undefined is the user. */
  switched(document: string, at: number): number | undefined {
    const index = this.#moves.findLastIndex(
      (move) => move.switches && move.document === document && at - move.at <= PATIENCE_MS,
    );
    const found = this.#moves[index];
    // What came before it has been told of, or never will be.
    this.#moves = this.#moves.map((move, place) =>
      place <= index ? { ...move, switches: false } : move,
    );
    return found?.move;
  }

  /** The move that replaced a tab in this group; undefined is the user, who closed it. */
  closed(document: string, column: number | undefined, at: number): number | undefined {
    const last = this.last;
    const replaced =
      last?.column === column && last?.document !== document && this.#isRecent(at, PATIENCE_MS);
    return replaced ? last?.move : undefined;
  }

  /** The move that caused a selection in the followed view; undefined is the user. */
  selected(line: number, cause: SelectionCause, at: number): number | undefined {
    const last = this.last;
    if (last === undefined || cause === "keyboard" || cause === "mouse") {
      return undefined;
    }
    const ours = cause === "unknown" || line === last.lines.top || this.#isRecent(at, SHIFT_MS);
    return ours ? last.move : undefined;
  }

  /** The move that caused what the followed view shows; undefined is the user. */
  scrolled(view: Lines, at: number): number | undefined {
    const last = this.last;
    if (last === undefined) {
      return undefined;
    }
    const settled = this.#settled;
    if (settled === undefined) {
      this.arrived(view);
      return this.#isRecent(at, PATIENCE_MS) || shows(view, last.lines) ? last.move : undefined;
    }
    const gliding = at - last.at <= last.glide || at - this.#shiftedAt <= SHIFT_MS;
    // A view that gets another height keeps its first line: that is nobody's wish.
    if (!gliding && view.top !== settled.top) {
      return undefined;
    }
    this.#settled = view;
    return last.move;
  }

  #isRecent(at: number, limit: number): boolean {
    return this.last !== undefined && at - this.last.at <= limit;
  }
}
