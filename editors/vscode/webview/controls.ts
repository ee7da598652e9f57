/** What stands below the prompt box: options of the session as selects, and how full it is. */
import type { CurrentSession, OptionRow } from "../src/view/messages";
import { usageLook } from "../src/view/render/words";
import { element, fill, part } from "./dom";
import { post } from "./host";

/** Drawn anew only when they have changed, so that a select that is open stays open. */
export class Controls {
  readonly #options = part("options");
  readonly #usage = part("usage");
  #drawn = "";

  setState(current: CurrentSession | null): void {
    const options = current?.options ?? [];
    const usage = current?.usage ?? null;
    const wanted = JSON.stringify([current?.sessionId, options, usage]);
    if (wanted === this.#drawn) {
      return;
    }
    this.#drawn = wanted;
    const focused = this.#options.querySelector<HTMLElement>(":focus")?.dataset["option"];
    fill(this.#options, ...options.map(control));
    const again = [...this.#options.querySelectorAll<HTMLElement>("[data-option]")];
    again.find((each) => each.dataset["option"] === focused)?.focus();
    this.#showUsage(usage);
  }

  #showUsage(usage: CurrentSession["usage"]): void {
    if (usage === null) {
      fill(this.#usage);
      return;
    }
    const { share, label, detail } = usageLook(usage);
    const meter = element("progress", {
      max: "1",
      value: String(share),
      "aria-label": detail,
      "aria-valuetext": `${Math.round(100 * share)}%`,
    });
    fill(this.#usage, meter, element("span", {}, label));
    this.#usage.title = detail;
  }
}

function control(option: OptionRow): HTMLElement {
  return option.type === "boolean" ? box(option) : select(option);
}

function box(option: Extract<OptionRow, { type: "boolean" }>): HTMLElement {
  const { configId, name, detail, value } = option;
  const input = element("input", {
    type: "checkbox",
    checked: value,
    "data-option": configId,
  });
  input.addEventListener("change", () => {
    post({ type: "option", configId, value: input.checked });
  });
  return element("label", { class: "option", title: detail ?? name }, input, name);
}

function select(option: Extract<OptionRow, { type: "select" }>): HTMLElement {
  const { configId, name, detail, value, choices } = option;
  const made = element("select", { "aria-label": name, "data-option": configId });
  const groups = new Map<string, HTMLElement>();
  for (const choice of choices) {
    const entry = element(
      "option",
      { value: choice.value, title: choice.detail ?? false },
      choice.label,
    );
    entry.selected = choice.value === value;
    groupOf(made, groups, choice.group).append(entry);
  }
  made.addEventListener("change", () => post({ type: "option", configId, value: made.value }));
  return element(
    "label",
    { class: "option", title: [name, detail].filter(Boolean).join(": ") },
    made,
  );
}

function groupOf(
  parent: HTMLElement,
  groups: Map<string, HTMLElement>,
  name: string | null,
): HTMLElement {
  if (name === null) {
    return parent;
  }
  const known = groups.get(name);
  if (known !== undefined) {
    return known;
  }
  const made = element("optgroup", { label: name });
  groups.set(name, made);
  parent.append(made);
  return made;
}
