import { expect, test } from "vitest";
import { readScreen } from "./read-screen.js";

const esc = "\u001b";

test("colours and styles apply until they end, over lines too", () => {
  const [first, second] = readScreen(`a${esc}[1;32mb\nc${esc}[0md`);
  expect(first).toEqual([
    { text: "a", style: {} },
    { text: "b", style: { bold: true, color: 2 } },
  ]);
  expect(second).toEqual([
    { text: "c", style: { bold: true, color: 2 } },
    { text: "d", style: {} },
  ]);
});

test("colours of the cube, greys and true colours are read", () => {
  const [line = []] = readScreen(`${esc}[38;5;196ma${esc}[48;5;232mb${esc}[38;2;1;2;300mc${esc}[38;5;9md`);
  expect(line.map(({ style }) => style.color)).toEqual(["rgb(255 0 0)", "rgb(255 0 0)", "rgb(1 2 255)", 9]);
  expect(line[1]?.style.ground).toBe("rgb(8 8 8)");
});

test("whatever else a sequence would do is left out", () => {
  const [line = []] = readScreen(`${esc}]0;title\u0007a${esc}[2J${esc}[5;5Hb${esc}(Bc`);
  expect(line.map(({ text }) => text).join("")).toBe("abc");
});
