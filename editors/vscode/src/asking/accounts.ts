/** Read-only documents with all of a question, for what a notification has no room for. */
import * as vscode from "vscode";

const SCHEME = "acp-question";
const SETTLED = "This question has been settled.\n";

export class Accounts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #provider: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? SETTLED;
  }

  /** Show it in a preview tab; the focus stays where it is. */
  async show(kind: string, id: string, text: string): Promise<void> {
    const uri = address(kind, id);
    this.#texts.set(uri.toString(), text);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preserveFocus: true, preview: true });
  }

  /** It was settled: a tab that still shows it says so. */
  forget(kind: string, id: string): void {
    const uri = address(kind, id);
    if (this.#texts.delete(uri.toString())) {
      this.#changed.fire(uri);
    }
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }
}

function address(kind: string, id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${kind}`, query: id });
}

let accounts: Accounts | undefined;

/** The one provider of this window. */
export function accountsOf(context: vscode.ExtensionContext): Accounts {
  if (accounts === undefined) {
    accounts = new Accounts();
    context.subscriptions.push(accounts, new vscode.Disposable(() => (accounts = undefined)));
  }
  return accounts;
}
