/** The list above the prompt box: what can stand at the cursor, chosen by keys or mouse. */
import type { Completion } from "../src/view/messages";
import { element, icon } from "./dom";

export class CompletionList {
  #items: readonly Completion[] = [];
  #selected = 0;

  /**
   * @param list the element with role listbox
   * @param input the text box that keeps the focus
   */
  constructor(
    private readonly list: HTMLElement,
    private readonly input: HTMLElement,
    private readonly accept: (completion: Completion) => void,
  ) {
    // The text box must not lose the focus to the list.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("[role=option]");
      const item = this.#items[Number(row?.dataset["index"] ?? NaN)];
      if (item !== undefined) {
        this.accept(item);
      }
    });
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  get selected(): Completion | undefined {
    return this.#items[this.#selected];
  }

  show(items: readonly Completion[]): void {
    this.#items = items;
    this.#selected = 0;
    this.list.replaceChildren(...items.map(row));
    this.list.hidden = items.length === 0;
    this.#mark();
  }

  hide(): void {
    if (this.isOpen) {
      this.show([]);
    }
  }

  /** @returns whether the key was for the list */
  key(event: KeyboardEvent): boolean {
    if (!this.isOpen) {
      return false;
    }
    switch (event.key) {
      case "ArrowDown":
        return this.#move(1);
      case "ArrowUp":
        return this.#move(-1);
      case "Escape":
        this.hide();
        return true;
      case "Enter":
      case "Tab": {
        const item = this.selected;
        if (event.shiftKey || item === undefined) {
          return false;
        }
        this.accept(item);
        return true;
      }
      default:
        return false;
    }
  }

  #move(by: number): true {
    const count = this.#items.length;
    this.#selected = (this.#selected + by + count) % count;
    this.#mark();
    return true;
  }

  #mark(): void {
    [...this.list.children].forEach((child, index) => {
      child.setAttribute("aria-selected", String(index === this.#selected));
    });
    const selected = this.list.children[this.#selected];
    if (selected === undefined) {
      this.input.removeAttribute("aria-activedescendant");
    } else {
      this.input.setAttribute("aria-activedescendant", selected.id);
      selected.scrollIntoView({ block: "nearest" });
    }
  }
}

function row(item: Completion, index: number): HTMLElement {
  return element(
    "div",
    { role: "option", id: `completion-${index}`, "data-index": String(index), class: "row" },
    icon(item.icon),
    element("span", { class: "label" }, item.label),
    element("span", { class: "detail" }, item.detail),
  );
}
