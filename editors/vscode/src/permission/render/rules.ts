/** Remembered permission rules in words, and as what adds them again. Pure. */
import type { AddRuleArguments, RememberedView, RuleMatchArguments } from "../../contract";

const VERBS: Readonly<Record<AddRuleArguments["do"], string>> = {
  allow: "Allow",
  ask: "Ask about",
  deny: "Reject",
};

/** What it does, to what, and for how long. */
export function ruleLine(view: RememberedView): { label: string; description: string } {
  const { match, do: verb } = ruleOf(view);
  const facts = Object.entries(match).flatMap(([name, value]) =>
    typeof value === "string" ? [`${name} ${value}`] : [],
  );
  return {
    label: `${VERBS[verb]} ${facts.length > 0 ? facts.join(", ") : "everything"}`,
    description: view.sessionId === null ? "until the server ends" : "one session",
  };
}

/** What `acp.permission.addRule` takes to have the same rule once more. */
export function addedAgain(view: RememberedView): AddRuleArguments {
  const { match, do: verb } = ruleOf(view);
  return view.sessionId === null
    ? { match, do: verb, scope: "workspace" }
    : { match, do: verb, scope: "session", sessionId: view.sessionId };
}

interface Rule {
  readonly match: RuleMatchArguments;
  readonly do: AddRuleArguments["do"];
}

/** The rule as the settings have it; what is not said there is asked about. */
function ruleOf({ rule }: RememberedView): Rule {
  const { match, do: verb } = rule as Partial<Rule>;
  return { match: match ?? {}, do: verb !== undefined && verb in VERBS ? verb : "ask" };
}
