import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isIn, ownFolder } from "../src/server/render/own_files";

describe("VS Code's own files", () => {
  test("are beside the storage of extensions, on this machine and on a remote one", () => {
    const desktop = ownFolder("/home/me/.config/Code/User/globalStorage/acp-sidecar.acp-sidecar");
    assert.equal(desktop, "/home/me/.config/Code");
    assert.ok(isIn("/home/me/.config/Code", "/home/me/.config/Code/User/settings.json"));
    const remote = ownFolder("/home/me/.vscode-server/data/User/globalStorage/a.b/");
    assert.equal(remote, "/home/me/.vscode-server/data");
    assert.ok(isIn("/remote/data", "/remote/data/Machine/settings.json"));
  });
  test("are not those with a longer name, and none is if the storage is elsewhere", () => {
    assert.equal(isIn("/home/me/Code", "/home/me/Code2/main.py"), false);
    assert.equal(ownFolder("/storage/a.b"), undefined);
  });
});
