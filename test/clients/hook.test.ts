import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shownTexts } from "../../src/selftest/scripted-model/conversation.js";
import { hookProgram } from "../fakes/hook-session.js";
import type { Member } from "../fakes/member.js";
import { claude } from "./claude.js";
import { eventually } from "./eventually.js";
import { nextMail } from "./hosted-mail.js";
import { type Lab, openLab } from "./lab.js";
import { during, runHeadless } from "./run-client.js";
import { openScreen, type Screen } from "./screen.js";
import { shared } from "./shared.js";

/* Claude Code itself, with the hooks in its settings as `huddle hook --print-settings` gives them. */

const open = shared(async (onClose) => {
  const lab = await openLab();
  onClose(lab.close);
  return lab;
});

/** An agent of the test's own, its hooks, and somebody who writes to it. On a busy machine a hook may take longer than a person would wait for it. */
async function placeHooked(name: string, flags: readonly string[] = ["--within=20000"]) {
  const lab = await open();
  const peer = await lab.member(`peer-of-${name}`);
  const world = lab.place(claude, { name });
  const settings = execFileSync(process.execPath, [hookProgram(), "--print-settings", ...flags], {
    env: { PATH: process.env["PATH"], HUDDLE_HOME: lab.hub.home },
  });
  writeFileSync(join(world.home, ".claude", "settings.json"), settings);
  return { lab, peer, world };
}

type Delivery = { state: string; steps: { state: string; route?: string; evidence?: string }[] };

async function deliveryOf(sender: Member, id: string): Promise<Delivery | undefined> {
  const { json } = await sender.receipt(id);
  return (json["deliveries"] as Delivery[])[0];
}

function untilSeen(sender: Member, id: string): Promise<Delivery> {
  return eventually(`${id} is seen`, async () => {
    const delivery = await deliveryOf(sender, id);
    return delivery?.steps.some(({ state }) => state === "seen") ? delivery : undefined;
  });
}

const byHook = [
  { state: "accepted" },
  { state: "offered", route: "hook" },
  { state: "seen", evidence: "hook" },
];

/** The model was asked for the reply in which its script holds: so many tools have answered by then. */
function atHold({ model }: Lab, name: string, answers: number, text = ""): Promise<unknown> {
  return model.requests.waitFor("the script holds", ({ lane, conversation, outcome }) => {
    const results = conversation.messages.flatMap((message) =>
      message.role === "user" ? message.results : [],
    );
    const isThere =
      results.length === answers && shownTexts(conversation).some((shown) => shown.includes(text));
    return lane === name && outcome.kind === "answering" && isThere;
  });
}

test("mail reaches the model between two tool calls", async () => {
  const { lab, peer, world } = await placeHooked("ann");
  const prompt = "Work. <<call list_agents>> <<hold red>> <<call list_agents>> <<say finished>>";
  const running = runHeadless(claude, world, prompt);
  await during(running, atHold(lab, "ann", 1));
  await peer.send("ann", "the build is red", { id: "red-1" });
  lab.model.release("red");
  const run = await running;

  expect(run.text).toContain("finished");
  expect(lab.model.requests.timesShown('[From agent "peer-of-ann"]:\nthe build is red', "ann")).toBe(1);
  expect(lab.model.requests.timesShown("reply_to: red-1", "ann")).toBe(1);
  expect((await deliveryOf(peer, "red-1"))?.steps).toMatchObject(byHook);
});

test("mail that waits at the end of a turn makes it go on", async () => {
  const { lab, peer, world } = await placeHooked("ben");
  const running = runHeadless(claude, world, "Work. <<call list_agents>> <<hold more>> <<say finished>>");
  await during(running, atHold(lab, "ben", 1));
  await peer.send("ben", "for your information", { id: "note-1", attention: "fyi" });
  await peer.send("ben", "one more thing <<say handled the mail>>", { id: "more-1" });
  lab.model.release("more");
  const run = await running;

  expect(run.text).toContain("handled the mail");
  for (const id of ["note-1", "more-1"]) {
    expect((await deliveryOf(peer, id))?.steps).toMatchObject(byHook);
  }
});

test("with a hub that hangs a session goes on as if there were no hooks", async () => {
  const { lab, world } = await placeHooked("cleo", []);
  const running = runHeadless(claude, world, "Work. <<call list_agents>> <<hold it>> <<say finished>>");
  await during(running, atHold(lab, "cleo", 1));
  process.kill(lab.hub.pid, "SIGSTOP");
  lab.model.release("it");
  const run = await running.finally(() => process.kill(lab.hub.pid, "SIGCONT"));
  expect(run.text).toContain("finished");
});

test("an idle session on its screen is woken by mail, before its first prompt and after a turn", async () => {
  const { lab, peer, world } = await placeHooked("dan");
  const screen = openScreen(claude, world);
  await waits(lab, screen, 1);

  await peer.send("dan", wakeUp(peer, "first", { reply_to: "mail-1" }), { id: "mail-1" });
  expect(await answerTo(peer)).toMatchObject({ content: "first", reply_to: "mail-1" });
  expect(await deliveryOf(peer, "mail-1")).toMatchObject({ state: "answered" });

  await waits(lab, screen, 1);
  await peer.send("dan", wakeUp(peer, "second"), { id: "mail-2" });
  expect(await answerTo(peer)).toMatchObject({ content: "second" });
  expect((await untilSeen(peer, "mail-2")).steps).toMatchObject(byHook);
  for (const id of ["mail-1", "mail-2"]) {
    expect(lab.model.requests.timesShown(`(Huddle: reply_to: ${id};`, "dan")).toBe(1);
  }

  // While it works nobody waits; when it has ended nobody does either.
  await waits(lab, screen, 1);
  await screen.type("Think. <<hold thought>> <<say thought>>");
  await atHold(lab, "dan", 2, "Think.");
  await waits(lab, screen, 0);
  lab.model.release("thought");
  await waits(lab, screen, 1);
  await screen.type("/exit");
  await waits(lab, screen, 0);
});

/** Mail that makes its reader write back. */
function wakeUp(peer: Member, content: string, more: object = {}): string {
  return `please answer <<call send_message ${JSON.stringify({ to: peer.name, content, ...more })}>> <<say answered>>`;
}

async function answerTo(peer: Member) {
  const [mail] = await nextMail(peer);
  return mail;
}

/** Until so many hooks wait at the hub. */
async function waits(lab: Lab, screen: Screen, count: number): Promise<void> {
  try {
    await eventually(`${count} waiting hooks`, async () => {
      const { json } = await lab.hub.http.call("GET", "/api/health", { token: lab.hub.operator });
      return json["readers"] === count;
    });
  } catch (error) {
    throw new Error(`${String(error)}\n${screen.show()}`);
  }
}
