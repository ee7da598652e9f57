/** Draws where agents work, in every editor that shows the file, followed or not. */
import * as vscode from "vscode";
import type { PresencePayload } from "../contract";
import { arrivals, COLOURS, colourOf, placeKey, stepOf, STEPS, STRENGTHS } from "./render/fading";
import { caretLabel } from "./render/labels";
import { linesOf } from "./render/places";
import type { Roots } from "./roots";

/** The decorations of one colour. */
interface Ink {
  readonly caret: vscode.TextEditorDecorationType;
  /** From fresh to faint. */
  readonly ranges: readonly vscode.TextEditorDecorationType[];
}

const colourId = (colour: number) => `acpSidecar.agent${colour + 1}`;

function inkOf(colour: number): Ink {
  const theme = new vscode.ThemeColor(colourId(colour));
  const variable = `var(--vscode-acpSidecar-agent${colour + 1})`;
  const { window, OverviewRulerLane, DecorationRangeBehavior } = vscode;
  const rangeBehavior = DecorationRangeBehavior.ClosedClosed;
  const caret = window.createTextEditorDecorationType({
    overviewRulerColor: theme,
    overviewRulerLane: OverviewRulerLane.Full,
    rangeBehavior,
    before: {
      contentText: "\u200b",
      // A caret is drawn over the text and takes no room in it.
      textDecoration: "none; position: absolute; width: 0; border-left-style: solid;",
      border: "0 solid; border-left-width: 2px",
      borderColor: theme,
    },
  });
  const ranges = STRENGTHS.map((strength) =>
    window.createTextEditorDecorationType({
      isWholeLine: true,
      rangeBehavior,
      backgroundColor: `color-mix(in srgb, ${variable} ${strength}%, transparent)`,
    }),
  );
  return { caret, ranges };
}

/** Keeps the decorations of all visible editors as `acp/follow` says. */
export class Presence implements vscode.Disposable {
  readonly #roots: Roots;
  readonly #inks: (Ink | undefined)[] = new Array<Ink | undefined>(COLOURS).fill(undefined);
  readonly #watch: vscode.Disposable;
  #places: readonly PresencePayload[] = [];
  #since: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(roots: Roots) {
    this.#roots = roots;
    this.#watch = vscode.window.onDidChangeVisibleTextEditors(() => this.#draw());
  }

  /** Take the whole presence; it replaces what was known. */
  update(places: readonly PresencePayload[]): void {
    this.#since = arrivals(places, this.#since, Date.now());
    this.#places = places;
    this.#draw();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watch.dispose();
    for (const ink of this.#inks) {
      ink?.caret.dispose();
      ink?.ranges.forEach((type) => type.dispose());
    }
  }

  #draw(): void {
    clearTimeout(this.#timer);
    const here = this.#places.map((place) => {
      return { place, uri: this.#roots.uri(place.path).toString(), step: this.#step(place) };
    });
    for (const { place } of here) {
      const colour = colourOf(place.colour);
      this.#inks[colour] ??= inkOf(colour);
    }
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      this.#drawIn(
        editor,
        here.filter((each) => each.uri === uri),
      );
    }
    if (here.some(({ step }) => step < STEPS - 1)) {
      this.#timer = setTimeout(() => this.#draw(), Math.max(50, this.#fade() / STEPS));
    }
  }

  // Every type is set in every editor, with nothing if need be: that is how they are taken away.
  #drawIn(
    editor: vscode.TextEditor,
    here: readonly { readonly place: PresencePayload; readonly step: number }[],
  ): void {
    for (const [colour, ink] of this.#inks.entries()) {
      if (ink === undefined) {
        continue;
      }
      const own = here.filter(({ place }) => colourOf(place.colour) === colour);
      const lineCount = editor.document.lineCount;
      editor.setDecorations(
        ink.caret,
        own.map(({ place }) => caretOf(place, lineCount)),
      );
      for (const [step, type] of ink.ranges.entries()) {
        const places = own.filter((each) => each.step === step);
        editor.setDecorations(
          type,
          places.map(({ place }) => rangeOf(place, lineCount)),
        );
      }
    }
  }

  #step(place: PresencePayload): number {
    const age = Date.now() - (this.#since.get(placeKey(place)) ?? 0);
    return stepOf(age, this.#fade());
  }

  #fade(): number {
    return vscode.workspace.getConfiguration("acpSidecar.editor").get("fade", 4) * 1_000;
  }
}

function rangeOf(place: PresencePayload, lineCount: number): vscode.Range {
  const { top, bottom } = linesOf(place.range, lineCount);
  return new vscode.Range(top, 0, bottom, 0);
}

function caretOf(place: PresencePayload, lineCount: number): vscode.DecorationOptions {
  const { top } = linesOf(place.range, lineCount);
  const hover = new vscode.MarkdownString();
  hover.appendText(`${place.agent} (${place.kind})\n${place.title}`);
  return {
    range: new vscode.Range(top, 0, top, Number.MAX_SAFE_INTEGER),
    hoverMessage: hover,
    renderOptions: {
      after: {
        contentText: `\u00a0${caretLabel(place.agent, place.title)}\u00a0`,
        margin: "0 0 0 1.5em",
        color: new vscode.ThemeColor("acpSidecar.agentLabelForeground"),
        backgroundColor: new vscode.ThemeColor(colourId(colourOf(place.colour))),
        textDecoration: "none; border-radius: 3px; font-size: 0.9em;",
      },
    },
  };
}
