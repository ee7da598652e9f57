/** The addresses of the virtual documents of reviews. Pure. */

/** One side of a file of a change set. */
export interface Address {
  readonly side: "before" | "after";
  readonly changeSet: string;
  readonly file: number;
}

/** What the path of an address names: `/before/c2V0/0/home/me/greet.py`; null if it is none. */
export function addressOf(path: string): Address | null {
  const match = /^\/(before|after)\/([\w-]+)\/(\d{1,9})\//u.exec(path);
  if (match === null) {
    return null;
  }
  const [, side, id, file] = match;
  const changeSet = Buffer.from(id ?? "", "base64url").toString("utf8");
  return changeSet === ""
    ? null
    : { side: side === "before" ? "before" : "after", changeSet, file: Number(file) };
}
