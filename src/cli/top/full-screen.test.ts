import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createFullScreen } from "./full-screen.js";
import { wrapPainted } from "./painted-line.js";

function screenInto() {
  const writes: string[] = [];
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      writes.push(chunk.toString("utf8"));
      done();
    },
  });
  return { screen: createFullScreen(output), writes };
}

test("only the lines that changed are written, in one piece", () => {
  const { screen, writes } = screenInto();
  screen.draw(["one", "two", "three"]);
  screen.draw(["one", "2", "three"]);
  screen.draw(["one", "2", "three"]);

  expect(writes).toHaveLength(2);
  expect(writes[1]).toContain("2");
  expect(writes[1]).not.toMatch(/one|three/);
});

test("after something else was on the screen all is drawn again", () => {
  const { screen, writes } = screenInto();
  screen.draw(["one", "two"]);
  screen.forget();
  screen.draw(["one", "two"]);
  expect(writes[1]).toContain("one");
  expect(writes[1]).toContain("\x1b[2J");
});

test("a coloured line that is broken keeps its colour in each row, and does not leak it", () => {
  expect(wrapPainted("ab\x1b[2mcdef\x1b[22mg", 3)).toEqual(["ab\x1b[2mc\x1b[0m", "\x1b[2mdef\x1b[22m", "g"]);
  expect(wrapPainted("a \x1b[2mlong word\x1b[22m more", 7)).toEqual([
    "a \x1b[2mlong\x1b[0m",
    "\x1b[2mword\x1b[22m",
    "more",
  ]);
  expect(wrapPainted("宽宽", 3)).toEqual(["宽", "宽"]);
  expect(wrapPainted("", 3)).toEqual([""]);
});
