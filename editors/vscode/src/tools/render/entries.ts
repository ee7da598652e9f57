/** Names that the server's tools use for what VS Code numbers, and where a name stands on a line. */

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

/** A `DiagnosticSeverity` by its name. */
export function severity(number: number): (typeof SEVERITIES)[number] {
  return SEVERITIES[number] ?? "hint";
}

/** The code of a diagnostic as text; empty if it has none. */
export function code(given: string | number | { value: string | number } | undefined): string {
  return String((typeof given === "object" ? given.value : given) ?? "");
}

const KINDS = [
  "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor",
  "enum", "interface", "function", "variable", "constant", "string", "number", "boolean", "array",
  "object", "key", "null", "enummember", "struct", "event", "operator", "typeparameter",
]; // prettier-ignore

/** A `SymbolKind` by its name in lower case. */
export function symbolKind(number: number): string {
  return KINDS[number] ?? "symbol";
}

/** The column of the first whole occurrence of a name on a line; undefined if there is none. */
export function columnOf(line: string, symbol: string): number | undefined {
  const inWord = /[\p{L}\p{N}_$]/u;
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    const before = line.charAt(at - 1);
    const after = line.charAt(at + symbol.length);
    if (!inWord.test(before) && !inWord.test(after)) {
      return at;
    }
  }
  return undefined;
}
