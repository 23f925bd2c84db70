import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { freePort, linked } from "../fakes/hub-sides.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* Who has no fabric pays nothing for it: neither a longer start nor more memory. */

const yard = createHubYard();
afterAll(() => yard.clear());

/** The hub's own files that a run loaded, as Node lists them for coverage when it ends. */
async function filesLoaded(use: (hub: HubProcess) => Promise<unknown>): Promise<string[]> {
  const folder = tempFolder();
  const hub = await yard.start({
    set: linked("bmo", await freePort()),
    env: { NODE_V8_COVERAGE: folder },
  });
  await use(hub);
  expect(await hub.stop()).toMatchObject({ code: 0 });
  const urls = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  return [...new Set(urls)].filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
}

const withNats = (files: readonly string[]) =>
  files.filter((file) => file.includes("/@nats-io/") || readFileSync(file, "utf8").includes("/@nats-io/"));

const ask = ({ http, operator }: HubProcess, method: string, path: string) =>
  http.call(method, path, { token: operator });

test("a hub without a fabric loads nothing of NATS, not even where it is linked with others", async () => {
  const files = await filesLoaded(async (hub) => {
    expect(await ask(hub, "POST", "/api/peers/invite")).toMatchObject({ status: 201 });
    expect(await ask(hub, "GET", "/api/peers")).toMatchObject({ status: 200 });
    await ask(hub, "GET", "/api/fabric");
  });

  expect(files.length).toBeGreaterThan(5);
  expect(withNats(files)).toEqual([]);
});

test("a hub that asks to join a fabric loads it then", async () => {
  const files = await filesLoaded((hub) => ask(hub, "POST", "/api/fabric/request"));

  expect(withNats(files)).not.toEqual([]);
});
