/** Following agents: going where they are, showing where they are, and getting out of the way. */
import * as vscode from "vscode";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { Activity } from "./activity";
import { FollowCommands } from "./commands";
import { Mover } from "./mover";
import { Presence } from "./presence";
import { Attribution } from "./render/attribution";
import { Roots } from "./roots";

export function register(
  _context: vscode.ExtensionContext,
  sidecar: Sidecar,
  sessions: Sessions,
): vscode.Disposable {
  const roots = new Roots();
  const attribution = new Attribution();
  const mover = new Mover(sidecar, roots, attribution);
  const activity = new Activity(sidecar, attribution, mover);
  const presence = new Presence(roots);
  const following = sidecar.onNotification("acp/follow", (state) => {
    activity.reset();
    mover.update(state);
    presence.update(state.presence);
  });
  const restarted = sidecar.onDidChangeState(() => {
    attribution.clear();
    mover.reset();
    presence.update([]);
  });
  const commands = new FollowCommands(sidecar, sessions, roots);
  return vscode.Disposable.from(roots, activity, presence, following, restarted, commands);
}
