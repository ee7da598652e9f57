/** Finds the server: by the settings, the Python extension, PATH, or the private environment. */
import type { PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";
import { findProgram, outputOf } from "./processes";
import { candidates, type Candidate, type Launch, type Places } from "./render/candidates";
import { ownSetting } from "./settings";

/** The server was set and is not there; the message is for the user. */
export class NotThere extends Error {}

/** The folder of the private virtual environment. */
export function venvFolder(context: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(context.globalStorageUri, "server").fsPath;
}

async function pythonExtension(log: vscode.LogOutputChannel): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  try {
    const { environments } = await extension.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const active = environments.getActiveEnvironmentPath(folder);
    return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
  } catch (error) {
    log.warn(`the Python extension does not say which interpreter is selected: ${String(error)}`);
    return undefined;
  }
}

async function works(candidate: Candidate): Promise<Launch | undefined> {
  const { args, origin } = candidate;
  const command = await findProgram(candidate.command);
  if (command === undefined) {
    return undefined;
  }
  if (candidate.probe === "import") {
    const version = await outputOf(command, [...args, "serve", "--version"]);
    return version?.startsWith("acp-sidecar ") === true ? { command, args, origin } : undefined;
  }
  return { command, args, origin };
}

function missing(candidate: Candidate): NotThere {
  const what =
    candidate.probe === "import"
      ? "is no Python 3.11 or newer that has the package acp-sidecar"
      : "is no program";
  return new NotThere(`"${candidate.command}" (${candidate.origin}) ${what}.`);
}

/**
 * How to start the server; undefined if there is none.
 *
 * @throws NotThere if the settings name one that does not work: nothing else is tried then.
 */
export async function findServer(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<Launch | undefined> {
  const set = { path: ownSetting("server.path"), interpreter: ownSetting("server.interpreter") };
  const isSet = set.path !== "" || set.interpreter !== "";
  const places: Places = {
    ...set,
    pythonExtension: isSet ? undefined : await pythonExtension(log),
    venv: venvFolder(context),
    windows: process.platform === "win32",
  };
  for (const candidate of candidates(places)) {
    const launch = await works(candidate);
    if (launch !== undefined) {
      return launch;
    }
    if (candidate.chosen) {
      throw missing(candidate);
    }
    log.debug(`no server by ${candidate.origin}: ${candidate.command}`);
  }
  return undefined;
}
