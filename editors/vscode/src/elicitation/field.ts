/** Asks for one field by a quick pick or an input box. */
import * as vscode from "vscode";
import type { FieldPayload } from "../contract";
import { hint, read, typed } from "./render/form";

/** A value (undefined: left out), a step back, or the user has put the form aside. */
export type Outcome = { readonly value: unknown } | "back" | "aside";

/** Where in the form this is, and what closes it from outside. */
export interface Step {
  readonly title: string;
  readonly step: number;
  readonly total: number;
  readonly token: vscode.CancellationToken;
}

interface Row extends vscode.QuickPickItem {
  readonly value: unknown;
}

/** Ask, starting with `value`; a mistake that the server found stands at the field. */
export function askField(field: FieldPayload, value: unknown, step: Step): Promise<Outcome> {
  switch (field.type) {
    case "boolean":
      return askOne(field, value, step, [
        { label: "Yes", value: true },
        { label: "No", value: false },
      ]);
    case "choice":
      return askOne(field, value, step, choiceRows(field));
    case "choices":
      return askSeveral(field, value, step);
    default:
      return askText(field, value, step);
  }
}

function choiceRows(field: FieldPayload): Row[] {
  return field.choices.map(({ value, title, description }) => ({
    label: title,
    ...(description === null ? {} : { detail: description }),
    value,
  }));
}

function prepare(
  input: vscode.QuickInput,
  field: FieldPayload,
  { title, step, total }: Step,
): void {
  input.title = `${title} \u00b7 ${field.title}`;
  input.step = step;
  input.totalSteps = total;
  input.ignoreFocusOut = true;
}

/** Show it until it has an outcome, is put aside, or is withdrawn. */
function run(
  input: vscode.QuickPick<Row> | vscode.InputBox,
  step: Step,
  accept: () => Outcome | undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const done = (outcome: Outcome): void => {
      resolve(outcome);
      input.hide();
    };
    input.buttons = step.step > 1 ? [vscode.QuickInputButtons.Back] : [];
    input.onDidTriggerButton(() => done("back"));
    input.onDidAccept(() => {
      const outcome = accept();
      if (outcome !== undefined) {
        done(outcome);
      }
    });
    const withdrawn = step.token.onCancellationRequested(() => done("aside"));
    input.onDidHide(() => {
      withdrawn.dispose();
      resolve("aside");
      input.dispose();
    });
    input.show();
  });
}

function askText(field: FieldPayload, value: unknown, step: Step): Promise<Outcome> {
  const box = vscode.window.createInputBox();
  prepare(box, field, step);
  box.value = typed(value);
  box.prompt = hint(field);
  box.validationMessage = field.error ?? undefined;
  const problem = (): string | undefined => {
    const result = read(field, box.value);
    return "problem" in result ? result.problem : undefined;
  };
  box.onDidChangeValue(() => (box.validationMessage = problem()));
  return run(box, step, () => {
    const result = read(field, box.value);
    if ("problem" in result) {
      box.validationMessage = result.problem;
      return undefined;
    }
    return result;
  });
}

function askOne(field: FieldPayload, value: unknown, step: Step, rows: Row[]): Promise<Outcome> {
  const pick = vscode.window.createQuickPick<Row>();
  prepare(pick, field, step);
  pick.placeholder = field.error ?? hint(field);
  const none: Row = { label: "Leave it out", value: undefined };
  pick.items = field.required ? rows : [...rows, none];
  pick.activeItems = pick.items.filter((row) => row.value === value);
  return run(pick, step, () => {
    const [row] = pick.selectedItems;
    return row && { value: row.value };
  });
}

function askSeveral(field: FieldPayload, value: unknown, step: Step): Promise<Outcome> {
  const pick = vscode.window.createQuickPick<Row>();
  prepare(pick, field, step);
  pick.placeholder = field.error ?? hint(field);
  pick.canSelectMany = true;
  pick.items = choiceRows(field);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  pick.selectedItems = pick.items.filter((row) => chosen.includes(row.value));
  return run(pick, step, () => {
    const values = pick.selectedItems.map((row) => row.value);
    const leftOut = values.length === 0 && !field.required;
    return { value: leftOut ? undefined : values };
  });
}
