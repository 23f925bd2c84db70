import { expect, test } from "vitest";
import { createAnswerParser } from "./answer-parser.js";

function read(text: string, pieces: number[] = []) {
  const bytes = Buffer.from(text, "latin1");
  const got = { status: 0, type: undefined as string | undefined, body: "" };
  const parser = createAnswerParser({
    onHead({ status, headers }) {
      got.status = status;
      got.type = headers.get("content-type");
    },
    onData: (chunk) => {
      got.body += chunk.toString("latin1");
    },
  });
  let from = 0;
  for (const to of [...pieces, bytes.length]) {
    if (to > from) parser.take(bytes.subarray(from, to));
    from = Math.max(from, to);
  }
  return { ...got, hasEnded: parser.hasEnded(), canStay: parser.canStay(), parser };
}

const counted = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}';
const chunked =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n" +
  "5\r\nhello\r\nA;x=y\r\n, my world\r\n0\r\nextra: 1\r\n\r\n";

test.each([
  ["of a given length", counted, '{"a":1}'],
  ["in chunks", chunked, "hello, my world"],
  ["after a 100", `HTTP/1.1 100 Continue\r\n\r\n${counted}`, '{"a":1}'],
])("an answer %s is the same wherever it is cut", (_, text, body) => {
  expect(read(text)).toMatchObject({ status: 200, body, hasEnded: true, canStay: true });
  for (let cut = 1; cut < text.length; cut++) {
    expect(read(text, [cut, cut + 1])).toMatchObject({ status: 200, body, hasEnded: true });
  }
});

test("an answer without a body ends with its head", () => {
  expect(read("HTTP/1.1 204 No Content\r\n\r\n")).toMatchObject({ status: 204, hasEnded: true });
  expect(read("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n")).toMatchObject({ hasEnded: true });
});

test("an answer of no stated length ends with the connection, which cannot be used again", () => {
  const { parser, body, hasEnded, canStay } = read("HTTP/1.1 200 OK\r\n\r\nall of it");
  expect({ body, hasEnded, canStay }).toEqual({ body: "all of it", hasEnded: false, canStay: false });
  expect(parser.closed()).toBe(true);
});

test("a connection that is to close is not kept", () => {
  expect(read(counted.replace("\r\n", "\r\nConnection: close\r\n")).canStay).toBe(false);
  expect(read(counted.replace("HTTP/1.1", "HTTP/1.0")).canStay).toBe(false);
});

test.each([
  ["its head", counted.slice(0, 30)],
  ["its body", counted.slice(0, -1)],
  ["a chunk", chunked.slice(0, -20)],
])("an answer that breaks off in %s is not whole", (_, text) => {
  expect(read(text).parser.closed()).toBe(false);
});

test.each([
  ["not HTTP", "SSH-2.0-OpenSSH\r\n\r\n"],
  ["a length that is no number", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"],
  ["a chunk without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
  ["a head without end", `HTTP/1.1 200 OK\r\n${"x".repeat(70_000)}`],
  ["more than was asked for", `${counted}${counted}`],
])("%s is refused", (_, text) => {
  expect(() => read(text)).toThrow(/answer|came/);
});
