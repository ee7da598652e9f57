// What the agents do, told once for both protocol versions. The prompt's marker `[[peer:NAME]]`
// picks one. They really read, write and run in the session's directory, which has to be the
// sample project of `tests/peers/project.py`.

import { promises as fs } from "node:fs";
import path from "node:path";
import { unique } from "./turn.mjs";

const GREETING = ['    return "Hello, " + name\n', '    greeting = "Howdy"\n    return f"{greeting}, {name}"\n'];
const COLOURED = `
  const euro = Buffer.from("\\u20ac");
  process.stdout.write("\\x1b[32mone\\x1b[0m\\n");
  setTimeout(() => process.stdout.write(euro.subarray(0, 1)), 60);
  setTimeout(() => { process.stdout.write(Buffer.concat([euro.subarray(1), Buffer.from(" two\\n")])); process.exitCode = 3; }, 120);
`;
const TICKING = `let n = 0; setInterval(() => console.log("tick " + ++n), 100);`;

export const stories = {
  async hello(turn) {
    await turn.think("A greeting will do.");
    await turn.say("Hello from the scripted agent.");
  },

  async read(turn) {
    const file = path.join(turn.root, "numbers.txt");
    const id = await turn.call({ name: "read_file", title: "Read numbers.txt (40 - 44)", kind: "read",
      locations: [{ path: file, line: 40 }], rawInput: { path: file, offset: 40, limit: 5 } });
    await turn.change(id, { status: "in_progress" });
    const lines = (await fs.readFile(file, "utf8")).split("\n").slice(39, 44);
    await turn.change(id, { status: "completed", texts: [lines.join("\n")], rawOutput: { lines: lines.length } });
    await turn.say("I read lines 40 to 44.");
  },

  async edit(turn) {
    await applyEdits(turn, "Change the greeting", [await replacing(turn, "greet.py", [GREETING])]);
  },

  async two_files(turn) {
    const edits = [
      await replacing(turn, "greet.py", [GREETING]),
      await replacing(turn, "numbers.txt", [["line 10\n", "line ten\n"], ["line 60\n", "line 60\nline 60 and a half\n"], ["line 90\n", ""]]),
    ];
    await applyEdits(turn, "Change two files", edits);
  },

  async rename(turn) {
    const before = await fs.readFile(path.join(turn.root, "old_name.txt"), "utf8");
    await applyEdits(turn, "Rename a file", [{ operation: "move", oldPath: path.join(turn.root, "old_name.txt"),
      path: path.join(turn.root, "new_name.txt"), before, after: before.replace("before\n", "after\n") }]);
  },

  async new_file(turn) {
    await applyEdits(turn, "Add a file", [{ operation: "add", path: path.join(turn.root, "notes", "new.md"), before: null, after: "# Notes\n\n- one\n" }]);
  },

  async delete(turn) {
    const file = path.join(turn.root, "old_name.txt");
    await applyEdits(turn, "Delete a file", [{ operation: "delete", path: file, before: await fs.readFile(file, "utf8"), after: null }]);
  },

  async command(turn) {
    await runCommand(turn, { command: "node coloured.js", script: COLOURED });
  },

  async slow(turn) {
    await runCommand(turn, { command: "node ticking.js", script: TICKING });
  },

  async plan(turn) {
    const steps = ["Look", "Change", "Check"];
    for (let done = 0; done <= steps.length; done++) {
      const status = (index) => (index < done ? "completed" : index === done ? "in_progress" : "pending");
      await turn.plan(steps.map((content, index) => ({ content, priority: index ? "medium" : "high", status: status(index) })));
      await turn.pause(5);
    }
  },

  async error(turn) {
    await turn.say("This will not go well.");
    throw new Error("the scripted failure");
  },

  /** Two requests open at once, from two calls; the client may answer them in either order. */
  async two_permissions(turn) {
    await Promise.all(["first", "second"].map(async (name) => {
      const id = await turn.call({ title: `The ${name} call`, kind: "other" });
      const ok = await turn.allowed({ title: `Do the ${name} thing?`, toolCallId: id, announced: { title: `The ${name} call` } });
      await turn.change(id, { status: ok ? "completed" : "failed", texts: [`${name}: ${ok ? "allowed" : "refused"}`] });
    }));
  },

  /** The request names a call that was never announced; it is announced afterwards. */
  async unknown_call(turn) {
    const toolCallId = unique("call");
    const ok = await turn.allowed({ title: "Do what nobody announced?", toolCallId, announced: { title: "An unannounced call", kind: "other" } });
    await turn.update(turn.wire.announce({ toolCallId, title: "An unannounced call", kind: "other", status: ok ? "completed" : "failed" }));
  },

  /** The agent takes its question back while the user is still looking at it. */
  async withdrawn(turn) {
    const id = await turn.call({ title: "A call that settles itself", kind: "other" });
    const taken = new AbortController();
    setTimeout(() => taken.abort(), 150);
    const outcome = await turn.ask({ title: "Never mind?", toolCallId: id, announced: { title: "A call that settles itself" } }, taken.signal)
      .catch((error) => (error.code === -32800 ? { outcome: "cancelled" } : Promise.reject(error)));
    await turn.change(id, { status: "completed", texts: [`outcome: ${outcome.outcome}`] });
  },

  async form(turn) {
    await elicit(turn, "form", { mode: "form", requestedSchema: { type: "object", required: ["strategy"], properties: {
      strategy: { type: "string", title: "Strategy", enum: ["careful", "quick"], default: "careful" },
      retries: { type: "integer", title: "Retries", minimum: 0, maximum: 5, default: 2 },
      dryRun: { type: "boolean", title: "Only try", default: true } } } });
  },

  async url(turn) {
    const elicitationId = unique("elicitation");
    await elicit(turn, "url", { mode: "url", elicitationId, url: "https://agent.example/connect?step=1" });
    await turn.client.notify("elicitation/complete", { elicitationId });
  },

  /** Updates that arrive when the turn is already over. */
  async late(turn) {
    const id = await turn.call({ title: "Ends after the turn", kind: "other" });
    turn.afterwards = async () => {
      await turn.change(id, { status: "completed", texts: ["late, but there"] });
      await turn.update({ sessionUpdate: "session_info_update", title: "A title that came late" });
    };
  },
};

async function replacing(turn, name, replacements) {
  const file = path.join(turn.root, name);
  const before = await fs.readFile(file, "utf8");
  const after = replacements.reduce((text, [from, to]) => text.replace(from, () => to), before);
  return { operation: "modify", path: file, before, after };
}

async function applyEdits(turn, title, edits) {
  const places = edits.map(({ path: file, before, after }) => ({ path: file, line: firstDifference(before ?? "", after ?? "") }));
  const kind = edits[0].operation === "move" ? "move" : edits[0].operation === "delete" ? "delete" : "edit";
  const id = await turn.call({ name: "edit_files", title, kind, locations: places, rawInput: { files: places.map((place) => place.path) } });
  const content = turn.items({ edits });
  const ok = await turn.allowed({ title: `${title}?`, description: "The scripted agent wants to write.", toolCallId: id, announced: { title, kind, content } });
  if (!ok) {
    await turn.change(id, { status: "failed", texts: ["The user refused."] });
    return turn.say("Then I will not.");
  }
  await turn.change(id, { status: "in_progress" });
  for (const edit of edits) await write(edit);
  await turn.change(id, { status: "completed", edits });
  return turn.say("It is written.");
}

async function write({ operation, path: file, oldPath, after }) {
  if (operation === "delete") return fs.rm(file);
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, after);
  if (operation === "move") await fs.rm(oldPath);
}

function firstDifference(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const index = now.findIndex((line, number) => line !== old[number]);
  return index < 0 ? 1 : index + 1;
}

async function runCommand(turn, program) {
  const id = await turn.call({ name: "run", title: program.command, kind: "execute", rawInput: { command: program.command } });
  const ok = await turn.allowed({ title: "Run this command?", command: program.command, cwd: turn.root, toolCallId: id, announced: { title: program.command, kind: "execute" } });
  if (!ok) return turn.change(id, { status: "failed", texts: ["The user refused."] });
  const { exitCode, signal } = await turn.run(id, program);
  turn.check();
  await turn.change(id, { status: exitCode === 0 ? "completed" : signal ? turn.wire.stopped : "failed", rawOutput: { exitCode, signal } });
  return turn.say(signal ? `The command was ended by ${signal}.` : `The command exited with ${exitCode}.`);
}

async function elicit(turn, mode, question) {
  if (!turn.clientCapabilities?.elicitation?.[mode]) return turn.say(`The client offers no ${mode} elicitation.`);
  const answer = await turn.request("elicitation/create", { sessionId: turn.session.id, message: `A question by ${mode}.`, ...question });
  return turn.say(`elicitation ${answer.action} ${JSON.stringify(answer.content ?? null)}`);
}
