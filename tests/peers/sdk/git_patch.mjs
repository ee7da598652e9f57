// Turns edits into patch text in Git's form, with Git's own hunks and ACP's absolute paths.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The patch of several edits `{operation, path, oldPath?, before, after}`, a section for each. */
export function gitPatch(edits) {
  return edits.map(section).join("");
}

function section({ operation, path: to, oldPath: from = to, before, after }) {
  const head = [`diff --git ${from} ${to}`];
  if (operation === "add") head.push("new file mode 100644");
  if (operation === "delete") head.push("deleted file mode 100644");
  if (operation === "move") head.push(`rename from ${from}`, `rename to ${to}`);
  const body = hunks(before ?? "", after ?? "");
  if (body) {
    head.push(`--- ${operation === "add" ? "/dev/null" : named(from)}`);
    head.push(`+++ ${operation === "delete" ? "/dev/null" : named(to)}`);
  }
  return `${head.join("\n")}\n${body}`;
}

// As Git does: a tab ends a name that has a blank in it.
const named = (file) => (file.includes(" ") ? `${file}\t` : file);

function hunks(before, after) {
  const directory = mkdtempSync(path.join(tmpdir(), "peer-patch-"));
  try {
    writeFileSync(path.join(directory, "before"), before);
    writeFileSync(path.join(directory, "after"), after);
    const arguments_ = ["diff", "--no-index", "--no-color", "--no-ext-diff", "--", "before", "after"];
    const { stdout } = spawnSync("git", arguments_, { cwd: directory, encoding: "utf8" });
    const start = stdout.indexOf("\n@@ ");
    return start < 0 ? "" : stdout.slice(start + 1);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
