import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { hubSocket, screenProgram, tmux } from "../fakes/scripted-pane.js";

/* A scripted agent whose vendor refuses it for a while (`!limit SECONDS`), under each runtime. */

let yard: HubYard;
let socket: string | undefined;
beforeEach(() => {
  yard = createHubYard();
});
afterEach(async () => {
  if (socket !== undefined) tmux(socket, "kill-server");
  socket = undefined;
  await yard.clear();
});

const program = (name: string) => resolve("test", "fakes", "scripted-agent", name);
const settings: Record<string, string[]> = {
  acp: [],
  headless: [`backends.scripted.command=${program("headless.mjs")}`],
  tmux: [
    `backends.scripted.command=${screenProgram}`,
    'backends.scripted.args=["--guise","claude"]',
    "tmux.poll_interval_ms=50",
  ],
};

async function startLimited(runtime: string, home: string, project = yard.home()): Promise<HubProcess> {
  socket = hubSocket(home);
  const set = [
    "backends.scripted.like=claude-code",
    `backends.scripted.env=${JSON.stringify({ SCRIPTED_HOME: project })}`,
    "hosting.limit_margin=0s",
    ...(settings[runtime] ?? []),
  ];
  const hub = await startHostingHub(yard, { home, set });
  await spawnAgent(hub, { name: "bob", project, runtime });
  return hub;
}

const show = async (hub: HubProcess) =>
  (await hub.http.call("GET", "/api/agents/bob", { token: hub.operator })).json;

test.each(["acp", "headless", "tmux"])(
  "%s: an order that meets the vendor's usage limit waits, is done when that is over, and is shown until then",
  { timeout: 120_000 },
  async (runtime) => {
    const home = yard.home();
    const project = yard.home();
    const hub = await startLimited(runtime, home, project);
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    const short = String((await ann.send("bob", "!limit 8 !say done")).json["message_id"]);

    const done = await reaches(hub, short, "finished");
    expect(done.steps).toContainEqual(expect.objectContaining({ state: "accepted", reason: "limited" }));
    expect(done.steps.at(-1)).toMatchObject({ state: "finished", stop: "end_turn" });
    const inbox = await hub.http.call("GET", "/api/inbox", { token: ann.token });
    const told = (inbox.json["messages"] as { notice?: string }[]).filter(({ notice }) => notice === "limit");
    expect(told).toHaveLength(1);

    rmSync(join(project, ".limit"));
    const long = String((await ann.send("bob", "!limit 7200 !say done")).json["message_id"]);
    const limited = await eventually(async () => {
      const agent = await show(hub);
      return agent["state"] === "limited" ? agent : undefined;
    }, "bob is limited");
    expect(limited).toMatchObject({
      status: "rate_limited",
      until: expect.stringMatching(/^20.*Z$/) as unknown,
    });
    const { json } = await hub.http.call("GET", `/api/messages/${long}`, { token: ann.token });
    expect(json["deliveries"]).toMatchObject([
      { state: "held", reason: expect.stringMatching(/usage limit until/) as unknown },
    ]);
    expect((await cli(["agents"], { env: { HUDDLE_HOME: home } })).stdout).toMatch(
      /bob\s.*limited until \d\d:\d\d/,
    );
  },
);
