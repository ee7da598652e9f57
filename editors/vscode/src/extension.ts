/** Connects the features to the server; what they do is in their folders. */
import * as vscode from "vscode";
import { register as review } from "./review";
import { Server } from "./server/server";
import { SessionList, type Sessions } from "./sessions";
import { SidecarLine, type Sidecar } from "./sidecar";

type Register = (
  context: vscode.ExtensionContext,
  sidecar: Sidecar,
  sessions: Sessions,
) => vscode.Disposable;

/** One line for each feature. */
const FEATURES: readonly Register[] = [review];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("ACP Sidecar", { log: true });
  const line = new SidecarLine(log);
  const sessions = new SessionList(line);
  server = new Server(line);
  context.subscriptions.push(log, line, sessions, server);
  for (const register of FEATURES) {
    context.subscriptions.push(register(context, line, sessions));
  }
  void server.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
