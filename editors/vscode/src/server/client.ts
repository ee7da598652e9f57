/** Makes the language client for one run of the server. */
import * as vscode from "vscode";
import {
  CancellationToken,
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  type Middleware,
  type ServerOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import { reviewMiddleware } from "../review/middleware";
import type { SidecarLine } from "../sidecar";
import { withoutOwnFiles } from "./own_files";
import { sidecarSettings } from "./settings";

/**
 * What the language client does otherwise than by itself: `workspace/configuration` of section
 * `acp` is answered from the extension's own settings, and edits are known to be the server's.
 */
function middleware(line: SidecarLine, storage: vscode.Uri): Middleware {
  const { handleApplyEdit, ...workspace } = reviewMiddleware.workspace ?? {};
  return {
    ...withoutOwnFiles(storage),
    ...reviewMiddleware,
    workspace: {
      ...workspace,
      handleApplyEdit: (params, next) =>
        line.whileEditing(async () =>
          handleApplyEdit === undefined
            ? next(params, CancellationToken.None)
            : handleApplyEdit(params, next),
        ),
      configuration: async (params, token, next) => {
        const given: unknown = await next(params, token);
        const answers: unknown[] = Array.isArray(given) ? given : [];
        return params.items.map((item, index) =>
          item.section === "acp" ? sidecarSettings() : (answers[index] ?? null),
        );
      },
    },
  };
}

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
 * @param storage where the extension stores what is for all workspaces
 * @param onClosed called when the connection ends that nobody has ended; nothing is restarted here
 */
export function makeClient(
  line: SidecarLine,
  trace: vscode.LogOutputChannel,
  storage: vscode.Uri,
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
    middleware: middleware(line, storage),
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
