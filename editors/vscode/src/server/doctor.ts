/** Runs `acp-sidecar doctor` with the editor's settings, into a document of its own. */
import { promises as fs } from "node:fs";
import * as vscode from "vscode";
import { findServer, NotThere } from "./find";
import { run } from "./processes";
import { sidecarSettings } from "./settings";

const REPORT = vscode.Uri.from({ scheme: "acp-doctor", path: "/ACP Doctor" });

async function writeSettings(context: vscode.ExtensionContext): Promise<string> {
  await vscode.workspace.fs.createDirectory(context.globalStorageUri);
  const path = vscode.Uri.joinPath(context.globalStorageUri, "doctor.json").fsPath;
  // Agents' environments may hold secrets: for the user's eyes only.
  await fs.writeFile(path, JSON.stringify(sidecarSettings()), { mode: 0o600 });
  return path;
}

/** Examine server and agents; what it prints appears as it comes, in a read-only document. */
export class Doctor implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #provider: vscode.Disposable;
  #text = "";

  readonly onDidChange = this.#changed.event;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(REPORT.scheme, this);
  }

  provideTextDocumentContent(): string {
    return this.#text;
  }

  async examine(): Promise<void> {
    this.#text = "";
    this.#say("");
    const document = await vscode.workspace.openTextDocument(REPORT);
    await vscode.window.showTextDocument(document, { preview: false });
    const location = vscode.ProgressLocation.Window;
    await vscode.window.withProgress({ location, title: "ACP doctor" }, () => this.#run());
  }

  dispose(): void {
    vscode.Disposable.from(this.#provider, this.#changed).dispose();
  }

  #say(text: string): void {
    this.#text += text;
    this.#changed.fire(REPORT);
  }

  async #run(): Promise<void> {
    try {
      const launch = await findServer(this.#context, this.#log);
      if (launch === undefined) {
        this.#say('No server was found: use "ACP: Install or Update Server".\n');
        return;
      }
      this.#say(`Server: ${launch.command} (${launch.origin})\n\n`);
      const settings = await writeSettings(this.#context);
      const args = [...launch.args, "doctor", "--settings", settings];
      const onOutput = (text: string) => this.#say(text);
      const status = await run({ command: launch.command, args, onOutput });
      await fs.rm(settings, { force: true });
      this.#say(status === 0 ? "\nAll is well.\n" : "\nSee above for what to do.\n");
    } catch (error) {
      this.#say(error instanceof NotThere ? error.message : String(error));
    }
  }
}
