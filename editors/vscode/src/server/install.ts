/** Installs the server into a virtual environment of the extension, when the user has asked for it. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { venvFolder } from "./find";
import { findProgram, outputOf, run } from "./processes";
import { ASK_VERSION, isNewEnough, pythons, steps, type Step } from "./render/installing";
import { ownSetting } from "./settings";

const WINDOWS = process.platform === "win32";

async function findPython(): Promise<readonly [string, ...string[]] | undefined> {
  for (const [name, ...args] of pythons(WINDOWS)) {
    const path = await findProgram(name);
    const answer = path && (await outputOf(path, [...args, ...ASK_VERSION]));
    if (path !== undefined && answer !== undefined && isNewEnough(answer)) {
      return [path, ...args];
    }
  }
  return undefined;
}

async function take(
  step: Step,
  log: vscode.LogOutputChannel,
  token: vscode.CancellationToken,
): Promise<boolean> {
  log.info([step.command, ...step.args].join(" "));
  const onOutput = (text: string) => log.info(text.trimEnd());
  const status = await run({ ...step, onOutput, token });
  if (status !== 0 && !token.isCancellationRequested) {
    log.error(`${step.title} ended with status ${String(status)}`);
  }
  return status === 0;
}

async function takeAll(
  all: readonly Step[],
  log: vscode.LogOutputChannel,
  progress: vscode.Progress<{ message: string }>,
  token: vscode.CancellationToken,
): Promise<boolean> {
  for (const step of all) {
    progress.report({ message: step.title });
    if (!(await take(step, log, token))) {
      return false;
    }
  }
  return true;
}

async function tellNoPython(): Promise<void> {
  const get = "Get Python";
  const message =
    "Python 3.11 or newer, with its modules venv and ensurepip, was not found on PATH. " +
    "Install it, and then the server.";
  if ((await vscode.window.showErrorMessage(message, get)) === get) {
    await vscode.env.openExternal(vscode.Uri.parse("https://www.python.org/downloads/"));
  }
}

/**
 * Install or update the server, telling each step; the user may cancel.
 *
 * @returns whether it is installed now
 */
export async function install(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const python = await findPython();
  if (python === undefined) {
    void tellNoPython();
    return false;
  }
  await vscode.workspace.fs.createDirectory(context.globalStorageUri);
  const pack = ownSetting("server.package").replace(/^~(?=\/)/, homedir());
  const all = steps(python, venvFolder(context), pack, WINDOWS);
  const location = vscode.ProgressLocation.Notification;
  const options = { location, title: "ACP Sidecar", cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const done = await takeAll(all, log, progress, token);
    if (!done && !token.isCancellationRequested) {
      void tellFailed(log);
    }
    return done;
  });
}

async function tellFailed(log: vscode.LogOutputChannel): Promise<void> {
  const show = "Show Log";
  const message = "The server could not be installed; the log says why.";
  if ((await vscode.window.showErrorMessage(message, show)) === show) {
    log.show(true);
  }
}
