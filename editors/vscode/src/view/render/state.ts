/** What the view shows of sessions and permissions, as rows. Pure. */
import { choicesOf } from "../../commands/render";
import type { AgentView } from "../../contract";
import type { OpenPermission } from "../../permission/model";
import {
  canRemember,
  icon,
  lines,
  refuses,
  type Shorten,
} from "../../permission/render/permission";
import type { PastSession } from "../../render/past_sessions";
import { nameOf, type SessionModel } from "../../render/session_model";
import { sessionWords } from "../../status/render/status";
import type {
  CurrentSession,
  OptionRow,
  PermissionCard,
  PlanRow,
  SessionRow,
  SlashCommand,
} from "../messages";

type Option = SessionModel["configOptions"][number];

/** The session on screen. */
export function currentRow(session: SessionModel): CurrentSession {
  const { sessionId, agent, cwd, busy, cancelling, replaying, usage } = session;
  return {
    ...{ sessionId, agent, cwd, busy, cancelling, replaying, usage },
    title: nameOf(session),
    doing: sessionWords(session),
    options: session.configOptions.flatMap(optionRow),
    commands: session.availableCommands.map(slashCommand),
    plans: session.plans.flatMap(planRow),
    queued: session.queued,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** An option that can be set; those of types that are not known cannot. */
function optionRow(option: Option): OptionRow[] {
  const { configId, name } = option;
  const detail = textOf(option.description);
  const now: unknown = (option as { readonly currentValue?: unknown }).currentValue;
  if (option.type === "boolean") {
    return [{ type: "boolean", configId, name, detail, value: now === true }];
  }
  const choices = choicesOf(option).flatMap(({ value, label, description, detail: more }) =>
    typeof value === "string"
      ? [{ value, label, group: description ?? null, detail: more ?? null }]
      : [],
  );
  return choices.length === 0
    ? []
    : [{ type: "select", configId, name, detail, value: textOf(now) ?? "", choices }];
}

function slashCommand(command: SessionModel["availableCommands"][number]): SlashCommand {
  const { name, description } = command;
  const input = command.input as { readonly hint?: unknown } | undefined;
  return { name, description, hint: textOf(input?.hint) };
}

function planRow(plan: SessionModel["plans"][number]): PlanRow[] {
  // A plan of a type that is not known is in the transcript, with its name.
  return plan.type === "items" && Array.isArray(plan.entries)
    ? [{ planId: plan.planId, entries: plan.entries as PlanRow["entries"] }]
    : [];
}

/** An open session in the list. */
export function openRow(
  session: SessionModel,
  current: SessionModel | undefined,
  deletable: boolean,
): SessionRow {
  const { sessionId, agent, cwd, updatedAt, busy } = session;
  return {
    ...{ sessionId, agent, cwd, updatedAt, busy, deletable },
    title: nameOf(session),
    doing: sessionWords(session),
    open: true,
    forgettable: false,
    resumable: true,
    current: sessionId === current?.sessionId,
    waits: session.state === "requires_action",
  };
}

/** A session from before. */
export function pastRow(past: PastSession, deletable: boolean): SessionRow {
  const { sessionId, agent, cwd, title, when, remembered, resumable } = past;
  return {
    ...{ sessionId, agent, cwd, deletable, resumable },
    title: title ?? sessionId,
    doing: resumable ? "" : "cannot be resumed",
    updatedAt: when,
    open: false,
    current: false,
    busy: false,
    waits: false,
    forgettable: remembered,
  };
}

/** Whether prompts to this agent may have images. */
export function takesImages(agent: AgentView | undefined): boolean {
  return agent?.capabilities?.session?.prompt?.image !== undefined;
}

/** A permission, with all that is to be known before answering. */
export function permissionCard(
  { params, since }: OpenPermission,
  shorten: Shorten,
  now: number,
): PermissionCard {
  const { permissionId, sessionId, agent, title, description, warnings, facts } = params;
  // What the agent says is apart from what was verified: neither can look like the other.
  const said = warnings.length + 1 + (description === null ? 0 : 1);
  return {
    ...{ permissionId, sessionId, agent, title, description, warnings },
    facts: lines(params, shorten).slice(said),
    options: params.options.map((option) => ({
      optionId: option.optionId,
      name: option.name,
      icon: icon(option),
      refuses: refuses(option),
    })),
    hasDiff: facts.hasDiff,
    canRemember: canRemember(params).length > 0,
    inertFor: Math.max(0, since + params.inert * 1000 - now),
  };
}
