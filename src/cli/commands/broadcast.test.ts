import { describe, expect, test } from "vitest";
import { cli as runAlone } from "../../../test/fakes/run-cli.js";
import { type Script, type Serve, say, scriptedHub } from "../../../test/fakes/scripted-hub.js";

async function hubWith(script: Script, ...streams: Serve[]) {
  const hub = await scriptedHub(script, ...streams);
  const cli = (argv: string[]) => runAlone(argv, { env: { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret" } });
  return { hub, cli };
}

describe("broadcast", () => {
  const sent = { message_id: "m1", delivered_to: ["ana", "ben", "cy"], failed: ["dan"] };
  const at = "2026-01-01T10:00:00.000Z";
  const delivery = (to: string, ...states: string[]) => ({
    to,
    state: states.at(-1),
    at,
    evidence: null,
    reason: null,
    steps: states.map((state) => ({ state, at })),
  });
  const message = {
    id: "m1",
    seq: 7,
    type: "broadcast",
    from: "user",
    to: "alpha",
    content: "hi",
    timestamp: at,
    conversation: "m1",
    hop: 0,
    attention: "queue",
    source: "user",
    trust: "human",
  };
  const deliveries = [
    delivery("ana", "accepted", "offered", "injected"),
    delivery("ben", "accepted", "failed"),
    delivery("cy", "accepted"),
  ];
  const open = () =>
    hubWith(
      ({ method }) =>
        method === "POST" ? { status: 202, json: sent } : { status: 200, json: { message, deliveries } },
      (socket) => say(socket, { type: "ready", seq: 7, first: 1 }),
    );

  test("without a team it is for everybody, and never for both", async () => {
    const { hub, cli } = await hubWith(({ method }) =>
      method === "GET"
        ? { status: 200, json: { panes: [] } }
        : { status: 202, json: { message_id: "m1", delivered_to: ["ann"], failed: [] } },
    );
    expect(await cli(["broadcast", "hi"])).toMatchObject({ code: 0 });
    expect(await cli(["broadcast", "hi", "--all"])).toMatchObject({ code: 0 });
    for (const { body } of hub.calls.filter(({ method }) => method === "POST"))
      expect(body).toEqual({ message: "hi", id: expect.any(String) as unknown });
    expect(await cli(["broadcast", "hi", "--all", "--team", "red"])).toMatchObject({ code: 2 });
  });

  test("prints who has it in the inbox, and who has not", async () => {
    const { hub, cli } = await open();
    const { stdout } = await cli(["broadcast", "hi", "--team", "alpha", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      message_id: "m1",
      delivered_to: ["ana", "ben", "cy"],
      successful: ["ana", "ben", "cy"],
      failed: ["dan"],
    });
    expect(hub.calls).toMatchObject([
      { path: "/api/agents/broadcast", body: { message: "hi", team: "alpha" } },
    ]);
  });

  test("with --confirm only who took it in time has it", async () => {
    const { cli } = await open();
    const argv = ["broadcast", "hi", "--confirm", "--timeout", "2s"];
    expect(await cli(argv)).toEqual({
      code: 0,
      stdout: "✓ 1 agent has it\n  Not taken by: ben, cy, dan\n",
      stderr: "",
    });
  });
});
