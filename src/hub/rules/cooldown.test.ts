import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { pacedLimits, testHubLimits } from "../../../test/fakes/test-journal.js";

const SECOND = 1000;

async function pair(mode: "hold" | "reject" = "hold") {
  const hub = openTestHub({
    limits: { ...pacedLimits, cooldown: { ...testHubLimits.cooldown, ...pacedLimits.cooldown, mode } },
  });
  const janus = await hub.register("janus-dev");
  const puppet = await hub.register("puppet-dev");
  return { hub, janus, puppet };
}

test("the rate-limit example, line by line: instant, 2 s, 4 s, 8 s, and instant after 30 s of silence", async () => {
  const { hub, janus, puppet } = await pair();

  const first = await hub.send(janus, puppet, "Implement CDP");
  const back = await hub.send(puppet, janus, "Done, API is...");
  const second = await hub.send(janus, puppet, "Add tests too");
  const third = await hub.send(janus, puppet, "Also error handling");
  const fourth = await hub.send(janus, puppet, "And docs");

  expect([first, back].map(({ state }) => state)).toEqual(["accepted", "accepted"]);
  expect([second, third, fourth].map(({ delayedMs }) => delayedMs)).toEqual([2000, 4000, 8000]);
  expect(second).toMatchObject({ state: "held", reason: "cooldown" });

  hub.clock.advance(38 * SECOND);
  await hub.ring();
  const later = await hub.send(janus, puppet, "One more thing...");
  expect(later).toMatchObject({ state: "accepted", delayedMs: 0 });
  expect(await hub.inbox(puppet)).toEqual([
    "Implement CDP",
    "Add tests too",
    "Also error handling",
    "And docs",
    "One more thing...",
  ]);
});

test("a held message is not handed out before its time, and is at its time", async () => {
  const { hub, janus, puppet } = await pair();
  await hub.send(janus, puppet, "one");
  await hub.send(janus, puppet, "two");

  expect(await hub.inbox(puppet)).toEqual(["one"]);
  hub.clock.advance(2 * SECOND);
  await hub.ring();

  expect(await hub.inbox(puppet)).toEqual(["one", "two"]);
});

test("delays go 2, 4, 8, 16 and stay at 30 seconds", async () => {
  const { hub, janus, puppet } = await pair();
  await hub.send(janus, puppet);
  const delays = [];
  for (let i = 0; i < 7; i++) delays.push((await hub.send(janus, puppet)).delayedMs / SECOND);
  expect(delays).toEqual([2, 4, 8, 16, 30, 30, 30]);
});

test("between 5 and 30 seconds apart a message is instant and the level stays", async () => {
  const { hub, janus, puppet } = await pair();
  await hub.send(janus, puppet);
  await hub.send(janus, puppet); // level 1, due in 2 s
  hub.clock.advance(6 * SECOND);
  expect((await hub.send(janus, puppet)).delayedMs).toBe(0);
  hub.clock.advance(1 * SECOND);
  expect((await hub.send(janus, puppet)).delayedMs).toBe(4000);
});

test("an instant message never overtakes a held one of its pair", async () => {
  const { hub, janus, puppet } = await pair();
  for (const text of ["a", "b", "c", "d"]) await hub.send(janus, puppet, text); // "d" is due in 8 s
  hub.clock.advance(6 * SECOND);
  await hub.ring();

  const instant = await hub.send(janus, puppet, "e");

  expect(instant.delayedMs).toBe(2000);
  hub.clock.advance(2 * SECOND);
  await hub.ring();
  expect(await hub.inbox(puppet)).toEqual(["a", "b", "c", "d", "e"]);
});

test("a sender that would rather be refused is told when, and the refusal counts for nothing", async () => {
  const { hub, janus, puppet } = await pair();
  await hub.send(janus, puppet);
  hub.clock.advance(500);
  for (let i = 0; i < 3; i++) {
    const refused = await refusal(hub.send(janus, puppet, "x", { ifLimited: "reject" }));
    expect(refused.code).toBe("RATE_LIMITED");
    expect(refused.message).toBe("Rate limited");
    expect(refused.details).toMatchObject({ retry_after_ms: 1500 });
  }
  hub.clock.advance(1500);
  expect(await hub.send(janus, puppet, "x", { ifLimited: "reject" })).toMatchObject({ state: "accepted" });
});

test("where it is usual, a sender that does not say is refused too, and one that says hold is held", async () => {
  const { hub, janus, puppet } = await pair("reject");
  await hub.send(janus, puppet);

  const refused = await refusal(hub.send(janus, puppet, "x"));
  const held = await hub.send(janus, puppet, "x", { ifLimited: "hold" });

  expect([refused.code, refused.message]).toEqual(["RATE_LIMITED", "Rate limited"]);
  expect(refused.details).toMatchObject({ retry_after_ms: 2000 });
  expect(held).toMatchObject({ state: "held", delayedMs: 2000 });
});

test("a broadcast then leaves out those to whom it comes too soon", async () => {
  const { hub, janus, puppet } = await pair("reject");
  await hub.register("abra-dev");
  await hub.send(janus, puppet);

  const sent = await hub.execute("broadcast", { from: janus, content: "all" });

  expect(sent).toMatchObject({ deliveredTo: ["abra-dev"], failed: ["puppet-dev"] });
});

test("the eleventh message within a minute is refused, until the first is a minute old", async () => {
  const { hub, janus, puppet } = await pair();
  for (let i = 0; i < 10; i++) await hub.send(janus, puppet);
  hub.clock.advance(20 * SECOND);

  const refused = await refusal(hub.send(janus, puppet));

  expect(refused.code).toBe("RATE_LIMITED");
  expect(refused.details).toMatchObject({ retry_after_ms: 40 * SECOND });
  hub.clock.advance(40 * SECOND);
  expect((await hub.send(janus, puppet)).state).toBe("accepted");
});

test("a hold that would outlast the expiry is refused at once", async () => {
  const { hub, janus, puppet } = await pair();
  await hub.send(janus, puppet);
  const refused = await refusal(hub.send(janus, puppet, "soon stale", { expiresInMs: 1000 }));
  expect(refused.code).toBe("RATE_LIMITED");
});

test("the cooldown outlives a restart and a rename, and the person has none", async () => {
  const { hub, janus, puppet } = await pair();
  await hub.send(janus, puppet);
  await hub.rename(janus, "janus-two");
  const again = await hub.restart();

  expect((await again.send(janus, puppet)).delayedMs).toBe(2000);
  for (let i = 0; i < 20; i++) {
    expect(await again.send("human", puppet)).toMatchObject({ state: "accepted", delayedMs: 0 });
  }
});
