/** Connects the features to the server; what they do is in their folders. */
import * as vscode from "vscode";
import { register as commands } from "./commands";
import { register as elicitation } from "./elicitation";
import { register as follow } from "./follow";
import { register as permission } from "./permission";
import { register as review } from "./review";
import { registerServerCommands } from "./server/commands";
import { Server } from "./server/server";
import { Talk } from "./server/talk";
import { SessionList, type Sessions } from "./sessions";
import { SidecarLine, type Sidecar } from "./sidecar";
import { register as signIn } from "./signin";
import { register as status } from "./status";
import { register as terminal } from "./terminal";
import { register as tools } from "./tools";
import { register as view } from "./view";

type Register = (
  context: vscode.ExtensionContext,
  sidecar: Sidecar,
  sessions: Sessions,
) => vscode.Disposable;

/** One line for each feature. */
const FEATURES: readonly Register[] = [
  status,
  follow,
  commands,
  review,
  permission,
  elicitation,
  terminal,
  tools,
  signIn,
  view,
];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("ACP Sidecar", { log: true });
  const line = new SidecarLine(log);
  const sessions = new SessionList(line);
  server = new Server(context, line, new Talk());
  context.subscriptions.push(log, line, sessions, server);
  context.subscriptions.push(registerServerCommands(context, server, log));
  for (const register of FEATURES) {
    context.subscriptions.push(register(context, line, sessions));
  }
  void server.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
