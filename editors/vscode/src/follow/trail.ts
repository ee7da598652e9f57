/** The trail as a list: looking at a place in it never ends the walk, or moves the agent. */
import { sep } from "node:path";
import * as vscode from "vscode";
import type { TrailEntryView } from "../contract";
import type { Sidecar } from "../sidecar";
import { trailLabel, whyNotShown } from "./render/labels";
import type { Roots } from "./roots";

interface TrailItem extends vscode.QuickPickItem {
  readonly entry: TrailEntryView;
}

function itemOf(entry: TrailEntryView, uri: vscode.Uri): TrailItem {
  const relative = vscode.workspace.asRelativePath(uri).replaceAll("/", sep);
  return { ...trailLabel(entry, relative), entry };
}

/** Let the user pick a place where agents have been, the newest first, and show it. */
export async function showTrail(sidecar: Sidecar, roots: Roots): Promise<void> {
  const { trail } = await sidecar.command("acp.state", {});
  const items = trail.map((entry) => itemOf(entry, roots.uri(entry.path))).reverse();
  if (items.length === 0) {
    void vscode.window.showInformationMessage("No agent has been anywhere yet.");
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: "Where agents have been",
    placeHolder: "A place to look at; following pauses",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked !== undefined) {
    await show(sidecar, picked.entry, roots);
  }
}

async function show(sidecar: Sidecar, entry: TrailEntryView, roots: Roots): Promise<void> {
  const why = whyNotShown(entry);
  const uri = roots.uri(entry.path);
  if (why !== undefined || entry.uri === null) {
    void vscode.window.showInformationMessage(
      `${entry.path} cannot be shown: ${why ?? "no file"}.`,
    );
    return;
  }
  await sidecar.command("acp.follow", { mode: "pause" });
  const line = Math.max(0, (entry.line ?? 1) - 1);
  try {
    await vscode.window.showTextDocument(uri, {
      preview: true,
      selection: new vscode.Range(line, 0, line, 0),
    });
  } catch (error) {
    sidecar.log.debug(`${entry.path} is not shown: ${String(error)}`);
    void vscode.window.showInformationMessage(`${entry.path} can no longer be shown.`);
  }
}
