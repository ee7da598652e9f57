/** Commands whose failures the user is told, in the server's words. */
import * as vscode from "vscode";

/** What went wrong, for the user. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same command, with failures shown in a notification instead of thrown. */
export function reported<A extends unknown[]>(
  run: (...args: A) => Promise<unknown>,
): (...args: A) => Promise<unknown> {
  return async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      void vscode.window.showErrorMessage(messageOf(error));
      return undefined;
    }
  };
}
