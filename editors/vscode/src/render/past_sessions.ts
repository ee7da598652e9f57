/** Sessions that are not open: those remembered here, and those that agents list. Pure. */
import type { AgentView, ListedSession, RememberedSession } from "../contract";

/** A session from before. */
export interface PastSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly title: string | null;
  /** ISO 8601, or null if nobody says. */
  readonly when: string | null;
  /** It is remembered here, not only by its agent. */
  readonly remembered: boolean;
  readonly resumable: boolean;
}

/**
 * The agents whose lists are asked for. One that does not run is not started for it, but for the
 * default one, which is what users mean; nor is that if it would have to be fetched.
 */
export function agentsToAsk(agents: readonly AgentView[], defaultAgent: string): AgentView[] {
  return agents.filter(
    ({ name, state, needsConsent }) =>
      state === "ready" || (name === defaultAgent && !needsConsent),
  );
}

/** What is remembered here first, then what else agents list; each session once, none that is open. */
export function pastSessions(
  remembered: readonly RememberedSession[],
  listed: readonly ListedSession[],
  open: ReadonlySet<string>,
): PastSession[] {
  const found = new Map<string, PastSession>();
  for (const past of [...remembered.map(fromMemory), ...listed.map(fromList)]) {
    const key = keyOf(past);
    if (!found.has(key) && !open.has(key)) {
      found.set(key, past);
    }
  }
  return [...found.values()];
}

/** Names a session: ids of different agents may be equal. */
export function keyOf({ agent, sessionId }: { agent: string; sessionId: string }): string {
  return JSON.stringify([agent, sessionId]);
}

function fromMemory(session: RememberedSession): PastSession {
  const { sessionId, agent, cwd, title, updatedAt, lastUsed, resume } = session;
  return {
    ...{ sessionId, agent, cwd, title },
    when: updatedAt ?? lastUsed,
    remembered: true,
    resumable: resume !== "none",
  };
}

function fromList(session: ListedSession): PastSession {
  const { sessionId, agent, cwd, title, updatedAt, lastUsed, remembered } = session;
  return {
    ...{ sessionId, agent, cwd, title, remembered },
    when: updatedAt ?? lastUsed,
    resumable: true,
  };
}
