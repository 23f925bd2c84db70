import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubYard } from "../fakes/hub-process.js";
import { registerAgent } from "../fakes/member.js";
import { hubSocket, screenProgram, sentTo, tmux } from "../fakes/scripted-pane.js";

/* Somebody types behind our line and presses Enter, before the hub does: nothing can keep these words out of what is sent. */

let yard: HubYard;
let socket = "";
beforeEach(() => {
  yard = createHubYard();
});
afterEach(async () => {
  tmux(socket, "kill-server");
  await yard.clear();
});

test.each([
  ["claude", "100"],
  ["claude", "44"],
  ["codex", "100"],
  ["codex", "44"],
])(
  "what was typed beside a line on the screen of %s, %s columns wide: both sides are told",
  {
    timeout: 90_000,
  },
  async (guise, width) => {
    const home = yard.home();
    socket = hubSocket(home);
    const project = yard.home();
    const hub = await startHostingHub(yard, {
      home,
      set: [
        `backends.pane.like=${guise === "claude" ? "claude-code" : "codex"}`,
        `backends.pane.command=${screenProgram}`,
        // Enter is pressed once, and again only after two seconds: until then the line stands in the box.
        `backends.pane.args=["--guise","${guise}","--swallow","2"]`,
        "backends.pane.runtime=tmux",
        "tmux.poll_interval_ms=50",
        "tmux.timeout_secs=30",
        "tmux.ready_timeout_secs=60",
      ],
    });
    await spawnAgent(hub, { backend: "pane", name: "bob", project });
    tmux(socket, "resize-window", "-t", "agent-main-bob", "-x", width, "-y", "30");
    const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
    const content = "!say a sentence that takes more than one row";
    const id = String((await ann.send("bob", content)).json["message_id"]);
    const screen = () => tmux(socket, "capture-pane", "-p", "-J", "-t", "agent-main-bob").replace(/\s/g, "");
    await eventually(
      async () => (screen().includes("morethanonerow") ? true : undefined),
      "the line is in the box",
    );

    const keys = ["send-keys", "-t", "agent-main-bob"];
    tmux(socket, ...keys, "-l", " my private words", ";", ...keys, "Enter", "Enter", "Enter");

    const delivery = await reaches(hub, id, "finished");
    expect(delivery.steps.find(({ state }) => state === "injected")).toMatchObject({
      evidence: "pane_took_it",
      reason: "mixed",
    });
    const inboxOf = async (token: string) =>
      (await hub.http.call("GET", "/api/inbox", { token })).json["messages"] as Record<string, unknown>[];
    const toAnn = (await inboxOf(ann.token)).filter(({ notice }) => notice === "mixed");
    expect(toAnn).toMatchObject([{ from: "hub", attention: "fyi", metadata: { mixed: [id], to: "bob" } }]);
    expect(JSON.stringify(toAnn)).not.toContain("private");
    const toPerson = (await inboxOf(hub.operator)).filter(({ notice }) => notice === "mixed");
    expect(toPerson).toMatchObject([{ metadata: { mixed: [id], words: "my private words" } }]);
    expect(sentTo(project)).toHaveLength(1);
  },
);
