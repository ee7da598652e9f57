/** Commands about agents: start, stop, restart, sign in, sign out. */
import * as vscode from "vscode";
import type { AgentView } from "../contract";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { agentLine } from "./render";

/** Whether its process is there, or on its way. */
const runs = (agent: AgentView) => agent.state === "ready" || agent.state === "starting";

/**
 * Have the user pick an agent that can be used; the only one is not asked for.
 *
 * @returns undefined if the user wants none
 */
async function pickUsable(
  sessions: Sessions,
  title: string,
  fits: (agent: AgentView) => boolean = () => true,
): Promise<AgentView | undefined> {
  await sessions.refresh();
  const agents = sessions.agents.filter(fits);
  if (agents.length === 0) {
    void vscode.window.showInformationMessage(`${title}: there is no agent for that now.`);
  }
  if (agents.length <= 1) {
    return agents[0];
  }
  const items = agents.map((agent) => ({ ...agentLine(agent, sessions.defaultAgent), agent }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.agent;
}

/**
 * Have the user pick any agent that is known; of those that are to be installed first, it is told
 * how.
 *
 * @returns one that can be used, or undefined
 */
export async function pickAgent(
  sidecar: Sidecar,
  title: string,
  fits: (agent: AgentView) => boolean = () => true,
): Promise<AgentView | undefined> {
  const { agents, defaultAgent } = await sidecar.command("acp.agents.list", {});
  const fitting = agents.filter(fits);
  const items = groups(fitting).flatMap(([heading, members]) => [
    { label: heading, kind: vscode.QuickPickItemKind.Separator, agent: undefined },
    ...members.map((agent) => ({ ...agentLine(agent, defaultAgent), agent })),
  ]);
  const placeHolder = "An agent";
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  const agent = (await vscode.window.showQuickPick(items, options))?.agent;
  if (agent?.available === false) {
    void tellHowToInstall(agent);
    return undefined;
  }
  return agent;
}

/** Agents by how soon they can begin, without empty groups. */
function groups(agents: readonly AgentView[]): [heading: string, members: AgentView[]][] {
  const ready = agents.filter((agent) => agent.available && !agent.needsConsent);
  const fetched = agents.filter((agent) => agent.available && agent.needsConsent);
  const absent = agents.filter((agent) => !agent.available);
  const all: [string, AgentView[]][] = [
    ["there", ready],
    ["fetched if you agree", fetched],
    ["to be installed first", absent],
  ];
  return all.filter(([, members]) => members.length > 0);
}

async function tellHowToInstall({ title, installHint, docs }: AgentView): Promise<void> {
  const open = "Documentation";
  const message = `${title} is not installed. ${installHint ?? ""}`.trim();
  const buttons = docs === null ? [] : [open];
  if ((await vscode.window.showInformationMessage(message, ...buttons)) === open && docs !== null) {
    await vscode.env.openExternal(vscode.Uri.parse(docs));
  }
}

type Picking = (title: string) => Promise<AgentView | undefined>;
type Life = "acp.agent.start" | "acp.agent.stop" | "acp.agent.restart";

/** The commands, by their names without the prefix. */
export function agentCommands(
  sidecar: Sidecar,
  sessions: Sessions,
): Record<string, () => Promise<void>> {
  const live = (command: Life, title: string, pick: Picking) => async () => {
    const agent = await pick(title);
    if (agent !== undefined) {
      const work = () => sidecar.command(command, { agent: agent.name });
      await withProgress(`${title}: ${agent.name}`, work);
      await sessions.refresh();
    }
  };
  const startable: Picking = (title) => pickAgent(sidecar, title, (agent) => !runs(agent));
  const running: Picking = (title) => pickUsable(sessions, title, runs);
  return {
    "agent.start": live("acp.agent.start", "Start agent", startable),
    "agent.stop": live("acp.agent.stop", "Stop agent", running),
    "agent.restart": live("acp.agent.restart", "Restart agent", running),
    "agent.login": () => login(sidecar, sessions),
    "agent.logout": () => logout(sidecar, sessions),
  };
}

async function withProgress(title: string, work: () => Promise<unknown>): Promise<void> {
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress({ location, title }, work);
}

async function login(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const picked = await pickAgent(sidecar, "Sign in");
  if (picked === undefined) {
    return;
  }
  const { name } = picked;
  // Its ways to sign in are known once it has started.
  await withProgress(`Start agent: ${name}`, () =>
    sidecar.command("acp.agent.start", { agent: name }),
  );
  await sessions.refresh();
  const methods = sessions.agents.find((agent) => agent.name === name)?.authMethods ?? [];
  if (methods.length === 0) {
    void vscode.window.showInformationMessage(`${name} needs no signing in.`);
    return;
  }
  const items = methods.map((method) => ({
    label: method.name,
    detail: typeof method.description === "string" ? method.description : "",
    methodId: method.methodId,
  }));
  const method =
    items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: "Sign in" });
  if (method !== undefined) {
    const args = { agent: name, methodId: method.methodId };
    await withProgress(`Sign in to ${name}`, () => sidecar.command("acp.agent.login", args));
    void vscode.window.showInformationMessage(`Signed in to ${name}.`);
  }
}

async function logout(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const agent = await pickUsable(sessions, "Sign out", (each) => each.state === "ready");
  if (agent !== undefined) {
    await sidecar.command("acp.agent.logout", { agent: agent.name });
    void vscode.window.showInformationMessage(`Signed out of ${agent.name}.`);
  }
}
