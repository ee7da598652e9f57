/** Goes through a form field by field, shows it for review, and says what the user wants. */
import * as vscode from "vscode";
import type { ElicitationAnswer, FieldPayload, FormPayload } from "../contract";
import { askField, type Step } from "./field";
import { askable, firstError, missing, shown, type Values } from "./render/form";

/** A form that the user is filling in; what was typed is kept while it is put aside. */
export interface Draft {
  readonly title: string;
  readonly form: FormPayload;
  values: Values;
  readonly token: vscode.CancellationToken;
}

interface Row extends vscode.QuickPickItem {
  readonly to: number | "send" | "decline";
}

/** Fill the form in; undefined if the user has put it aside. */
export async function fillIn(draft: Draft): Promise<ElicitationAnswer | undefined> {
  const fields = askable(draft.form);
  const wrong = firstError(fields);
  if (!(wrong >= 0 ? await edit(draft, fields, wrong) : await walk(draft, fields))) {
    return undefined;
  }
  for (;;) {
    const next = await review(draft, fields);
    if (next === "send") {
      return { action: "accept", content: { ...draft.values } };
    }
    if (next === "decline") {
      return { action: "decline" };
    }
    if (next === undefined || !(await edit(draft, fields, next))) {
      return undefined;
    }
  }
}

function stepOf(draft: Draft, step: number, total: number): Step {
  return { title: draft.title, step, total, token: draft.token };
}

/** All fields in turn; false if the form was put aside. */
async function walk(draft: Draft, fields: readonly FieldPayload[]): Promise<boolean> {
  let index = 0;
  while (index < fields.length) {
    const field = fields[index];
    if (field === undefined) {
      break;
    }
    const step = stepOf(draft, index + 1, fields.length + 1);
    const outcome = await askField(field, draft.values[field.name], step);
    if (outcome === "aside") {
      return false;
    }
    if (outcome === "back") {
      index -= 1;
      continue;
    }
    set(draft, field, outcome.value);
    index += 1;
  }
  return true;
}

/** One field of a form that is under review; false if the form was put aside. */
async function edit(
  draft: Draft,
  fields: readonly FieldPayload[],
  index: number,
): Promise<boolean> {
  const field = fields[index];
  if (field === undefined) {
    return true;
  }
  // Step 2: there is a way back, to the review.
  const outcome = await askField(field, draft.values[field.name], stepOf(draft, 2, 2));
  if (outcome === "aside") {
    return false;
  }
  if (outcome !== "back") {
    set(draft, field, outcome.value);
  }
  return true;
}

function set(draft: Draft, field: FieldPayload, value: unknown): void {
  const others = Object.entries(draft.values).filter(([name]) => name !== field.name);
  const own: [string, unknown][] = value === undefined ? [] : [[field.name, value]];
  draft.values = Object.fromEntries([...others, ...own]);
}

/** Everything once more, before it goes to the agent. */
async function review(
  draft: Draft,
  fields: readonly FieldPayload[],
): Promise<Row["to"] | undefined> {
  const lacking = missing(fields, draft.values);
  const [first] = lacking;
  const send: Row =
    first === undefined
      ? { label: "$(check) Send", to: "send" }
      : {
          label: `$(edit) Fill in ${first.title}`,
          description: "required",
          to: fields.indexOf(first),
        };
  const rows: Row[] = fields.map((field, to) => ({
    label: field.title,
    description: shown(field, draft.values[field.name]),
    ...(field.error === null ? {} : { detail: `$(error) ${field.error}` }),
    to,
  }));
  const separator = { kind: vscode.QuickPickItemKind.Separator, to: -1 };
  const chosen = await vscode.window.showQuickPick<Row>(
    [
      send,
      { label: "choose a field to change it", ...separator },
      ...rows,
      { label: "", ...separator },
      { label: "$(close) Decline to answer", to: "decline" },
    ],
    {
      title: `${draft.title} \u00b7 review`,
      placeHolder: "This is what the agent gets",
      ignoreFocusOut: true,
    },
    draft.token,
  );
  return chosen?.to;
}
