/** What is ahead: the agent's plans, and prompts that wait. */
import type { PlanRow, QueuedRow } from "../src/view/messages";
import { statusLook } from "../src/view/render/heads";
import { planDone } from "../src/view/render/words";
import { button, element, fill, icon, part } from "./dom";
import { post } from "./host";

/** The plans that are not done, above the prompt box; folded to one line if the user wants. */
export class Plans {
  readonly #list = part("plans");
  readonly #folded = new Set<string>();
  #drawn = "";

  show(plans: readonly PlanRow[]): void {
    const going = plans.filter(({ entries }) => planDone(entries) < entries.length);
    const wanted = JSON.stringify(going);
    if (wanted !== this.#drawn) {
      this.#drawn = wanted;
      fill(this.#list, ...going.map((plan) => this.#draw(plan)));
    }
  }

  #draw({ planId, entries }: PlanRow): HTMLElement {
    const now = entries.find((entry) => entry.status === "in_progress");
    const count = `${planDone(entries)}/${entries.length}`;
    const summary = element(
      "summary",
      {},
      icon("checklist"),
      element("span", { class: "title" }, now?.content ?? "Plan"),
      element("span", { class: "count", role: "img", "aria-label": `${count} done` }, count),
    );
    const items = entries.map((entry) => {
      const look = statusLook(entry.status);
      return element(
        "li",
        { class: `entry ${entry.status}` },
        icon(look.icon, look.label),
        element("span", {}, entry.content),
        entry.priority === "high" ? element("span", { class: "priority" }, "high priority") : null,
      );
    });
    const made = element("details", {}, summary, element("ol", {}, ...items));
    made.open = !this.#folded.has(planId);
    made.addEventListener("toggle", () => {
      if (made.open) {
        this.#folded.delete(planId);
      } else {
        this.#folded.add(planId);
      }
    });
    return made;
  }
}

/** Prompts that are not in the conversation yet. */
export class Queue {
  readonly #list = part("queue");
  #drawn = "";

  show(queued: readonly QueuedRow[]): void {
    const wanted = JSON.stringify(queued);
    if (wanted === this.#drawn) {
      return;
    }
    this.#drawn = wanted;
    const held = queued.some(({ state }) => state === "held");
    const release = button({
      label: "Send what is held",
      icon: "play",
      press: () => post({ type: "release" }),
    });
    fill(this.#list, ...queued.map(queuedRow), held ? release : null);
  }
}

const QUEUED = { sent: "sent", waiting: "waits for the turn's end", held: "held" };

function queuedRow({ promptId, text, state }: QueuedRow): HTMLElement {
  const remove = button({
    label: "Take back into the prompt box",
    icon: "discard",
    iconOnly: true,
    press: () => post({ type: "unqueue", promptId }),
  });
  return element(
    "div",
    { class: "queued", role: "listitem" },
    icon("clock"),
    element("span", { class: "label" }, text),
    element("span", { class: "detail" }, QUEUED[state]),
    state === "sent" ? null : remove,
  );
}
