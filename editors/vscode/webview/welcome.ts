/** What stands where a transcript will be: what to do first, or why nothing can be done. */
import type { Runnable, ServerRow, ViewState } from "../src/view/messages";
import { button, element, fill, part } from "./dom";
import { post } from "./host";

interface Words {
  readonly title: string;
  readonly text: string;
  readonly actions: readonly { readonly label: string; readonly command: Runnable }[];
}

const LOG = { label: "Show log", command: "showLog" } as const;
const SERVER: Readonly<Record<Exclude<ServerRow, "running">, Words>> = {
  untrusted: {
    title: "This folder is not trusted",
    text: "Agents run programs in it: they start once you trust it.",
    actions: [{ label: "Manage trust", command: "manageTrust" }],
  },
  stopped: {
    title: "The server is stopped",
    text: "Agents are reached through it.",
    actions: [{ label: "Start server", command: "restartServer" }],
  },
  starting: { title: "The server starts", text: "", actions: [] },
  failed: {
    title: "The server does not run",
    text: "The log says why, and the doctor what to do.",
    actions: [
      { label: "Restart server", command: "restartServer" },
      { label: "Run doctor", command: "doctor" },
      LOG,
    ],
  },
};
const FIRST: Words = {
  title: "Say what is to be done",
  text: "Name files by @, what you have selected by #, and commands of the agent by /. The demo agent's tour begins with: go",
  actions: [],
};

/** Why nothing can be done now; nothing if the server runs or is about to. */
export function obstacle(server: ServerRow): string {
  return server === "running" || server === "starting" ? "" : `${SERVER[server].title}.`;
}

export class Welcome {
  readonly #element = part("welcome");
  #drawn = "";

  show(state: ViewState): void {
    const { server, current } = state;
    const isFirst = server === "running" && current === null;
    const words = server === "running" ? (isFirst ? FIRST : undefined) : SERVER[server];
    const wanted = JSON.stringify(words ?? null);
    if (wanted !== this.#drawn) {
      this.#drawn = wanted;
      fill(this.#element, ...(words === undefined ? [] : parts(words)));
    }
  }
}

function parts({ title, text, actions }: Words): HTMLElement[] {
  const buttons = actions.map(({ label, command }) =>
    button({ label, press: () => post({ type: "run", command }) }),
  );
  return [
    element("h2", {}, title),
    element("p", {}, text),
    element("div", { class: "actions" }, ...buttons),
  ];
}
