import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { matching } from "../fakes/text-matching.js";

/* A hub without file handles cannot even answer new connections: those that it has learn why. */

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

const LIMIT = 80;

async function healthOver(hub: HubProcess) {
  return (await hub.http.call("GET", "/api/health", { token: hub.operator })).json;
}

test("too few handles are said in health and in the log, and the hub goes on once some are free", async ({
  skip,
}) => {
  if (process.platform !== "linux") return skip("prlimit needs Linux");
  const hub = await yard.start({ under: ["prlimit", `--nofile=${LIMIT}:${LIMIT}`] });
  expect(await healthOver(hub)).toMatchObject({ ok: true });
  const sockets: Socket[] = [];
  const crowd = () => {
    for (let n = 0; n < 10; n++) sockets.push(connect(hub.port, "127.0.0.1").on("error", () => {}));
  };

  const short = await eventually(async () => {
    crowd(); // What was dropped left room for others.
    const health = await healthOver(hub);
    return health["ok"] === false ? health : undefined;
  }, "the shortage is noticed");
  for (const socket of sockets) socket.destroy();
  await eventually(async () => (await healthOver(hub))["ok"] === true || undefined, "it is over");

  expect(short).toMatchObject({ code: "TOO_FEW_HANDLES", error: matching(/ulimit -n/) });
  expect(readFileSync(join(hub.home, "logs", "hub.log"), "utf8")).toMatch(/no file handles left \(EMFILE\)/);
});
