import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { hubSocket, screenProgram, tmux } from "../fakes/scripted-pane.js";

/* A scripted agent whose vendor refuses it for a while (`!limit SECONDS`), under each runtime. */

const program = (name: string) => resolve("test", "fakes", "scripted-agent", name);
const settings: Record<string, string[]> = {
  acp: [`acp=${JSON.stringify([process.execPath, program("acp.mjs")])}`],
  headless: [`command=${program("headless.mjs")}`],
  tmux: [`command=${screenProgram}`, 'args=["--guise","claude"]'],
};
const runtimes = Object.keys(settings);

const yard = createHubYard();
const home = yard.home();
/** Of each runtime's agent: it keeps there until when it is refused. */
const projects = Object.fromEntries(runtimes.map((runtime) => [runtime, yard.home()]));
let hub: HubProcess;

beforeAll(async () => {
  const backends = runtimes.flatMap((runtime) => {
    const env = JSON.stringify({ SCRIPTED_HOME: projects[runtime] });
    const all = ["like=claude-code", `env=${env}`, ...(settings[runtime] ?? [])];
    return all.map((setting) => `backends.limited-${runtime}.${setting}`);
  });
  const set = [
    ...backends,
    "tmux.poll_interval_ms=50",
    "hosting.limit_margin=0s",
    // Where the limit is over before the hub has read of it.
    "hosting.limit_pause=1s",
  ];
  hub = await startHostingHub(yard, { home, set });
});
afterAll(async () => {
  tmux(hubSocket(home), "kill-server");
  await yard.clear();
});

const show = async (name: string) =>
  (await hub.http.call("GET", `/api/agents/${name}`, { token: hub.operator })).json;

test.each(runtimes)(
  "%s: an order that meets the vendor's usage limit waits, is done when that is over, and is shown until then",
  async (runtime) => {
    const project = projects[runtime] ?? "";
    const bob = `bob-${runtime}`;
    await spawnAgent(hub, { backend: `limited-${runtime}`, name: bob, project, runtime });
    const ann = await registerAgent(hub.http, hub.join, { name: `ann-${runtime}` });
    const short = String((await ann.send(bob, "!limit 4 !say done")).json["message_id"]);

    const done = await reaches(hub, short, "finished");
    expect(done.steps).toContainEqual(expect.objectContaining({ state: "accepted", reason: "limited" }));
    expect(done.steps.at(-1)).toMatchObject({ state: "finished", stop: "end_turn" });
    const inbox = await hub.http.call("GET", "/api/inbox", { token: ann.token });
    const told = (inbox.json["messages"] as { notice?: string }[]).filter(({ notice }) => notice === "limit");
    expect(told).toHaveLength(1);

    rmSync(join(project, ".limit"));
    const long = String((await ann.send(bob, "!limit 7200 !say done")).json["message_id"]);
    const limited = await eventually(async () => {
      const agent = await show(bob);
      return agent["state"] === "limited" ? agent : undefined;
    }, `${bob} is limited`);
    expect(limited).toMatchObject({
      status: "rate_limited",
      until: expect.stringMatching(/^20.*Z$/) as unknown,
    });
    const { json } = await hub.http.call("GET", `/api/messages/${long}`, { token: ann.token });
    expect(json["deliveries"]).toMatchObject([
      { state: "held", reason: expect.stringMatching(/usage limit until/) as unknown },
    ]);
    expect((await cli(["agents"], { env: { HUDDLE_HOME: home } })).stdout).toMatch(
      new RegExp(`${bob}\\s.*limited until \\d\\d:\\d\\d`),
    );
  },
);
