/** Makes the language client for one run of the server. */
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  type LanguageClientOptions,
  type ServerOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import { reviewMiddleware } from "../review/middleware";
import type { SidecarLine } from "../sidecar";
import { sidecarSettings } from "./settings";

/** Answers `workspace/configuration` of section `acp` from the extension's own settings. */
const middleware: NonNullable<LanguageClientOptions["middleware"]> = {
  ...reviewMiddleware,
  workspace: {
    ...reviewMiddleware.workspace,
    configuration: async (params, token, next) => {
      const given: unknown = await next(params, token);
      const answers: unknown[] = Array.isArray(given) ? given : [];
      return params.items.map((item, index) =>
        item.section === "acp" ? sidecarSettings() : (answers[index] ?? null),
      );
    },
  },
};

function experimental(line: SidecarLine): StaticFeature {
  return {
    getState: () => ({ kind: "static" }),
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { acp: line.capabilities() };
    },
    initialize: () => undefined,
    clear: () => undefined,
  };
}

/**
 * A client that is connected to the line and not started yet.
 *
 * @param onClosed called when the connection ends that nobody has ended; nothing is restarted here
 */
export function makeClient(
  line: SidecarLine,
  trace: vscode.LogOutputChannel,
  start: ServerOptions,
  onClosed: () => void,
): LanguageClient {
  const client = new LanguageClient("acpSidecar", "ACP Sidecar", start, {
    documentSelector: [{ scheme: "file" }],
    outputChannel: line.log,
    traceOutputChannel: trace,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: sidecarSettings,
    progressOnInitialization: false,
    middleware,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        onClosed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  });
  client.registerFeature(experimental(line));
  line.connect(client);
  return client;
}
