/** The blocks of a transcript as elements, each patched where it has changed. */
import type { CallExtras, TerminalExtras } from "../src/view/messages";
import {
  headOf,
  isRunning,
  kindIcon,
  noticeIcon,
  statusLook,
  type Head,
} from "../src/view/render/heads";
import type { Block } from "../src/view/render/transcript";
import { counted } from "../src/view/render/words";
import { button, element, fill, icon } from "./dom";
import { post } from "./host";
import { fillInline } from "./markdown";
import { MarkdownView } from "./markdown_view";

/** What blocks want to know of the rest of the view. */
export interface Surroundings {
  call(toolCallId: string): CallExtras | undefined;
  terminal(terminalId: string): TerminalExtras | undefined;
  /** Whether the user has unfolded the block. */
  isOpen(id: string): boolean;
  setOpen(id: string, open: boolean): void;
  /** The agent is at this block now. */
  isLive(block: Block): boolean;
}

/** A block on screen. */
export interface BlockView {
  readonly element: HTMLElement;
  update(block: Block): void;
}

/** Draw a block; `update` has to follow. */
export function blockView(kind: Block["kind"], around: Surroundings): BlockView {
  switch (kind) {
    case "user":
    case "agent":
      return new MessageView(kind);
    case "notice":
    case "note":
      return new NoticeView();
    default:
      return new FoldedView(kind, around);
  }
}

/** The id behind the kind, as `call-5` of `tool_call:call-5`. */
function idOf(block: Block): string {
  return block.id.slice(block.kind.length + 1);
}

/** What somebody says. */
class MessageView implements BlockView {
  readonly element: HTMLElement;
  readonly #body: MarkdownView;

  constructor(kind: "user" | "agent") {
    const body = element("div", { class: "markdown" });
    this.#body = new MarkdownView(body);
    this.element = element(
      "article",
      { class: `block ${kind}`, "aria-label": kind === "user" ? "You" : "Agent" },
      body,
    );
  }

  update({ text, tail }: Block): void {
    this.#body.update(text, tail);
  }
}

/** A line about something that happened. */
class NoticeView implements BlockView {
  readonly element = element("article", { class: "block notice" });
  #drawn = "";

  update(block: Block): void {
    const whole = JSON.stringify([block.head, block.text, block.tail]);
    if (whole === this.#drawn) {
      return;
    }
    this.#drawn = whole;
    const { mark, title, more } = headOf(block);
    const name = noticeIcon(mark);
    const body = element("div", { class: "markdown" });
    if (title !== "") {
      const line = element("p", { class: "title" });
      fillInline(line, title);
      body.append(line);
    }
    const rest = element("div", { class: "markdown" });
    new MarkdownView(rest).update([more, block.text].filter(Boolean).join("\n\n"), block.tail);
    body.append(...rest.childNodes);
    this.element.className = `block notice ${title === "" ? "plain" : name}`;
    this.element.replaceChildren(...(title === "" ? [] : [icon(name, name)]), body);
  }
}

const NAMES: Partial<Record<Block["kind"], string>> = {
  thought: "Thought",
  tool_call: "Tool call",
  terminal: "Terminal",
  plan: "Plan",
  compaction: "Context shortened",
};
const ICONS: Partial<Record<Block["kind"], string>> = {
  thought: "lightbulb",
  terminal: "terminal",
  plan: "checklist",
  compaction: "fold",
};

/** A line that unfolds: thoughts, tool calls, terminals, plans. */
class FoldedView implements BlockView {
  readonly element: HTMLElement;
  readonly #details = element("details");
  readonly #icon = element("span", { class: "kind" });
  readonly #title = element("span", { class: "title" });
  readonly #status = element("span", { class: "status" });
  readonly #places = element("div", { class: "places" });
  readonly #actions = element("div", { class: "actions" });
  readonly #bodyElement = element("div", { class: "markdown body" });
  #body = new MarkdownView(this.#bodyElement);
  #block: Block | undefined;
  #drawn = { line: "", places: "", actions: "" };
  #looked = false;

  constructor(
    kind: Block["kind"],
    private readonly around: Surroundings,
  ) {
    const summary = element("summary", {}, this.#icon, this.#title, this.#status);
    this.#details.append(summary, this.#bodyElement);
    const name = NAMES[kind] ?? kind;
    this.element = element(
      "article",
      { class: `block folded ${kind}`, "aria-label": name },
      this.#details,
      this.#places,
      this.#actions,
    );
    this.#details.addEventListener("toggle", () => this.#toggled());
    summary.addEventListener("click", (event) => {
      if (this.#details.classList.contains("empty")) {
        event.preventDefault();
      }
    });
    for (const interest of ["pointerenter", "focusin"]) {
      this.element.addEventListener(interest, () => this.#look());
    }
  }

  update(block: Block): void {
    if (this.#block === undefined) {
      this.#details.open = this.around.isOpen(block.id);
    }
    this.#block = block;
    const head = headOf(block);
    this.#drawLine(block, head);
    this.#drawPlaces(head);
    this.#drawActions(block);
    const isEmpty = block.text === "" && block.tail === "";
    this.#details.classList.toggle("empty", isEmpty);
    if (this.#details.open) {
      this.#body.update(block.text, block.tail);
    }
  }

  #drawLine(block: Block, head: Head): void {
    const { kind } = block;
    const live = this.around.isLive(block);
    const line = JSON.stringify([head.mark, head.title, head.kind, block.status, live]);
    if (line === this.#drawn.line) {
      return;
    }
    this.#drawn.line = line;
    const name = kind === "tool_call" ? kindIcon(head.kind) : (ICONS[kind] ?? "circle");
    this.#icon.replaceChildren(icon(name, kind === "tool_call" ? head.kind : ""));
    const title = kind === "thought" ? (live ? "Thinking…" : "Thought") : head.title;
    fillInline(this.#title, title);
    const look = block.status === "" ? undefined : statusLook(block.status);
    this.#status.replaceChildren(...(look === undefined ? [] : [icon(look.icon, look.label)]));
    this.#status.className = `status ${block.status}`;
  }

  #drawPlaces({ more }: Head): void {
    if (more !== this.#drawn.places) {
      this.#drawn.places = more;
      this.#places.replaceChildren();
      const block = more.startsWith("    ");
      if (block) {
        new MarkdownView(this.#places).update(more, "");
      } else {
        fillInline(this.#places, more);
      }
    }
    this.#places.hidden = more === "";
  }

  #drawActions(block: Block): void {
    const extras =
      block.kind === "tool_call"
        ? this.around.call(idOf(block))
        : block.kind === "terminal"
          ? this.around.terminal(idOf(block))
          : undefined;
    const wanted = JSON.stringify([extras, isRunning(block.status)]);
    if (wanted !== this.#drawn.actions) {
      this.#drawn.actions = wanted;
      fill(this.#actions, ...this.#buttons(block));
    }
  }

  #buttons(block: Block): HTMLElement[] {
    if (block.kind === "tool_call") {
      return callButtons(block, this.around.call(idOf(block)));
    }
    return block.kind === "terminal"
      ? terminalButtons(idOf(block), this.around.terminal(idOf(block)))
      : [];
  }

  #toggled(): void {
    const block = this.#block;
    if (block !== undefined) {
      this.around.setOpen(block.id, this.#details.open);
      if (this.#details.open) {
        this.#body.update(block.text, block.tail);
      }
    }
  }

  /** The user turns to it: a running call may be stopped, if its agent says so. */
  #look(): void {
    const block = this.#block;
    if (!this.#looked && block?.kind === "tool_call" && isRunning(block.status)) {
      this.#looked = true;
      post({ type: "lookAtCall", toolCallId: idOf(block) });
    }
  }
}

function callButtons(block: Block, extras: CallExtras | undefined): HTMLElement[] {
  const toolCallId = idOf(block);
  const buttons: HTMLElement[] = [];
  if (extras?.changes) {
    const { files, added, removed, open } = extras.changes;
    buttons.push(
      button({
        label: `${open ? "Review" : "Show"} ${counted(files, "file")} +${added} −${removed}`,
        icon: "diff",
        detail: "Compare before and after",
        className: open ? "open" : "",
        press: () => post({ type: "review", toolCallId }),
      }),
    );
  }
  if (extras?.stoppable === true && isRunning(block.status)) {
    const press = () => post({ type: "stopCall", toolCallId });
    buttons.push(button({ label: "Stop", icon: "debug-stop", press }));
  }
  return buttons;
}

function terminalButtons(terminalId: string, extras: TerminalExtras | undefined): HTMLElement[] {
  const open = () => post({ type: "openTerminal", terminalId });
  const stop = () => post({ type: "stopTerminal", terminalId });
  const canStop = extras?.running === true && extras.stoppable;
  return [
    button({ label: "Open terminal", icon: "terminal", press: open }),
    ...(canStop ? [button({ label: "Stop", icon: "debug-stop", press: stop })] : []),
  ];
}
