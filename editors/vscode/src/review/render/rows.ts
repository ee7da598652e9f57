/**
 * Which rows of the Changes view are to be drawn anew. Pure.
 *
 * VS Code forgets what stands below a row that is drawn anew until it has asked again, and a press on
 * a button there is lost meanwhile. So nothing is drawn anew that looks as it did.
 */

import type { Node } from "./tree";

/** For the `when` clauses of menus: the kind, and what can be done. */
export function contextOf(node: Node): string {
  const isText = node.files.some(({ file }) => file.fileType === null || file.fileType === "text");
  return [
    node.kind,
    ...(node.offer.accept ? ["accept"] : []),
    ...(node.offer.reject ? ["reject"] : []),
    ...(isText ? ["diff"] : []),
  ].join(" ");
}

/** The ids of the rows to draw anew, each with all below it; null for the whole view. */
export function changedRows(before: readonly Node[], after: readonly Node[]): string[] | null {
  if (!isSameRows(before, after)) {
    return null;
  }
  return after.flatMap((node, index) => {
    const old = before[index];
    if (old === undefined || appearance(old) !== appearance(node)) {
      return [node.id];
    }
    return changedRows(old.children, node.children) ?? [node.id];
  });
}

function isSameRows(before: readonly Node[], after: readonly Node[]): boolean {
  return before.length === after.length && after.every(({ id }, at) => id === before[at]?.id);
}

function appearance(node: Node): string {
  const { label, description, tooltip, status } = node;
  return JSON.stringify([label, description, tooltip, status, contextOf(node)]);
}
