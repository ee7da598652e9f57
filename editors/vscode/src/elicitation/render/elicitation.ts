/** Pure: what an agent wants to know, as lines of text. */
import type { ElicitationParams } from "../../contract";

/** All that there is to know before answering, the warnings first. */
export function linesOf({ message, form, link }: ElicitationParams): string[] {
  const page = link === null ? [] : [`leads to ${link.host}`, link.url];
  const fields = form === null ? [] : [form.title ?? "", form.description ?? ""];
  const warnings = link?.warnings.map((warning) => `⚠ ${warning}`) ?? [];
  return [...warnings, message, ...fields, ...page].filter((line) => line !== "");
}

/** The same as a document. */
export function account(params: ElicitationParams): string {
  return [`${params.agent} asks:`, "", ...linesOf(params), ""].join("\n");
}
