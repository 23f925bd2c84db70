import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFabric } from "../../test/fakes/fabric-steward.js";
import { patiently } from "../../test/fakes/patiently.js";
import { keepStreams } from "./keep-streams.js";
import { readFabric } from "./steward.js";

test("who runs the server is told that its streams cannot be made, and why, and when they are", async () => {
  const { folder, server } = await makeFabric();
  const seed = join(folder, "keys", "stewards.seed");
  chmodSync(seed, 0o644);
  const ending = new AbortController();
  const said: string[] = [];
  const keeping = keepStreams(folder, readFabric(folder), ending.signal, {
    onMade: () => said.push("made"),
    onTrouble: (reason) => said.push(reason),
  });

  await patiently(() => expect(said).toEqual([expect.stringContaining(`Close it: chmod 600 ${seed}`)]));
  await server.kill();
  chmodSync(seed, 0o600);
  await patiently(() => expect(said[1]).toMatch(/ECONNREFUSED|refused/i));
  await server.start();
  await patiently(() => expect(said.slice(2)).toEqual(["made"]));

  ending.abort();
  await keeping;
});
