/** The permissions that wait for an answer, whoever shows them; each is answered once. */
import * as vscode from "vscode";
import type { PermissionAnswer, PermissionParams } from "../contract";
import type { Sidecar } from "../sidecar";
import { isInert } from "../asking/asking";

/** A permission that nobody has answered yet. */
export interface OpenPermission {
  readonly params: PermissionParams;
  /** When it appeared, in milliseconds. */
  readonly since: number;
}

interface Entry extends OpenPermission {
  settle(answer: PermissionAnswer | null): void;
}

/** What the parts that show permissions share: toast, quick pick, and the Agent view. */
export class Permissions implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #open = new Map<string, Entry>();
  readonly #disposables: vscode.Disposable[];

  /** Of `open`. */
  readonly onDidChange = this.#changed.event;

  constructor(sidecar: Sidecar) {
    this.#disposables = [
      this.#changed,
      sidecar.onRequest("acp/permission", (params, token) => this.#ask(params, token)),
      sidecar.onNotification("acp/permissionSettled", ({ permissionId }) =>
        this.#settle(permissionId, null),
      ),
      sidecar.onDidChangeState((state) => {
        if (state !== "running") {
          this.#forget();
        }
      }),
    ];
  }

  /** Oldest first. */
  get open(): readonly OpenPermission[] {
    return [...this.#open.values()];
  }

  find(permissionId: string): OpenPermission | undefined {
    return this.#open.get(permissionId);
  }

  /**
   * Answer a permission; null dismisses it, and the agent is told "cancelled".
   *
   * @returns false if it is no longer open, or has only just appeared: ask the user again then
   */
  answer(permissionId: string, answer: PermissionAnswer | null): boolean {
    const entry = this.#open.get(permissionId);
    if (entry === undefined || this.isInert(entry)) {
      return false;
    }
    this.#settle(permissionId, answer);
    return true;
  }

  /** It appeared so recently that an answer may have been meant for something else. */
  isInert(permission: OpenPermission): boolean {
    return isInert({ since: permission.since, inert: permission.params.inert });
  }

  dispose(): void {
    this.#forget();
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #ask(
    params: PermissionParams,
    token: vscode.CancellationToken,
  ): Promise<PermissionAnswer | null> {
    return new Promise((resolve) => {
      this.#open.set(params.permissionId, { params, since: Date.now(), settle: resolve });
      token.onCancellationRequested(() => this.#settle(params.permissionId, null));
      this.#changed.fire();
    });
  }

  #settle(permissionId: string, answer: PermissionAnswer | null): void {
    const entry = this.#open.get(permissionId);
    if (entry !== undefined) {
      this.#open.delete(permissionId);
      entry.settle(answer);
      this.#changed.fire();
    }
  }

  /** The server that asked is gone: nobody waits for these answers. */
  #forget(): void {
    for (const permissionId of [...this.#open.keys()]) {
      this.#settle(permissionId, null);
    }
  }
}

const models = new WeakMap<Sidecar, Permissions>();

/** The one model of a line to the server; whoever asks first makes it. */
export function permissionsOf(context: vscode.ExtensionContext, sidecar: Sidecar): Permissions {
  const known = models.get(sidecar);
  if (known !== undefined) {
    return known;
  }
  const made = new Permissions(sidecar);
  models.set(sidecar, made);
  context.subscriptions.push(made);
  return made;
}
