// Bundles the unit tests and runs them in Node: what they test must not need `vscode`.
//
// node test.mjs [PART OF A FILE'S NAME]
import * as esbuild from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

const wanted = process.argv[2] ?? "";
const tests = readdirSync("test", { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".test.ts") && name.includes(wanted),
);
if (tests.length === 0) {
  console.error(`no test in test/ is named like ${wanted}`);
  process.exit(1);
}
rmSync("out/test", { recursive: true, force: true });
await esbuild.build({
  entryPoints: tests.map((name) => join("test", name)),
  outdir: "out/test",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});
const bundled = readdirSync("out/test", { recursive: true, encoding: "utf8" })
  .filter((name) => basename(name).endsWith(".test.mjs"))
  .map((name) => join("out/test", name));
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...bundled], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
