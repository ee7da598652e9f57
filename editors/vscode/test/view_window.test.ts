/** Which blocks are drawn: sums of heights against the plain way to add them up. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Heights, windowOf } from "../src/view/render/window";

const GUESS = 10;

/** Numbers that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe("heights", () => {
  test("are guessed until they are known", () => {
    const heights = new Heights(GUESS);
    heights.grow(3);
    assert.equal(heights.total, 30);
    heights.set(1, 25);
    assert.equal(heights.total, 45);
    assert.equal(heights.offset(1), 10);
    assert.equal(heights.offset(2), 35);
  });

  test("add up as the plain way does, in any order of growing and setting", () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const random = numbers(seed);
      const heights = new Heights(GUESS);
      const plain: number[] = [];
      for (let step = 0; step < 200; step += 1) {
        if (random() < 0.4 || plain.length === 0) {
          plain.push(GUESS);
          heights.grow(plain.length);
        } else {
          const index = Math.floor(random() * plain.length);
          plain[index] = Math.floor(random() * 50);
          heights.set(index, plain[index]);
        }
      }
      const sum = (count: number) => plain.slice(0, count).reduce((all, each) => all + each, 0);
      for (let index = 0; index <= plain.length; index += 1) {
        assert.equal(heights.offset(index), sum(index));
      }
      for (let offset = 0; offset < heights.total; offset += 7) {
        const index = heights.indexAt(offset);
        assert.ok(sum(index) <= offset, `entry ${index} begins behind ${offset}`);
        assert.ok(offset < sum(index + 1) || index === plain.length - 1);
      }
    }
  });

  test("know the first and the last entry for offsets outside", () => {
    const heights = new Heights(GUESS);
    assert.equal(heights.indexAt(0), 0);
    heights.grow(5);
    assert.equal(heights.indexAt(-3), 0);
    assert.equal(heights.indexAt(1000), 4);
  });

  test("are forgotten", () => {
    const heights = new Heights(GUESS);
    heights.grow(5);
    heights.clear();
    assert.equal(heights.total, 0);
    heights.grow(2);
    assert.equal(heights.total, 20);
  });
});

describe("the window", () => {
  test("is empty where there is nothing", () => {
    const nothing = { start: 0, end: 0, before: 0, after: 0 };
    assert.deepEqual(windowOf(new Heights(GUESS), 0, 100, 50), nothing);
  });

  test("covers the screen and its margin, and leaves space for the rest", () => {
    const heights = new Heights(GUESS);
    heights.grow(10_000);
    const { start, end, before, after } = windowOf(heights, 50_000, 400, 100);
    assert.equal(start, 4990);
    assert.equal(end, 5051);
    assert.equal(before + (end - start) * GUESS + after, heights.total);
  });

  test("ends with the last block", () => {
    const heights = new Heights(GUESS);
    heights.grow(20);
    const { end, after } = windowOf(heights, 150, 400, 100);
    assert.equal(end, 20);
    assert.equal(after, 0);
  });
});
