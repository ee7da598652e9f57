/** The commands about the server itself. */
import * as vscode from "vscode";
import { Doctor } from "./doctor";
import { install } from "./install";
import type { Server } from "./server";

/** Register them. They work without a server, for they are what helps to get one. */
export function registerServerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const doctor = new Doctor(context, log);
  const commands: Record<string, () => unknown> = {
    "server.restart": () => trusted(() => server.restart()),
    "server.stop": () => server.stop(),
    "server.install": () => trusted(() => installAndStart(context, server, log)),
    "log.show": () => log.show(true),
    "trace.show": () => showTrace(server.trace),
    doctor: () => trusted(() => doctor.examine()),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`acpSidecar.${name}`, run),
  );
  return vscode.Disposable.from(doctor, ...registered);
}

/** All of these run programs. */
async function trusted(run: () => Promise<void>): Promise<void> {
  if (vscode.workspace.isTrusted) {
    return run();
  }
  const manage = "Manage Trust";
  const message = "ACP Sidecar runs programs in this folder: it starts once you trust the folder.";
  if ((await vscode.window.showInformationMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}

async function installAndStart(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
): Promise<void> {
  // On Windows the programs of a running server cannot be replaced.
  await server.stop();
  await install(context, log);
  await server.restart();
}

function showTrace(trace: vscode.LogOutputChannel): void {
  trace.show(true);
  if (trace.logLevel !== vscode.LogLevel.Trace) {
    void vscode.window.showInformationMessage(
      "Messages between editor and server are recorded once the log level of " +
        '"ACP Sidecar Trace" is Trace (the gear of the output panel).',
    );
  }
}
