import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeskLab } from "../fakes/desk-lab.js";
import { findViolations } from "../fakes/find-violations.js";
import { reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { bubbleOf, composerOf, hasFocus, idOf, joinAs, personAt } from "./chat-scene.js";

/* The chat of an agent: what it was told, did and answered, in one column. */

const yard = createHubYard();
const lab = createDeskLab();
let hub: HubProcess;

beforeAll(async () => {
  hub = await startHostingHub(yard);
});
afterAll(() => yard.clear());

/** `rgb(37, 99, 235)` for `#2563eb`. */
const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;

test("each kind of message has its own bubble, with the classes and colours of the seed; a sender who is renamed keeps the name and says the new one", async () => {
  const reader = await joinAs(hub, "kinds-reader");
  const sender = await joinAs(hub, "puppet-dev");
  const fromPerson = await personAt(hub).send(reader.name, "from the person");
  const fromAgent = idOf(await sender.send(reader.name, "from **an agent**"));
  const path = `/api/sessions/${reader.id}/messages`;
  const body = { message: "from an applet", source: "applet", applet: "calendar" };
  const { json } = await personAt(hub).call("POST", path, { body });
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: reader.name } });

  const human = bubbleOf(page, fromPerson);
  await human.waitFor();
  expect(await human.getAttribute("class")).toContain("message-bubble--human");
  const style = (selector: string, property: string) =>
    page
      .locator(selector)
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  expect(await style(`[data-message="${fromPerson}"] .message-bubble__content`, "background-color")).toBe(
    rgb("#2563eb"),
  );

  const agent = `[data-message="${fromAgent}"]`;
  expect(await page.locator(agent).getAttribute("class")).toContain("message-bubble--agent");
  expect(await style(`${agent} .message-bubble__content`, "border-left-color")).toBe(rgb("#85c025"));
  expect(await style(`${agent} .message-bubble__content`, "border-left-width")).toBe("3px");
  expect(await style(`${agent} .message-bubble__content`, "background-color")).toBe(rgb("#222e18"));
  expect(await style(`${agent} .message-bubble__agent-header .message-bubble__agent-name`, "color")).toBe(
    rgb("#a0d44a"),
  );
  expect(await style(`${agent} .message-bubble__agent-dot`, "background-color")).toBe(rgb("#85c025"));
  expect(await page.locator(`${agent} .message-bubble__agent-body strong`).textContent()).toBe("an agent");
  // Which session it came from.
  expect(await page.locator(`${agent} .message-bubble__session`).getAttribute("title")).toBe(
    `session ${sender.id}`,
  );
  const label = await page.locator(agent).getAttribute("aria-label");
  expect(label).toMatch(/^puppet-dev to kinds-reader, \d\d:\d\d$/);

  const applet = bubbleOf(page, String(json["messageId"]));
  expect(await applet.getAttribute("class")).toContain("message-bubble--applet");
  expect(await applet.textContent()).toContain("calendar");

  await personAt(hub).call("PUT", `/api/agents/${sender.name}`, { body: { name: "db-dev" } });

  await bubbleOf(page, fromAgent).getByText("now db-dev").waitFor();
  expect(await bubbleOf(page, fromAgent).locator(".message-bubble__agent-name").textContent()).toBe(
    "puppet-dev",
  );
});

test("a receipt grows while somebody looks, and is green only when the message was answered", async () => {
  const reader = await joinAs(hub, "slow-reader");
  const sender = await joinAs(hub, "asker");
  const id = idOf(await sender.send(reader.name, "ready?"));
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: reader.name } });
  const receipt = bubbleOf(page, id).locator(".receipt");
  const rungs = () =>
    receipt
      .locator(".rungs__rung")
      .evaluateAll((all) => all.map((rung) => rung.getAttribute("class")?.split("--")[1]));

  await expect.poll(rungs).toEqual(["done", "off", "off", "off"]);
  await reader.inbox();
  await expect.poll(rungs).toEqual(["done", "done", "off", "off"]);
  await reader.ack([id]);
  await expect.poll(rungs).toEqual(["done", "done", "done", "off"]);
  expect(await receipt.textContent()).toContain("seen");
  await reader.send(sender.name, "yes", { reply_to: id });
  await expect.poll(rungs).toEqual(["done", "done", "done", "answered"]);

  await receipt.click();
  const ladder = bubbleOf(page, id).locator(".ladder__state");
  await expect.poll(() => ladder.allTextContents()).toEqual(["accepted", "offered", "seen", "answered"]);
});

test("a turn streams, ends once, and stays where it was; mail that it sends is a line of it, with its rungs", async () => {
  const gate = `${tempFolder()}/gate`;
  await spawnAgent(hub, { name: "streamer", project: tempFolder() });
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: "streamer" } });
  await composerOf(page).fill(`!say Begun. !call completed !gate ${gate} !say Done with it.`);
  await composerOf(page).press("Enter");

  const running = page.locator(".turn--running");
  await running.getByText("Begun.").waitFor();
  await page.getByText("1 tool call").waitFor();
  await running.evaluate((element) => element.setAttribute("data-same", "yes"));
  await personAt(hub).call("GET", "/api/health");
  writeFileSync(gate, "");

  const ended = page.locator(".turn--ended");
  await ended.getByText("Done with it.").waitFor();
  await expect.poll(() => page.locator(".turn--running").count()).toBe(0);
  expect(await page.locator(".turn").count()).toBe(1);
  // The row of the live turn is the row of the journalled one.
  expect(await ended.getAttribute("data-same")).toBe("yes");
  expect(await ended.textContent()).toMatch(/Begun\..*Done with it\./s);

  const peer = await joinAs(hub, "line-peer");
  const said = JSON.stringify({ to: peer.name, content: "over to you" });
  const id = await personAt(hub).send("streamer", `!tool send_message ${said}`);
  await reaches(hub, id, "finished");

  const line = page.locator(".turn .sent");
  await line.getByText("over to you").waitFor();
  expect(await line.locator(".rungs").count()).toBe(1);
});

test("an interrupted turn says by whom, and what it is told next follows, without barriers", async () => {
  await spawnAgent(hub, { name: "stopper", project: tempFolder() });
  const { page } = await lab.openDesk(hub, { width: 1440, place: { page: "agent", name: "stopper" } });
  await composerOf(page).fill("!say I begin. !stream 5000");
  await composerOf(page).press("Enter");
  await page.locator(".turn--running").getByText("I begin.").waitFor();

  await page.getByRole("button", { name: "Interrupt", exact: true }).first().click();
  await page.getByText("Stops its turn now; it reads this next.").waitFor();
  await hasFocus(composerOf(page));
  await page.keyboard.type("!say Stopped indeed.");
  await page.keyboard.press("Enter");

  await page.getByText("Interrupted by you").waitFor();
  await page.locator(".turn").getByText("Stopped indeed.").waitFor();

  await expect.poll(() => composerOf(page).inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await page.keyboard.press("k");
  await page.keyboard.press("e");
  expect(await findViolations(page)).toEqual([]);
});

test("a thread opens beside the chat, and is answered there", async () => {
  const ann = await joinAs(hub, "thread-ann");
  const bob = await joinAs(hub, "thread-bob");
  const first = idOf(await ann.send(bob.name, "which one?"));
  const second = idOf(await bob.send(ann.name, "the second", { reply_to: first }));
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: bob.name } });
  await bubbleOf(page, first).hover();
  await bubbleOf(page, first).getByRole("button", { name: "Thread (t)" }).click();

  const thread = page.getByRole("region", { name: "Thread" });
  await thread.getByText("the second").waitFor();
  await thread.getByRole("textbox").fill("take the first");
  await thread.getByRole("textbox").press("Enter");

  await thread.getByText("take the first").waitFor();
  // It stands there before the hub has it.
  const messages = async () => {
    const { json } = await personAt(hub).call("GET", `/api/messages/${second}/thread`);
    return json["messages"];
  };
  await expect
    .poll(messages)
    .toMatchObject([{ id: first }, { id: second }, { content: "take the first", reply_to: second }]);
});

test("a draft stays with its agent, over a reload too; a broadcast says to how many it goes, and asks first", async () => {
  const ann = await joinAs(hub, "draft-ann");
  const bob = await joinAs(hub, "draft-bob");
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: ann.name } });
  await composerOf(page).fill("not yet");
  await page.getByRole("link", { name: new RegExp(bob.name) }).click();
  await page.getByPlaceholder(`Message ${bob.name}…`).waitFor();
  expect(await composerOf(page).inputValue()).toBe("");

  await page.goBack();
  await page.reload();

  await expect.poll(() => composerOf(page).inputValue()).toBe("not yet");

  await composerOf(page).fill("everybody @al");
  await page.getByRole("option", { name: /all broadcast \d+ agents, asks first/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");

  const dialog = page.getByRole("dialog", { name: /Send this to \d+ agents\?/ });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await composerOf(page).inputValue()).toBe("everybody");
});

test("a link to a message leads to it", async () => {
  const ann = await joinAs(hub, "link-ann");
  const bob = await joinAs(hub, "link-bob");
  const ids: string[] = [];
  for (let count = 0; count < 150; count++) ids.push(idOf(await ann.send(bob.name, `number ${count}`)));
  const [, , , wanted = ""] = ids;

  const { page } = await lab.openDesk(hub, { place: { page: "message", id: wanted } });

  await bubbleOf(page, wanted).waitFor();
  await expect.poll(() => bubbleOf(page, wanted).isVisible()).toBe(true);
  expect(await bubbleOf(page, ids.at(-1) ?? "").count()).toBe(0);
});

test("everything can be done without a mouse: choose a message, look at its receipt, answer it", async () => {
  const reader = await joinAs(hub, "keys-reader");
  const sender = await joinAs(hub, "keys-sender");
  const first = idOf(await sender.send(reader.name, "the first"));
  const second = idOf(await sender.send(reader.name, "the second"));
  const { page } = await lab.openDesk(hub, { place: { page: "agent", name: reader.name } });
  await bubbleOf(page, second).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-message") ?? "");

  await page.keyboard.press("k");
  await expect.poll(focused).toBe(second);
  await page.keyboard.press("k");
  await expect.poll(focused).toBe(first);
  await page.keyboard.press("e");
  await bubbleOf(page, first).locator(".ladder").waitFor();
  await page.keyboard.press("e");
  await page.keyboard.press("r");
  await page.getByText("Reply to keys-sender: the first").waitFor();
  await hasFocus(page.getByPlaceholder("Message keys-sender…"));
  await page.keyboard.type("my answer");
  await page.keyboard.press("Enter");

  await expect.poll(async () => (await sender.inbox()).map(({ content }) => content)).toEqual(["my answer"]);
  const { json } = await personAt(hub).call("GET", `/api/messages/${first}/thread`);
  expect(json["messages"]).toMatchObject([{ id: first }, { content: "my answer", reply_to: first }]);
});
