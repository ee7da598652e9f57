/** Ranks paths by what was typed, as a person means it. Pure. */

const IN_NAME = 4;
const AT_START_OF_WORD = 6;
const IN_A_ROW = 8;
const WHOLE_START_OF_NAME = 20;
const PER_LETTER_OF_PATH = 0.05;

/** How well a path fits; the higher the better, or undefined if it does not contain the letters. */
export function score(path: string, query: string): number | undefined {
  if (query === "") {
    return -path.length * PER_LETTER_OF_PATH;
  }
  const haystack = path.toLowerCase();
  const needle = query.toLowerCase();
  const nameStart = path.lastIndexOf("/") + 1;
  // The letters are looked for in the file's name first: that is what people type.
  const inName = walk(haystack, path, needle, nameStart);
  const anywhere = walk(haystack, path, needle, 0);
  const best = Math.max(inName ?? -Infinity, anywhere ?? -Infinity);
  if (best === -Infinity) {
    return undefined;
  }
  const start = haystack.startsWith(needle, nameStart) ? WHOLE_START_OF_NAME : 0;
  return best + start - path.length * PER_LETTER_OF_PATH;
}

function walk(haystack: string, path: string, needle: string, from: number): number | undefined {
  const nameStart = path.lastIndexOf("/") + 1;
  let sum = 0;
  let last = -2;
  let position = from;
  for (const letter of needle) {
    const found = haystack.indexOf(letter, position);
    if (found === -1) {
      return undefined;
    }
    sum += found >= nameStart ? IN_NAME : 1;
    sum += found === last + 1 ? IN_A_ROW : 0;
    sum += startsWord(path, found) ? AT_START_OF_WORD : 0;
    last = found;
    position = found + letter.length;
  }
  return sum;
}

function startsWord(path: string, index: number): boolean {
  const before = path[index - 1];
  if (before === undefined || /[/\\._ -]/.test(before)) {
    return true;
  }
  const here = path[index] ?? "";
  return here !== here.toLowerCase() && before === before.toLowerCase();
}

/** The paths that fit best, best first; of equals, in the order that they came in. */
export function ranked(paths: readonly string[], query: string, most: number): string[] {
  return paths
    .map((path) => ({ path, fits: score(path, query) }))
    .filter((each): each is { path: string; fits: number } => each.fits !== undefined)
    .sort((one, other) => other.fits - one.fits)
    .slice(0, most)
    .map(({ path }) => path);
}
