import { join } from "node:path";
import { expect, test } from "vitest";
import { openHostedHub } from "../../test/fakes/hosted-hub.js";
import { tempFolder } from "../../test/fakes/temp-folder.js";
import { loadConfig } from "./config-load.js";
import { hubLimits, journalLimits } from "./limits.js";

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

test("without a configuration the limits are those of the interface and of the journal's rules", () => {
  const { config } = loadConfig({ file: join(tempFolder(), "huddle.yaml"), overrides: [] });

  expect(hubLimits(config)).toMatchObject({
    inboxCap: 1000,
    renameGraceMs: 24 * 60 * MINUTE_MS,
    reofferAfterMs: MINUTE_MS,
  });
  expect(config.presence).toMatchObject({ offline_after: MINUTE_MS / 2, dead_after: MINUTE_MS / 2 });
  expect(config.inbox.wait_max).toBe(2 * MINUTE_MS);
  expect(config.http.body_limit).toBe(MIB);
  expect(journalLimits(config)).toMatchObject({
    batch: { commands: 256, milliseconds: 5 },
    wal: { cap: 32 * MIB },
  });
});

test("without a configuration a permission waits for twelve hours, and is denied then", async () => {
  const { config } = loadConfig({ file: join(tempFolder(), "huddle.yaml"), overrides: [] });
  const hub = await openHostedHub({ limits: hubLimits(config) });
  hub.runtime.obey = "take";
  const { id } = await hub.spawn({ name: "bob" });
  await hub.send("human", id, "work");
  await hub.until(() => hub.state(id) === "busy");
  const answer = hub.runtime.agent().askPermission();
  await hub.until(() => hub.views.permissions.open().length === 1);

  hub.clock.advance(12 * 60 * MINUTE_MS - 1);
  await hub.ring();
  expect(hub.views.permissions.open()).toHaveLength(1);
  hub.clock.advance(1);
  await hub.ring();
  expect(await answer).toEqual({ option: "no" });
});
