import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { call, say } from "../../src/selftest/scripted-model/step.js";
import { signalProcess } from "../fakes/hub-process.js";
import type { ClientWorld } from "./client.js";
import { codex } from "./codex.js";
import { eventually } from "./eventually.js";
import { type Lab, openLab } from "./lab.js";
import { openScreen } from "./screen.js";
import { wholeMatrix } from "./sets.js";

/* codex on its screen, with a bridge that may wake it. */

/** Whoever is woken before the first use of a tool is woken after it as well; both are tried with a scripted agent. */
const tried = [
  ["has used no tool yet", "Wait. <<say joined>>"],
  ["has used a tool", "Join. <<call list_agents>> <<say joined>>"],
] as const;

test.each(tried.slice(0, wholeMatrix ? 2 : 1))(
  "an idle codex that %s is woken by mail, reads it, and the receipt says so",
  async (_, first) => {
    const lab = await openLab();
    onTestFinished(() => lab.close(), 180_000);
    const peer = await lab.member("peer");
    const world = withWake(lab.place(codex, { name: "agent" }));
    codex.setUp(world);
    lab.model.on(/call check_messages to read/, [
      call("check_messages"),
      call("list_agents"),
      say("read it"),
    ]);
    // Its screen leaves programs behind that serve it.
    const before = new Set(socketsOfServers());
    onTestFinished(() => {
      endServers(join(world.home, ".codex", "app-server-daemon"));
      for (const path of socketsOfServers()) if (!before.has(path)) rmSync(path, { force: true });
      if (existsSync(servers) && readdirSync(servers).length === 0) rmdirSync(servers);
    });
    const screen = openScreen(codex, world);

    await screen.shows(/^› Ask Codex to do anything/m);
    await screen.type(first);
    await screen.shows(/^• joined/m);
    await waits(lab, 1);
    await peer.send("agent", "the build is red", { id: "mail-1" });
    await screen.shows(/^• read it/m);

    const { json } = await peer.receipt("mail-1");
    expect(json["deliveries"]).toMatchObject([{ to: "agent", state: "seen", evidence: "next_call" }]);
    expect(lab.model.requests.timesShown("the build is red", "agent")).toBe(1);
    // It waits for the next.
    await waits(lab, 1);
  },
);

function withWake(world: ClientWorld): ClientWorld {
  const mcp = Object.fromEntries(
    Object.entries(world.mcp).map(([name, server]) => [
      name,
      { ...server, args: [...server.args, "--wake"] },
    ]),
  );
  return { ...world, mcp };
}

/** They ignore TMPDIR, and leave their sockets behind. */
const servers = `/tmp/codex-daemon-${process.getuid?.() ?? 0}`;

function socketsOfServers(): string[] {
  return existsSync(servers) ? readdirSync(servers).map((name) => join(servers, name)) : [];
}

function endServers(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".pid")) : [];
  for (const file of files) {
    const [pid] = /\d+/.exec(readFileSync(join(folder, file), "utf8")) ?? [];
    if (pid !== undefined) signalProcess(Number(pid), "SIGKILL");
  }
}

/** Until so many bridges wait at the hub. */
async function waits(lab: Lab, count: number): Promise<void> {
  await eventually(`${count} waiting bridges`, async () => {
    const { json } = await lab.hub.http.call("GET", "/api/health", { token: lab.hub.operator });
    return json["readers"] === count;
  });
}
