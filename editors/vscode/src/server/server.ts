/** The server's life: started when the workspace is trusted, restarted when asked or once by itself. */
import { spawn, type ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { State, type LanguageClient } from "vscode-languageclient/node";
import { ACP_VERSION } from "../contract";
import type { SidecarLine } from "../sidecar";
import { makeClient } from "./client";
import { findServer, NotThere } from "./find";
import type { Launch } from "./render/candidates";
import { Coalesced } from "./render/coalesce";
import { exitWords, lastWords, versionWords, type Exit } from "./render/words";
import { changesServer, sidecarSettings } from "./settings";
import type { Talk } from "./talk";

/** A server that has run for so long is not in a loop of crashes. */
const FORGIVEN_MS = 5 * 60_000;
/** For a process to be gone after it has closed its output, or after it was asked to stop. */
const EXIT_MS = 4_000;
const STDERR_KEPT = 4_000;

/** One run of the server. */
interface Run {
  readonly launch: Launch;
  readonly client: LanguageClient;
  readonly started: number;
  process?: ChildProcess;
  exit?: Exit;
  stderr: string;
}

/** Starts, stops and restarts the server, and tells the user what they should know of that. */
export class Server implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #line: SidecarLine;
  readonly #talk: Talk;
  readonly #disposables: vscode.Disposable[];
  readonly #restart = new Coalesced(() => this.#startAnew());
  readonly #trace: vscode.LogOutputChannel;
  #run: Run | undefined;
  #crashes = 0;
  #wanted = false;

  constructor(context: vscode.ExtensionContext, line: SidecarLine, talk: Talk) {
    this.#context = context;
    this.#line = line;
    this.#talk = talk;
    this.#trace = vscode.window.createOutputChannel("ACP Sidecar Trace", { log: true });
    this.#disposables = [
      this.#trace,
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
      vscode.workspace.onDidChangeConfiguration((event) => this.#configured(event)),
    ];
  }

  /** The protocol between editor and server, where the user has switched its log level to trace. */
  get trace(): vscode.LogOutputChannel {
    return this.#trace;
  }

  /** How the server that runs was started. */
  get launch(): Launch | undefined {
    return this.#run?.launch;
  }

  /** Start the server, or start it anew; earlier crashes are forgiven. */
  restart(): Promise<void> {
    this.#crashes = 0;
    this.#wanted = true;
    return this.#restart.request();
  }

  /** Stop the server and leave it stopped. */
  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#restart.request();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  async #startAnew(): Promise<void> {
    const before = this.#run;
    this.#run = undefined;
    this.#line.setState("stopped");
    if (this.#mayStart) {
      this.#line.setState("starting"); // what is asked for from now on waits for it
    }
    await this.#end(before);
    if (!this.#mayStart) {
      this.#line.setState("stopped");
      return;
    }
    try {
      await this.#start();
      this.#line.setState("running");
    } catch (error) {
      this.#run = undefined;
      this.#line.setState("failed");
      this.#tellFailure(error);
    }
  }

  get #mayStart(): boolean {
    return this.#wanted && vscode.workspace.isTrusted;
  }

  async #start(): Promise<void> {
    const launch = await findServer(this.#context, this.#line.log);
    if (launch === undefined) {
      throw new NotThere("");
    }
    this.#line.log.info(
      `starting ${[launch.command, ...launch.args].join(" ")} (${launch.origin})`,
    );
    const run: Run = {
      launch,
      client: makeClient(
        this.#line,
        this.#trace,
        this.#context.globalStorageUri,
        () => this.#spawn(run),
        () => void this.#closed(run),
      ),
      started: Date.now(),
      stderr: "",
    };
    this.#run = run;
    try {
      await run.client.start();
    } catch (error) {
      run.process?.kill();
      throw run.stderr === "" ? error : new Error(`${String(error)}\n${lastWords(run.stderr)}`);
    }
    this.#checkVersion(run.client);
  }

  #spawn(run: Run): Promise<ChildProcess> {
    const { command, args } = run.launch;
    const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const child = spawn(command, [...args, "serve"], cwd === undefined ? {} : { cwd });
    run.process = child;
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => {
      run.stderr = (run.stderr + text).slice(-STDERR_KEPT);
    });
    child.on("exit", (code, signal) => {
      run.exit = { code, signal };
    });
    return new Promise((resolve, reject) => {
      child.on("spawn", () => resolve(child));
      child.on("error", reject);
    });
  }

  #checkVersion(client: LanguageClient): void {
    const told = client.initializeResult?.capabilities.experimental as
      | { acp?: { version?: unknown } }
      | undefined;
    const words = versionWords(told?.acp?.version, ACP_VERSION);
    if (words !== undefined) {
      this.#talk.outdated(words);
    }
  }

  /** End what runs, however it takes it. */
  async #end(run: Run | undefined): Promise<void> {
    if (run === undefined) {
      return;
    }
    try {
      if (run.client.state === State.Running) {
        await run.client.stop(EXIT_MS);
      }
    } catch (error) {
      this.#line.log.warn(`the server did not stop as it should: ${String(error)}`);
    }
    await run.client.dispose().catch(() => undefined);
    if (!(await exited(run))) {
      run.process?.kill("SIGKILL");
    }
  }

  /** The connection ended although nobody wanted it to. */
  async #closed(run: Run): Promise<void> {
    if (this.#run !== run || run.client.state === State.Starting) {
      return; // it was ended by us, or its start fails by itself
    }
    this.#run = undefined;
    this.#line.setState("failed");
    this.#crashes = Date.now() - run.started > FORGIVEN_MS ? 1 : this.#crashes + 1;
    if (this.#crashes === 1) {
      this.#line.setState("starting"); // what is asked for from now on waits for it
    }
    await exited(run);
    const words = `The server ${exitWords(run.exit)}`;
    this.#line.log.error([words, lastWords(run.stderr)].join("\n"));
    if (this.#crashes > 1) {
      this.#talk.ended(words);
    } else {
      this.#talk.restarted(words);
      await this.#restart.request();
    }
  }

  #tellFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof NotThere && message === "") {
      this.#line.log.warn("no server was found");
      this.#talk.absent();
    } else if (error instanceof NotThere) {
      this.#line.log.error(message);
      this.#talk.notThere(message);
    } else {
      this.#line.log.error(message);
      this.#talk.notStarted(message);
    }
  }

  #configured(event: vscode.ConfigurationChangeEvent): void {
    if (changesServer(event)) {
      void this.restart();
    } else if (event.affectsConfiguration("acpSidecar") && this.#line.state === "running") {
      const settings = { acp: sidecarSettings() };
      void this.#run?.client.sendNotification("workspace/didChangeConfiguration", { settings });
    }
  }
}

/** Whether the process has ended, after a while of waiting for it. */
async function exited(run: Run): Promise<boolean> {
  const child = run.process;
  if (child === undefined || run.exit !== undefined) {
    return true;
  }
  return new Promise((resolve) => {
    const patience = setTimeout(() => resolve(false), EXIT_MS);
    child.once("exit", () => {
      clearTimeout(patience);
      resolve(true);
    });
  });
}
