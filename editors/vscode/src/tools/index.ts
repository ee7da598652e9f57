/** What agents' tools ask of the editor: the selection, diagnostics, symbols and references. */
import * as vscode from "vscode";
import type {
  DiagnosticsResult,
  ReferencesResult,
  SelectionResult,
  SymbolEntry,
  SymbolsResult,
  ToolDocument,
  ToolSymbol,
} from "../contract";
import type { Sidecar } from "../sidecar";
import { code, columnOf, severity, symbolKind } from "./render/entries";

export function register(_context: vscode.ExtensionContext, sidecar: Sidecar): vscode.Disposable {
  return vscode.Disposable.from(
    sidecar.onRequest("acp/selection", () => Promise.resolve(selection())),
    sidecar.onRequest("acp/diagnostics", (params) => Promise.resolve(diagnostics(params))),
    sidecar.onRequest("acp/symbols", symbols),
    sidecar.onRequest("acp/references", references),
  );
}

interface Lines {
  uri: string;
  startLine: number;
  endLine: number;
}

function lines(uri: vscode.Uri, range: vscode.Range): Lines {
  return { uri: uri.toString(), startLine: range.start.line, endLine: range.end.line };
}

function selection(): SelectionResult | null {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) {
    return null;
  }
  const { document, selection: selected } = editor;
  return { ...lines(document.uri, selected), text: document.getText(selected) };
}

function diagnostics({ uri }: ToolDocument): DiagnosticsResult {
  const all: [vscode.Uri, vscode.Diagnostic[]][] =
    uri === null
      ? vscode.languages.getDiagnostics()
      : [[vscode.Uri.parse(uri), vscode.languages.getDiagnostics(vscode.Uri.parse(uri))]];
  return {
    diagnostics: all.flatMap(([place, found]) =>
      found.map((each) => ({
        ...lines(place, each.range),
        severity: severity(each.severity),
        message: each.message,
        source: each.source ?? "",
        code: code(each.code),
      })),
    ),
  };
}

async function symbols({ uri }: ToolDocument): Promise<SymbolsResult | null> {
  if (uri === null) {
    return null;
  }
  const place = vscode.Uri.parse(uri);
  const found = await vscode.commands.executeCommand<
    (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >("vscode.executeDocumentSymbolProvider", place);
  return found === undefined
    ? null
    : { symbols: found.flatMap((symbol) => entries(place, symbol, "")) };
}

function entries(
  place: vscode.Uri,
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string,
): SymbolEntry[] {
  const { name } = symbol;
  const kind = symbolKind(symbol.kind);
  if (!("children" in symbol)) {
    const { location, containerName } = symbol;
    return [{ name, kind, container: containerName, ...lines(location.uri, location.range) }];
  }
  const inner = container === "" ? name : `${container}.${name}`;
  return [
    { name, kind, container, ...lines(place, symbol.range) },
    ...symbol.children.flatMap((child) => entries(place, child, inner)),
  ];
}

async function references(params: ToolSymbol): Promise<ReferencesResult | null> {
  const uri = vscode.Uri.parse(params.uri);
  const document = await vscode.workspace.openTextDocument(uri); // read, and shown nowhere
  if (params.line >= document.lineCount) {
    return null;
  }
  const column = columnOf(document.lineAt(params.line).text, params.symbol);
  if (column === undefined) {
    return null;
  }
  const found = await vscode.commands.executeCommand<vscode.Location[] | undefined>(
    "vscode.executeReferenceProvider",
    uri,
    new vscode.Position(params.line, column),
  );
  return found === undefined
    ? null
    : { references: found.map(({ uri: place, range }) => lines(place, range)) };
}
