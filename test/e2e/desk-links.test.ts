import { afterAll, beforeAll, expect, test } from "vitest";
import { type DeskPlace, parseDeskLink } from "../../src/model/desk-link.js";
import { eventually, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { cli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";

/* PROTOCOL 27.3: the command line shows a person where something is on the desk. */

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await startHostingHub(yard);
  ann = await registerAgent(hub.http, hub.join, { name: "ann" });
});
afterAll(() => yard.clear());

const run = (argv: string[], tty = true) => cli(argv, { tty, env: { HUDDLE_HOME: hub.home, NO_COLOR: "1" } });

function placesIn(text: string): (DeskPlace | undefined)[] {
  return text
    .split("\n")
    .filter((line) => line.includes("/#/"))
    .map((line) => parseDeskLink(line.slice(line.indexOf(hub.url))));
}

test("send shows the message, with and without --confirm", async () => {
  const { stdout } = await run(["send", "ann", "hello"]);

  const end = /\(([0-9a-f]{6})\)/.exec(stdout)?.[1] ?? "";
  expect(placesIn(stdout)).toMatchObject([
    { page: "message", id: expect.stringMatching(`-[0-9a-f]*${end}$`) as unknown },
  ]);
  expect(stdout.split("\n")).toEqual([
    expect.stringContaining("✓ ann"),
    expect.stringContaining(`  ${hub.url}/#/messages/`),
    "",
  ]);
});

test("spawn shows the agent", async () => {
  const project = tempFolder();

  const { stdout } = await run(["spawn", "scripted", "--name", "hal", "-C", project]);

  expect(placesIn(stdout)).toEqual([{ page: "agent", name: "hal" }]);
});

test("an agent of another team has its link, too", async () => {
  const project = tempFolder();

  const { stdout } = await run(["spawn", "scripted", "--name", "ann", "--team", "red", "-C", project]);

  expect(placesIn(stdout)).toEqual([{ page: "agent", name: "red/ann" }]);
});

test("inbox shows each message and each thing that waits", async () => {
  const { json } = await ann.send("user", "a word with you");
  await spawnAgent(hub, { name: "asker", project: tempFolder(), message: "!permission" });
  const need = await eventually(async () => {
    const answer = await hub.http.call("GET", "/api/needs-you", { token: hub.operator });
    return (answer.json["items"] as { id: string; kind: string }[]).find(({ kind }) => kind === "permission");
  }, "a permission that is asked for");

  const { stdout } = await run(["inbox"]);

  expect(placesIn(stdout)).toEqual([
    { page: "needs-you", id: need.id },
    { page: "message", id: String(json["message_id"]) },
  ]);
});

test("a request that was posted has its link", async () => {
  const { stdout } = await run(["requests", "post", "who knows the build?"]);

  const end = /\(([0-9a-f]{6})\)/.exec(stdout)?.[1] ?? "";
  expect(placesIn(stdout)).toMatchObject([
    { page: "requests", id: expect.stringMatching(`-[0-9a-f]*${end}$`) as unknown },
  ]);
});

test.each([
  [["agents"], "agents/NAME"],
  [["log", "hello"], "log"],
  [["requests"], "requests"],
])("below the table of huddle %j stands where the desk has the same", async (argv, pattern) => {
  await run(["send", "ann", "hello"]);
  await run(["requests", "post", "and you?"]);

  const shown = async () => (await run(argv)).stdout;
  const text = await eventually(async () => {
    const stdout = await shown();
    return stdout.includes("/#/") ? stdout : undefined;
  }, "the table");

  expect(text.trimEnd().split("\n").at(-1)).toBe(`On the desk: ${hub.url}/#/${pattern}`);
});

test.each([[["send", "ann", "hello"]], [["agents"]], [["inbox"]], [["requests"]], [["log", "hello"]]])(
  "programs that read huddle %j get no links",
  async (argv) => {
    expect((await run(argv, false)).stdout).not.toContain("/#/");
    expect((await run([...argv, "--json"])).stdout).not.toContain("/#/");
  },
);
