/** The transcript model: deltas as the contract has them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { merged, Transcript } from "../src/view/render/transcript";

const USER = {
  id: "user:1",
  kind: "user",
  status: "",
  head: "## You",
  text: "",
  tail: "Hi",
} as const;
const AGENT = {
  id: "agent:2",
  kind: "agent",
  status: "",
  head: "### demo",
  text: "",
  tail: "H",
} as const;

describe("a transcript", () => {
  test("adds blocks that it does not know behind all others", () => {
    const transcript = new Transcript();
    transcript.apply([USER]);
    const { changed, newFrom } = transcript.apply([AGENT]);
    assert.deepEqual([...changed], [1]);
    assert.equal(newFrom, 1);
    assert.equal(transcript.at(1)?.tail, "H");
    assert.equal(transcript.indexOf("agent:2"), 1);
  });

  test("has no block for the session itself", () => {
    const transcript = new Transcript();
    transcript.apply([{ id: "session:s", kind: "session", head: "# Title" }, USER]);
    assert.equal(transcript.length, 1);
    assert.equal(transcript.at(0)?.id, "user:1");
  });

  test("names each changed block once", () => {
    const transcript = new Transcript();
    const { changed } = transcript.apply([AGENT, { id: AGENT.id, kind: "agent", append: "x" }]);
    assert.deepEqual([...changed], [0]);
  });

  test("forgets everything", () => {
    const transcript = new Transcript();
    transcript.apply([USER, AGENT]);
    transcript.clear();
    assert.equal(transcript.length, 0);
    assert.equal(transcript.apply([AGENT]).newFrom, 0);
  });
});

describe("a delta", () => {
  const known = merged(undefined, { ...AGENT, text: "one\n", tail: "two" });

  test("leaves alone what it leaves out", () => {
    assert.deepEqual(merged(known, { id: AGENT.id, kind: "agent" }), known);
  });

  test("appends to the text, and replaces the tail", () => {
    const news = { id: AGENT.id, kind: "agent", append: "two\n", tail: "three" } as const;
    const { text, tail } = merged(known, news);
    assert.equal(text, "one\ntwo\n");
    assert.equal(tail, "three");
  });

  test("replaces the text, also by nothing", () => {
    assert.equal(merged(known, { id: AGENT.id, kind: "agent", text: "" }).text, "");
  });
});
