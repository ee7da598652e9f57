/** Where links of a transcript lead: to a place in a file, or out of the editor. Pure. */

/** A link, read. Lines count from 1; an end is included. */
export type Target =
  | {
      readonly type: "file";
      readonly path: string;
      readonly line?: number;
      readonly endLine?: number;
    }
  | { readonly type: "outside"; readonly address: string }
  | { readonly type: "nowhere" };

const SCHEME = /^([a-z][a-z0-9+.-]*):(?!\d+(?::\d+)?$)/i;
const FRAGMENT = /#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?$/i;
const COLON = /:(\d+)(?::\d+)?$/;
const DRIVE = /^\/?[a-z]:[/\\]/i;

/**
 * Read a link's target: `file:` addresses, paths, and addresses of the web or of mail; all other
 * schemes lead nowhere, such as those that run commands.
 *
 * @returns a path that may be relative to the session's folder
 */
export function targetOf(link: string): Target {
  const scheme = DRIVE.test(link) ? undefined : SCHEME.exec(link)?.[1]?.toLowerCase();
  switch (scheme) {
    case "http":
    case "https":
    case "mailto":
      return { type: "outside", address: link };
    case "file":
      return fileOf(pathOfUri(link));
    case undefined:
      return link === "" || link.startsWith("#") ? { type: "nowhere" } : fileOf(decoded(link));
    default:
      return { type: "nowhere" };
  }
}

/** Only files of this machine: what names a host would be fetched from there. */
function pathOfUri(uri: string): string {
  const path = /^file:\/\/(\/[^/\\].*)$/i.exec(uri)?.[1];
  return path === undefined ? "" : decoded(path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that is meant as one
  }
}

function fileOf(place: string): Target {
  const lines = FRAGMENT.exec(place) ?? COLON.exec(place);
  const path = (lines === null ? place : place.slice(0, lines.index)).replace(/#.*$/, "");
  if (path === "" || path.startsWith("//") || path.startsWith("\\\\")) {
    return { type: "nowhere" };
  }
  const line = Number(lines?.[1] ?? 0);
  const endLine = Number(lines?.[2] ?? 0);
  return {
    type: "file",
    path,
    ...(line > 0 ? { line } : {}),
    ...(line > 0 && endLine >= line ? { endLine } : {}),
  };
}
