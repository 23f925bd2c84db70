import { expect, test } from "vitest";
import { claude } from "./claude.js";
import { eventually } from "./eventually.js";
import { nextMail } from "./hosted-mail.js";
import { openLab } from "./lab.js";
import { openScreen } from "./screen.js";
import { shared } from "./shared.js";

/* Claude Code with the bridge, in a tmux of the person's own: adopted, it is woken in its pane, and stays one agent. */

const open = shared(async (onClose) => {
  const lab = await openLab();
  onClose(lab.close);
  return lab;
});

test("claude with its own bridge is woken in its pane, as the agent that it is", async () => {
  const lab = await open();
  const { http, operator } = lab.hub;
  const peer = await lab.member("peer");
  const screen = openScreen(claude, lab.place(claude, { name: "ann" }));
  await screen.shows(/❯/);
  // Its box is there before its tools are: what is typed then goes without them. A bridge joins a while after it told of them.
  const own = await eventually("its bridge has joined", async () => {
    const { status, json } = await http.call("GET", "/api/agents/ann", { token: operator });
    return status === 200 ? json : undefined;
  });
  await screen.type("Look. <<call list_agents>> <<say looked>>");
  await screen.shows(/looked\s/);

  const body = { target: "s", socket: screen.socket };
  const adopted = await http.call("POST", "/api/agents/adopt", { token: operator, body });

  expect(adopted.json).toMatchObject({ id: own["id"], name: "ann", backend: "claude-code", bridged: true });
  const { json } = await http.call("GET", "/api/agents", { token: operator });
  expect((json["agents"] as { name: string }[]).map(({ name }) => name).sort()).toEqual(["ann", "peer"]);
  const answer = JSON.stringify({ to: "peer", content: "awake" });
  await peer.send("ann", `<<call send_message ${answer}>> <<say answered>>`, { id: "wake-1" });
  const [mail] = await nextMail(peer);
  expect(mail).toMatchObject({ from: "ann", content: "awake" });
  const steps = await eventually("the turn ended", async () => {
    const [delivery] = (await peer.receipt("wake-1")).json["deliveries"] as {
      state: string;
      steps: Record<string, unknown>[];
    }[];
    return delivery?.state === "finished" ? delivery.steps : undefined;
  });
  expect(steps).toMatchObject([
    { state: "accepted" },
    { state: "offered", route: "pane" },
    { state: "injected", evidence: "pane_took_it" },
    { state: "seen", evidence: "output" },
    { state: "finished" },
  ]);
});
