/** Pure: text of agents in notifications, and links beside it that do something. */

/** VS Code cuts the text of a notification here, links included. */
export const MESSAGE_LIMIT = 1000;

const LABEL_LIMIT = 40;

/**
 * Text that a notification shows as it is.
 *
 * VS Code reads `[label](command:...)` in notifications as a link, so an agent's text could offer
 * a link that does what the agent wants; or swallow the label of one of ours by an open bracket.
 */
export function plain(text: string): string {
  const oneLine = text.replace(/\s+/g, " ").trim().replaceAll("](", "] (");
  const closed = oneLine.lastIndexOf("]") + 1;
  return oneLine.slice(0, closed) + oneLine.slice(closed).replaceAll("[", "\u27e6");
}

/** The text, or its beginning and "…" if it is longer than `limit` UTF-16 units. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  // Never half a surrogate pair.
  return `${text.slice(0, Math.max(0, limit - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A link of a notification; `args` are numbers, so that nothing in it needs quoting. */
export function link(
  label: string,
  command: string,
  args: readonly number[],
  hover: "Answer" | "Show" = "Show",
): string {
  const safe = label.replaceAll("[", "(").replaceAll("]", ")").replace(/\s+/g, " ").trim();
  return `[${clip(safe, LABEL_LIMIT) || "…"}](command:${command}?[${args.join(",")}] "${hover}")`;
}

/** What a notification says: text and links, with as much of the text as there is room for. */
export interface Message {
  readonly text: string;
  /** Not all of the text is in it. */
  readonly cut: boolean;
}

/** Text and links in one line, as notifications have it. */
export function message(text: string, links: readonly string[]): Message {
  const ways = links.join(" | ");
  const room = MESSAGE_LIMIT - ways.length - 40;
  const safe = plain(text);
  return { text: `${plain(clip(safe, room))} \u2014 ${ways}`, cut: safe.length > room };
}
