// `huddle selftest`, ended in every way: nothing stays.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../fakes/hosting-hub.js";
import { chooseSeeds, createRandom } from "../fakes/random.js";
import { expectNothingLeft, memoryOf, selftest } from "../fakes/selftest-run.js";

/** However long each takes on a busy machine. */
const whole = ["scripted", "--runtime", "acp", "--timeout", "5m"];
const only = (...behaviours: string[]) => [...whole, ...behaviours.flatMap((one) => ["--behaviour", one])];

/** Not the last of them, so that there is something left to end. */
const others = [
  ["SIGINT", "queue works", only("queue", "resume")],
  ["SIGINT", "interrupt works", only("interrupt", "resume")],
  ["SIGHUP", "resume works", only("resume", "kill")],
] as const;

test.each([
  ["SIGINT", "spawn works", whole],
  ["SIGTERM", "receive works", whole],
  createRandom(chooseSeeds().at(-1) ?? 0).pick(others),
] as const)(
  "%s after %s ends it, and all that it started; the hub is told nothing",
  async (signal, step, args) => {
    const run = selftest(args);
    await run.says(step);

    run.child.kill(signal);
    // Somebody impatient: the second one does not keep it from cleaning up.
    run.child.kill(signal);

    expect(await run.ended).toBe(130);
    await expectNothingLeft(run.home);
    expect(memoryOf(run)).toEqual({});
  },
);

test("Ctrl-C before anything runs, and while the hub starts, leaves nothing", async () => {
  for (const wanted of [".cache/huddle", "hub"]) {
    const run = selftest(whole);
    await eventually(async () => {
      const folder = join(run.home, ".cache", "huddle");
      const [place] = existsSync(folder) ? readdirSync(folder) : [];
      if (wanted !== "hub") return place;
      return place !== undefined && existsSync(join(folder, place, "hub", "huddle.lock")) ? place : undefined;
    }, "it has begun");

    run.child.kill("SIGINT");

    expect(await run.ended).toBe(130);
    await expectNothingLeft(run.home);
  }
});

test("kill -9 in the middle leaves nothing either", async () => {
  const run = selftest(whole);
  await run.says("receive works");

  run.child.kill("SIGKILL");

  await run.ended;
  await expectNothingLeft(run.home);
});

test("whoever stops reading what it says ends it, too", async () => {
  const run = selftest(whole);
  await run.says("spawn works");

  run.child.stderr?.destroy();

  await run.ended;
  await expectNothingLeft(run.home);
});
