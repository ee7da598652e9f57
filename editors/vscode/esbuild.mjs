// Bundles the extension (dist/extension.js) and the browser side of its views (dist/webview.js, .css).
//
// node esbuild.mjs [--watch] [--minify] [--host-tests]
//
// With --host-tests also the tests that run in VS Code's extension host (out/host/index.js).
import * as esbuild from "esbuild";

const minify = process.argv.includes("--minify");
const common = { bundle: true, minify, sourcemap: !minify, logLevel: "warning" };

const inHost = {
  ...common,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  // Its packages' ES modules, so that what is not used is left out.
  mainFields: ["module", "main"],
};

/** @type {esbuild.BuildOptions[]} */
const bundles = [
  { ...inHost, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js" },
  {
    ...common,
    entryPoints: ["webview/main.ts"],
    outfile: "dist/webview.js",
    platform: "browser",
    format: "iife",
    target: "es2023",
    loader: { ".ttf": "file", ".svg": "dataurl" },
  },
];

if (process.argv.includes("--host-tests")) {
  bundles.push({ ...inHost, entryPoints: ["test-host/index.ts"], outfile: "out/host/index.js" });
}

if (process.argv.includes("--watch")) {
  const contexts = await Promise.all(bundles.map((options) => esbuild.context(options)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(bundles.map((options) => esbuild.build(options)));
}
