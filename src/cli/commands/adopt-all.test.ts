import { describe, expect, test } from "vitest";
import { type CliWorld, cli as runAlone } from "../../../test/fakes/run-cli.js";
import { type Script, scriptedHub } from "../../../test/fakes/scripted-hub.js";

async function hubWith(script: Script) {
  const hub = await scriptedHub(script);
  const env = { HUDDLE_URL: hub.url, HUDDLE_TOKEN: "secret" };
  return { hub, cli: (argv: string[], world: CliWorld = {}) => runAlone(argv, { env, ...world }) };
}

const panes = [
  { session: "agent-alpha-ana", pane: "%1", name: "ana", team: "alpha", backend: "claude-code" },
  { session: "agent-alpha-ana-2", pane: "%2", name: "ana-2", team: "alpha", instance: "2", backend: "codex" },
  { session: "agent-main-bob", pane: "%3", name: "bob", team: "main", agent: "bob" },
  { session: "agent-main-sh", pane: "%4", name: "sh", team: "main", problem: "Pane %4 runs bash, a shell" },
];

/** A hub with these sessions, that adopts whatever it is asked to. */
function withPanes(listed: readonly object[]): Script {
  return ({ method, path, body }) => {
    if (method === "GET") return { status: 200, json: { panes: listed } };
    if (path === "/api/agents/broadcast")
      return { status: 202, json: { message_id: "m1", delivered_to: ["ana", "bob"], failed: [] } };
    const { name, target } = body as { name: string; target: string };
    return { status: 201, json: { id: "i", name, pane: target, backend: "codex", state: "started" } };
  };
}

const sent = (calls: readonly { path: string; body?: unknown }[], path: string) =>
  calls.filter((call) => call.path === path).map(({ body }) => body);

describe("adopt --all", () => {
  test("says of every session what became of it, and fails when one is left", async () => {
    const { hub, cli } = await hubWith(withPanes(panes));

    const run = await cli(["adopt", "--all", "--socket", "mine"]);

    expect(run.stdout.split("\n")).toEqual([
      "✓ agent-alpha-ana: adopted as ana of team alpha (codex, pane %1)",
      "✓ agent-alpha-ana-2: adopted as ana-2 of team alpha (codex, pane %2)",
      "– agent-main-bob: already adopted, it is bob",
      "! agent-main-sh: skipped: Pane %4 runs bash, a shell",
      "",
    ]);
    expect(run.code).toBe(1);
    expect(hub.calls[0]).toMatchObject({ method: "GET", path: "/api/panes?socket=mine" });
    expect(sent(hub.calls, "/api/agents/adopt")).toEqual([
      { target: "%1", socket: "mine", name: "ana", team: "alpha" },
      { target: "%2", socket: "mine", name: "ana-2", team: "alpha", instance: "2" },
    ]);
  });

  test("is done when all are agents, and when there is none", async () => {
    const { cli } = await hubWith(withPanes(panes.slice(2, 3)));
    const run = await cli(["adopt", "--all", "--json"]);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual({
      sessions: [{ session: "agent-main-bob", pane: "%3", outcome: "already", agent: "bob" }],
    });
    const empty = await hubWith(withPanes([]));
    expect(await empty.cli(["adopt", "--all"])).toMatchObject({
      code: 0,
      stdout: "No agent-* sessions on your tmux server.\n",
    });
  });

  test("a refusal of one session does not keep the others from being adopted", async () => {
    const { cli } = await hubWith((call) =>
      call.path === "/api/agents/adopt" && JSON.stringify(call.body).includes("%1")
        ? { status: 429, json: { error: "No room for another agent", code: "HOSTED_LIMIT" } }
        : withPanes(panes.slice(0, 2))(call, 0),
    );
    const { code, stdout } = await cli(["adopt", "--all", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: [{ outcome: "skipped", reason: "No room for another agent" }, { outcome: "adopted" }],
    });
  });

  test.each([[["adopt"]], [["adopt", "%1", "--all"]], [["adopt", "--all", "--name", "x"]]])(
    "%j is wrong use",
    async (argv) => {
      const { hub, cli } = await hubWith(withPanes(panes));
      expect(await cli(argv)).toMatchObject({ code: 2 });
      expect(hub.calls).toEqual([]);
    },
  );
});

describe("broadcast --all", () => {
  test("adopts what is no agent yet after a yes, and then writes to all", async () => {
    const { hub, cli } = await hubWith(withPanes(panes));

    const run = await cli(["broadcast", "hi", "--all", "--json"], { typed: "y\n" });

    expect(run.code).toBe(0);
    expect(run.stderr).toContain("  agent-alpha-ana (claude-code, pane %1)\n");
    expect(run.stderr).toContain("2 sessions are no agents yet. Adopt them and send? [y/N] ");
    expect(JSON.parse(run.stdout)).toEqual({
      message_id: "m1",
      delivered_to: ["ana", "bob"],
      successful: ["ana", "bob"],
      failed: ["agent-main-sh"],
      adopted: ["ana", "ana-2"],
    });
    expect(hub.calls.map(({ path }) => path)).toEqual([
      "/api/panes",
      "/api/agents/adopt",
      "/api/agents/adopt",
      "/api/agents/broadcast",
    ]);
  });

  test.each(["n\n", "\n", "yesterday\n", ""])("an answer %j is no yes: nothing is sent", async (typed) => {
    const { hub, cli } = await hubWith(withPanes(panes));
    const run = await cli(["broadcast", "hi", "--all"], { typed });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("✗ Nothing was sent.");
    expect(hub.calls).toHaveLength(1);
  });

  test("without a terminal it is refused with the way out, and --yes is one", async () => {
    const { hub, cli } = await hubWith(withPanes(panes));
    const refused = await cli(["broadcast", "hi", "--all"], { stdin: "" });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("2 sessions are no agents yet: agent-alpha-ana, agent-alpha-ana-2");
    expect(refused.stderr).toContain("Adopt them with --yes");
    expect(hub.calls).toHaveLength(1);

    expect(await cli(["broadcast", "hi", "--all", "--yes"], { stdin: "" })).toMatchObject({ code: 0 });
    expect(sent(hub.calls, "/api/agents/broadcast")).toHaveLength(1);
  });

  test.each(["FORBIDDEN", "RUNTIME_UNAVAILABLE"])(
    "with %s it goes to the agents that are there",
    async (code) => {
      const { cli } = await hubWith((call) =>
        call.method === "GET" ? { status: 403, json: { error: "no", code } } : withPanes([])(call, 0),
      );
      expect(await cli(["broadcast", "hi", "--all"], { stdin: "" })).toMatchObject({ code: 0 });
    },
  );

  test("--yes and --socket are nothing without it", async () => {
    const { cli } = await hubWith(withPanes([]));
    expect(await cli(["broadcast", "hi", "--yes"])).toMatchObject({ code: 2 });
    expect(await cli(["broadcast", "hi", "--socket", "mine"])).toMatchObject({ code: 2 });
  });
});
