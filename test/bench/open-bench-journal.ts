import { join } from "node:path";
import { loadConfig } from "../../src/daemon/config-load.js";
import { hubLimits, journalLimits } from "../../src/daemon/limits.js";
import type { HubContext } from "../../src/hub/context.js";
import { deciders } from "../../src/hub/deciders.js";
import { type Journal, openJournal } from "../../src/journal/journal.js";
import { systemClock } from "../../src/model/clock.js";
import { newUuid7 } from "../../src/model/uuid7.js";
import { createTightViews, type TightViews } from "../../src/views/tight.js";

import { unpaced } from "../fakes/hub-process.js";

export type BenchJournal = Journal<typeof deciders, TightViews>;

/** The hub's journal in this process, as the hub opens it. `set` are `key=value` overrides of its configuration. */
export function openBenchJournal(folder: string, set: readonly string[] = []): BenchJournal {
  const { config } = loadConfig({
    file: join(folder, "huddle.yaml"),
    overrides: ["inbox.cap=1000000", "inbox.reoffer_after=24h", ...unpaced, ...set],
  });
  const limits = hubLimits(config);
  return openJournal({
    file: join(folder, "huddle.db"),
    clock: systemClock,
    limits: journalLimits(config),
    createViews: createTightViews,
    deciders,
    context: (views: TightViews, now, at): HubContext => ({ views, limits, now, at, newId: newUuid7 }),
    onFatal(error) {
      throw error;
    },
    onProblem: (message) => console.error(`checkpoint: ${message}`),
  });
}
