import { expect, onTestFinished, test } from "vitest";
import { openTestHub } from "../../test/fakes/test-hub.js";
import { createFeed } from "../journal/feed.js";
import { createTraffic } from "./traffic.js";

const MINUTE = 60_000;

async function openTraffic() {
  const hub = openTestHub();
  const [ann, ben] = [await hub.register("ann"), await hub.register("ben")];
  const traffic = createTraffic({
    feed: createFeed({ events: hub.events, onCommitted: hub.onCommitted }),
    seqBefore: hub.events.seqBefore,
    lastSeq: hub.events.lastSeq,
    wall: hub.clock.wall,
    onProblem: (problem) => expect.unreachable(String(problem)),
  });
  onTestFinished(() => traffic.close());
  return { hub, ann, ben, traffic };
}

test("messages are counted by pair, direction and minute, those from before it was asked too", async () => {
  const { hub, ann, ben, traffic } = await openTraffic();
  await hub.send(ann, ben, "one");
  await hub.send(ann, ben, "two");
  hub.clock.advance(2 * MINUTE);
  await hub.send(ben, ann, "back");

  const before = await traffic.read();
  expect(before).toHaveLength(2);
  expect(before.find(({ from }) => from === ann)?.minutes).toEqual([0, 0, 0, 0, 0, 0, 0, 2, 0, 0]);
  await hub.send(ann, ben, "three");

  await expect
    .poll(async () => (await traffic.read()).find(({ from }) => from === ann)?.minutes)
    .toEqual([0, 0, 0, 0, 0, 0, 0, 2, 0, 1]);
  expect((await traffic.read()).find(({ from }) => from === ben)?.minutes.at(-1)).toBe(1);
});

test("after ten minutes of silence a pair is told of no more", async () => {
  const { hub, ann, ben, traffic } = await openTraffic();
  await hub.send(ann, ben, "one");
  expect(await traffic.read()).toHaveLength(1);

  hub.clock.advance(11 * MINUTE);

  expect(await traffic.read()).toEqual([]);
});

test("a broadcast counts for each who gets it, and what the hub says for nobody", async () => {
  const { hub, ann, traffic } = await openTraffic();
  await hub.register("carol");
  await hub.execute("broadcast", { from: ann, content: "all" });

  expect((await traffic.read()).map(({ from }) => from)).toEqual([ann, ann]);
});
