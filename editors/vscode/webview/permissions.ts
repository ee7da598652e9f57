/**
 * Open permissions, each with all that is to be known before answering. They appear without taking
 * the focus, their buttons do nothing for the first moment, and none of them is a default.
 */
import type { PermissionCard, PermissionOption } from "../src/view/messages";
import { button, element, icon } from "./dom";
import { post } from "./host";

interface Shown {
  readonly element: HTMLElement;
  readonly drawn: string;
}

export class PermissionList {
  readonly #shown = new Map<string, Shown>();

  /**
   * @param say tell a person who cannot see it
   * @param left the focus was in a card that is gone
   */
  constructor(
    private readonly list: HTMLElement,
    private readonly say: (text: string) => void,
    private readonly left: () => void,
  ) {}

  show(cards: readonly PermissionCard[]): void {
    const wanted = new Set(cards.map((card) => card.permissionId));
    for (const [id, { element: gone }] of this.#shown) {
      if (!wanted.has(id)) {
        this.#remove(id, gone);
      }
    }
    for (const card of cards) {
      this.#showOne(card);
    }
    this.list.hidden = cards.length === 0;
  }

  #remove(id: string, gone: HTMLElement): void {
    const hadFocus = gone.contains(document.activeElement);
    gone.remove();
    this.#shown.delete(id);
    if (hadFocus) {
      this.left();
    }
  }

  #showOne(card: PermissionCard): void {
    // Only the rest of its inert time differs from one state to the next.
    const drawn = JSON.stringify({ ...card, inertFor: 0 });
    const known = this.#shown.get(card.permissionId);
    if (known?.drawn === drawn) {
      return;
    }
    const made = cardOf(card);
    if (known === undefined) {
      this.list.append(made);
      this.say(`${card.agent} asks: ${card.title}`);
    } else {
      known.element.replaceWith(made);
    }
    this.#shown.set(card.permissionId, { element: made, drawn });
  }
}

function cardOf(card: PermissionCard): HTMLElement {
  const titleId = `permission-${card.permissionId}`;
  const made = element("div", { class: "permission", role: "group", "aria-labelledby": titleId });
  const answers = element("div", { class: "answers" }, ...answerButtons(card));
  made.append(
    element(
      "div",
      { class: "title", id: titleId },
      icon("question"),
      element("span", { class: "who" }, `${card.agent} asks: `),
      element("span", {}, card.title),
    ),
    ...card.warnings.map((text) =>
      element("p", { class: "warning" }, icon("warning", "warning"), ` ${text}`),
    ),
    ...(card.description === null ? [] : [element("p", {}, card.description)]),
    ...card.facts.map(fact),
    answers,
  );
  keepInert(answers, card.inertFor);
  return made;
}

function fact(line: string): HTMLElement {
  return line.startsWith("$ ")
    ? element("pre", { class: "command" }, element("code", {}, line.slice(2)))
    : element("p", { class: "fact" }, line);
}

function answerButtons(card: PermissionCard): HTMLElement[] {
  const { permissionId } = card;
  const answers = card.options.map((option) => answerButton(permissionId, option));
  const details = button({
    label: card.hasDiff ? "Show changes" : "Details",
    className: "quiet",
    press: () => post({ type: "permissionDetails", permissionId }),
  });
  const more = button({
    label: card.canRemember ? "Remember..." : "More...",
    className: "quiet",
    press: () => post({ type: "answerMore", permissionId }),
  });
  return [...answers, details, more];
}

function answerButton(permissionId: string, option: PermissionOption): HTMLElement {
  const { optionId, name, icon: look, refuses } = option;
  return button({
    label: name,
    icon: look,
    className: refuses ? "answer refuses" : "answer",
    press: () => post({ type: "answer", permissionId, optionId }),
  });
}

/** Have answers do nothing for a moment: a key or click may have been meant for something else. */
function keepInert(answers: HTMLElement, milliseconds: number): void {
  if (milliseconds <= 0) {
    return;
  }
  answers.inert = true;
  setTimeout(() => (answers.inert = false), milliseconds);
}
