import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { hubSocket, screenProgram, sentTo, tmux } from "../fakes/scripted-pane.js";

/* Somebody types behind our line and presses Enter, before the hub does: nothing can keep these words out of what is sent. */

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;
let socket = "";

beforeAll(async () => {
  const home = yard.home();
  socket = hubSocket(home);
  const backend = (guise: string, like: string) => [
    `backends.${guise}-pane.like=${like}`,
    `backends.${guise}-pane.command=${screenProgram}`,
    // Enter is pressed once, and again only after two seconds: until then the line stands in the box.
    `backends.${guise}-pane.args=["--guise","${guise}","--swallow","2"]`,
    `backends.${guise}-pane.runtime=tmux`,
  ];
  const set = [
    ...backend("claude", "claude-code"),
    ...backend("codex", "codex"),
    "tmux.poll_interval_ms=50",
    // So long until Enter is pressed for the third time.
    "tmux.timeout_secs=600",
    "tmux.ready_timeout_secs=600",
  ];
  hub = await startHostingHub(yard, { home, set });
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(async () => {
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
  async (guise, width) => {
    const project = yard.home();
    const name = `${guise}-${width}`;
    const session = `agent-main-${name}`;
    await spawnAgent(hub, { backend: `${guise}-pane`, name, project });
    tmux(socket, "resize-window", "-t", session, "-x", width, "-y", "30");
    const content = "!say a sentence that takes more than one row";
    const id = String((await ann.send(name, content)).json["message_id"]);
    const screen = () => tmux(socket, "capture-pane", "-p", "-J", "-t", session).replace(/\s/g, "");
    await eventually(
      async () => (screen().includes("morethanonerow") ? true : undefined),
      "the line is in the box",
    );

    const keys = ["send-keys", "-t", session];
    tmux(socket, ...keys, "-l", " my private words", ";", ...keys, "Enter", "Enter", "Enter");

    const delivery = await reaches(hub, id, "finished");
    expect(delivery.steps.find(({ state }) => state === "injected")).toMatchObject({
      evidence: "pane_took_it",
      reason: "mixed",
    });
    const inboxOf = async (token: string) =>
      (await hub.http.call("GET", "/api/inbox", { token })).json["messages"] as Record<string, unknown>[];
    const isOfThis = ({ notice, metadata }: Record<string, unknown>) =>
      notice === "mixed" && JSON.stringify(metadata).includes(id);
    const toAnn = (await inboxOf(ann.token)).filter(isOfThis);
    expect(toAnn).toMatchObject([{ from: "hub", attention: "fyi", metadata: { mixed: [id], to: name } }]);
    expect(JSON.stringify(toAnn)).not.toContain("private");
    const toPerson = (await inboxOf(hub.operator)).filter(isOfThis);
    expect(toPerson).toMatchObject([{ metadata: { mixed: [id], words: "my private words" } }]);
    expect(sentTo(project)).toHaveLength(1);
  },
);
