/** Agents, sessions and options as items of lists. Pure. */
import type { AgentView } from "../contract";
import type { PastSession } from "../render/past_sessions";
import { nameOf, type SessionModel } from "../render/session_model";

type Option = SessionModel["configOptions"][number];

/** An item of a list. */
export interface Line {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** One value that an option may have. */
export interface Choice extends Line {
  readonly value: string | boolean;
  readonly current: boolean;
}

const STATES: Readonly<Record<AgentView["state"], string>> = {
  stopped: "not started",
  starting: "starts",
  ready: "runs",
  stopping: "stops",
  failed: "failed",
};

/** What is to be known before an agent is picked, the worst first. */
function agentDetail(agent: AgentView): string {
  if (agent.failure !== null) {
    return agent.failure;
  }
  if (!agent.available) {
    return agent.installHint ?? "Not installed";
  }
  const fetched = agent.needsConsent ? [`fetched by ${agent.run ?? "a program"} if you agree`] : [];
  const signIn = agent.authRequired ? ["wants you to sign in"] : [];
  return [...signIn, ...fetched, agent.command.join(" ")].join(" · ");
}

/** An agent, what it does, and why it failed or what it needs. */
export function agentLine(agent: AgentView, defaultAgent: string): Line {
  const name = agent.title === agent.name ? [] : [agent.name];
  const state = agent.available ? [STATES[agent.state]] : [];
  const isDefault = agent.name === defaultAgent ? ["default"] : [];
  return {
    label: agent.title,
    description: [...name, ...state, ...isDefault].join(", "),
    detail: agentDetail(agent),
  };
}

/** An open session. */
export function openLine(session: SessionModel, current: boolean): Line {
  const doing = session.busy ? "working" : "open";
  return {
    label: `${current ? "$(check) " : ""}${nameOf(session)}`,
    description: `${session.agent}, ${doing}`,
    detail: session.cwd,
  };
}

/** A session from before. */
export function pastLine({ sessionId, agent, cwd, title, when, resumable }: PastSession): Line {
  const date = when === null ? undefined : new Date(when);
  const known = date !== undefined && !Number.isNaN(date.getTime()) ? [date.toLocaleString()] : [];
  const stuck = resumable ? [] : ["cannot be resumed"];
  return {
    label: title ?? sessionId,
    description: [agent, ...known, ...stuck].join(", "),
    detail: cwd,
  };
}

/** Whether agents of this one's abilities can forget sessions for good. */
export function canDelete(agent: AgentView | undefined): boolean {
  return agent?.capabilities?.session?.delete !== undefined;
}

interface Offered {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

function isOffered(value: unknown): value is Offered {
  const offered = value as Partial<Offered> | null;
  return typeof offered?.value === "string" && typeof offered.name === "string";
}

// Options are all plain or all grouped; groups are flattened, with their names beside.
function offers(option: Option): (Offered & { readonly group?: string })[] {
  const listed: unknown = option["options" as keyof Option];
  const entries = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  return entries.flatMap((entry) => {
    const group = entry as { readonly name?: string; readonly options?: unknown } | null;
    if (!Array.isArray(group?.options)) {
      return isOffered(entry) ? [entry] : [];
    }
    const name = group.name ?? "";
    return group.options.filter(isOffered).map((offered) => ({ ...offered, group: name }));
  });
}

/** The values that an option can be set to; none if it is of a type that is only shown. */
export function choicesOf(option: Option): Choice[] {
  const now = (option as { readonly currentValue?: unknown }).currentValue;
  if (option.type === "boolean") {
    return [true, false].map((value) => ({
      label: value ? "On" : "Off",
      value,
      current: value === now,
    }));
  }
  if (option.type !== "select") {
    return [];
  }
  return offers(option).map(({ value, name, description, group }) => ({
    label: name,
    ...(group === undefined ? {} : { description: group }),
    ...(description === undefined ? {} : { detail: description }),
    value,
    current: value === now,
  }));
}

/** An option with its present value. */
export function optionLine(option: Option): Line {
  const current = choicesOf(option).find((choice) => choice.current);
  const { description } = option as { readonly description?: unknown };
  return {
    label: option.name,
    description: current?.label ?? "",
    ...(typeof description === "string" ? { detail: description } : {}),
  };
}
