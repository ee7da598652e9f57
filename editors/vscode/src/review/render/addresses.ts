/**
 * The addresses under which VS Code has the virtual documents of reviews. Pure.
 *
 * Their path is that of the file, so that views name it and tell renamed files from others; which
 * side of which change it is stands in the query. The server has addresses of its own for clients
 * that ask it by LSP.
 */

/** One side of a file of a change set. */
export interface Address {
  readonly side: "before" | "after";
  readonly changeSet: string;
  readonly file: number;
}

/** The query of an address. */
export function queryOf({ side, changeSet, file }: Address): string {
  return `${side}/${file}/${Buffer.from(changeSet, "utf8").toString("base64url")}`;
}

/** What a query names; null if it is none of ours. */
export function addressOf(query: string): Address | null {
  const match = /^(before|after)\/(\d{1,9})\/([\w-]+)$/u.exec(query);
  if (match === null) {
    return null;
  }
  const [, side, file, id] = match;
  const changeSet = Buffer.from(id ?? "", "base64url").toString("utf8");
  return { side: side === "before" ? "before" : "after", changeSet, file: Number(file) };
}
