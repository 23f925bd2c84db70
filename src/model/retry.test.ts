import { expect, test } from "vitest";
import { retry } from "./retry.js";

function failing(times: number) {
  let tries = 0;
  return () => (++tries > times ? Promise.resolve(tries) : Promise.reject(new Error(`try ${tries}`)));
}

test("pauses double up to the most, and whoever decides may choose another", async () => {
  const paused: number[] = [];
  const wait = (ms: number) => Promise.resolve(void paused.push(ms));
  const options = { firstMs: 10, mostMs: 40, wait };
  const usual = retry(failing(5), { ...options, pauseAfter: (_, { usualMs }) => usualMs });
  expect(await usual).toBe(6);
  expect(paused).toEqual([10, 20, 40, 40, 40]);

  paused.length = 0;
  await retry(failing(2), { ...options, pauseAfter: (_, { tries }) => tries * 7 });
  expect(paused).toEqual([7, 14]);
});

test("an error that is not worth another try stands, as does what the decision throws", async () => {
  const options = { firstMs: 1, mostMs: 1 };
  await expect(retry(failing(9), { ...options, pauseAfter: () => undefined })).rejects.toThrow("try 1");
  const second = retry(failing(9), { ...options, pauseAfter: (_, { tries }) => (tries < 2 ? 0 : undefined) });
  await expect(second).rejects.toThrow("try 2");
  const own = retry(failing(9), {
    ...options,
    pauseAfter() {
      throw new Error("gave up");
    },
  });
  await expect(own).rejects.toThrow("gave up");
});

test("a signal ends the pause", async () => {
  const controller = new AbortController();
  const waiting = retry(failing(9), {
    firstMs: 60_000,
    mostMs: 60_000,
    pauseAfter: (_, { usualMs }) => usualMs,
    signal: controller.signal,
  });
  controller.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
});
