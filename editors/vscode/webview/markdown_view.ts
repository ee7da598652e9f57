/** Markdown that grows, drawn into one element: what has been drawn and stays is not touched. */
import type { Token } from "markdown-it";
import { Segments } from "../src/view/render/segments";
import { elementsOf, parse } from "./markdown";

export class MarkdownView {
  readonly #segments = new Segments<Token[]>(parse);
  /** The nodes of each top-level block. */
  readonly #drawn: Node[][] = [];

  constructor(readonly element: HTMLElement) {}

  /**
   * Draw the text as it is now.
   *
   * @param text what only grows
   * @param tail what stands behind it for now
   */
  update(text: string, tail: string): void {
    const { kept, parts } = this.#segments.update(text, tail);
    for (const node of this.#drawn.splice(kept).flat()) {
      node.parentNode?.removeChild(node);
    }
    for (const part of parts.slice(kept)) {
      const nodes = elementsOf(part.content);
      this.element.append(...nodes);
      this.#drawn.push(nodes);
    }
  }
}
