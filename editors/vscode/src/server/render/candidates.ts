/** Where the server may be, in the order in which it is looked for. Pure. */
import { join } from "node:path";

/** How to start the server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it comes from, for the user. */
  readonly origin: string;
}

/** A way that may work, and how to find out. */
export interface Candidate extends Launch {
  /** `file`: the program exists. `import`: this Python can import the server. */
  readonly probe: "file" | "import";
  /** The user has set it: if it does not work, that is told and nothing else is tried. */
  readonly chosen: boolean;
}

/** What is known before looking. */
export interface Places {
  /** Setting `acpSidecar.server.path`; empty is none. */
  readonly path: string;
  /** Setting `acpSidecar.server.interpreter`; empty is none. */
  readonly interpreter: string;
  /** The interpreter that the Python extension has selected. */
  readonly pythonExtension: string | undefined;
  /** Folder of the private virtual environment, whether or not it exists. */
  readonly venv: string;
  readonly windows: boolean;
}

// Without -P a folder `acp_sidecar` in the workspace would be run instead of what is installed.
const MODULE = ["-P", "-m", "acp_sidecar"];

/** A program of a virtual environment. */
export function inVenv(venv: string, name: string, windows: boolean): string {
  return windows ? join(venv, "Scripts", `${name}.exe`) : join(venv, "bin", name);
}

function byInterpreter(python: string, origin: string, chosen: boolean): Candidate {
  return { command: python, args: MODULE, origin, probe: "import", chosen };
}

/** All that is worth trying, the best first. */
export function candidates(places: Places): Candidate[] {
  const { path, interpreter, pythonExtension, venv, windows } = places;
  const file = { args: [], probe: "file" } as const;
  const found: Candidate[] = [];
  if (path !== "") {
    return [{ ...file, command: path, origin: "setting acpSidecar.server.path", chosen: true }];
  }
  if (interpreter !== "") {
    return [byInterpreter(interpreter, "setting acpSidecar.server.interpreter", true)];
  }
  if (pythonExtension !== undefined) {
    found.push(byInterpreter(pythonExtension, "the selected Python interpreter", false));
  }
  found.push({ ...file, command: "acp-sidecar", origin: "PATH", chosen: false });
  const own = inVenv(venv, "acp-sidecar", windows);
  found.push({ ...file, command: own, origin: "the extension's environment", chosen: false });
  return found;
}
