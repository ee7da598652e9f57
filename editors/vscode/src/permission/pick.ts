/** Answers a permission by quick picks; only the user opens them, so they may take the focus. */
import * as vscode from "vscode";
import { sayInert } from "../asking/asking";
import { shorten } from "../asking/paths";
import type { PermissionAnswer, PermissionParams, SuggestedRule } from "../contract";
import type { OpenPermission, Permissions } from "./model";
import { canRemember, icon, lines, remembering } from "./render/permission";

interface Row extends vscode.QuickPickItem {
  readonly run?: () => void;
}

interface Choice extends vscode.QuickPickItem {
  readonly answer: PermissionAnswer;
}

/** The quick picks that answer a permission. */
export class PermissionPick {
  constructor(
    private readonly permissions: Permissions,
    private readonly showDetails: (permission: OpenPermission) => void,
  ) {}

  /** Ask for the answer; the pick closes by itself when the permission is settled elsewhere. */
  open(permission: OpenPermission): void {
    const { params } = permission;
    const pick = vscode.window.createQuickPick<Row>();
    pick.title = `${params.agent} asks: ${params.title}`;
    pick.placeholder = lines(params, shorten).slice(1).join(" · ");
    pick.matchOnDescription = true;
    pick.items = this.#rows(permission);
    const closing = this.permissions.onDidChange(() => {
      if (this.permissions.find(params.permissionId) === undefined) {
        pick.hide();
      }
    });
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      pick.hide();
      row?.run?.();
    });
    pick.onDidHide(() => {
      closing.dispose();
      pick.dispose();
    });
    pick.show();
  }

  #rows(permission: OpenPermission): Row[] {
    const { params } = permission;
    const answers = params.options.map((option) => ({
      label: `$(${icon(option)}) ${option.name}`,
      run: () => this.#answer(params, { optionId: option.optionId }),
    }));
    const rules = canRemember(params);
    const remember: Row = {
      label: "$(bookmark) Answer and remember...",
      detail: rules.map(({ label }) => label).join(" · "),
      run: () => void this.#remember(params, rules),
    };
    // The first row has the focus: it must not allow anything.
    return [
      { label: "$(eye) Show details", run: () => this.showDetails(permission) },
      { label: "answer", kind: vscode.QuickPickItemKind.Separator },
      ...answers,
      ...(rules.length > 0 ? [remember] : []),
      { label: "", kind: vscode.QuickPickItemKind.Separator },
      {
        label: "$(discard) Dismiss the question",
        detail: "The agent is told that it was cancelled.",
        run: () => this.#answer(params, null),
      },
    ];
  }

  async #remember(params: PermissionParams, rules: readonly SuggestedRule[]): Promise<void> {
    const chosen =
      rules.length === 1
        ? rules[0]
        : (
            await vscode.window.showQuickPick(
              rules.map((rule) => ({ label: rule.label, rule })),
              { title: params.title, placeHolder: "What should be remembered?" },
            )
          )?.rule;
    if (chosen === undefined) {
      return;
    }
    const choices: Choice[] = remembering(params).map(({ label, option, scope }) => ({
      label,
      answer: { optionId: option.optionId, remember: { scope, match: chosen.match } },
    }));
    const choice = await vscode.window.showQuickPick(choices, {
      title: `Remember: ${chosen.label}`,
      placeHolder: "Answer now, and the same way from now on",
    });
    if (choice !== undefined) {
      this.#answer(params, choice.answer);
    }
  }

  #answer(params: PermissionParams, answer: PermissionAnswer | null): void {
    if (!this.permissions.answer(params.permissionId, answer)) {
      sayTooLate(this.permissions.find(params.permissionId));
    }
  }
}

/** Say why an answer was not taken. */
export function sayTooLate(permission: OpenPermission | undefined): void {
  if (permission === undefined) {
    vscode.window.setStatusBarMessage("$(info) That permission has been settled.", 4000);
  } else {
    sayInert();
  }
}
