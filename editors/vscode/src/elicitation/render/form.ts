/** Pure: the fields of a form, what is typed into them, and what is shown of that. */
import type { FieldPayload, FormPayload } from "../../contract";

/** Values by name of field; a field that is left out is not in it. */
export type Values = Readonly<Record<string, unknown>>;

/** What text stands for in a field, or why it does not fit. */
export type Read = { readonly value: unknown } | { readonly problem: string };

/** Fields that can be filled in; those of an unknown type are left out. */
export function askable(form: FormPayload): FieldPayload[] {
  return form.fields.filter(({ type }) => type !== "unknown");
}

/** What the fields start with. */
export function initial(form: FormPayload): Values {
  const given = askable(form).filter(
    (field) => field.default !== null && field.default !== undefined,
  );
  return Object.fromEntries(given.map((field) => [field.name, field.default]));
}

/** The index of the first field that the server found a mistake in, or -1. */
export function firstError(fields: readonly FieldPayload[]): number {
  return fields.findIndex(({ error }) => error !== null);
}

/** Read what was typed. The server checks it once more, and all that is not checked here. */
export function read(field: FieldPayload, text: string): Read {
  if (text === "") {
    return field.required ? { problem: "This is required." } : { value: undefined };
  }
  if (field.type !== "number" && field.type !== "integer") {
    return { value: text };
  }
  const value = Number(text.trim());
  if (!Number.isFinite(value) || text.trim() === "") {
    return { problem: "This is a number." };
  }
  if (field.type === "integer" && !Number.isInteger(value)) {
    return { problem: "This is a whole number." };
  }
  if (field.least !== null && value < field.least) {
    return { problem: `At least ${field.least}.` };
  }
  if (field.most !== null && value > field.most) {
    return { problem: `At most ${field.most}.` };
  }
  return { value };
}

/** A value as an input box has it. */
export function typed(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function titleOf(field: FieldPayload, value: unknown): string {
  return field.choices.find((choice) => choice.value === value)?.title ?? typed(value);
}

/** A value as a person reads it. */
export function shown(field: FieldPayload, value: unknown): string {
  if (value === undefined || value === null) {
    return "(left out)";
  }
  if (typeof value === "boolean") {
    return value ? "Yes" : "No";
  }
  return Array.isArray(value)
    ? value.map((each: unknown) => titleOf(field, each)).join(", ") || "(none)"
    : titleOf(field, value);
}

/** What stands beside a field: what it is for, and what fits. */
export function hint(field: FieldPayload): string {
  const unit = field.type === "string" ? " characters" : field.type === "choices" ? " choices" : "";
  const limits = [
    field.least === null ? [] : `at least ${field.least}${unit}`,
    field.most === null ? [] : `at most ${field.most}${unit}`,
  ].flat();
  const bounds = limits.join(", ");
  const kind = field.format ?? (field.type === "integer" ? "whole number" : "");
  const parts = [
    field.description ?? "",
    kind,
    bounds,
    field.required ? "required" : "may be left out",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Required fields that have no value yet. */
export function missing(fields: readonly FieldPayload[], values: Values): FieldPayload[] {
  return fields.filter((field) => field.required && (values[field.name] ?? null) === null);
}
