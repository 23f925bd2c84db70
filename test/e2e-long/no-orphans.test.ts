import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, processesOf, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubYard } from "../fakes/hub-process.js";

/*
 * Promise 9: after `kill -9` of the hub no process that an agent of it began stays. Each agent begins two that ignore
 * SIGTERM, one of them in a session of its own, and is nasty itself in one way more.
 */

const ROUNDS = Number(process.env["HUDDLE_ROUNDS"] ?? 1);

const kinds = [
  ["idle", "!family"],
  ["busy", "!family !stream 1000000"],
  ["ignoring SIGTERM", "!deaf !family !stream 1000000"],
  ["without an input", "!deaf !family !close-input !stream 1000000"],
] as const;

let yard: HubYard;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(() => yard.clear());

const cli = resolve("test", "fakes", "scripted-agent", "headless.mjs");
const headless = [
  `backends.scripted-cli.command=${cli}`,
  "backends.scripted-cli.like=claude-code",
  "backends.scripted-cli.runtime=headless",
];

test.each([
  ["acp", "scripted"],
  ["headless", "scripted-cli"],
])(
  `no process of an agent under %s outlives a killed hub, ${ROUNDS} times`,
  { timeout: 300_000 * (1 + ROUNDS) },
  async (_, backend) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const hub = await startHostingHub(yard, { set: headless });
      const agents = await Promise.all(
        kinds.map(async ([, script], index) => {
          const agent = await spawnAgent(hub, { project: yard.home(), backend, name: `nasty-${index}` });
          const sent = await hub.http.call("POST", `/api/agents/${agent.name}/messages`, {
            token: hub.operator,
            body: { message: script },
          });
          await reaches(hub, String(sent.json["message_id"]), "seen");
          return agent;
        }),
      );
      // Under headless an agent that ended its turn has no process any more.
      const begun = agents.filter(({ id }) => processesOf(id).length > 0);
      expect(begun.length).toBeGreaterThanOrEqual(backend === "scripted" ? 4 : 3);

      await hub.kill();

      const left = () => agents.flatMap(({ id }) => processesOf(id));
      await eventually(async () => (left().length === 0 ? true : undefined), "nothing of them is left");
    }
  },
);

/** One whose watch was killed as well; the mark in its environment is all that it has of its hub. */
test("what outlived a killed hub all the same is ended by the next", async () => {
  const hub = await startHostingHub(yard);
  const agent = await spawnAgent(hub, { project: yard.home(), name: "hal" });
  const [environ = ""] = processesOf(agent.id);
  const [mark = ""] = /HUDDLE_HOSTED=[^\0]+/.exec(readFileSync(environ, "utf8")) ?? [];
  const left = () => processesOf(agent.id).length;
  await hub.kill();
  await eventually(async () => (left() === 0 ? true : undefined), "its own processes are gone");
  const orphan = spawn("sleep", ["600"], { env: { HUDDLE_HOSTED: mark.slice("HUDDLE_HOSTED=".length) } });
  try {
    expect(left()).toBe(1);

    await startHostingHub(yard, { home: hub.home });

    await eventually(async () => orphan.signalCode ?? undefined, "nothing of it is left");
  } finally {
    orphan.kill("SIGKILL");
  }
});
