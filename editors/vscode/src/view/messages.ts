/**
 * What the Agent view's two sides say to each other: the host (in the extension) and the webview
 * (in the browser). Only types and what both sides read them by; neither DOM nor `vscode`.
 */
import type {
  BooleanConfigOption,
  ContextItem,
  PlanEntry,
  TranscriptBlock,
  UsageUpdate,
} from "../contract";

/** A session in the list. */
export interface SessionRow {
  readonly sessionId: string;
  readonly agent: string;
  readonly title: string;
  readonly cwd: string;
  /** A word or two, as "working". */
  readonly doing: string;
  /** ISO 8601, or null if the agent does not say. */
  readonly updatedAt: string | null;
  readonly open: boolean;
  readonly current: boolean;
  readonly busy: boolean;
  /** It waits for an answer of the user. */
  readonly waits: boolean;
  /** Its agent can forget it for good. */
  readonly deletable: boolean;
  /** It is remembered here, and need not be. */
  readonly forgettable: boolean;
  readonly resumable: boolean;
}

/** One value that an option may have. */
export interface OptionChoice {
  readonly value: string;
  readonly label: string;
  readonly group: string | null;
  readonly detail: string | null;
}

/** An option of the session, as mode or model. */
export type OptionRow =
  | {
      readonly type: "select";
      readonly configId: string;
      readonly name: string;
      readonly detail: string | null;
      readonly value: string;
      readonly choices: readonly OptionChoice[];
    }
  | {
      readonly type: "boolean";
      readonly configId: string;
      readonly name: string;
      readonly detail: string | null;
      readonly value: BooleanConfigOption["currentValue"];
    };

/** A slash command of the agent. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** What to type behind it, or null if it takes nothing. */
  readonly hint: string | null;
}

/** A plan of the agent. */
export interface PlanRow {
  readonly planId: string;
  readonly entries: readonly Pick<PlanEntry, "content" | "priority" | "status">[];
}

/** A prompt that is not in the conversation yet. */
export interface QueuedRow {
  readonly promptId: string;
  readonly text: string;
  readonly state: "sent" | "waiting" | "held";
}

/** The session on screen, without its transcript. */
export interface CurrentSession {
  readonly sessionId: string;
  readonly agent: string;
  readonly title: string;
  readonly cwd: string;
  readonly busy: boolean;
  readonly cancelling: boolean;
  readonly replaying: boolean;
  readonly doing: string;
  readonly options: readonly OptionRow[];
  readonly commands: readonly SlashCommand[];
  readonly plans: readonly PlanRow[];
  readonly usage: UsageUpdate | null;
  readonly queued: readonly QueuedRow[];
}

/** An answer that a permission offers. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly icon: string;
  readonly refuses: boolean;
}

/** A permission that waits for an answer; all of it is text. */
export interface PermissionCard {
  readonly permissionId: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly title: string;
  readonly description: string | null;
  readonly warnings: readonly string[];
  /** What was verified, line by line; a command begins with `$ `. */
  readonly facts: readonly string[];
  readonly options: readonly PermissionOption[];
  readonly hasDiff: boolean;
  readonly canRemember: boolean;
  /** For how many milliseconds from now it must not be answered. */
  readonly inertFor: number;
}

/** Whether the server can be talked to, and what to do if not. */
export type ServerRow = "untrusted" | "stopped" | "starting" | "failed" | "running";

/** Everything on screen but transcript and prompt box. */
export interface ViewState {
  readonly server: ServerRow;
  readonly sessions: readonly SessionRow[];
  /** The list of what agents remember is being asked for. */
  readonly listing: boolean;
  /** There are more remembered sessions to ask for. */
  readonly more: boolean;
  readonly current: CurrentSession | null;
  /** Whom a prompt without a session goes to; empty if that is not known. */
  readonly defaultAgent: string;
  readonly permissions: readonly PermissionCard[];
  /** The agent of the current session, or the default one, takes images. */
  readonly takesImages: boolean;
}

/** Something that a prompt is about. */
export interface Chip {
  readonly label: string;
  /** What a pointer resting on it says. */
  readonly detail: string;
  readonly icon: string;
  readonly item: ContextItem | ImageItem;
}

/** An image that goes with a prompt. */
export interface ImageItem {
  readonly type: "image";
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** An entry of the completion list. */
export interface Completion {
  readonly label: string;
  readonly detail: string;
  readonly icon: string;
  /** What replaces the word that was being typed. */
  readonly insert: string;
  readonly chip: Chip | null;
}

/** What of a tool call is not in its Markdown. */
export interface CallExtras {
  /** Its changes, if it has any. */
  readonly changes: {
    readonly files: number;
    readonly added: number;
    readonly removed: number;
    /** Some of it waits for the user's choice. */
    readonly open: boolean;
  } | null;
  /** It can be stopped by itself. */
  readonly stoppable: boolean;
}

/** What of a terminal is not in its Markdown. */
export interface TerminalExtras {
  readonly running: boolean;
  readonly stoppable: boolean;
}

/** From the host. */
export type ToWebview =
  | { readonly type: "state"; readonly state: ViewState }
  /** Blocks of the current session; `reset` forgets those that are shown. */
  | {
      readonly type: "transcript";
      readonly sessionId: string;
      readonly reset: boolean;
      readonly blocks: readonly TranscriptBlock[];
    }
  | {
      readonly type: "extras";
      readonly sessionId: string;
      readonly calls: Readonly<Record<string, CallExtras>>;
      readonly terminals: Readonly<Record<string, TerminalExtras>>;
    }
  /** No session is on screen. */
  | { readonly type: "empty" }
  /** Put something into the prompt box. */
  | { readonly type: "compose"; readonly text: string; readonly chips: readonly Chip[] }
  | { readonly type: "focus" }
  | {
      readonly type: "completions";
      readonly request: number;
      readonly items: readonly Completion[];
    }
  /** What became of the prompt with this number. */
  | { readonly type: "sent"; readonly request: number; readonly error: string | null };

/** Buttons that only run a command of the extension. */
export const RUNNABLE = {
  newSession: "acpSidecar.session.new",
  restartServer: "acpSidecar.server.restart",
  showLog: "acpSidecar.log.show",
  doctor: "acpSidecar.doctor",
  manageTrust: "workbench.trust.manage",
} as const;

export type Runnable = keyof typeof RUNNABLE;

/** What can be completed: files behind `@`, and context behind `#`. */
export type Completing = "file" | "context";

/** From the webview. */
export type FromWebview =
  /** The script runs and has nothing: it wants everything. */
  | { readonly type: "ready" }
  | {
      readonly type: "send";
      readonly request: number;
      readonly text: string;
      readonly items: readonly Chip["item"][];
    }
  | { readonly type: "cancel" }
  | { readonly type: "select"; readonly sessionId: string }
  | {
      readonly type: "resume";
      readonly sessionId: string;
      readonly agent: string;
      readonly cwd: string;
    }
  | { readonly type: "close"; readonly sessionId: string }
  | { readonly type: "delete"; readonly sessionId: string; readonly agent: string }
  | { readonly type: "forget"; readonly sessionId: string; readonly agent: string }
  | { readonly type: "list" }
  | { readonly type: "listMore" }
  | { readonly type: "option"; readonly configId: string; readonly value: string | boolean }
  | { readonly type: "answer"; readonly permissionId: string; readonly optionId: string | null }
  | { readonly type: "answerMore"; readonly permissionId: string }
  | { readonly type: "permissionDetails"; readonly permissionId: string }
  | { readonly type: "openLink"; readonly target: string }
  | { readonly type: "review"; readonly toolCallId: string }
  | { readonly type: "openTerminal"; readonly terminalId: string }
  | { readonly type: "stopTerminal"; readonly terminalId: string }
  | { readonly type: "stopCall"; readonly toolCallId: string }
  /** The user looks at a running tool call: can it be stopped? */
  | { readonly type: "lookAtCall"; readonly toolCallId: string }
  | { readonly type: "unqueue"; readonly promptId: string }
  | { readonly type: "release" }
  | {
      readonly type: "complete";
      readonly request: number;
      readonly what: Completing;
      readonly query: string;
    }
  | { readonly type: "run"; readonly command: Runnable }
  /** Something went wrong in the webview; for the log. */
  | { readonly type: "problem"; readonly message: string };
