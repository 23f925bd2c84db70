import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, reaches, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { cli as runCli } from "../fakes/run-cli.js";
import { hubSocket, screenProgram, sentTo, tmux } from "../fakes/scripted-pane.js";

/* A pane that does not take its mail, with a real hub and a real tmux: the sender is told, the mail waits and arrives. */

let yard: HubYard;
const sockets = new Set<string>();
beforeEach(() => {
  yard = createHubYard();
});
afterEach(async () => {
  for (const socket of sockets) tmux(socket, "kill-server");
  sockets.clear();
  await yard.clear();
});

/** A hub with the agent `bob` in a pane of the person's own. It tries again after as long as a try may take. */
async function openPaneHub(...flags: string[]) {
  const home = yard.home();
  sockets.add(hubSocket(home));
  const hub = await startHostingHub(yard, {
    home,
    set: ["tmux.poll_interval_ms=50", "tmux.timeout_secs=2", "tmux.ready_timeout_secs=6"],
  });
  const folder = yard.home();
  const socket = `huddle-not-ready-${process.pid}`;
  sockets.add(socket);
  const program = [process.execPath, screenProgram, "--guise", "claude", ...flags];
  tmux(socket, "new-session", "-d", "-s", "work", "-c", folder, "-x", "140", "-y", "45", ...program);
  const screen = () => tmux(socket, "capture-pane", "-p", "-t", "work");
  await eventually(async () => (screen().includes("❯") ? true : undefined), "the CLI is up");
  const body = { target: "work", socket, name: "bob" };
  expect((await hub.http.call("POST", "/api/agents/adopt", { token: hub.operator, body })).status).toBe(201);
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  return {
    hub,
    ann,
    folder,
    screen,
    keys: (...keys: string[]) => tmux(socket, "send-keys", "-t", "work", ...keys),
  };
}

type Note = { notice?: string; content: string };

async function noticesOf(hub: HubProcess, token: string): Promise<string[]> {
  const { json } = await hub.http.call("GET", "/api/inbox", { token });
  return (json["messages"] as Note[]).flatMap(({ notice, content }) => (notice === "held" ? [content] : []));
}

const idOf = (answer: { json: Record<string, unknown> }) => String(answer.json["message_id"]);

test("a draft that stays: the sender is told once, send --confirm fails, and all arrives when it is gone", async () => {
  const { hub, ann, folder, screen, keys } = await openPaneHub();
  keys("-l", "half a thought");
  await eventually(async () => (screen().includes("half a thought") ? true : undefined), "the draft");

  const sent = idOf(await ann.send("bob", "!say one"));
  const env = { HUDDLE_URL: hub.http.url, HUDDLE_TOKEN: hub.operator };
  const confirmed = await runCli(["send", "bob", "!say two", "--confirm"], { env, stdin: "" });

  expect(confirmed.code).toBe(1);
  expect(confirmed.stderr).toMatch(/bob has not got it: its pane was not ready for \d+ s\. It waits/);
  const waiting = await reaches(hub, sent, "held");
  expect(waiting).toMatchObject({ state: "held", reason: "pane_not_ready" });
  expect(await noticesOf(hub, ann.token)).toEqual([
    expect.stringMatching(
      new RegExp(`^Your message ${sent} to bob waits: its pane was not ready for \\d+ s \\(a draft`),
    ),
  ]);
  expect(await noticesOf(hub, hub.operator)).toHaveLength(1);
  expect(sentTo(folder)).toEqual([]);
  expect(screen()).toContain("half a thought");

  keys("C-u");
  await reaches(hub, sent, "injected");
  expect(await noticesOf(hub, ann.token)).toHaveLength(1);
});

test("a CLI that hangs: two attempts in vain are told, and the line is sent once when it goes on", async () => {
  const file = join(yard.home(), "frozen");
  const { hub, ann, folder } = await openPaneHub("--freeze", file);
  writeFileSync(file, "");

  const sent = idOf(await ann.send("bob", "!say hello"));
  const waiting = await reaches(hub, sent, "held");

  expect(waiting).toMatchObject({ state: "held", reason: "pane_did_not_take" });
  expect(await noticesOf(hub, ann.token)).toEqual([
    expect.stringMatching(/to bob waits: its pane did not take it within \d+ s\. /),
  ]);
  const { json } = await hub.http.call("GET", "/api/agents/bob", { token: hub.operator });
  expect(json).toMatchObject({ state: "waiting" });

  rmSync(file);
  await reaches(hub, sent, "finished");
  expect(sentTo(folder)).toHaveLength(1);
  expect(readFileSync(join(folder, "pasted"), "utf8").trim().split("\n")).toHaveLength(1);
  expect(existsSync(join(folder, "answered"))).toBe(false);
  expect(await noticesOf(hub, ann.token)).toHaveLength(1);
});

test("a link in the place of the folder for long mail leads nowhere: the mail waits, and says why", async () => {
  const { hub, ann, folder } = await openPaneHub();
  const elsewhere = yard.home();
  const before = readdirSync(elsewhere);
  symlinkSync(elsewhere, join(folder, ".huddle"));

  const sent = idOf(await ann.send("bob", `!say ${"many ".repeat(60)}words`));
  await reaches(hub, sent, "held");

  const { json } = await hub.http.call("GET", "/api/agents/bob", { token: hub.operator });
  expect(JSON.stringify(json)).toContain("is not a folder of yours");
  expect(readdirSync(elsewhere)).toEqual(before);
  rmSync(join(folder, ".huddle"));
  await reaches(hub, sent, "finished");
  expect(sentTo(folder)).toHaveLength(1);
});
