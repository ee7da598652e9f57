/** What is known of one session, from `acp.state` and the deltas of `acp/session`. Pure. */
import type { SessionParams, SessionView } from "../contract";

/** A session: all that `acp/session` has told of it so far. */
export type SessionModel = Readonly<Required<Omit<SessionParams, "cleared">>>;

const UNSAID = {
  title: null,
  updatedAt: null,
  usage: null,
  configOptions: [],
  availableCommands: [],
  plans: [],
} satisfies Partial<SessionModel>;

/** A session as `acp.state` has it. */
export function fromView(view: SessionView): SessionModel {
  const { sessionId, agent, cwd, state, stopReason, busy, cancelling, replaying, closed } = view;
  const { error, title, updatedAt, usage, configOptions, availableCommands, plans, queued } = view;
  return {
    ...{ sessionId, agent, cwd, state, stopReason, busy, cancelling, replaying, closed },
    ...{ error, title, updatedAt, usage, configOptions, availableCommands, plans, queued },
  };
}

/** A session after news of it: what they leave out is unchanged. */
export function updated(known: SessionModel | undefined, params: SessionParams): SessionModel {
  const { cleared, ...news } = params; // JavaScript's JSON tells null from what is left out
  return { ...UNSAID, ...known, ...news };
}

/** The session that is meant: the chosen one while it is open, else the newest that is open. */
export function currentOf(
  all: readonly SessionModel[],
  chosen: string | undefined,
): SessionModel | undefined {
  const open = all.filter((session) => !session.closed);
  return open.find((session) => session.sessionId === chosen) ?? open.at(-1);
}

/** What to call a session. */
export function nameOf(session: SessionModel): string {
  return session.title ?? `${session.agent} (${session.sessionId})`;
}
