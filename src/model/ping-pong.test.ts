import { expect, test } from "vitest";
import { findPingPong } from "./ping-pong.js";

const way = (minutes: number[], level = 0) => ({ minutes, level });

test("two whose cooldowns rose are told with how many messages in how many minutes", () => {
  const [there, back] = [
    [0, 0, 1, 2, 2, 3],
    [0, 0, 1, 2, 2, 2],
  ] as const;
  expect(findPingPong(way([...there], 2), way([...back], 3))).toEqual({ messages: 15, minutes: 4 });
  expect(findPingPong(way([...there], 2), way([...back], 0))).toBeUndefined();
});

test("so are two who write much to each other, without a cooldown too", () => {
  expect(findPingPong(way([1, 4, 5, 4]), way([1, 5, 4, 4]))).toEqual({ messages: 28, minutes: 4 });
  expect(findPingPong(way([2, 3, 3, 3]), way([2, 3, 3, 3]))).toBeUndefined();
});

test("a minute that has just begun does not end it, one without a word does", () => {
  expect(findPingPong(way([4, 4, 0]), way([4, 4, 0]))).toEqual({ messages: 16, minutes: 2 });
  expect(findPingPong(way([4, 4, 0, 0]), way([4, 4, 0, 0]))).toBeUndefined();
});

test("one who writes much and is answered now and then is not meant, nor are a few messages", () => {
  expect(findPingPong(way([9, 9, 9], 5), way([1, 1, 1], 5))).toBeUndefined();
  expect(findPingPong(way([1, 1, 1], 5), way([1, 1, 1], 5))).toBeUndefined();
  expect(findPingPong(way([]), way([]))).toBeUndefined();
});
