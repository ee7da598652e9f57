/** Makes elements. Text only ever becomes text nodes: nothing here reads HTML. */

type Child = Node | string | null;

/** An element with attributes and children; a false attribute is left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** One of VS Code's icons; decoration, unless it has a label. */
export function icon(name: string, label = ""): HTMLElement {
  const spin = name === "loading" ? " codicon-modifier-spin" : "";
  return element("span", {
    class: `codicon codicon-${name}${spin}`,
    ...(label === "" ? { "aria-hidden": "true" } : { role: "img", "aria-label": label }),
    title: label === "" ? false : label,
  });
}

/** What a button looks like and does. */
export interface ButtonLook {
  readonly label: string;
  readonly icon?: string;
  /** Only the icon is seen; the label is its accessible name and its tooltip. */
  readonly iconOnly?: boolean;
  readonly detail?: string;
  readonly className?: string;
  readonly press: () => void;
}

export function button(look: ButtonLook): HTMLButtonElement {
  const { label, icon: name, iconOnly = false, detail, className = "", press } = look;
  const made = element(
    "button",
    {
      type: "button",
      class: `${iconOnly ? "icon-button" : "text-button"} ${className}`.trim(),
      title: detail ?? (iconOnly ? label : false),
      "aria-label": iconOnly ? label : false,
    },
    name === undefined ? null : icon(name),
    iconOnly ? null : element("span", {}, label),
  );
  made.addEventListener("click", press);
  return made;
}

/** The element by its id in the page that the host has made. */
export function part(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no ${id}`);
  }
  return found;
}

/** Replace children only if there is something to replace: the focus in them would be lost. */
export function fill(parent: HTMLElement, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter((child) => child !== null));
  parent.hidden = parent.childNodes.length === 0;
}
