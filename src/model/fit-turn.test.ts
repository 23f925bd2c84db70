import fc from "fast-check";
import { expect, test } from "vitest";
import { fitTurn } from "./fit-turn.js";

const MOST = 256 * 1024;
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const tools = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ title: `${i} ${"t".repeat(190)}`, status: "done" as const }));

test("what fits stays as it is", () => {
  const work = { thoughts: "hm", tools: tools(2), plan: [{ text: "Look", status: "pending" }] };
  expect(fitTurn("done", work)).toEqual({ text: "done", ...work });
  expect(fitTurn("", {})).toEqual({ text: "" });
});

test("a text of 300 KB is cut at its beginning, and says how much is missing", () => {
  const text = `begin ${"x".repeat(300 * 1024)} end`;
  const fitted = fitTurn(text, {});
  expect(bytes(fitted)).toBeLessThanOrEqual(MOST);
  expect(bytes(fitted)).toBeGreaterThan(MOST - 10 * 1024);
  expect(fitted.text).toMatch(/^…x+ end$/);
  expect(fitted.cut).toEqual({ text: text.length - (fitted.text.length - 1) });
});

test("thoughts do not push out the text, and have what it leaves", () => {
  const thoughts = "h".repeat(1024 * 1024);
  const [short, long] = [fitTurn("done", { thoughts }), fitTurn("d".repeat(1024 * 1024), { thoughts })];
  expect(short.text).toBe("done");
  expect(short.thoughts?.length).toBeGreaterThan(200 * 1024);
  expect(long.text.length).toBeGreaterThan(150 * 1024);
  expect(long.thoughts?.length).toBeGreaterThan(50 * 1024);
});

test("the newest tools are kept, and those that went before are counted with what was missing already", () => {
  const fitted = fitTurn("done", { tools: tools(1000), cut: { tools: 5 } });
  expect(fitted.tools?.at(-1)?.title).toMatch(/^999 /);
  expect(fitted.cut?.tools).toBe(1005 - (fitted.tools?.length ?? 0));
});

test("whatever it is made of, it fits, and no character is halved", () => {
  const piece = fc.oneof(
    fc.constantFrom("\u0000", '"', "\\", "é", "漢", "😀", "x", "\n"),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }),
  );
  fc.assert(
    fc.property(piece, piece, fc.integer({ min: 1, max: 300_000 }), (one, other, times) => {
      const text = (one + other).repeat(Math.ceil(times / (one.length + other.length)));
      const fitted = fitTurn(text, { thoughts: text, tools: tools(3) });
      expect(bytes(fitted)).toBeLessThanOrEqual(MOST);
      if (fitted.cut?.text !== undefined) expect(`…${text.slice(fitted.cut.text)}`).toBe(fitted.text);
      expect(fitted.text.isWellFormed()).toBe(text.isWellFormed());
    }),
    { numRuns: 60 },
  );
});
