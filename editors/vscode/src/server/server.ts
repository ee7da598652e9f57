/** The server's life: started when the workspace is trusted, stopped with the window. */
import { spawn } from "node:child_process";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { SidecarLine } from "../sidecar";
import { makeClient } from "./client";
import { SECTION } from "./settings";

/** Starts and stops the server. */
export class Server implements vscode.Disposable {
  readonly #line: SidecarLine;
  readonly #trace = vscode.window.createOutputChannel("ACP Sidecar Trace", { log: true });
  #client: LanguageClient | undefined;

  constructor(line: SidecarLine) {
    this.#line = line;
  }

  async start(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      return;
    }
    const path = vscode.workspace.getConfiguration(SECTION).get<string>("server.path") ?? "";
    const command = path === "" ? "acp-sidecar" : path;
    this.#line.setState("starting");
    const start = () => Promise.resolve(spawn(command, ["serve"]));
    this.#client = makeClient(this.#line, this.#trace, start, () => this.#line.setState("failed"));
    try {
      await this.#client.start();
      this.#line.setState("running");
    } catch (error) {
      this.#line.log.error(error as Error);
      this.#line.setState("failed");
    }
  }

  async stop(): Promise<void> {
    await this.#client?.stop();
    this.#line.setState("stopped");
  }

  dispose(): void {
    this.#trace.dispose();
  }
}
