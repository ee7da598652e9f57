/**
 * Tests that run inside VS Code's extension host, beside the extension: VS Code loads this module
 * and waits for `run`. What they print goes to the console of the window.
 */
import { commands } from "./commands";
import { documents } from "./documents";
import { following } from "./following";

/** A test: its name, and what rejects or throws if it fails. */
export type Test = readonly [name: string, run: () => Promise<void>];

export async function run(): Promise<void> {
  const failed: string[] = [];
  for (const [name, test] of [...commands, ...documents, ...following]) {
    try {
      await test();
      console.log(`passed: ${name}`);
    } catch (error) {
      failed.push(name);
      console.log(`FAILED: ${name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  if (failed.length > 0) {
    throw new Error(`${failed.length} failed: ${failed.join("; ")}`);
  }
}
