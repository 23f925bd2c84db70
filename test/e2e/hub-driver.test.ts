import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { createHubYard } from "../fakes/hub-process.js";

const yard = createHubYard();
afterAll(() => yard.clear());

/** The file with the driver's compiled code. */
const binaries = { prebuilt: "@photostructure+sqlite", "better-sqlite3": "better_sqlite3.node" };

/** Otherwise a run on the other driver would test the default again, and nobody would notice. */
test.runIf(process.platform === "linux")(
  "a hub has loaded the driver that the run is about, and no other",
  async () => {
    const wanted = process.env["HUDDLE_SQLITE"] === "better-sqlite3" ? "better-sqlite3" : "prebuilt";
    const hub = await yard.start();

    const loaded = readFileSync(`/proc/${hub.pid}/maps`, "utf8");

    for (const [name, binary] of Object.entries(binaries))
      expect(loaded.includes(binary), name).toBe(name === wanted);
  },
);
