/** Commands about agents: start, stop, restart, sign in, sign out. */
import * as vscode from "vscode";
import type { AgentView } from "../contract";
import type { Sessions } from "../sessions";
import type { Sidecar } from "../sidecar";
import { agentLine } from "./render";

/**
 * Have the user pick an agent; the only one is not asked for.
 *
 * @returns its name, or undefined if the user wants none
 */
export async function pickAgent(
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

type Life = "acp.agent.start" | "acp.agent.stop" | "acp.agent.restart";

/** The commands, by their names without the prefix. */
export function agentCommands(
  sidecar: Sidecar,
  sessions: Sessions,
): Record<string, () => Promise<void>> {
  const live = (command: Life, title: string, fits?: (agent: AgentView) => boolean) => async () => {
    const agent = await pickAgent(sessions, title, fits);
    if (agent !== undefined) {
      const work = () => sidecar.command(command, { agent: agent.name });
      await withProgress(`${title}: ${agent.name}`, work);
      await sessions.refresh();
    }
  };
  const runs = (agent: AgentView) => agent.state !== "stopped" && agent.state !== "failed";
  return {
    "agent.start": live("acp.agent.start", "Start agent", (agent) => !runs(agent)),
    "agent.stop": live("acp.agent.stop", "Stop agent", runs),
    "agent.restart": live("acp.agent.restart", "Restart agent"),
    "agent.login": () => login(sidecar, sessions),
    "agent.logout": () => logout(sidecar, sessions),
  };
}

async function withProgress(title: string, work: () => Promise<unknown>): Promise<void> {
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress({ location, title }, work);
}

async function login(sidecar: Sidecar, sessions: Sessions): Promise<void> {
  const picked = await pickAgent(sessions, "Sign in");
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
  const agent = await pickAgent(sessions, "Sign out", (each) => each.state === "ready");
  if (agent !== undefined) {
    await sidecar.command("acp.agent.logout", { agent: agent.name });
    void vscode.window.showInformationMessage(`Signed out of ${agent.name}.`);
  }
}
