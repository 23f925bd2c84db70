import { expect, test } from "vitest";
import { SERVER_CONF } from "../../src/fabric/server-files.js";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { call, say } from "../../src/selftest/scripted-model/step.js";
import { freePort, linked, pairSides, type Side } from "../fakes/hub-sides.js";
import { as, initFabric, letIn } from "../fakes/hubs-on-fabric.js";
import { startServerIn } from "../fakes/nats-server.js";
import { cli } from "../fakes/run-cli.js";
import { claude } from "./claude.js";
import type { Client } from "./client.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { type House, openOwnHouse } from "./house.js";
import { wholeMatrix } from "./sets.js";

/* Two vendors' CLIs on two hubs: each is hosted by its own, and they answer each other over a link or over the fabric. */

type Place = { house: House; side: Side };

async function openPlace(name: string, client: Client): Promise<Place> {
  const port = await freePort();
  const house = await openOwnHouse([client], linked(name, port));
  return { house, side: { hub: house.hub(), name, port } };
}

/** That the CLI's model was shown this. */
const isTold = ({ house: { model } }: Place, words: string) =>
  model.requests.waitFor(`its model is told: ${words}`, ({ conversation }) =>
    shownTexts(conversation).some((text) => text.includes(words)),
  );

/** The only ways that the two have to each other. */
const ways = {
  "a link": (one: Side, other: Side) => pairSides(one, other),
  async "a NATS server"(one: Side, other: Side) {
    const { folder, port } = await initFabric(["--host=127.0.0.1"]);
    await startServerIn(folder, SERVER_CONF, port);
    await letIn(one, folder, { more: ["--steward"] });
    await letIn(other, folder);
    await eventually("they know each other", async () => {
      const peers = await Promise.all([one, other].map((side) => cli(["peers"], as(side))));
      return peers.every(({ stdout }) => / hub +fabric +yes /.test(stdout)) || undefined;
    });
  },
};

/** What comes reads the same whichever way it came, and e2e tests try both ways with scripted agents. */
const tried = Object.entries(ways).filter(([way]) => wholeMatrix || way !== "a link");

test.each(tried)("claude on one hub and codex on another answer each other over %s", async (_, join) => {
  const bmo = await openPlace("bmo", claude);
  const r2d2 = await openPlace("r2d2", codex);
  await join(bmo.side, r2d2.side);
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
