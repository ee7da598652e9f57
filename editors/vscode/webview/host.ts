/** The line to the host, and what is kept while the view is hidden. */
import type { Chip, FromWebview, ToWebview } from "../src/view/messages";

/** Kept by VS Code while the view is hidden, and over reloads of the window. */
export interface Kept {
  readonly draft: string;
  readonly chips: readonly Chip[];
  readonly history: readonly string[];
  readonly place: Place | null;
}

/** How far a transcript is scrolled: to a block, or to the end. */
export interface Place {
  readonly sessionId: string;
  /** Null is the end, and whatever comes there. */
  readonly blockId: string | null;
  /** Pixels of the block that are above the top of the view. */
  readonly above: number;
}

const NOTHING: Kept = { draft: "", chips: [], history: [], place: null };

const api = acquireVsCodeApi<Kept>();

export function post(message: FromWebview): void {
  api.postMessage(message);
}

export function listen(handle: (message: ToWebview) => void): void {
  window.addEventListener("message", (event: MessageEvent<ToWebview>) => {
    handle(event.data);
  });
}

export function kept(): Kept {
  return { ...NOTHING, ...api.getState() };
}

export function keep(change: Partial<Kept>): void {
  api.setState({ ...kept(), ...change });
}
