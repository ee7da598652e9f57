/** The prompt box: text over several lines, completion, history, chips, Send and Cancel. */
import type { Chip, Completion, SlashCommand, ViewState } from "../src/view/messages";
import {
  commandCompletions,
  completed,
  hintFor,
  typedAt,
  type Typed,
} from "../src/view/render/completing";
import { History } from "../src/view/render/history";
import { Chips } from "./chips";
import { CompletionList } from "./completion_list";
import { part } from "./dom";
import { keep, kept, post } from "./host";
import { imagesOf } from "./images";
import { obstacle } from "./welcome";

export class PromptBox {
  readonly #input = part("prompt") as HTMLTextAreaElement;
  readonly #send = part("send") as HTMLButtonElement;
  readonly #cancel = part("cancel") as HTMLButtonElement;
  readonly #hint = part("hint");
  readonly #chips: Chips;
  readonly #list: CompletionList;
  readonly #history: History;
  #state: ViewState | undefined;
  #typed: Typed | undefined;
  #request = 0;
  /** What is to be said until the user types on. */
  #note = { text: "", isError: false };
  /** The prompt that is on its way: it is put back if it could not be sent. */
  #sending:
    | { readonly request: number; readonly text: string; readonly chips: readonly Chip[] }
    | undefined;

  /** @param say tell a person who cannot see it */
  constructor(private readonly say: (text: string) => void) {
    const { draft, chips, history } = kept();
    this.#history = new History(history);
    this.#chips = new Chips(part("chips"), () => this.#changed());
    this.#list = new CompletionList(part("completions"), this.#input, (item) => this.#accept(item));
    this.#input.value = draft;
    this.#chips.set(chips);
    this.#input.addEventListener("input", () => this.#typedOn());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => this.#list.hide());
    this.#input.addEventListener("paste", (event) => void this.#paste(event));
    this.#send.addEventListener("click", () => this.#submit());
    this.#cancel.addEventListener("click", () => post({ type: "cancel" }));
  }

  focus(): void {
    this.#input.focus();
  }

  setState(state: ViewState): void {
    this.#state = state;
    const busy = state.current?.busy === true;
    const agent = state.current?.agent ?? state.defaultAgent;
    this.#input.placeholder = agent === "" ? "Ask an agent" : `Ask ${agent}`;
    this.#input.title = state.takesImages ? "Images can be pasted" : "";
    this.#cancel.hidden = !busy;
    this.#cancel.disabled = state.current?.cancelling === true;
    this.#update();
  }

  /** Put something into the box: behind what is there. */
  compose(text: string, chips: readonly Chip[]): void {
    if (text !== "") {
      const now = this.#input.value.trimEnd();
      this.#setText(now === "" ? text : `${now} ${text}`);
    }
    this.#chips.add(chips);
    this.focus();
  }

  takeCompletions(request: number, items: readonly Completion[]): void {
    if (request === this.#request && this.#typed !== undefined) {
      this.#list.show(items);
    }
  }

  takeSent(request: number, error: string | null): void {
    const sent = this.#sending;
    if (sent?.request !== request) {
      return;
    }
    this.#sending = undefined;
    if (error === null) {
      this.#history.add(sent.text);
      keep({ history: this.#history.prompts });
      this.#update();
    } else {
      // What the user has begun to type meanwhile stands behind it.
      this.#setText([sent.text, this.#input.value].filter(Boolean).join("\n"));
      this.#chips.set([...sent.chips, ...this.#chips.all]);
      this.#say(error, true);
    }
  }

  #commands(): readonly SlashCommand[] {
    return this.#state?.current?.commands ?? [];
  }

  /** Why nothing can be sent; a server that is starting is waited for. */
  get #obstacle(): string {
    return obstacle(this.#state?.server ?? "starting");
  }

  #canSend(): boolean {
    const isEmpty = this.#input.value.trim() === "" && this.#chips.all.length === 0;
    return !isEmpty && this.#sending === undefined;
  }

  #submit(): void {
    if (!this.#canSend()) {
      return;
    }
    if (this.#obstacle !== "") {
      this.#say(this.#obstacle, true);
      return;
    }
    const text = this.#input.value.trim();
    const chips = this.#chips.all;
    this.#request += 1;
    this.#sending = { request: this.#request, text, chips };
    const items = chips.map((chip) => chip.item);
    post({ type: "send", request: this.#request, text, items });
    this.#setText("");
    this.#chips.set([]);
    this.focus();
  }

  #key(event: KeyboardEvent): void {
    if (event.isComposing) {
      return;
    }
    if (event.key === "Enter" && this.#isWhole()) {
      this.#list.hide(); // nothing is left to complete: it is sent
    }
    const isOurs = this.#list.key(event) || this.#ownKey(event);
    if (isOurs) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Whether what is selected in the list has been typed out. */
  #isWhole(): boolean {
    const { start, end } = this.#typed ?? { start: 0, end: 0 };
    const word = this.#input.value.slice(start, end);
    return word !== "" && this.#list.selected?.insert === word;
  }

  #ownKey(event: KeyboardEvent): boolean {
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      this.#submit();
      return true;
    }
    const { selectionStart, selectionEnd, value } = this.#input;
    if (event.shiftKey || selectionStart !== selectionEnd) {
      return false;
    }
    if (event.key === "ArrowUp" && selectionStart === 0) {
      return this.#walk(this.#history.back(value), 0);
    }
    if (event.key === "ArrowDown" && selectionEnd === value.length) {
      return this.#walk(this.#history.forward(), undefined);
    }
    return false;
  }

  #walk(text: string | undefined, cursor: number | undefined): boolean {
    if (text === undefined) {
      return false;
    }
    this.#setText(text);
    this.#input.setSelectionRange(cursor ?? text.length, cursor ?? text.length);
    return true;
  }

  #typedOn(): void {
    this.#note = { text: "", isError: false };
    this.#changed();
    this.#typed = typedAt(this.#input.value, this.#input.selectionStart);
    if (this.#typed === undefined) {
      this.#list.hide();
    } else if (this.#typed.what === "command") {
      this.#list.show(commandCompletions(this.#commands(), this.#typed.query));
    } else {
      this.#request += 1;
      const { what, query } = this.#typed;
      post({ type: "complete", request: this.#request, what, query });
    }
  }

  #accept(item: Completion): void {
    const typed = this.#typed;
    this.#list.hide();
    if (typed === undefined) {
      return;
    }
    const { text, cursor } = completed(this.#input.value, typed, item.insert);
    this.#setText(text);
    this.#input.setSelectionRange(cursor, cursor);
    this.#typed = undefined;
    if (item.chip !== null) {
      this.#chips.add([item.chip]);
    }
  }

  async #paste(event: ClipboardEvent): Promise<void> {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.some((file) => file.type.startsWith("image/"))) {
      return;
    }
    event.preventDefault();
    if (this.#state?.takesImages !== true) {
      this.#say("This agent takes no images.", true);
      return;
    }
    const { chips, error } = await imagesOf(files);
    this.#chips.add(chips);
    if (error !== "") {
      this.#say(error, true);
    }
  }

  #setText(text: string): void {
    this.#input.value = text;
    this.#changed();
  }

  #changed(): void {
    keep({
      draft: this.#input.value,
      chips: this.#chips.all.filter(({ item }) => !("type" in item)),
    });
    this.#update();
  }

  #update(): void {
    this.#send.disabled = !this.#canSend() || this.#obstacle !== "";
    this.#input.ariaBusy = String(this.#sending !== undefined);
    const { value } = this.#input;
    const { text, isError } = this.#note;
    this.#showHint(text === "" ? hintFor(value, this.#commands()) : text, isError);
  }

  #say(text: string, isError: boolean): void {
    this.#note = { text, isError };
    this.#update();
    this.say(text);
  }

  #showHint(text: string, isError: boolean): void {
    this.#hint.textContent = text;
    this.#hint.classList.toggle("error", isError);
    this.#hint.hidden = text === "";
  }
}
