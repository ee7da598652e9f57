/** The steps of an installation, and which Python may do them. Pure. */
import { inVenv } from "./candidates";

/** The oldest Python that runs the server. */
export const OLDEST: readonly [number, number] = [3, 11];

/** Prints the version in a form that `isNewEnough` reads. */
export const ASK_VERSION = ["-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"];

/** Commands that may be such a Python, the likeliest first. */
export function pythons(windows: boolean): readonly (readonly [string, ...string[]])[] {
  const versions = [14, 13, 12, 11].map((minor) => [`python3.${minor}`] as const);
  return windows ? [["py", "-3"], ["python"], ["python3"]] : [["python3"], ["python"], ...versions];
}

/** Whether a Python that has answered `ASK_VERSION` can run the server. */
export function isNewEnough(answer: string): boolean {
  const [major = 0, minor = 0] = answer.split(" ").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** One program to run, and what the user is told meanwhile. */
export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * What makes the private environment with the server in it.
 *
 * @param pack what pip installs: a name, a wheel or a folder
 */
export function steps(
  [python, ...args]: readonly [string, ...string[]],
  venv: string,
  pack: string,
  windows: boolean,
): Step[] {
  const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--upgrade", pack];
  return [
    { title: "making an environment", command: python, args: [...args, "-m", "venv", venv] },
    { title: "installing the server", command: inVenv(venv, "python", windows), args: pip },
  ];
}
