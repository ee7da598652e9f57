// An ACP agent on the reference SDK, with no model behind it: the marker `[[peer:NAME]]` in the
// prompt picks what it does (see stories.mjs). Faults of the client go to stderr (see referee.mjs).
//
//   node agent.mjs [--protocol 1|2|both] [--early-updates] [--sessions FILE] [--faults FILE]
//
// With `--sign-in` it only pretends to sign somebody in, as the terminal method of `authMethods` asks.

import { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import { agentProtocolRouter, ndJsonStream } from "@agentclientprotocol/sdk/experimental/v2";
import { refereed, reportTo, watchConsole } from "./referee.mjs";
import { Sessions } from "./sessions.mjs";
import { agentV1 } from "./v1.mjs";
import { agentV2 } from "./v2.mjs";

const { values } = parseArgs({ options: {
  protocol: { type: "string", default: "2" },
  "early-updates": { type: "boolean", default: false },
  sessions: { type: "string" },
  faults: { type: "string" },
  "sign-in": { type: "boolean", default: false },
} });

if (values["sign-in"]) {
  console.log(`Signed in as ${process.env.SDK_PEER_USER}.`);
  process.exit(process.env.SDK_PEER_USER ? 0 : 1);
}

watchConsole();
if (values.faults) reportTo(values.faults);
process.on("unhandledRejection", (error) => process.stderr.write(`sdk-peer: ${error?.stack ?? error}\n`));

const context = { sessions: new Sessions(values.sessions), early: values["early-updates"] };
const apps = {
  1: () => agentV1(context),
  2: () => agentV2(context),
  both: () => agentProtocolRouter().withV1(agentV1(context)).withV2(agentV2(context)),
};
const stream = refereed(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
const connection = apps[values.protocol]().connect(stream);
await connection.closed;
context.sessions.cancelAll();
process.exit(0);
