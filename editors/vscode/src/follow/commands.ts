/** The commands of following and of the trail. */
import * as vscode from "vscode";
import { reported } from "../commands/reported";
import type { FollowArguments, FollowPayload } from "../contract";
import { nameOf } from "../render/session_model";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import type { Roots } from "./roots";
import { showTrail } from "./trail";

type Mode = FollowArguments["mode"];

/** What one key does next, by how following is. */
function toggled(state: Pick<FollowPayload, "mode" | "paused"> | undefined): Mode {
  if (state?.mode !== "on") {
    return "on";
  }
  return state.paused === null ? "off" : "resume";
}

/** Registers them. */
export class FollowCommands implements vscode.Disposable {
  readonly #sidecar: Sidecar;
  readonly #sessions: Sessions;
  readonly #disposables: vscode.Disposable[];
  #state: Pick<FollowPayload, "mode" | "paused"> | undefined;

  constructor(sidecar: Sidecar, sessions: Sessions, roots: Roots) {
    this.#sidecar = sidecar;
    this.#sessions = sessions;
    const commands: Record<string, () => Promise<unknown>> = {
      "follow.toggle": () => this.#set(toggled(this.#state)),
      "follow.pause": () => this.#set(this.#state?.paused === null ? "pause" : "resume"),
      "follow.session": () => this.#followSession(),
      "trail.back": () => this.#walk("back"),
      "trail.forward": () => this.#walk("forward"),
      "trail.list": () => showTrail(sidecar, roots),
    };
    this.#disposables = [
      sidecar.onNotification("acp/follow", (state) => this.#take(state)),
      sidecar.onDidChangeState((state) => {
        if (state === "running") {
          void sidecar.command("acp.state", {}).then(({ follow }) => this.#take(follow));
        }
      }),
      ...Object.entries(commands).map(([name, run]) =>
        vscode.commands.registerCommand(`acpSidecar.${name}`, reported(run)),
      ),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #take(state: Pick<FollowPayload, "mode" | "paused">): void {
    this.#state = state;
  }

  async #set(mode: Mode, sessionId?: string): Promise<void> {
    const args = sessionId === undefined ? { mode } : { mode, sessionId };
    this.#take(await this.#sidecar.command("acp.follow", args));
  }

  async #walk(move: "back" | "forward"): Promise<void> {
    const { moved } = await this.#sidecar.command("acp.trail", { move });
    if (!moved && move === "back") {
      void vscode.window.setStatusBarMessage("The trail begins here.", 3_000);
    }
  }

  async #followSession(): Promise<void> {
    const open = this.#sessions.all.filter((session) => !session.closed);
    const items = [
      { label: "All sessions", sessionId: undefined },
      ...open.map((session) => ({
        label: nameOf(session),
        description: session.agent,
        sessionId: session.sessionId,
      })),
    ];
    const picked = await vscode.window.showQuickPick(items, { title: "Follow" });
    if (picked !== undefined) {
      await this.#set("on", picked.sessionId);
    }
  }
}
