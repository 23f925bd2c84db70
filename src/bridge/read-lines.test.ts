import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { findId, readLines } from "./read-lines.js";

async function linesOf(chunks: readonly string[], limit?: number) {
  const said: unknown[] = [];
  const input = new PassThrough();
  const ended = new Promise<void>((done) => {
    readLines(
      input,
      {
        onLine: (line) => said.push(line.toString("utf8")),
        onTooLong: (size, id) => said.push({ size, id }),
        onEnd: done,
      },
      limit,
    );
  });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await ended;
  return said;
}

test("lines come whole, however they are cut, and the last needs no end", async () => {
  expect(await linesOf(["a", "b\nc", "\n\nd\u2028e\n", "f"])).toEqual(["ab", "c", "d\u2028e", "f"]);
});

test("a line that is too long is refused with its size, and the next is read", async () => {
  const long = '{"jsonrpc":"2.0","id":3,"method":"x","y":"zzzzzzzzzz"}';
  expect(await linesOf([long.slice(0, 30), `${long.slice(30)}\nnext\n`], 40)).toEqual([
    { size: long.length, id: 3 },
    "next",
  ]);
});

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call",', "", 1],
  ['{"id":"a","method":', "", "a"],
  ['{"method":"tools/call","params":{', '"},"jsonrpc":"2.0","id":7}', 7],
  ['{"method":"tools/call","params":{"id":4,', '"x":1}}', null],
  ['{"params":{', '"a":{"b":1,"id":9}}}', null],
  ["noise", "noise", null],
])("the id of %s … %s is %s", (head, tail, id) => {
  expect(findId(head, tail)).toBe(id);
});
