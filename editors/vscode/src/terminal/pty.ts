/** One agent terminal on screen: VS Code's emulator gets the raw bytes, in order, each once. */
import * as vscode from "vscode";
import type { TerminalExit, TerminalParams } from "../contract";
import type { AgentTerminal, AgentTerminals } from "./model";
import { Decoder, Feed, type Step } from "./render/feed";
import { ending, nameOf, remark, succeeded } from "./render/labels";

const CLEAR = "\x1bc";
const HIDE_CURSOR = "\x1b[?25l";
const INTERRUPT = "\x03";

export class AgentPty implements vscode.Pseudoterminal {
  readonly #write = new vscode.EventEmitter<string>();
  readonly #close = new vscode.EventEmitter<void>();
  readonly #rename = new vscode.EventEmitter<string>();
  readonly #resize = new vscode.EventEmitter<vscode.TerminalDimensions | undefined>();
  readonly #feed = new Feed();
  readonly #decoder = new Decoder();
  #exit: TerminalExit | null = null;
  /** Shown and not caught up yet: what comes meanwhile is in the answer, or asked for. */
  #reading = true;
  #opened = false;
  #told = false;

  readonly onDidWrite = this.#write.event;
  readonly onDidClose = this.#close.event;
  readonly onDidChangeName = this.#rename.event;
  readonly onDidOverrideDimensions = this.#resize.event;

  constructor(
    private readonly terminal: AgentTerminal,
    private readonly terminals: AgentTerminals,
  ) {}

  open(): void {
    this.#opened = true;
    void this.#catchUp();
  }

  close(): void {
    this.#opened = false; // only the view of it: the program is the agent's
  }

  /** The agent's programs take no input from here, except to be stopped. */
  handleInput(data: string): void {
    if (this.#exit !== null) {
      this.#close.fire(); // with a status, VS Code would report a failure that was told above
    } else if (data === INTERRUPT) {
      void this.#stop();
    } else if (!this.#told) {
      this.#told = true;
      this.#write.fire(remark("only the agent writes here; Ctrl+C stops the program"));
    }
  }

  /** News of this terminal, as the server sends it. */
  take(params: TerminalParams): void {
    if (!this.#opened || this.#reading) {
      return;
    }
    if (this.#apply(params, false).gap) {
      void this.#catchUp();
    }
  }

  /** The server has ended. */
  gone(): void {
    if (this.#exit === null) {
      this.#write.fire(remark("the ACP server has ended; press any key to close"));
      this.#exit = { exitCode: null, signal: null };
    }
  }

  async #catchUp(): Promise<void> {
    this.#reading = true;
    try {
      let more = true;
      while (more && this.#opened) {
        const page = await this.terminals.output(this.terminal, this.#feed.next);
        this.#apply(page, true);
        more = page.more === true;
      }
    } catch (error) {
      this.#write.fire(remark(error instanceof Error ? error.message : String(error)));
    }
    this.#reading = false;
  }

  #apply(params: TerminalParams, answer: boolean): Step {
    const step = this.#feed.take(params, answer);
    if (step.reset) {
      this.#decoder.reset();
      this.#write.fire(CLEAR);
    }
    if (step.lost > 0) {
      this.#write.fire(remark(`${step.lost} bytes are no longer kept`));
    }
    if (step.bytes.length > 0) {
      this.#write.fire(this.#decoder.text(step.bytes));
    }
    if (!step.gap) {
      this.#facts(params);
    }
    return step;
  }

  #facts({ command, size, exitStatus, more }: TerminalParams): void {
    if (size !== undefined) {
      this.#resize.fire(size === null ? undefined : { columns: size.cols, rows: size.rows });
    }
    if (command !== undefined) {
      this.#rename.fire(nameOf(command));
    }
    // While there is more to read, its end is not reached yet.
    if (exitStatus && this.#exit === null && more !== true) {
      this.#end(exitStatus);
    }
  }

  #end(exit: TerminalExit): void {
    this.#exit = exit;
    const name = nameOf(this.terminals.get(this.terminal)?.command ?? this.terminal.command);
    this.#rename.fire(`${succeeded(exit) ? "✓" : "✗"} ${name}`);
    this.#write.fire(remark(`${ending(exit)}; press any key to close`) + HIDE_CURSOR);
  }

  async #stop(): Promise<void> {
    try {
      await this.terminals.stop(this.terminal);
    } catch (error) {
      this.#write.fire(remark(error instanceof Error ? error.message : String(error)));
    }
  }
}
