// Says on stderr what the client got wrong, one `CLIENT-INVALID what` line per fault.
//
// The SDK checks with its own schemas everything the client sends, but it tells only the client:
// as an error answer, or as a line on the console. The referee listens in on both, so that a test
// can assert that there was none. It reports names and codes, never contents.

import { appendFileSync } from "node:fs";

const CLIENT_FAULTS = new Map([
  [-32700, "not JSON"],
  [-32600, "not a valid message at this point"],
  [-32601, "unknown method"],
  [-32602, "invalid params"],
]);
const SDK_COMPLAINTS = ["Invalid message", "Error handling notification", "Got response to unknown request"];

let file = null;

/** Report to a file too, for tests that do not see this process's stderr. */
export function reportTo(path) {
  file = path;
}

export function report(what) {
  const line = `CLIENT-INVALID ${what}\n`;
  process.stderr.write(line);
  if (file) appendFileSync(file, line);
}

/** Let through what passes the stream, and report what the client did wrong. */
export function refereed(stream) {
  const requests = new Map(); // the client's open requests: id to method
  const permissions = new Map(); // ours: id to {sessionId, options, cancelled}
  const arriving = tap((message) => {
    if (message.method && "id" in message) requests.set(message.id, message.method);
    if (message.method === "session/cancel") cancelPermissions(permissions, message.params?.sessionId);
    if (!message.method && permissions.has(message.id)) checkOutcome(permissions, message);
  });
  const leaving = tap((message) => {
    if (message.method === "session/request_permission") permissions.set(message.id, { ...message.params, cancelled: false });
    if (!message.method) blame(requests, message);
  });
  leaving.readable.pipeTo(stream.writable).catch(() => {}); // the client went away
  return { readable: stream.readable.pipeThrough(arriving), writable: leaving.writable };
}

function tap(look) {
  return new TransformStream({
    transform(message, controller) {
      look(message);
      controller.enqueue(message);
    },
  });
}

function cancelPermissions(permissions, sessionId) {
  for (const permission of permissions.values()) permission.cancelled ||= permission.sessionId === sessionId;
}

function checkOutcome(permissions, { id, result }) {
  const { options, cancelled } = permissions.get(id);
  const outcome = result?.outcome;
  permissions.delete(id);
  if (outcome?.outcome !== "selected") return;
  if (cancelled) report("permission selected after session/cancel");
  if (!options.some((option) => option.optionId === outcome.optionId)) report("permission option was not offered");
}

function blame(requests, { id, error }) {
  const fault = error && CLIENT_FAULTS.get(error.code);
  if (fault) report(`${requests.get(id) ?? "?"}: ${fault}: ${error.message} ${JSON.stringify(error.data ?? null).slice(0, 300)}`);
  requests.delete(id);
}

/** Report what the SDK says to the console about the client's messages. */
export function watchConsole() {
  const original = console.error;
  console.error = (...parts) => {
    if (SDK_COMPLAINTS.includes(parts[0])) report(parts.map((part) => JSON.stringify(part)).join(" "));
    else original(...parts);
  };
}
