/** Permissions: asked in a notification, answered there, by keys, or in the Agent view. */
import * as vscode from "vscode";
import { shorten } from "../asking/paths";
import { accountsOf, type Accounts } from "../asking/accounts";
import { questions, type Action, type Asking, type Question } from "../asking/asking";
import type { OptionPayload } from "../contract";
import type { Sidecar } from "../sidecar";
import { permissionsOf, type OpenPermission, type Permissions } from "./model";
import { PermissionPick, sayTooLate } from "./pick";
import { account, lines, onlyOption, refuses } from "./render/permission";
import { registerRules } from "./rules";

const ACCOUNT = "Permission";

export function register(context: vscode.ExtensionContext, sidecar: Sidecar): vscode.Disposable {
  const permissions = permissionsOf(context, sidecar);
  return vscode.Disposable.from(
    new PermissionPrompts(permissions, questions(context), accountsOf(context)),
    registerRules(sidecar),
  );
}

/** Shows what the model has, and has keys for the first of it. */
class PermissionPrompts implements vscode.Disposable {
  readonly #permissions: Permissions;
  readonly #asking: Asking;
  readonly #accounts: Accounts;
  readonly #pick: PermissionPick;
  readonly #asked = new Map<string, vscode.Disposable>();
  readonly #disposables: vscode.Disposable[];

  constructor(permissions: Permissions, asking: Asking, accounts: Accounts) {
    this.#accounts = accounts;
    this.#permissions = permissions;
    this.#asking = asking;
    this.#pick = new PermissionPick(permissions, (each) => void this.#details(each));
    const command = (name: string, run: () => void): vscode.Disposable =>
      vscode.commands.registerCommand(`acpSidecar.permission.${name}`, run);
    // For views that show permissions; without an id, as from the palette, the oldest.
    const byId = (name: string, run: (permission: OpenPermission) => void): vscode.Disposable =>
      vscode.commands.registerCommand(`acpSidecar.permission.${name}`, (permissionId?: string) =>
        this.#with(permissionId, run),
      );
    this.#disposables = [
      permissions.onDidChange(() => this.#update()),
      byId("answer", (permission) => this.#pick.open(permission)),
      byId("details", (permission) => void this.#details(permission)),
      command("allow", () => this.#byKind("allow_once")),
      command("reject", () => this.#byKind("reject_once")),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#asked.values(), ...this.#disposables).dispose();
  }

  #update(): void {
    const open = new Map(this.#permissions.open.map((each) => [each.params.permissionId, each]));
    for (const [id, asked] of this.#asked) {
      if (!open.has(id)) {
        this.#asked.delete(id);
        asked.dispose();
        this.#accounts.forget(ACCOUNT, id);
      }
    }
    for (const [id, permission] of open) {
      if (!this.#asked.has(id)) {
        this.#asked.set(id, this.#asking.add(this.#question(permission)));
      }
    }
    void vscode.commands.executeCommand("setContext", "acpSidecar.permissionOpen", open.size > 0);
  }

  #question(permission: OpenPermission): Question {
    const { params, since } = permission;
    const answers = params.options.map((option) => this.#answering(permission, option));
    const details: Action = {
      label: params.facts.hasDiff ? "Show changes" : "Details",
      answers: false,
      run: () => void this.#details(permission),
    };
    const more: Action = {
      label: "More...",
      answers: false,
      run: () => this.#pick.open(permission),
    };
    return {
      agent: params.agent,
      text: lines(params, shorten).join(" \u00b7 "),
      actions: [...answers, details, more],
      since,
      inert: params.inert,
      dismiss: () => this.#permissions.answer(params.permissionId, null),
      open: () => this.#pick.open(permission),
    };
  }

  /** Its changes in a diff, else its text in a read-only document. */
  async #details({ params }: OpenPermission): Promise<void> {
    const { sessionId, subject, facts, permissionId } = params;
    if (facts.hasDiff && subject.toolCallId !== null) {
      const about = { sessionId, toolCallId: subject.toolCallId };
      await vscode.commands.executeCommand("acpSidecar.review.showChanges", about);
    } else {
      await this.#accounts.show(ACCOUNT, permissionId, account(params, shorten));
    }
  }

  #answering({ params }: OpenPermission, option: OptionPayload): Action {
    return {
      label: option.name,
      answers: true,
      refuses: refuses(option),
      run: () => this.#answer(params.permissionId, option),
    };
  }

  #answer(permissionId: string, option: OptionPayload): void {
    if (!this.#permissions.answer(permissionId, { optionId: option.optionId })) {
      sayTooLate(this.#permissions.find(permissionId));
    }
  }

  /** Answer by a key: only if there is one permission and one such option, else the user chooses. */
  #byKind(kind: "allow_once" | "reject_once"): void {
    this.#withFirst((first) => {
      const option = onlyOption(first.params, kind);
      if (option === undefined || this.#permissions.open.length > 1) {
        void vscode.commands.executeCommand("acpSidecar.answer");
      } else {
        this.#answer(first.params.permissionId, option);
      }
    });
  }

  #with(permissionId: string | undefined, run: (permission: OpenPermission) => void): void {
    if (permissionId === undefined) {
      this.#withFirst(run);
      return;
    }
    const permission = this.#permissions.find(permissionId);
    if (permission === undefined) {
      sayTooLate(undefined);
    } else {
      run(permission);
    }
  }

  #withFirst(run: (first: OpenPermission) => void): void {
    const [first] = this.#permissions.open;
    if (first === undefined) {
      vscode.window.setStatusBarMessage("$(info) No agent asks for permission.", 4000);
    } else {
      run(first);
    }
  }
}
