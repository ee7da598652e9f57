/** The settings, split into the server's (all that is not the editor's own) and the editor's. */
import * as vscode from "vscode";

/** Section of all settings of this extension. */
export const SECTION = "acpSidecar";

/** Groups of settings that only this extension reads; the server has no groups of these names. */
const OWN = new Set(["server", "editor"]);

/** What the server gets as `initializationOptions`, and as section `acp` of the configuration. */
export function sidecarSettings(): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration().get<Record<string, unknown>>(SECTION) ?? {};
  // The configuration is a proxy that refuses to be copied whole.
  const plain = JSON.parse(JSON.stringify(all)) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(plain).filter(([name]) => !OWN.has(name)));
}

/** A text among the extension's own settings, by its name without the section; trimmed. */
export function ownSetting(name: string): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>(name, "").trim();
}

/** Whether the server must be started anew for a change: it is another program then. */
export function changesServer(event: vscode.ConfigurationChangeEvent): boolean {
  return ["path", "interpreter"].some((name) =>
    event.affectsConfiguration(`${SECTION}.server.${name}`),
  );
}
