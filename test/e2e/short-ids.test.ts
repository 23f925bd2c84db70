// Ids are typed by their ends. docs/command-line.md.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;
let ben: Member;

beforeAll(async () => {
  hub = await yard.start();
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  ben = await registerAgent(hub.http, hub.join, { name: "ben" });
});
afterAll(() => yard.clear());

const huddle = (...argv: string[]) => cli(argv, { env: { HUDDLE_HOME: hub.home } });
/** As lists show it; letters alone may be a word, so such an id is given by more of it. */
const endOf = (id: string) => (/\d/.test(id.slice(-6)) ? id.slice(-6) : id.slice(-20));

async function sent(to: string, message: string): Promise<string> {
  const { json } = await ann.call("POST", `/api/agents/${to}/messages`, { body: { message } });
  return json["message_id"] as string;
}

test("log shows one message by the end of its id, whoever wrote it to whom, and how far it has come", async () => {
  const id = await sent("ben", "is the build green?");
  await sent("ben", "or red?");

  for (const given of [endOf(id), id]) {
    const { code, stdout } = await huddle("log", given);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ann → ben {2}message {2}/);
    expect(stdout).toContain("is the build green?");
    expect(stdout).toMatch(/ben: accepted/);
    expect(stdout).not.toContain("or red?");
  }
  const { stdout } = await huddle("log", endOf(id), "--json");
  expect(JSON.parse(stdout)).toMatchObject({ message: { id }, deliveries: [{ to: "ben" }] });
});

test("what is no message's id is looked for as words", async () => {
  await sent("ben", "commit 1badcafe2 broke it");

  expect((await huddle("log", "1badcafe2")).stdout).toContain("commit 1badcafe2 broke it");
  expect((await huddle("log", "0facade0")).stdout).toBe("Nothing matches.\n");
});

test("messages are marked as read by the ends of their ids", async () => {
  const id = await sent("user", "done with the login");

  expect((await huddle("inbox", "--ack", endOf(id))).stdout).toBe("✓ 1 message is marked as read\n");
  expect((await huddle("inbox", "--ack", "0facade0")).code).toBe(4);
});

test("an agent is named by the end of its id, and its name comes first", async () => {
  const end = endOf(ben.id);

  expect((await huddle("send", end, "by your id")).stdout).toMatch(/^✓ ben has it/);
  expect((await huddle("transcript", end)).stdout).toContain("by your id");
  expect((await huddle("inbox", "--from", end)).stdout).toBe("No unread messages.\n");
  expect((await huddle("obligations", end)).stdout).toBe("ben owes nothing.\n");
  expect((await huddle("network", "pause", endOf(ann.id), end)).stdout).toMatch(/^✓ ann → ben is paused/);
  expect((await huddle("pause", end)).stdout).toMatch(/^✓ ben is paused.*huddle resume ben\n$/);
  expect((await huddle("resume", end)).stdout).toBe("✓ ben goes on\n");

  const named = await registerAgent(hub.http, hub.join, { name: end });
  expect((await huddle("send", end, "by your name")).code).toBe(0);
  expect((await named.inbox()).map(({ content }) => content)).toEqual(["by your name"]);
  expect((await huddle("send", "0facade0", "hello")).code).toBe(4);
});

test("a budget of a workflow that is not there is asked for as an agent's", async () => {
  const { code, stderr } = await huddle("budget", "continue", "0facade0");
  expect(code).toBe(4);
  expect(stderr).toContain('"0facade0"');
});
