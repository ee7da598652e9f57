/**
 * Questions that wait for the user: one notification for the oldest, and how many there are in the
 * status bar. Nothing here takes the focus, and nothing is answered by a click or key that was on
 * its way when the question appeared.
 *
 * The notification is that of a progress, with links for answers: it stays until the question is
 * settled, closes when it is settled elsewhere, and is still there after a click that came too
 * soon. Those of `showInformationMessage` fade after some seconds, close at the first click, and
 * cannot be taken back.
 */
import { randomInt } from "node:crypto";
import * as vscode from "vscode";
import { link, message } from "./render/text";

/** The command behind the links; not for the palette. */
const RUN = "acpSidecar.asking.run";
const HINT_MILLISECONDS = 4000;
/** A number that texts of agents cannot guess makes sure that a link is ours. */
const TOKENS = 2 ** 40;

/** Something to do about a question. */
export interface Action {
  readonly label: string;
  /** It answers: it waits until the question is no longer inert, and until all of it can be read. */
  readonly answers: boolean;
  /** It answers "no": it is offered also where not all of the question can be read. */
  readonly refuses?: boolean;
  run(): void;
}

/** Something that an agent wants to know. */
export interface Question {
  /** Who asks. */
  readonly agent: string;
  /** All that there is to know before answering, as text. */
  readonly text: string;
  readonly actions: readonly Action[];
  /** When it appeared, in milliseconds, and for how many seconds from then it must not be answered. */
  readonly since: number;
  readonly inert: number;
  /** Tell the agent that the question was cancelled. */
  dismiss(): void;
  /** Answer it step by step; the user wants it now, so it may take the focus. */
  open(): void;
}

interface Entry {
  readonly question: Question;
  readonly token: number;
}

interface Shown {
  readonly entry: Entry;
  readonly hide: () => void;
}

/** Whether it appeared so recently that an answer may have been meant for something else. */
export function isInert(question: Pick<Question, "since" | "inert">): boolean {
  return Date.now() - question.since < question.inert * 1000;
}

/** Tell the user why nothing happened. */
export function sayInert(): void {
  vscode.window.setStatusBarMessage(
    "$(info) The question had only just appeared: answer again.",
    HINT_MILLISECONDS,
  );
}

/** All open questions of permissions and elicitations. */
export class Asking implements vscode.Disposable {
  readonly #entries: Entry[] = [];
  readonly #item = vscode.window.createStatusBarItem(
    "acpSidecar.questions",
    vscode.StatusBarAlignment.Left,
    50,
  );
  readonly #disposables: vscode.Disposable[];
  #shown: Shown | undefined;

  constructor() {
    this.#item.name = "ACP Questions";
    this.#item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.#item.command = "acpSidecar.answer";
    this.#disposables = [
      this.#item,
      vscode.commands.registerCommand(RUN, (token: number, index: number) =>
        this.#run(token, index),
      ),
      vscode.commands.registerCommand("acpSidecar.answer", () => this.#answer()),
    ];
  }

  /** Show a question until the returned disposable is disposed of. */
  add(question: Question): vscode.Disposable {
    const entry = { question, token: randomInt(TOKENS) };
    this.#entries.push(entry);
    this.#update();
    return new vscode.Disposable(() => {
      const index = this.#entries.indexOf(entry);
      if (index >= 0) {
        this.#entries.splice(index, 1);
        this.#update();
      }
    });
  }

  dispose(): void {
    this.#entries.length = 0;
    this.#update();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #update(): void {
    const count = this.#entries.length;
    void vscode.commands.executeCommand("setContext", "acpSidecar.questionOpen", count > 0);
    this.#showCount(count);
    const first = this.#entries[0];
    if (this.#shown?.entry !== first) {
      this.#shown?.hide();
      this.#shown = first && this.#show(first);
    }
  }

  #showCount(count: number): void {
    if (count === 0) {
      this.#item.hide();
      return;
    }
    const words = count === 1 ? "1 question" : `${count} questions`;
    this.#item.text = `$(question) ${words}`;
    this.#item.tooltip = this.#entries
      .map(({ question }) => `${question.agent}: ${question.text}`)
      .join("\n\n");
    this.#item.accessibilityInformation = { label: `Agents ask ${words}` };
    this.#item.show();
  }

  #show(entry: Entry): Shown {
    let hide = (): void => undefined;
    const settled = new Promise<void>((resolve) => (hide = resolve));
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: `${entry.question.agent} asks`,
        cancellable: true, // without a button, a notification shows one line of its text
      },
      (progress, token) => {
        progress.report({ message: this.#message(entry) });
        token.onCancellationRequested(() => this.#cancelled(entry));
        return settled;
      },
    );
    return { entry, hide };
  }

  #message(entry: Entry): string {
    const { actions, text } = entry.question;
    const links = (wanted: (action: Action) => boolean): string[] =>
      actions.flatMap((action, index) =>
        wanted(action)
          ? [link(action.label, RUN, [entry.token, index], action.answers ? "Answer" : "Show")]
          : [],
      );
    const whole = message(
      text,
      links(() => true),
    );
    // What cannot be read in full is not to be allowed from here.
    return whole.cut
      ? message(
          text,
          links(({ answers, refuses }) => !answers || refuses === true),
        ).text
      : whole.text;
  }

  /** VS Code has closed the notification by now. */
  #cancelled(entry: Entry): void {
    if (isInert(entry.question)) {
      sayInert();
      this.#shown = undefined;
      this.#update();
    } else {
      entry.question.dismiss();
    }
  }

  #run(token: number, index: number): void {
    const entry = this.#entries.find((each) => each.token === token);
    const action = entry?.question.actions[index];
    if (entry === undefined || action === undefined) {
      return;
    }
    if (action.answers && isInert(entry.question)) {
      sayInert();
      return;
    }
    action.run();
  }

  async #answer(): Promise<void> {
    const [first] = this.#entries;
    if (first === undefined) {
      vscode.window.setStatusBarMessage("$(info) No agent asks anything.", HINT_MILLISECONDS);
      return;
    }
    (this.#entries.length === 1 ? first.question : await this.#choose())?.open();
  }

  async #choose(): Promise<Question | undefined> {
    const rows = this.#entries.map(({ question }) => ({
      label: question.text.split("\n")[0] ?? "",
      description: question.agent,
      question,
    }));
    const chosen = await vscode.window.showQuickPick(rows, {
      title: "Questions of agents",
      placeHolder: "Which one do you want to answer?",
    });
    return chosen?.question;
  }
}

let asking: Asking | undefined;

/** The one list of questions of this window. */
export function questions(context: vscode.ExtensionContext): Asking {
  if (asking === undefined) {
    asking = new Asking();
    context.subscriptions.push(asking, new vscode.Disposable(() => (asking = undefined)));
  }
  return asking;
}
