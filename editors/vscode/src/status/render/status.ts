/** The status bar in one look: which agent, what it does, and whether it is followed. Pure. */
import type { FollowPayload } from "../../contract";
import { pauseWords } from "../../follow/render/labels";
import type { SessionModel } from "../../render/session_model";

/** All that is shown. */
export interface Facts {
  readonly trusted: boolean;
  readonly server: "stopped" | "starting" | "running" | "failed";
  readonly follow: Pick<FollowPayload, "mode" | "paused"> | undefined;
  readonly session: SessionModel | undefined;
  readonly agent: string;
  /** Of all sessions: how many work. */
  readonly busy: number;
}

/** A status bar item. */
export interface Status {
  readonly text: string;
  /** One fact a line. */
  readonly tooltip: string;
  readonly severity: "none" | "warning" | "error";
}

/** `on`, `paused` or `off`. */
export function followOf(facts: Facts): "on" | "paused" | "off" {
  if (facts.follow?.mode !== "on") {
    return "off";
  }
  return facts.follow.paused === null ? "on" : "paused";
}

const FOLLOW_ICONS = { on: "$(eye)", paused: "$(debug-pause)", off: "$(eye-closed)" };

function followWords(facts: Facts): string {
  const paused = facts.follow?.paused;
  switch (followOf(facts)) {
    case "on":
      return "Following";
    case "paused":
      return `Following is paused: ${pauseWords(paused ?? "")}`;
    case "off":
      return "Not following";
  }
}

/** What a session does, in a word or two. */
export function sessionWords(session: SessionModel | undefined): string {
  if (session === undefined) {
    return "no session";
  }
  if (session.cancelling) {
    return "being cancelled";
  }
  if (session.state === "requires_action") {
    return "waits for you";
  }
  if (session.busy) {
    return session.replaying ? "telling the past" : "working";
  }
  return session.error === null ? "idle" : `failed: ${session.error.message}`;
}

function running(facts: Facts): Status {
  const { session, busy } = facts;
  const waits = session?.state === "requires_action";
  const doing = waits ? "$(bell-dot) " : busy > 0 ? "$(loading~spin) " : "";
  const paused = followOf(facts) === "paused" ? " paused" : "";
  const title = session?.title ?? undefined;
  const others = busy - (session?.busy === true ? 1 : 0);
  return {
    text: `${FOLLOW_ICONS[followOf(facts)]}${paused} ${doing}${session?.agent ?? facts.agent}`,
    tooltip: [
      `${session?.agent ?? facts.agent}: ${sessionWords(session)}`,
      ...(title === undefined ? [] : [title]),
      ...(others > 0 ? [`${others} more at work`] : []),
      followWords(facts),
    ].join("\n"),
    severity: "none", // the item that counts the questions is the one in yellow
  };
}

/** What to show. */
export function statusOf(facts: Facts): Status {
  if (!facts.trusted) {
    const tooltip = "Agents run programs in this folder: they start once you trust it.";
    return { text: "$(shield) ACP", tooltip, severity: "warning" };
  }
  switch (facts.server) {
    case "starting":
      return { text: "$(loading~spin) ACP", tooltip: "The server starts", severity: "none" };
    case "stopped":
      return { text: "$(circle-slash) ACP", tooltip: "The server is stopped", severity: "none" };
    case "failed":
      return { text: "$(error) ACP", tooltip: "The server does not run", severity: "error" };
    case "running":
      return running(facts);
  }
}

/** A line of the menu behind the status bar item. */
export interface MenuLine {
  readonly label: string;
  readonly command: string;
}

/** What can be done now, the likeliest first. */
export function menuOf(facts: Facts): MenuLine[] {
  if (!facts.trusted) {
    return [{ label: "$(shield) Manage trust", command: "workbench.trust.manage" }];
  }
  const help = [
    { label: "$(refresh) Restart server", command: "acpSidecar.server.restart" },
    { label: "$(output) Show log", command: "acpSidecar.log.show" },
    { label: "$(pulse) Run doctor", command: "acpSidecar.doctor" },
  ];
  if (facts.server !== "running") {
    const install = { label: "$(cloud-download) Install", command: "acpSidecar.server.install" };
    return facts.server === "starting" ? help : [...help, install];
  }
  return [...followLines(facts), ...sessionLines(facts), ...help];
}

function followLines(facts: Facts): MenuLine[] {
  const toggle = "acpSidecar.follow.toggle";
  const pause = { label: "$(debug-pause) Pause following", command: "acpSidecar.follow.pause" };
  switch (followOf(facts)) {
    case "on":
      return [pause, { label: "$(eye-closed) Stop following", command: toggle }];
    case "paused":
      return [{ label: "$(eye) Resume following", command: toggle }];
    case "off":
      return [{ label: "$(eye) Follow", command: toggle }];
  }
}

function sessionLines(facts: Facts): MenuLine[] {
  const cancel = { label: "$(debug-stop) Cancel turn", command: "acpSidecar.cancel" };
  return [
    ...(facts.session?.busy === true ? [cancel] : []),
    { label: "$(comment-discussion) Send prompt...", command: "acpSidecar.prompt" },
    { label: "$(history) Sessions...", command: "acpSidecar.session.list" },
    { label: "$(settings) Session options...", command: "acpSidecar.session.options" },
    { label: "$(list-ordered) Show the trail...", command: "acpSidecar.trail.list" },
  ];
}
