/** Pure: what a permission is about, as lines of text, and what can be answered. */
import type { FilePayload, OptionPayload, PermissionParams, SuggestedRule } from "../../contract";

/** Makes an absolute path short for a person, as relative to the workspace. */
export type Shorten = (path: string) => string;

/** Whether an option refuses for certain; kinds that are not known may allow. */
export function refuses(option: OptionPayload): boolean {
  return option.kind === "reject_once" || option.kind === "reject_always";
}

/** The one option of a kind; none if there are several, which a kind does not tell apart. */
export function onlyOption(params: PermissionParams, kind: string): OptionPayload | undefined {
  const found = params.options.filter((option) => option.kind === kind);
  return found.length === 1 ? found[0] : undefined;
}

function file(payload: FilePayload, shorten: Shorten): string {
  const path = payload.real ?? payload.path;
  const verb = [payload.operation ?? "touch", payload.end].filter(Boolean).join(" ");
  const where = payload.outside
    ? ` (outside the workspace${payload.real === null ? ", not verified" : ""})`
    : "";
  return `${verb} ${payload.outside ? path : shorten(path)}${where}`;
}

function command(params: PermissionParams, shorten: Shorten): string[] {
  const { command: run } = params.facts;
  if (run === null) {
    return [];
  }
  const folder =
    run.cwd === null ? "a folder that is not known" : run.cwdOutside ? run.cwd : shorten(run.cwd);
  const outside = run.cwdOutside ? " (outside the workspace)" : "";
  return [`$ ${run.text}`, `in ${folder}${outside}`, ...(run.doubt === "" ? [] : [run.doubt])];
}

/** All that there is to know before answering, the warnings first. */
export function lines(params: PermissionParams, shorten: Shorten): string[] {
  return [
    ...params.warnings.map((warning) => `⚠ ${warning}`),
    params.title,
    ...(params.description === null ? [] : [params.description]),
    ...command(params, shorten),
    ...params.facts.files.map((each) => file(each, shorten)),
    ...(params.reason === "" ? [] : [`Asked because of the rule: ${params.reason}`]),
  ];
}

/** The same as a document, for what is too long for a notification. */
export function account(params: PermissionParams, shorten: Shorten): string {
  const tool = params.tool === null ? [] : [`Tool: ${params.tool}`];
  const options = params.options.map(
    (option) => `- ${option.name} (${option.kind.replaceAll("_", " ")})`,
  );
  return [
    `${params.agent} asks for permission.`,
    "",
    ...lines(params, shorten),
    ...tool,
    "",
    "Answers:",
    ...options,
    "",
    'Answer with "ACP: Answer..." from the command palette, or in the Agent view.',
    "",
  ].join("\n");
}

/** The icon of an option, as VS Code names it. */
export function icon(option: OptionPayload): string {
  switch (option.kind) {
    case "allow_once":
      return "check";
    case "allow_always":
      return "check-all";
    case "reject_once":
      return "close";
    case "reject_always":
      return "circle-slash";
    default:
      return "question";
  }
}

/** A way to answer that makes a rule of the answer. */
export interface Remembering {
  readonly label: string;
  readonly option: OptionPayload;
  readonly scope: "session" | "workspace";
}

/** The ways to answer and remember one rule; those that refuse come first. */
export function remembering(params: PermissionParams): Remembering[] {
  const ways: Remembering[] = [];
  for (const [kind, verb] of [
    ["reject_once", "Reject"],
    ["allow_once", "Allow"],
  ] as const) {
    const option = onlyOption(params, kind);
    if (option !== undefined) {
      ways.push({ label: `${verb} for this session`, option, scope: "session" });
      ways.push({
        label: `${verb} for all sessions until the server ends`,
        option,
        scope: "workspace",
      });
    }
  }
  return ways;
}

/** Whether there is anything to make a rule of. */
export function canRemember(params: PermissionParams): readonly SuggestedRule[] {
  return remembering(params).length > 0 ? params.suggestedRules : [];
}
