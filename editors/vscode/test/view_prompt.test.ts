/** The prompt box: what is completed, what becomes of it, history, and ranking of files. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commandCompletions, completed, hintFor, typedAt } from "../src/view/render/completing";
import { ranked, score } from "../src/view/render/fuzzy";
import { History } from "../src/view/render/history";

const COMMANDS = [
  { name: "tour", description: "Everything", hint: null },
  { name: "read", description: "Read a file", hint: "PATH" },
  { name: "rename", description: "Rename a file", hint: "OLD NEW" },
];

describe("what is typed", () => {
  test("is a command only at the beginning", () => {
    assert.deepEqual(typedAt("/re", 3), { what: "command", query: "re", start: 0, end: 3 });
    assert.equal(typedAt("say /re", 7), undefined);
    assert.equal(typedAt("/read x", 7), undefined);
  });

  test("is a file or context at the beginning of a word", () => {
    assert.deepEqual(typedAt("fix @wo", 7), { what: "file", query: "wo", start: 4, end: 7 });
    assert.deepEqual(typedAt("#sel", 4), { what: "context", query: "sel", start: 0, end: 4 });
    assert.deepEqual(typedAt("a\n@", 3), { what: "file", query: "", start: 2, end: 3 });
    assert.equal(typedAt("me@example", 10), undefined);
    assert.equal(typedAt("C#", 2), undefined);
  });

  test("counts up to the cursor", () => {
    assert.deepEqual(typedAt("@wo rest", 3)?.query, "wo");
    assert.equal(typedAt("@wo rest", 8), undefined);
  });
});

describe("a completion that is taken", () => {
  test("replaces what was typed and leaves a space", () => {
    const typed = typedAt("fix @wo", 7);
    assert.ok(typed);
    assert.deepEqual(completed("fix @wo", typed, "@a/words.py"), {
      text: "fix @a/words.py ",
      cursor: 16,
    });
  });

  test("uses the space that is there", () => {
    const typed = typedAt("fix @wo now", 7);
    assert.ok(typed);
    assert.deepEqual(completed("fix @wo now", typed, "@w.py"), {
      text: "fix @w.py now",
      cursor: 10,
    });
  });

  test("may leave nothing in the text", () => {
    const typed = typedAt("see #sel", 8);
    assert.ok(typed);
    assert.deepEqual(completed("see #sel", typed, ""), { text: "see ", cursor: 4 });
  });
});

describe("commands", () => {
  test("come in the agent's order, or by how well they fit", () => {
    const labels = (query: string) => commandCompletions(COMMANDS, query).map(({ label }) => label);
    assert.deepEqual(labels(""), ["/tour", "/read", "/rename"]);
    assert.deepEqual(labels("ren"), ["/rename"]);
    assert.deepEqual(labels("zz"), []);
  });

  test("say what they want while it is not there", () => {
    assert.equal(hintFor("/read ", COMMANDS), "PATH");
    assert.equal(hintFor("/read a", COMMANDS), "");
    assert.equal(hintFor("/tour", COMMANDS), "");
    assert.equal(hintFor("read", COMMANDS), "");
  });
});

describe("files", () => {
  test("fit if they have the letters in their order", () => {
    assert.equal(score("src/view/model.ts", "vm") === undefined, false);
    assert.equal(score("src/view/model.ts", "mv"), undefined);
  });

  test("are ranked by name, then by path", () => {
    const paths = ["words/old/readme.md", "tally/words.py", "tests/test_words.py", "w/o/r/d/s"];
    assert.deepEqual(ranked(paths, "words", 3), [
      "tally/words.py",
      "tests/test_words.py",
      "words/old/readme.md",
    ]);
  });

  test("are found by capitals and beginnings of words", () => {
    assert.equal(
      ranked(["webview/main.ts", "lib/wvm.ts.bak", "WebViewMain.ts"], "wvm", 1)[0],
      "lib/wvm.ts.bak",
    );
    assert.equal(ranked(["swivel_mode.ts", "WebViewMain.ts"], "wvm", 1)[0], "WebViewMain.ts");
  });

  test("stay in their order where nothing was typed and they are as long", () => {
    assert.deepEqual(ranked(["b.ts", "a.ts"], "", 5), ["b.ts", "a.ts"]);
  });
});

describe("history", () => {
  test("goes back and comes back to what was being typed", () => {
    const history = new History(["one", "two"]);
    assert.equal(history.back("draft"), "two");
    assert.equal(history.back("two"), "one");
    assert.equal(history.back("one"), undefined);
    assert.equal(history.forward(), "two");
    assert.equal(history.forward(), "draft");
    assert.equal(history.forward(), undefined);
  });

  test("has each prompt once, the last one last", () => {
    const history = new History(["one", "two"]);
    history.add("one");
    assert.deepEqual(history.prompts, ["two", "one"]);
    assert.equal(history.back(""), "one");
  });

  test("keeps a hundred", () => {
    const history = new History();
    for (let number = 0; number < 150; number += 1) {
      history.add(`prompt ${number}`);
    }
    assert.equal(history.prompts.length, 100);
    assert.equal(history.prompts[0], "prompt 50");
  });
});
