/** Which files are VS Code's own: settings, key bindings, logs, what extensions store. Pure. */

/**
 * The folder of VS Code's own files.
 *
 * @param storage path of the extension's global storage
 * @returns undefined if the storage is not where VS Code has it
 */
export function ownFolder(storage: string): string | undefined {
  return /^(.+)\/User\/globalStorage\/[^/]+\/?$/.exec(storage)?.[1];
}

/** Whether a path is in a folder. */
export function isIn(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}
