/**
 * The transcript on screen. Only blocks on screen and near it are elements; the others are empty
 * space of a known or guessed height. Once a frame, what has changed is patched, and what the user
 * looks at stays where it is: the end, if they are there, else the first block on screen.
 */
import type { TranscriptBlock } from "../src/contract";
import type { CallExtras, TerminalExtras } from "../src/view/messages";
import { Transcript, type Block } from "../src/view/render/transcript";
import { Heights, windowOf, type Window } from "../src/view/render/window";
import { blockView, type BlockView, type Surroundings } from "./blocks";
import { element } from "./dom";
import type { Place } from "./host";

/** Pixels: height of a block that was never drawn, how far to draw ahead, and what is "the end". */
const GUESS = 36;
const MARGIN = 600;
const NEAR_END = 24;
/** Pixels of a page that stay on screen when the next one is shown. */
const PAGE_KEEPS = 40;
/** Drawing blocks shows how high they are, which may show more blocks; it settles soon. */
const ROUNDS = 4;

/** What is kept where it is on screen; undefined is the end. */
type Anchor = { readonly index: number; readonly above: number } | undefined;

export class TranscriptView implements Surroundings {
  readonly #transcript = new Transcript();
  readonly #heights = new Heights(GUESS);
  readonly #views = new Map<number, BlockView>();
  readonly #dirty = new Set<number>();
  readonly #open = new Set<string>();
  readonly #calls = new Map<string, CallExtras>();
  readonly #terminals = new Map<string, TerminalExtras>();
  readonly #before = element("div", { class: "space" });
  readonly #items = element("div", { class: "items" });
  readonly #after = element("div", { class: "space" });
  readonly #resized: ResizeObserver;
  #frame = 0;
  #anchor: Anchor;
  #atEnd = true;
  #top = 0;
  #busy = false;

  /**
   * @param scroller the element that scrolls
   * @param moved called when the user has scrolled, or may jump to what is new
   */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly moved: (atEnd: boolean) => void,
  ) {
    scroller.append(this.#before, this.#items, this.#after);
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    scroller.addEventListener("wheel", (event) => this.#leave(event.deltaY < 0), { passive: true });
    scroller.addEventListener("keydown", (event) => this.#key(event));
    this.#resized = new ResizeObserver(() => this.#schedule());
    this.#resized.observe(scroller);
    this.#resized.observe(this.#items);
  }

  get length(): number {
    return this.#transcript.length;
  }

  /** The last block of a kind. */
  last(kind: Block["kind"]): Block | undefined {
    for (let index = this.#transcript.length - 1; index >= 0; index -= 1) {
      const block = this.#transcript.at(index);
      if (block?.kind === kind) {
        return block;
      }
    }
    return undefined;
  }

  take(blocks: readonly TranscriptBlock[]): void {
    const last = this.#transcript.length - 1;
    const { changed, newFrom } = this.#transcript.apply(blocks);
    for (const index of changed) {
      this.#dirty.add(index);
    }
    if (this.#transcript.length > newFrom) {
      this.#dirty.add(last); // it is not the live one any more
    }
    this.#heights.grow(this.#transcript.length);
    this.#schedule();
  }

  clear(): void {
    this.#transcript.clear();
    this.#heights.clear();
    this.#dirty.clear();
    this.#open.clear();
    this.#calls.clear();
    this.#terminals.clear();
    this.#views.clear();
    this.#items.replaceChildren();
    this.#anchor = undefined;
    this.#atEnd = true;
    this.moved(true);
    this.#schedule();
  }

  takeExtras(
    calls: Readonly<Record<string, CallExtras>>,
    terminals: Readonly<Record<string, TerminalExtras>>,
  ): void {
    for (const [id, extras] of Object.entries(calls)) {
      this.#calls.set(id, extras);
      this.#touch(`tool_call:${id}`);
    }
    for (const [id, extras] of Object.entries(terminals)) {
      this.#terminals.set(id, extras);
      this.#touch(`terminal:${id}`);
    }
  }

  setBusy(busy: boolean): void {
    if (busy !== this.#busy) {
      this.#busy = busy;
      this.#dirty.add(this.#transcript.length - 1);
      this.#schedule();
    }
  }

  jumpToEnd(): void {
    this.#atEnd = true;
    this.#schedule();
    this.moved(true);
  }

  /** Where the user is, to come back to it. */
  place(sessionId: string): Place {
    const anchor = this.#atEnd ? undefined : this.#anchor;
    const blockId = anchor === undefined ? undefined : this.#transcript.at(anchor.index)?.id;
    return { sessionId, blockId: blockId ?? null, above: anchor?.above ?? 0 };
  }

  /** Go back to where the user was. */
  restore({ blockId, above }: Place): void {
    const index = blockId === null ? undefined : this.#transcript.indexOf(blockId);
    if (index !== undefined) {
      this.#anchor = { index, above };
      this.#atEnd = false;
      this.#schedule();
      this.moved(false);
    }
  }

  call(toolCallId: string): CallExtras | undefined {
    return this.#calls.get(toolCallId);
  }

  terminal(terminalId: string): TerminalExtras | undefined {
    return this.#terminals.get(terminalId);
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  setOpen(id: string, open: boolean): void {
    if (open) {
      this.#open.add(id);
    } else {
      this.#open.delete(id);
    }
  }

  isLive(block: Block): boolean {
    return this.#busy && this.#transcript.at(this.#transcript.length - 1)?.id === block.id;
  }

  #touch(id: string): void {
    const index = this.#transcript.indexOf(id);
    if (index !== undefined) {
      this.#dirty.add(index);
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#frame === 0) {
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#draw();
      });
    }
  }

  /** Far ways are gone at once: a browser's slow scrolling stops where a block is drawn anew. */
  #key(event: KeyboardEvent): void {
    const { scrollTop, clientHeight } = this.scroller;
    const page = Math.max(NEAR_END, clientHeight - PAGE_KEEPS);
    const to = {
      Home: 0,
      End: Infinity,
      PageUp: scrollTop - page,
      PageDown: scrollTop + page,
    }[event.key];
    const { altKey, ctrlKey, metaKey, shiftKey } = event;
    if (to === undefined || altKey || ctrlKey || metaKey || shiftKey) {
      this.#leave(event.key === "ArrowUp");
      return;
    }
    event.preventDefault();
    this.#goTo(to);
  }

  #goTo(top: number): void {
    const end = this.#heights.total - this.scroller.clientHeight;
    if (top >= end - NEAR_END) {
      this.jumpToEnd();
      return;
    }
    this.#atEnd = false;
    this.#anchor = this.#anchorAt(Math.max(0, top));
    this.moved(false);
    this.#schedule();
  }

  /** The user goes up: what comes at the end must not pull them back. */
  #leave(up: boolean): void {
    if (up && this.scroller.scrollHeight > this.scroller.clientHeight) {
      this.#setAtEnd(false);
    }
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    if (Math.abs(scrollTop - this.#top) < 1) {
      return; // it was us
    }
    const isUp = scrollTop < this.#top;
    this.#top = scrollTop;
    const isEnd = scrollTop + clientHeight >= scrollHeight - NEAR_END;
    this.#setAtEnd(isEnd && (!isUp || this.#atEnd));
    this.#anchor = this.#anchorAt(scrollTop);
    this.#schedule();
  }

  #setAtEnd(atEnd: boolean): void {
    if (atEnd !== this.#atEnd) {
      this.#atEnd = atEnd;
      this.#anchor = this.#anchorAt(this.scroller.scrollTop);
    }
    this.moved(atEnd);
  }

  #anchorAt(top: number): Anchor {
    if (this.#heights.length === 0) {
      return undefined;
    }
    const index = this.#heights.indexAt(top);
    return { index, above: top - this.#heights.offset(index) };
  }

  #draw(): void {
    for (let round = 0; round < ROUNDS; round += 1) {
      const wanted = this.#wanted();
      this.#remove(wanted);
      this.#patch(wanted);
      const moved = this.#measure();
      this.#before.style.height = `${this.#heights.offset(wanted.start)}px`;
      const below = this.#heights.total - this.#heights.offset(wanted.end);
      this.#after.style.height = `${below}px`;
      if (!moved) {
        break;
      }
    }
    this.#dirty.clear();
    this.#scrollTo(this.#wantedTop());
  }

  #wantedTop(): number {
    const end = Math.max(0, this.#heights.total - this.scroller.clientHeight);
    if (this.#atEnd || this.#anchor === undefined) {
      return end;
    }
    return Math.min(end, this.#heights.offset(this.#anchor.index) + this.#anchor.above);
  }

  #wanted(): Window {
    return windowOf(this.#heights, this.#wantedTop(), this.scroller.clientHeight, MARGIN);
  }

  #scrollTo(top: number): void {
    if (this.#atEnd) {
      this.scroller.scrollTop = this.scroller.scrollHeight;
    } else if (Math.abs(this.scroller.scrollTop - top) >= 1) {
      this.scroller.scrollTop = top;
    }
    this.#top = this.scroller.scrollTop;
  }

  #remove({ start, end }: Window): void {
    for (const [index, view] of this.#views) {
      if (index < start || index >= end) {
        if (view.element.contains(document.activeElement)) {
          this.scroller.focus({ preventScroll: true }); // or the keyboard would be nowhere
        }
        view.element.remove();
        this.#views.delete(index);
      }
    }
  }

  #patch({ start, end }: Window): void {
    let next: Element | null = this.#items.firstElementChild;
    for (let index = start; index < end; index += 1) {
      const block = this.#transcript.at(index);
      if (block === undefined) {
        continue;
      }
      const known = this.#views.get(index);
      const view = known ?? blockView(block.kind, this);
      if (known === undefined) {
        this.#views.set(index, view);
        this.#items.insertBefore(view.element, next);
        view.element.setAttribute("aria-posinset", String(index + 1));
      } else {
        next = view.element.nextElementSibling;
      }
      if (this.#dirty.delete(index) || known === undefined) {
        view.update(block);
      }
    }
  }

  /** @returns whether a block turned out to be of another height than was thought */
  #measure(): boolean {
    let moved = false;
    for (const [index, view] of this.#views) {
      const { height } = view.element.getBoundingClientRect();
      if (Math.abs(height - this.#heights.of(index)) > 0.5) {
        this.#heights.set(index, height);
        moved = true;
      }
    }
    return moved;
  }
}
