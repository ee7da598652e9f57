import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clip, link, message, MESSAGE_LIMIT, plain } from "../src/asking/render/text";

// As VS Code reads the text of notifications.
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

const labels = (text: string): string[] => [...text.matchAll(LINK)].map((found) => found[1]!);

describe("text of agents in notifications", () => {
  const OURS = [link("Allow", "a.run", [1, 0]), link("Reject", "a.run", [1, 1])];
  for (const hostile of [
    "[x](command:workbench.action.quit)",
    "[x](https://example.org)",
    "[x](file:///etc/passwd 'title')",
    "see [this",
    "a [b] c [d",
    "[[x]](command:y)",
    "[",
    "]([",
  ]) {
    test(`makes no link of its own: ${hostile}`, () => {
      assert.deepEqual(labels(message(hostile, OURS).text), ["Allow", "Reject"]);
    });
  }

  test("stays as it is where nothing could be a link", () => {
    const command = "test [ -f x ] && echo ${a[0]} (b)";
    assert.equal(plain(command), command);
  });

  test("is one line", () => {
    assert.equal(plain("a\n\nb\t c "), "a b c");
  });
});

describe("a message", () => {
  test("says that its text was cut, and keeps within VS Code's limit", () => {
    const links = [link("x".repeat(80), "a.run", [1, 0])];
    const made = message("word ".repeat(400), links);
    assert.equal(made.cut, true);
    assert.ok(made.text.length < MESSAGE_LIMIT);
    assert.ok(made.text.endsWith(links[0]!));
    assert.equal(message("short", links).cut, false);
  });

  test("has labels without brackets, and never an empty one", () => {
    assert.deepEqual(labels(link("[a](b)", "c", [1])), ["(a)(b)"]);
    assert.deepEqual(labels(link(" ", "c", [1])), ["…"]);
  });
});

test("text is never cut within a character", () => {
  assert.equal(clip("ab\u{1f600}c", 4), "ab…");
  assert.equal(clip("abcd", 4), "abcd");
});
