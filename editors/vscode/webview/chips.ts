/** What goes with the prompt: chips above the text, each of which can be taken away. */
import type { Chip } from "../src/view/messages";
import { button, element, fill, icon } from "./dom";

export class Chips {
  #chips: readonly Chip[] = [];

  /** @param changed called after every change, to keep them and to give the focus back */
  constructor(
    private readonly list: HTMLElement,
    private readonly changed: () => void,
  ) {}

  get all(): readonly Chip[] {
    return this.#chips;
  }

  /** Add chips; the same thing twice is one chip. */
  add(chips: readonly Chip[]): void {
    const known = new Set(this.#chips.map(key));
    this.set([...this.#chips, ...chips.filter((chip) => !known.has(key(chip)))]);
  }

  set(chips: readonly Chip[]): void {
    this.#chips = chips;
    fill(this.list, ...chips.map((chip, index) => this.#draw(chip, index)));
    this.changed();
  }

  #draw(chip: Chip, index: number): HTMLElement {
    const { item } = chip;
    const picture =
      "type" in item
        ? element("img", { src: `data:${item.mimeType};base64,${item.data}`, alt: "" })
        : icon(chip.icon);
    const remove = button({
      label: `Remove ${chip.label}`,
      icon: "close",
      iconOnly: true,
      press: () => this.set(this.#chips.filter((_, other) => other !== index)),
    });
    return element(
      "span",
      { class: "chip", role: "listitem", title: chip.detail },
      picture,
      element("span", { class: "label" }, chip.label),
      remove,
    );
  }
}

function key({ item }: Chip): string {
  return JSON.stringify(item);
}
