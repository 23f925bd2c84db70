import { expect, onTestFinished, test } from "vitest";
import { SERVER_CONF } from "../../src/fabric/server-files.js";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { call, say } from "../../src/selftest/scripted-model/step.js";
import { createHubYard } from "../fakes/hub-process.js";
import { freePort, linked, pairSides, type Side } from "../fakes/hub-sides.js";
import { as, initFabric, letIn } from "../fakes/hubs-on-fabric.js";
import { startServerIn } from "../fakes/nats-server.js";
import { createNetLab, type NetHost, whyNoNetwork } from "../fakes/net-lab.js";
import { cli } from "../fakes/run-cli.js";
import { claude } from "./claude.js";
import type { Client } from "./client.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { type House, openOwnHouse } from "./house.js";
import { wholeMatrix } from "./sets.js";

/* Two vendors' CLIs on two hubs: each is hosted by its own, and they answer each other over a link or over the fabric. */

type Place = { house: House; side: Side };
type Pair = { bmo: Place; r2d2: Place };

async function openPlace(name: string, client: Client, machine?: NetHost): Promise<Place> {
  const port = await freePort();
  const house = await openOwnHouse([client], linked(name, port), machine);
  return { house, side: { hub: house.hub(), name, port } };
}

/** That the CLI's model was shown this. */
const isTold = ({ house: { model } }: Place, words: string) =>
  model.requests.waitFor(`its model is told: ${words}`, ({ conversation }) =>
    shownTexts(conversation).some((text) => text.includes(words)),
  );

async function openPair(): Promise<Pair> {
  return { bmo: await openPlace("bmo", claude), r2d2: await openPlace("r2d2", codex) };
}

/** The first is the steward. Until the first two know each other. */
async function joinAll(folder: string, sides: readonly Pick<Side, "hub">[]) {
  for (const [n, side] of sides.entries()) await letIn(side, folder, { more: n === 0 ? ["--steward"] : [] });
  await eventually("they know each other", async () => {
    const peers = await Promise.all(sides.slice(0, 2).map((side) => cli(["peers"], as(side))));
    return (
      peers.every(({ stdout }, n) =>
        new RegExp(`^${["r2d2", "bmo"][n]} +hub +fabric +yes `, "m").test(stdout),
      ) || undefined
    );
  });
}

async function overLink(): Promise<Pair> {
  const { bmo, r2d2 } = await openPair();
  await pairSides(bmo.side, r2d2.side);
  return { bmo, r2d2 };
}

async function overFabric(): Promise<Pair> {
  const { folder, port } = await initFabric(["--host=127.0.0.1"]);
  await startServerIn(folder, SERVER_CONF, port);
  const { bmo, r2d2 } = await openPair();
  await joinAll(folder, [bmo.side, r2d2.side]);
  return { bmo, r2d2 };
}

/** Five machines, each a network namespace, that reach a sixth with the server, and not each other. */
async function overFabricOnly(): Promise<Pair> {
  const yard = createHubYard();
  const lab = createNetLab(yard);
  // What is registered first ends last.
  onTestFinished(async () => {
    await yard.clear();
    await lab.clear();
  }, 180_000);
  const broker = await lab.host("broker");
  const { folder, port } = await initFabric([`--host=${broker.address}`]);
  await startServerIn(folder, SERVER_CONF, port, { under: broker.under });
  const [one, other] = [await lab.host("bmo", { isApart: true }), await lab.host("r2d2", { isApart: true })];
  const bmo = await openPlace("bmo", claude, one);
  const r2d2 = await openPlace("r2d2", codex, other);
  const others: Pick<Side, "hub">[] = [];
  for (const name of ["c3po", "hal", "eve"]) {
    const host = await lab.host(name, { isApart: true });
    others.push({ hub: await host.startHub({ set: [`agent-comms.name=${name}`] }) });
  }
  expect([broker, other].map((machine) => one.reaches(machine))).toEqual([true, false]);
  await joinAll(folder, [bmo.side, r2d2.side, ...others]);
  return { bmo, r2d2 };
}

/** The only ways that the two have to each other. */
const ways: [string, () => Promise<Pair>][] = [
  whyNoNetwork() === undefined
    ? ["a NATS server, which is all that they and three other hubs reach", overFabricOnly]
    : ["a NATS server", overFabric],
];
/** What comes reads the same whichever way it came, and e2e tests try both ways with scripted agents. */
if (wholeMatrix) ways.push(["a link", overLink]);

test.each(ways)("claude on one hub and codex on another answer each other over %s", async (_, open) => {
  const { bmo, r2d2 } = await open();
  bmo.house.model.on(/ask ben/, [
    call("send_message", { to: "ben@r2d2", content: "Which port is it?" }),
    say("asked"),
  ]);
  r2d2.house.model.on(/Which port is it/, [
    call("send_message", { to: "ann@bmo", content: "It is port 3847." }),
    say("told"),
  ]);
  bmo.house.model.on(/It is port 3847/, [say("now I know the port")]);
  await bmo.house.spawn(claude, "acp", { name: "ann" });
  await r2d2.house.spawn(codex, "acp", { name: "ben" });

  const { http, operator } = bmo.house.hub();
  await http.call("POST", "/api/agents/ann/messages", { token: operator, body: { message: "ask ben" } });

  await isTold(r2d2, "Which port is it?");
  // As document 004 has it: whoever reads it sees that it came from another hub.
  await isTold(bmo, "[Agent] ben@r2d2: It is port 3847.");
  const answered = await eventually("ann has answered", async () => {
    const { text } = await http.call("GET", "/api/agents/ann/turns", { token: operator });
    return text.includes("now I know the port") || undefined;
  });
  expect(answered).toBe(true);
});
