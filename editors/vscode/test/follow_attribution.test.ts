import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Attribution, PATIENCE_MS, type Move } from "../src/follow/render/attribution";

const move = (number: number, more: Partial<Move> = {}): Move => ({
  move: number,
  at: 0,
  document: "a",
  column: 1,
  lines: { top: 100, bottom: 104 },
  switches: true,
  glide: 0,
  ...more,
});

function movedTo(...moves: Move[]): Attribution {
  const attribution = new Attribution();
  moves.forEach((each) => attribution.moved(each));
  return attribution;
}

const LATE = 10 * PATIENCE_MS;

describe("scrolling", () => {
  test("is ours until the view shows the lines, and the user's from then on", () => {
    const view = movedTo(move(7));
    assert.equal(view.scrolled({ top: 0, bottom: 30 }, 10), 7);
    assert.equal(view.scrolled({ top: 87, bottom: 117 }, 20), 7);
    assert.equal(view.scrolled({ top: 90, bottom: 120 }, 21), undefined);
  });

  test("is the user's at once where the move needed none, however short ago it was", () => {
    const view = movedTo(move(7));
    view.arrived({ top: 90, bottom: 120 });
    assert.equal(view.scrolled({ top: 91, bottom: 121 }, 1), undefined);
  });

  test("is ours on a slow machine, if it brings the lines into view", () => {
    assert.equal(movedTo(move(7)).scrolled({ top: 87, bottom: 117 }, LATE), 7);
  });

  test("is the user's when the lines do not come into view for long", () => {
    assert.equal(movedTo(move(7)).scrolled({ top: 0, bottom: 30 }, LATE), undefined);
  });

  test("is nobody's when the view gets another height", () => {
    const view = movedTo(move(7));
    view.arrived({ top: 90, bottom: 120 });
    assert.equal(view.scrolled({ top: 90, bottom: 104 }, LATE), 7);
    assert.equal(view.scrolled({ top: 90, bottom: 130 }, LATE), 7);
    assert.equal(view.scrolled({ top: 95, bottom: 135 }, LATE), undefined);
  });

  test("is nobody's right after the file was read again", () => {
    const view = movedTo(move(7));
    view.arrived({ top: 90, bottom: 120 });
    view.shifted(LATE);
    assert.equal(view.scrolled({ top: 95, bottom: 125 }, LATE + 100), 7);
    assert.equal(view.scrolled({ top: 99, bottom: 129 }, 2 * LATE), undefined);
  });

  test("may glide where the user wants scrolling to be smooth", () => {
    const view = movedTo(move(7, { glide: 600 }));
    assert.equal(view.scrolled({ top: 80, bottom: 110 }, 100), 7);
    assert.equal(view.scrolled({ top: 87, bottom: 117 }, 300), 7);
    assert.equal(view.scrolled({ top: 90, bottom: 120 }, 700), undefined);
  });

  test("shows lines that do not fit once it shows the first of them", () => {
    const view = movedTo(move(7, { lines: { top: 100, bottom: 400 } }));
    assert.equal(view.scrolled({ top: 100, bottom: 130 }, 1), 7);
    assert.equal(view.scrolled({ top: 101, bottom: 131 }, 2), undefined);
  });
});

describe("selecting", () => {
  test("with keys or mouse is the user's, even in the moment of a move", () => {
    const view = movedTo(move(7));
    assert.equal(view.selected(100, "keyboard", 1), undefined);
    assert.equal(view.selected(100, "mouse", 1), undefined);
  });

  test("by a program is ours on our line, and elsewhere only right after a move", () => {
    const view = movedTo(move(7));
    assert.equal(view.selected(100, "command", LATE), 7);
    assert.equal(view.selected(0, "command", 1), 7);
    assert.equal(view.selected(0, "command", LATE), undefined);
    assert.equal(view.selected(0, "unknown", LATE), 7);
  });
});

describe("switching", () => {
  test("is ours once for each move", () => {
    const view = movedTo(move(7), move(8, { document: "b" }));
    assert.equal(view.switched("b", 1), 8);
    assert.equal(view.switched("b", 1), undefined);
  });

  test("back to an earlier file is the user's when news of the later one have come", () => {
    const view = movedTo(move(7), move(8, { document: "b" }));
    view.switched("b", 1);
    assert.equal(view.switched("a", 2), undefined);
  });

  test("may be told late, of a move that was followed by another", () => {
    const view = movedTo(move(7), move(8, { document: "b" }));
    assert.equal(view.switched("a", 50), 7);
    assert.equal(view.switched("b", 60), 8);
  });

  test("to where a move changed no active document is the user's", () => {
    assert.equal(movedTo(move(7, { switches: false })).switched("a", 1), undefined);
  });
});

describe("closing", () => {
  test("of a tab that a move has replaced is ours", () => {
    const view = movedTo(move(7), move(8, { document: "b" }));
    assert.equal(view.closed("a", 1, 1), 8);
    assert.equal(view.closed("a", 2, 1), undefined);
    assert.equal(view.closed("a", 1, LATE), undefined);
  });

  test("of the followed file is the user's", () => {
    assert.equal(movedTo(move(7)).closed("a", 1, 1), undefined);
  });
});

test("without a move, everything is the user's", () => {
  const view = movedTo(move(7));
  view.clear();
  assert.equal(view.scrolled({ top: 1, bottom: 2 }, 0), undefined);
  assert.equal(view.selected(1, "unknown", 0), undefined);
  assert.equal(view.switched("a", 0), undefined);
  assert.equal(view.isFollowed("a", 1), false);
});
