import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { candidates, type Places } from "../src/server/render/candidates";
import { Coalesced } from "../src/server/render/coalesce";
import { isNewEnough, pythons, steps } from "../src/server/render/installing";
import { exitWords, lastWords, versionWords } from "../src/server/render/words";

const nothing: Places = {
  path: "",
  interpreter: "",
  pythonExtension: undefined,
  venv: "/storage/server",
  windows: false,
};

describe("where the server is looked for", () => {
  test("by default on PATH and then in the environment of the extension", () => {
    assert.deepEqual(
      candidates(nothing).map((each) => each.command),
      ["acp-sidecar", join("/storage/server", "bin", "acp-sidecar")],
    );
    assert.ok(candidates(nothing).every((each) => !each.chosen));
  });

  test("first by the selected interpreter, which must have it", () => {
    const [first] = candidates({ ...nothing, pythonExtension: "/env/bin/python" });
    assert.equal(first?.command, "/env/bin/python");
    assert.equal(first.probe, "import");
    // Without -P the folder of the workspace comes first.
    assert.deepEqual(first.args, ["-P", "-m", "acp_sidecar"]);
  });

  test("nowhere else when it was set", () => {
    const set = { ...nothing, pythonExtension: "/env/bin/python" };
    const path = candidates({ ...set, path: "/x/acp-sidecar", interpreter: "/y/python" });
    assert.deepEqual(
      path.map((each) => [each.command, each.chosen]),
      [["/x/acp-sidecar", true]],
    );
    const interpreter = candidates({ ...set, interpreter: "/y/python" });
    assert.deepEqual(
      interpreter.map((each) => [each.command, each.chosen]),
      [["/y/python", true]],
    );
  });

  test("on Windows where its environments have programs", () => {
    const last = candidates({ ...nothing, windows: true }).at(-1);
    assert.equal(last?.command, join("/storage/server", "Scripts", "acp-sidecar.exe"));
  });
});

describe("installing", () => {
  test("needs a Python that is new enough", () => {
    assert.deepEqual(["3 11", "3 14", "4 0"].map(isNewEnough), [true, true, true]);
    assert.deepEqual(["3 10", "2 7", "", "Python"].map(isNewEnough), [false, false, false, false]);
  });

  test("makes an environment and has its own pip install the package", () => {
    const made = steps(["py", "-3"], "/venv", "./a b.whl", false);
    const [venv, pip] = made;
    assert.deepEqual(venv?.args, ["-3", "-m", "venv", "/venv"]);
    assert.equal(pip?.command, join("/venv", "bin", "python"));
    assert.equal(pip.args.at(-1), "./a b.whl");
  });

  test("tries the launcher on Windows", () => {
    assert.deepEqual(pythons(true)[0], ["py", "-3"]);
    assert.deepEqual(pythons(false)[0], ["python3"]);
  });
});

describe("coalescing", () => {
  /** A job that ends when it is told to. */
  function job() {
    const ends: (() => void)[] = [];
    const coalesced = new Coalesced(() => new Promise((resolve) => ends.push(resolve)));
    return { ends, coalesced };
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test("never overlaps, and runs once more however often it was asked for", async () => {
    const { ends, coalesced } = job();
    const all = [1, 2, 3, 4].map(() => coalesced.request());
    assert.equal(ends.length, 1);
    ends[0]!();
    await turn();
    assert.equal(ends.length, 2);
    ends[1]!();
    await Promise.all(all);
    assert.equal(ends.length, 2);
  });

  test("begins anew when all is done", async () => {
    const { ends, coalesced } = job();
    for (const index of [0, 1]) {
      const done = coalesced.request();
      ends[index]!();
      await done;
    }
    assert.equal(ends.length, 2);
  });

  test("goes on after a failure", async () => {
    let runs = 0;
    const coalesced = new Coalesced(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error("no")) : Promise.resolve();
    });
    await assert.rejects(coalesced.request());
    await coalesced.request();
    assert.equal(runs, 2);
  });
});

describe("words", () => {
  test("say how the server ended", () => {
    assert.equal(exitWords({ code: 3, signal: null }), "ended with status 3");
    assert.equal(exitWords({ code: null, signal: "SIGKILL" }), "was ended by SIGKILL");
    assert.equal(exitWords(undefined), "closed the connection");
  });
  test("are the last lines that say something", () => {
    assert.equal(lastWords("a\r\n\nb\nc\n\nd\n"), "b\nc\nd");
    assert.equal(lastWords(""), "");
  });
  test("name what is to be updated", () => {
    assert.equal(versionWords(1, 1), undefined);
    assert.match(versionWords(2, 1) ?? "", /update the extension/);
    assert.match(versionWords(undefined, 1) ?? "", /update the server/);
  });
});
