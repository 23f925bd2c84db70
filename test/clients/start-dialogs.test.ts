import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli as runCli } from "../fakes/run-cli.js";
import { tmux } from "../fakes/scripted-pane.js";
import { claude } from "./claude.js";
import { droid } from "./droid.js";
import { eventually } from "./eventually.js";
import { openHouse } from "./house.js";

/*
 * A CLI that asks whether it may trust a folder before it takes anything: the spawn is not refused, the question is the
 * person's, and the start goes on when they have answered it in the pane. With HUDDLE_CAPTURES what was to be seen is kept.
 */

const cases = [
  // By the name that people call it, and without its ACP adapter: the hub finds the way that works here, and says so.
  {
    client: { ...claude, programs: ["claude"] },
    spawn: ["claude"],
    asks: /trust/i,
    yes: ["Down", "Enter"],
    hint: "With npm i -g @agentclientprotocol/claude-agent-acp Huddle need not read its screen",
    reason: "claude-agent-acp is not installed",
  },
  {
    client: droid,
    spawn: ["droid", "--runtime", "tmux"],
    asks: /trust/i,
    yes: ["Enter"],
    hint: "",
    reason: "asked for",
  },
];

test.each(cases)("$client.name asks at the start, and goes on when the person answered", async (one) => {
  const { client, asks, yes, hint, reason } = one;
  const house = await openHouse([client], [], "tui");
  try {
    const { http, operator } = house.hub();
    const project = join(house.home, "elsewhere");
    mkdirSync(project);
    const env = { HUDDLE_URL: http.url, HUDDLE_TOKEN: operator };
    const cli = (...argv: string[]) => runCli(argv, { env, stdin: "" });
    const spawned = await cli("spawn", ...one.spawn, "--name", "worker", "-C", project);
    await eventually("a dialog waits", async () => {
      const { json } = await http.call("GET", "/api/needs-you", { token: operator });
      return (json["items"] as { kind: string; text: string }[]).find(
        ({ kind, text }) => kind === "dialog" && asks.test(text),
      );
    });
    const [inbox, agents, attach] = [
      await cli("inbox"),
      await cli("agents"),
      await cli("attach", "worker", "--print"),
    ];
    expect(spawned.stdout).toContain(hint);
    expect(agents.stdout).toMatch(/worker\s+◔ waiting/);
    expect(agents.stdout).toContain(`worker is run by tmux: ${reason}`);
    expect(inbox.stdout).toContain("huddle attach worker");
    const [, socket = "", pane = ""] = /-L (\S+) attach-session -t (\S+)/.exec(attach.stdout) ?? [];
    const shown = tmux(socket, "capture-pane", "-p", "-t", pane);
    const folder = process.env["HUDDLE_CAPTURES"];
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      const said = [spawned, inbox, agents, attach].map(({ stdout, stderr }) => stdout + stderr);
      writeFileSync(join(folder, `${client.name}-start.txt`), [shown, ...said].join("\n"));
    }
    tmux(socket, "send-keys", "-t", pane, yes[0] ?? "");
    if (yes[1] !== undefined) {
      await eventually("the choice moved", () => tmux(socket, "capture-pane", "-p", "-t", pane) !== shown);
      tmux(socket, "send-keys", "-t", pane, yes[1]);
    }
    await eventually("worker is up", async () => {
      const { json } = await http.call("GET", "/api/agents/worker", { token: operator });
      return json["state"] === "idle" || undefined;
    });
  } finally {
    await house.close();
  }
});
