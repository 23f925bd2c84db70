import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { refusal } from "../../test/fakes/refusal.js";
import { HUMAN_ID } from "../model/agent.js";

const MINUTE_MS = 60_000;

async function bombed() {
  const hub = await openHostedHub({ limits: { depth: 1, hosted: 3 } });
  const { id: bomb } = await hub.spawn({ name: "bomb" });
  const { id: child } = await hub.spawn({ name: "child", by: bomb });
  const { id: last } = await hub.spawn({ name: "last" });
  return { hub, bomb, child, last };
}

test("the person is told once that an agent spawns beyond the limit, and how often it was refused", async () => {
  const { hub, bomb } = await bombed();

  for (let i = 0; i < 37; i++) expect((await refusal(hub.spawn({ by: bomb }))).code).toBe("HOSTED_LIMIT");
  hub.timers.advance(MINUTE_MS);
  await hub.settled();

  const { messages } = await hub.read(HUMAN_ID);
  expect(messages.map(({ message }) => message)).toMatchObject([
    {
      fromName: "hub",
      type: "system",
      attention: "queue",
      content: expect.stringMatching(
        /^Agent bomb .* 37 agents, .*at most 3 agents.* huddle kill bomb$/,
      ) as unknown,
      metadata: { refused_spawns: 37, agent: "bomb", reason: "HOSTED_LIMIT" },
    },
  ]);
});

test("what goes on is told again after an hour, what has ended is not", async () => {
  const { hub, bomb } = await bombed();
  await refusal(hub.spawn({ by: bomb }));
  hub.timers.advance(MINUTE_MS);
  for (let i = 0; i < 5; i++) await refusal(hub.spawn({ by: bomb }));

  hub.timers.advance(58 * MINUTE_MS);
  expect(await notices(hub)).toHaveLength(1);
  hub.timers.advance(2 * MINUTE_MS);
  expect(await notices(hub)).toMatchObject([{ refused_spawns: 1 }, { refused_spawns: 5 }]);
  const waiting = hub.timers.pending();
  hub.timers.advance(600 * MINUTE_MS);
  expect(await notices(hub)).toHaveLength(2);
  expect(hub.timers.pending()).toBeLessThan(waiting);
});

test("each agent counts for itself, and why it was refused is said", async () => {
  const { hub, bomb, child } = await bombed();
  await refusal(hub.spawn({ by: bomb }));
  await refusal(hub.spawn({ by: child }));
  await refusal(hub.spawn({ by: child }));

  hub.timers.advance(MINUTE_MS);

  expect(await notices(hub)).toEqual([
    { refused_spawns: 1, agent: "bomb", reason: "HOSTED_LIMIT" },
    { refused_spawns: 2, agent: "child", reason: "DEPTH_LIMIT" },
  ]);
});

test("other refusals, and the person's own, are no news", async () => {
  const { hub, bomb } = await bombed();
  await refusal(hub.spawn({}));
  await refusal(hub.spawn({ by: bomb, name: "Not A Name" }));
  await refusal(hub.spawn({ by: bomb, backend: "nope" }));

  hub.timers.advance(MINUTE_MS);

  expect(await notices(hub)).toEqual([]);
});

test("one that is gone by then is told of as well", async () => {
  const { hub, bomb } = await bombed();
  await refusal(hub.spawn({ by: bomb }));
  await hub.stops.kill({ agent: bomb, by: HUMAN_ID, waitMs: 0 });

  hub.timers.advance(MINUTE_MS);

  expect(await notices(hub)).toMatchObject([{ agent: "bomb" }]);
});

async function notices(hub: Awaited<ReturnType<typeof openHostedHub>>) {
  await hub.settled();
  return hub
    .happened("MessageAccepted")
    .map(({ data }) => data.message.metadata ?? {})
    .filter((metadata) => "refused_spawns" in metadata);
}
