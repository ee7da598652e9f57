import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TerminalParams } from "../src/contract";
import { Decoder, Feed } from "../src/terminal/render/feed";
import { ending, nameOf, succeeded } from "../src/terminal/render/labels";

const of = (offset: number, text: string, more: Partial<TerminalParams> = {}): TerminalParams => ({
  sessionId: "s",
  terminalId: "t",
  offset,
  data: Buffer.from(text).toString("base64"),
  next: offset + Buffer.byteLength(text),
  ...more,
});

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe("the bytes of a terminal", () => {
  test("are read in order, each once", () => {
    const feed = new Feed();
    assert.equal(text(feed.take(of(0, "abc"), false).bytes), "abc");
    assert.equal(text(feed.take(of(3, "def"), false).bytes), "def");
    assert.equal(text(feed.take(of(3, "def"), false).bytes), "");
    assert.equal(text(feed.take(of(4, "efgh"), false).bytes), "gh");
    assert.equal(feed.next, 8);
  });

  test("that did not come are asked for, and gone if they are not in the answer", () => {
    const feed = new Feed();
    feed.take(of(0, "abc"), false);
    const ahead = feed.take(of(10, "xyz"), false);
    assert.equal(ahead.gap, true);
    assert.equal(feed.next, 3);
    const answer = feed.take(of(10, "xyz", { skipped: 7 }), true);
    assert.equal(answer.lost, 7);
    assert.equal(text(answer.bytes), "xyz");
  });

  test("begin anew with a snapshot", () => {
    const feed = new Feed();
    feed.take(of(0, "abc"), false);
    const anew = feed.take(of(0, "xy", { reset: true }), false);
    assert.equal(anew.reset, true);
    assert.equal(text(anew.bytes), "xy");
    assert.equal(feed.next, 2);
  });

  test("are not moved by news without data", () => {
    const feed = new Feed();
    feed.take(of(0, "abc"), false);
    const news = feed.take({ sessionId: "s", terminalId: "t", cancellable: false }, false);
    assert.deepEqual(news, { bytes: news.bytes, reset: false, lost: 0, gap: false });
    assert.equal(news.bytes.length, 0);
    assert.equal(feed.next, 3);
  });
});

describe("text for the emulator", () => {
  const all = "grün \x1b[31m✗\x1b[0m\nzwei\r\ndrei\n";
  const expected = "grün \x1b[31m✗\x1b[0m\r\nzwei\r\ndrei\r\n";

  test("is the same wherever the bytes are cut", () => {
    const bytes = Buffer.from(all);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const decoder = new Decoder();
      const made = decoder.text(bytes.subarray(0, cut)) + decoder.text(bytes.subarray(cut));
      assert.equal(made, expected);
    }
  });

  test("has a replacement for what is no UTF-8", () => {
    assert.equal(new Decoder().text(Uint8Array.of(0x61, 0xff, 0x62)), "a\ufffdb");
  });
});

test("terminals are named by their command in one short line", () => {
  assert.equal(nameOf("make\n  tea"), "make tea");
  assert.equal(nameOf(null), "Agent terminal");
  assert.equal(nameOf("x".repeat(100)).length, 40);
});

test("the end of a program is told as it was", () => {
  assert.equal(ending({ exitCode: 2, signal: null }), "ended with exit status 2");
  assert.equal(ending({ exitCode: null, signal: "SIGTERM" }), "ended by signal SIGTERM");
  assert.equal(ending({ exitCode: null, signal: null }), "ended");
  assert.equal(succeeded({ exitCode: 0, signal: null }), true);
  assert.equal(succeeded({ exitCode: null, signal: "SIGTERM" }), false);
});
