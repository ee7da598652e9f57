/** What the user does in the view, done by the server or by other parts of the extension. */
import * as vscode from "vscode";
import { messageOf } from "../commands/reported";
import type { PastSessions, SessionOf } from "../past_sessions";
import type { Permissions } from "../permission/model";
import { sayTooLate } from "../permission/pick";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { contextCompletions } from "./context";
import type { Extras } from "./extras";
import type { WorkspaceFiles } from "./files";
import { openLink } from "./links";
import { RUNNABLE, type FromWebview, type ToWebview } from "./messages";

type Message<T extends FromWebview["type"]> = Extract<FromWebview, { type: T }>;

/** What actions are made of. */
export interface Parts {
  readonly sidecar: Sidecar;
  readonly sessions: Sessions;
  readonly permissions: Permissions;
  readonly past: PastSessions;
  readonly extras: Extras;
  readonly files: WorkspaceFiles;
  readonly post: (message: ToWebview) => void;
}

type Doing = {
  readonly [T in Exclude<FromWebview["type"], "ready">]: (message: Message<T>) => unknown;
};

/** One entry for each message; what fails is told to the user. */
export class Actions {
  readonly #doing: Doing;

  constructor(private readonly parts: Parts) {
    this.#doing = { ...this.#conversation(), ...this.#listing(), ...this.#transcript() };
  }

  async do(message: Exclude<FromWebview, { type: "ready" }>): Promise<void> {
    try {
      const act = this.#doing[message.type] as (message: FromWebview) => unknown;
      await act(message);
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
    }
  }

  get #sessionId(): string {
    const { current } = this.parts.sessions;
    if (current === undefined) {
      throw new Error("There is no session.");
    }
    return current.sessionId;
  }

  #conversation(): Pick<
    Doing,
    | "send"
    | "cancel"
    | "option"
    | "complete"
    | "answer"
    | "answerMore"
    | "permissionDetails"
    | "unqueue"
    | "release"
  > {
    const { sidecar, permissions } = this.parts;
    const run = vscode.commands.executeCommand;
    return {
      send: (message) => this.#send(message),
      cancel: () => sidecar.command("acp.cancel", { sessionId: this.#sessionId }),
      option: ({ configId, value }) =>
        sidecar.command("acp.session.setOption", {
          sessionId: this.#sessionId,
          option: configId,
          value,
        }),
      complete: (message) => this.#complete(message),
      answer: ({ permissionId, optionId }) => {
        const answer = optionId === null ? null : { optionId };
        if (!permissions.answer(permissionId, answer)) {
          sayTooLate(permissions.find(permissionId));
        }
      },
      answerMore: ({ permissionId }) => run("acpSidecar.permission.answer", permissionId),
      permissionDetails: ({ permissionId }) => run("acpSidecar.permission.details", permissionId),
      unqueue: ({ promptId }) => this.#unqueue(promptId),
      release: () => sidecar.command("acp.prompt.release", { sessionId: this.#sessionId }),
    };
  }

  #listing(): Pick<
    Doing,
    "select" | "resume" | "close" | "delete" | "forget" | "list" | "listMore" | "run"
  > {
    const { sidecar, sessions, past } = this.parts;
    return {
      select: ({ sessionId }) => sessions.setCurrent(sessionId),
      resume: (message) => this.#resume(message),
      close: ({ sessionId }) => sidecar.command("acp.session.close", { sessionId }),
      delete: (message) => past.delete(message),
      forget: (message) => past.forget(message),
      list: () => past.list(),
      listMore: () => past.listMore(),
      run: ({ command }) => vscode.commands.executeCommand(RUNNABLE[command]),
    };
  }

  #transcript(): Pick<
    Doing,
    "openLink" | "review" | "openTerminal" | "stopTerminal" | "stopCall" | "lookAtCall" | "problem"
  > {
    const { sidecar, sessions, extras } = this.parts;
    const run = vscode.commands.executeCommand;
    return {
      openLink: ({ target }) => openLink(target, sessions.current?.cwd ?? ""),
      review: ({ toolCallId }) =>
        run("acpSidecar.review.showChanges", { sessionId: this.#sessionId, toolCallId }),
      openTerminal: ({ terminalId }) =>
        run("acpSidecar.terminal.open", { sessionId: this.#sessionId, terminalId }),
      stopTerminal: ({ terminalId }) =>
        sidecar.command("acp.terminal.stop", { sessionId: this.#sessionId, terminalId }),
      stopCall: ({ toolCallId }) =>
        sidecar.command("acp.toolCall.stop", { sessionId: this.#sessionId, toolCallId }),
      lookAtCall: ({ toolCallId }) => extras.lookAtCall(this.#sessionId, toolCallId),
      problem: ({ message }) => sidecar.log.error(`the Agent view: ${message}`),
    };
  }

  async #send({ request, text, items }: Message<"send">): Promise<void> {
    const { sidecar, sessions, post } = this.parts;
    const { current } = sessions;
    const to = current === undefined ? {} : { sessionId: current.sessionId };
    try {
      const { sessionId } = await sidecar.command("acp.prompt", {
        ...to,
        text,
        context: [...items],
      });
      sessions.setCurrent(sessionId);
      await new Promise(setImmediate); // what has become of the session is told first
      post({ type: "sent", request, error: null });
    } catch (error) {
      post({ type: "sent", request, error: messageOf(error) });
    }
  }

  /** Back into the prompt box, where it can be changed and sent again. */
  async #unqueue(promptId: string): Promise<void> {
    const { text } = await this.parts.sidecar.command("acp.prompt.unqueue", { promptId });
    this.parts.post({ type: "compose", text, chips: [] });
  }

  async #complete({ request, what, query }: Message<"complete">): Promise<void> {
    const { files, post } = this.parts;
    const items = what === "file" ? await files.completions(query) : contextCompletions(query);
    post({ type: "completions", request, items });
  }

  async #resume(session: SessionOf & { readonly cwd: string }): Promise<void> {
    const options = { location: { viewId: "acpSidecar.agent" }, title: "Resuming the session" };
    await vscode.window.withProgress(options, () => this.parts.past.resume(session));
  }
}
