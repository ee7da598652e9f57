/** What agents want to know: a form to fill in, or a page to open; never a thing that takes the focus. */
import * as vscode from "vscode";
import { accountsOf, type Accounts } from "../asking/accounts";
import { questions, type Action, type Asking } from "../asking/asking";
import type { ElicitationAnswer, ElicitationParams, FormPayload, LinkPayload } from "../contract";
import type { Sidecar } from "../sidecar";
import { fillIn, type Draft } from "./form";
import { firstError, initial, type Values } from "./render/form";
import { account, linesOf } from "./render/elicitation";

const ACCOUNT = "Question";

interface Open {
  readonly params: ElicitationParams;
  readonly closing: vscode.CancellationTokenSource;
  settle(answer: ElicitationAnswer | null): void;
  /** A form is on screen now. */
  busy: boolean;
}

export function register(context: vscode.ExtensionContext, sidecar: Sidecar): vscode.Disposable {
  return new Elicitations(sidecar, questions(context), accountsOf(context));
}

class Elicitations implements vscode.Disposable {
  readonly #open = new Map<string, Open>();
  /** What was typed into forms that came back or were put aside. */
  readonly #typed = new Map<string, Values>();
  readonly #disposables: vscode.Disposable[];

  constructor(
    sidecar: Sidecar,
    private readonly asking: Asking,
    private readonly accounts: Accounts,
  ) {
    this.#disposables = [
      sidecar.onRequest("acp/elicitation", (params, token) => this.#ask(params, token)),
      sidecar.onNotification("acp/elicitationSettled", ({ elicitationId, action, reason }) => {
        this.#end(elicitationId, null);
        this.#typed.delete(elicitationId);
        if (action === null) {
          vscode.window.setStatusBarMessage(`$(info) The question is withdrawn: ${reason}`, 4000);
        }
      }),
      sidecar.onNotification("acp/elicitationCompleted", () => {
        vscode.window.setStatusBarMessage("$(check) The page did what it was for.", 4000);
      }),
      sidecar.onDidChangeState((state) => {
        if (state !== "running") {
          this.#forget();
        }
      }),
    ];
  }

  dispose(): void {
    this.#forget();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #ask(
    params: ElicitationParams,
    token: vscode.CancellationToken,
  ): Promise<ElicitationAnswer | null> {
    const id = params.elicitationId;
    return new Promise((resolve) => {
      const open: Open = {
        params,
        closing: new vscode.CancellationTokenSource(),
        busy: false,
        settle: resolve,
      };
      const shown = this.asking.add({
        agent: params.agent,
        text: linesOf(params).join(" \u00b7 "),
        actions: this.#actions(open),
        since: Date.now(),
        inert: params.inert,
        dismiss: () => this.#end(id, null),
        open: () => void this.#start(open),
      });
      open.closing.token.onCancellationRequested(() => {
        shown.dispose();
      });
      this.#open.set(id, open);
      token.onCancellationRequested(() => this.#end(id, null));
      this.#again(open);
    });
  }

  /** A form that came back with mistakes: the user has just sent it, and goes on with it. */
  #again(open: Open): void {
    const { form, elicitationId } = open.params;
    if (form !== null && firstError(form.fields) >= 0 && this.#typed.has(elicitationId)) {
      void this.#start(open);
    }
  }

  #actions(open: Open): Action[] {
    const { params } = open;
    const answer = (label: string, action: "accept" | "decline"): Action => ({
      label,
      answers: true,
      refuses: action === "decline",
      run: () => this.#end(params.elicitationId, { action }),
    });
    const decline = answer("Decline", "decline");
    if (params.link !== null) {
      return [
        answer(`Open ${params.link.host}`, "accept"),
        { label: "Copy address", answers: false, run: () => void copy(params.link) },
        { label: "Details", answers: false, run: () => void this.#details(params) },
        decline,
      ];
    }
    return [{ label: "Answer...", answers: false, run: () => void this.#start(open) }, decline];
  }

  #details(params: ElicitationParams): Promise<void> {
    return this.accounts.show(ACCOUNT, params.elicitationId, account(params));
  }

  async #start(open: Open): Promise<void> {
    if (open.busy) {
      return;
    }
    open.busy = true;
    const { form } = open.params;
    const answer = form === null ? await this.#page(open) : await this.#fill(open, form);
    open.busy = false;
    if (answer !== undefined) {
      this.#end(open.params.elicitationId, answer);
    }
  }

  async #fill(open: Open, form: FormPayload): Promise<ElicitationAnswer | undefined> {
    const { elicitationId, message, agent } = open.params;
    const draft: Draft = {
      title: form.title ?? (message === "" ? `${agent} asks` : message),
      form,
      values: this.#typed.get(elicitationId) ?? initial(form),
      token: open.closing.token,
    };
    const answer = await fillIn(draft);
    if (this.#open.has(elicitationId)) {
      this.#typed.set(elicitationId, draft.values);
    }
    return answer;
  }

  /** The page, with its whole address in sight. */
  async #page(open: Open): Promise<ElicitationAnswer | undefined> {
    const { link, message } = open.params;
    if (link === null) {
      return undefined;
    }
    const rows = [
      { label: "$(copy) Copy the address", detail: link.url },
      {
        label: "$(link-external) Open the page",
        detail: `leads to ${link.host}`,
        action: "accept" as const,
      },
      { label: "$(close) Decline", action: "decline" as const },
    ];
    const chosen = await vscode.window.showQuickPick(
      rows,
      {
        title: message,
        placeHolder: [...link.warnings, link.url].join(" · "),
        ignoreFocusOut: true,
      },
      open.closing.token,
    );
    if (chosen !== undefined && chosen.action === undefined) {
      await copy(link);
    }
    return chosen?.action && { action: chosen.action };
  }

  #end(elicitationId: string, answer: ElicitationAnswer | null): void {
    const open = this.#open.get(elicitationId);
    if (open !== undefined) {
      this.#open.delete(elicitationId);
      this.accounts.forget(ACCOUNT, elicitationId);
      open.closing.cancel();
      open.settle(answer);
    }
  }

  #forget(): void {
    for (const elicitationId of [...this.#open.keys()]) {
      this.#end(elicitationId, null);
    }
    this.#typed.clear();
  }
}

async function copy(link: LinkPayload | null): Promise<void> {
  if (link !== null) {
    await vscode.env.clipboard.writeText(link.url);
  }
}
