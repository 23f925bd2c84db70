import { expect, test } from "vitest";
import { createConnections, parseCallName, parseCount } from "./connections.js";

const GIVE_UP_MS = 60_000;

/** A bridge of the agent `ann`: each request says how many answers were written since the one before. */
function openBridge() {
  let now = 1_000_000;
  const connections = createConnections(() => now, GIVE_UP_MS);
  let n = 0;
  function begin(
    written: number,
    { again, isToolCall = true, instance = "b1", agent = "ann" }: Partial<Options> = {},
  ) {
    const call = { instance, n: again ?? ++n };
    return connections.begin({ agent, call, written, isToolCall });
  }
  return {
    begin,
    /** A whole exchange that hands out these messages. */
    ask(written: number, seqs: number[], options?: Partial<Options>) {
      const exchange = begin(written, options);
      exchange.handedOut(seqs);
      exchange.end("answered");
      return exchange;
    },
    connections,
    sleep(ms: number) {
      now += ms;
    },
  };
}
type Options = { again: number; isToolCall: boolean; instance: string; agent: string };

test("the next tool call after the answer was written proves what it held", () => {
  const bridge = openBridge();
  bridge.ask(0, [5, 7]);

  expect(bridge.begin(1).proven).toEqual([5, 7]);
});

test("it is proved once", () => {
  const bridge = openBridge();
  bridge.ask(0, [5]);
  bridge.ask(1, []);

  expect(bridge.begin(1).proven).toEqual([]);
});

test("a call before the answer was written proves nothing, the one after it does", () => {
  const bridge = openBridge();
  bridge.ask(0, [5]);

  expect(bridge.ask(0, []).proven).toEqual([]);
  expect(bridge.begin(2).proven).toEqual([5]);
});

test("a request that is no tool call proves nothing, and what it reports counts for the next", () => {
  const bridge = openBridge();
  bridge.ask(0, [5]);

  expect(bridge.ask(1, [], { isToolCall: false }).proven).toEqual([]);
  expect(bridge.begin(1).proven).toEqual([5]);
});

test("a call that overlaps another proves nothing", () => {
  const bridge = openBridge();
  const open = bridge.begin(0);
  bridge.ask(0, [5]);

  expect(bridge.ask(1, []).proven).toEqual([]);
  open.end("answered");
  expect(bridge.begin(2).proven).toEqual([5]);
});

test("a request that is made again proves nothing and is told so", () => {
  const bridge = openBridge();
  bridge.ask(0, [5]);

  const again = bridge.begin(1, { again: 1 });

  expect(again).toMatchObject({ proven: [], rereads: true });
});

test("an answer that was cut off holds nothing to prove", () => {
  const bridge = openBridge();
  const cut = bridge.begin(0);
  cut.handedOut([5]);
  cut.end("lost");

  expect(bridge.begin(0).proven).toEqual([]);
});

test("an answer that left the hub and was never written proves nothing, and its mail is given up after its time", () => {
  const bridge = openBridge();
  bridge.ask(0, [5]);
  expect(bridge.ask(0, [6]).proven).toEqual([]);

  expect(bridge.ask(1, []).proven).toEqual([]);
  bridge.sleep(GIVE_UP_MS);
  expect(bridge.ask(1, [8]).proven).toEqual([]);
  expect(bridge.begin(1).proven).toEqual([8]);
});

test("connections of the same agent, and agents with the same connection, prove nothing for each other", () => {
  const bridge = openBridge();
  bridge.ask(0, [5]);

  expect(bridge.begin(1, { instance: "b2" }).proven).toEqual([]);
  expect(bridge.begin(1, { agent: "bob" }).proven).toEqual([]);
});

test("a client without a bridge proves nothing by calling", () => {
  const { connections } = openBridge();
  const ask = () => connections.begin({ agent: "ann", call: undefined, written: 1, isToolCall: true });
  const first = ask();
  first.handedOut([5]);
  first.end("answered");

  expect(ask().proven).toEqual([]);
});

test("until a connection was handed something, what others were handed a moment ago is for it too", () => {
  const bridge = openBridge();

  expect(bridge.ask(0, []).rereads).toBe(true);
  expect(bridge.ask(1, [5]).rereads).toBe(true);
  expect(bridge.ask(1, []).rereads).toBe(false);
});

test.each([
  ["b-1.x_Y:12", { instance: "b-1.x_Y", n: 12 }],
  ["b1:0", { instance: "b1", n: 0 }],
  ["b1", undefined],
  ["b1:-1", undefined],
  ["b 1:1", undefined],
  [`${"b".repeat(101)}:1`, undefined],
  [undefined, undefined],
])("the header %s is read as %o", (header, call) => {
  expect(parseCallName(header)).toEqual(call);
});

test("a count of answers is a number, or nothing", () => {
  expect(["3", "0", "-1", "x", undefined].map(parseCount)).toEqual([3, 0, 0, 0, 0]);
});
