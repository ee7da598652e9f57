/** Short-lived programs: asked one thing, with a limit on their time. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { constants, promises as fs } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type * as vscode from "vscode";

/** Enough for a Python that starts from a cold disk. */
const PROBE_MS = 15_000;

async function isProgram(path: string): Promise<boolean> {
  try {
    await fs.access(path, constants.X_OK);
    return (await fs.stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The path of a program: as it is if absolute, else from PATH; undefined if there is none. */
export async function findProgram(name: string): Promise<string | undefined> {
  const expanded = name.startsWith("~/") ? join(homedir(), name.slice(2)) : name;
  if (isAbsolute(expanded)) {
    return (await isProgram(expanded)) ? expanded : undefined;
  }
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, expanded + ending);
      if (isAbsolute(path) && (await isProgram(path))) {
        return path;
      }
    }
  }
  return undefined;
}

/** What a program prints, or undefined if it fails or takes too long. Runs in the home folder. */
export function outputOf(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: homedir(), timeout: PROBE_MS };
    execFile(command, args, options, (error, stdout) => {
      resolve(error === null ? stdout.trim() : undefined);
    });
  });
}

/** Where a program's output goes while it runs. */
export interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly onOutput: (text: string) => void;
  readonly token?: vscode.CancellationToken;
}

/** Run a program to its end; resolves with its exit status. Rejects if it cannot be started. */
export function run({ command, args, onOutput, token }: Run): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(command, args, { cwd: homedir() });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", onOutput);
    }
    const cancelling = token?.onCancellationRequested(() => child.kill());
    child.on("error", reject);
    child.on("close", (code) => {
      cancelling?.dispose();
      resolve(code);
    });
  });
}
