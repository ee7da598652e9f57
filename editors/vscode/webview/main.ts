/** The browser side of the Agent view: connects its parts to what the host tells. */
import "./view.css";
import type { ToWebview, ViewState } from "../src/view/messages";
import { Controls } from "./controls";
import { element, part } from "./dom";
import { keep, kept, listen, post } from "./host";
import { PermissionList } from "./permissions";
import { Plans, Queue } from "./progress";
import { PromptBox } from "./prompt_box";
import { SessionMenu } from "./sessions";
import { TranscriptView } from "./transcript_view";
import { Welcome } from "./welcome";

const MOST_SPOKEN = 400;
const KEEP_PLACE_AFTER = 200;

class AgentView {
  readonly #scroller = part("transcript");
  readonly #jump = part("jump") as HTMLButtonElement;
  readonly #status = part("status");
  readonly #transcript = new TranscriptView(this.#scroller, (atEnd) => this.#moved(atEnd));
  readonly #box = new PromptBox((text) => this.#say(text));
  readonly #sessions = new SessionMenu();
  readonly #controls = new Controls();
  readonly #plans = new Plans();
  readonly #queue = new Queue();
  readonly #welcome = new Welcome();
  readonly #permissions = new PermissionList(
    part("permissions"),
    (text) => this.#say(text),
    () => this.#box.focus(),
  );
  #sessionId: string | null = null;
  #state: ViewState | undefined;
  #keeping = 0;

  constructor() {
    this.#jump.addEventListener("click", () => this.#transcript.jumpToEnd());
    part("more-sessions").addEventListener("click", () => post({ type: "listMore" }));
    document.body.addEventListener("click", (event) => this.#clicked(event));
  }

  take(message: ToWebview): void {
    switch (message.type) {
      case "state":
        return this.#takeState(message.state);
      case "transcript":
        return this.#takeTranscript(message);
      case "extras":
        return this.#transcript.takeExtras(message.calls, message.terminals);
      case "empty":
        this.#sessionId = null;
        return this.#transcript.clear();
      case "compose":
        return this.#box.compose(message.text, message.chips);
      case "focus":
        return this.#box.focus();
      case "completions":
        return this.#box.takeCompletions(message.request, message.items);
      case "sent":
        return this.#box.takeSent(message.request, message.error);
    }
  }

  #takeState(state: ViewState): void {
    const before = this.#state?.current;
    this.#state = state;
    const { current } = state;
    this.#sessions.setState(state);
    this.#controls.setState(current);
    this.#plans.show(current?.plans ?? []);
    this.#queue.show(current?.queued ?? []);
    this.#permissions.show(state.permissions);
    this.#box.setState(state);
    this.#transcript.setBusy(current?.busy === true);
    this.#welcome.show(state);
    this.#scroller.setAttribute("aria-busy", String(current?.busy === true));
    if (before?.sessionId === current?.sessionId && before?.busy === true && !current?.busy) {
      this.#sayAnswer(current?.doing ?? "");
    }
  }

  #takeTranscript(message: Extract<ToWebview, { type: "transcript" }>): void {
    const isOther = message.sessionId !== this.#sessionId;
    if (message.reset || isOther) {
      this.#transcript.clear();
      this.#sessionId = message.sessionId;
    }
    this.#transcript.take(message.blocks);
    const { place } = kept();
    if (isOther && place?.sessionId === message.sessionId) {
      this.#transcript.restore(place);
    }
    this.#jump.classList.toggle("news", !this.#jump.hidden);
  }

  #moved(atEnd: boolean): void {
    this.#jump.hidden = atEnd;
    if (atEnd) {
      this.#jump.classList.remove("news");
    }
    clearTimeout(this.#keeping);
    this.#keeping = window.setTimeout(() => {
      if (this.#sessionId !== null) {
        keep({ place: this.#transcript.place(this.#sessionId) });
      }
    }, KEEP_PLACE_AFTER);
  }

  /** Tell what is seen to those who do not see it; once, and not piece by piece. */
  #say(text: string): void {
    this.#status.replaceChildren(element("p", {}, text));
  }

  #sayAnswer(doing: string): void {
    const last = this.#transcript.last("agent");
    const text = last === undefined ? "" : last.text + last.tail;
    const said = text.length > MOST_SPOKEN ? `${text.slice(0, MOST_SPOKEN)}…` : text;
    this.#say([`The agent is ${doing}.`, said].join(" "));
  }

  #clicked(event: MouseEvent): void {
    const target = event.target as Element;
    const link = target.closest<HTMLElement>("a[data-target]");
    if (link !== null) {
      event.preventDefault();
      event.stopPropagation(); // VS Code would follow it, too
      post({ type: "openLink", target: link.dataset["target"] ?? "" });
      return;
    }
    const copy = target.closest("[data-copy]");
    if (copy !== null) {
      const text = copy.parentElement?.querySelector("code")?.textContent ?? "";
      void navigator.clipboard.writeText(text).then(() => this.#say("Copied"));
    }
  }
}

window.addEventListener("error", ({ message }) => post({ type: "problem", message }));
window.addEventListener("unhandledrejection", ({ reason }) =>
  post({ type: "problem", message: String(reason) }),
);
const view = new AgentView();
listen((message) => view.take(message));
post({ type: "ready" });
