/** Commands about sessions: new, list, options, transcript. */
import * as vscode from "vscode";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { pickAgent } from "./agents";
import { messageOf } from "./reported";
import { choicesOf, optionLine } from "./render";
import { SessionPicker } from "./session_picker";

/** The commands, by their names without the prefix. */
export function sessionCommands(
  sidecar: Sidecar,
  sessions: Sessions,
): Record<string, () => Promise<void>> {
  return {
    "session.new": () => open(sidecar, sessions),
    "session.list": () => new SessionPicker(sidecar, sessions).show(),
    "session.options": () => setOption(sidecar, sessions),
    "session.transcript": () => transcript(sidecar, sessions),
  };
}

/** Open a session in a folder of the workspace that the user picks; the only one is not asked for. */
async function open(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const agent = await pickAgent(sidecar, "New session");
  if (agent === undefined) {
    return;
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.length > 1 ? await vscode.window.showWorkspaceFolderPick() : folders[0];
  if (folders.length > 1 && folder === undefined) {
    return;
  }
  const cwd = folder === undefined ? {} : { cwd: folder.uri.fsPath };
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress(
    { location, title: `New session of ${agent.name}` },
    async () => {
      const { sessionId } = await sidecar.command("acp.session.new", { agent: agent.name, ...cwd });
      sessions.setCurrent(sessionId);
    },
  );
}

async function setOption(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const session = sessions.current;
  const settable = (session?.configOptions ?? []).filter((option) => choicesOf(option).length > 0);
  if (session === undefined || settable.length === 0) {
    const why = session === undefined ? "There is no session yet." : "This agent has no options.";
    void vscode.window.showInformationMessage(why);
    return;
  }
  const options = settable.map((option) => ({ ...optionLine(option), option }));
  const picked = await vscode.window.showQuickPick(options, { title: "Session options" });
  if (picked === undefined) {
    return;
  }
  const title = picked.option.name;
  const choices = choicesOf(picked.option).map((choice) => ({
    ...choice,
    label: `${choice.current ? "$(check) " : ""}${choice.label}`,
  }));
  const choice = await vscode.window.showQuickPick(choices, { title, matchOnDetail: true });
  if (choice !== undefined) {
    const { sessionId } = session;
    const { configId: option } = picked.option;
    await sidecar.command("acp.session.setOption", { sessionId, option, value: choice.value });
  }
}

async function transcript(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const session = sessions.current;
  if (session === undefined) {
    void vscode.window.showInformationMessage("There is no session yet.");
    return;
  }
  const { sessionId } = session;
  const { uri } = await sidecar.command("acp.transcript.open", { sessionId });
  try {
    await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.parse(uri));
  } catch (error) {
    // Without the built-in Markdown extension the server's own document is open all the same.
    sidecar.log.debug(`no preview of the transcript: ${messageOf(error)}`);
  }
}
