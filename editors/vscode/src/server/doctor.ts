/** Runs `acp-sidecar doctor` with the editor's settings, into a channel of its own. */
import { promises as fs } from "node:fs";
import * as vscode from "vscode";
import { findServer, NotThere } from "./find";
import { run } from "./processes";
import { sidecarSettings } from "./settings";

async function writeSettings(context: vscode.ExtensionContext): Promise<string> {
  await vscode.workspace.fs.createDirectory(context.globalStorageUri);
  const path = vscode.Uri.joinPath(context.globalStorageUri, "doctor.json").fsPath;
  // Agents' environments may hold secrets: for the user's eyes only.
  await fs.writeFile(path, JSON.stringify(sidecarSettings()), { mode: 0o600 });
  return path;
}

/** Examine server and agents; what it prints appears as it comes. */
export class Doctor implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  #channel: vscode.OutputChannel | undefined;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  async examine(): Promise<void> {
    this.#channel ??= vscode.window.createOutputChannel("ACP Doctor");
    const channel = this.#channel;
    channel.clear();
    channel.show(true);
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title: "ACP doctor" }, () => this.#run(channel));
  }

  dispose(): void {
    this.#channel?.dispose();
  }

  async #run(channel: vscode.OutputChannel): Promise<void> {
    try {
      const launch = await findServer(this.#context, this.#log);
      if (launch === undefined) {
        channel.appendLine('No server was found: use "ACP: Install or Update Server".');
        return;
      }
      channel.appendLine(`Server: ${launch.command} (${launch.origin})\n`);
      const settings = await writeSettings(this.#context);
      const args = [...launch.args, "doctor", "--settings", settings];
      const onOutput = (text: string) => channel.append(text);
      const status = await run({ command: launch.command, args, onOutput });
      await fs.rm(settings, { force: true });
      channel.appendLine(status === 0 ? "\nAll is well." : "\nSee above for what to do.");
    } catch (error) {
      channel.appendLine(error instanceof NotThere ? error.message : String(error));
    }
  }
}
