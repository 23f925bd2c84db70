import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import stringWidth from "string-width";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, reaches, spawnAgent, startHostingHub } from "../fakes/hosting-hub.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { type CliWorld, cli } from "../fakes/run-cli.js";
import { tempFolder } from "../fakes/temp-folder.js";
import { containing, matching } from "../fakes/text-matching.js";

/* The command line as somebody uses it who lives with several agents, at a hub that runs. */

const yard = createHubYard();
let hub: HubProcess;
let ann: Member;

beforeAll(async () => {
  hub = await startHostingHub(yard, { set: ["presence.dead_after=1s", "presence.offline_after=1h"] });
  ann = await registerAgent(hub.http, hub.join, { name: "ann", project: "/shop" });
});
afterAll(() => yard.clear());

const run = (argv: string[], world: CliWorld = {}) =>
  cli(argv, { ...world, env: { HUDDLE_HOME: hub.home, NO_COLOR: "1", ...world.env } });

/** An agent that is gone without having said so. */
async function deadAgent(name: string): Promise<Member> {
  const member = await registerAgent(hub.http, hub.join, { name, heartbeat: true });
  await eventually(async () => {
    const { json } = await hub.http.call("GET", `/api/agents/${member.name}`, { token: hub.operator });
    return json["state"] === "dead" ? true : undefined;
  }, `${name} is dead`);
  return member;
}

test("the inbox is numbered, and a number is answered by it whatever came meanwhile", async () => {
  await ann.send("user", "3 of 41 tests fail");
  const first = await run(["inbox"]);
  expect(first.stdout).toMatch(/^1 {2}ann {2}.* {2}3 of 41 tests fail\n\nhuddle reply 1 TEXT/);
  await ann.send("user", "and another thing");

  expect(await run(["reply", "1", "Which", "ones?"])).toMatchObject({
    code: 0,
    stdout: matching(/^✓ ann has it/),
  });

  const [answer] = await ann.inbox();
  expect(answer).toMatchObject({ content: "Which ones?" });
  const left = await run(["inbox"]);
  expect(left.stdout).toContain("and another thing");
  expect(left.stdout).not.toContain("3 of 41");
  expect((await run(["inbox", "--ack", "1"])).stdout).toBe("✓ 1 message is marked as read\n");
  expect((await run(["inbox"])).stdout).toBe("No unread messages.\n");
  expect(await run(["reply", "7", "hm"])).toMatchObject({
    code: 2,
    stderr: containing("No message has the number 7"),
  });
});

test("what was seen before follows what is new in a line each, numbered on, and whole when asked for", async () => {
  await ann.send("user", `old one\n${"and more of it ".repeat(20)}`);
  await run(["inbox"]);
  await ann.send("user", "new one");

  const fresh = (await run(["inbox"])).stdout;
  expect(fresh).toMatch(/^1 {2}ann .*new one\n\nSeen before, and not answered:\n2 {2}ann .*old one.*…\n\n/);
  expect(fresh).toContain("1 message that you saw before: --all");
  const { items } = (await hub.http.call("GET", "/api/needs-you", { token: hub.operator })).json as {
    items: { text: string }[];
  };
  for (const { text } of items) expect(fresh).toContain(text.slice(0, 7));
  const all = (await run(["inbox", "--all"])).stdout;
  expect(all.match(/and more of it/g)).toHaveLength(20);
  expect(all).toContain("new one");
  await run(["inbox", "--all", "--ack"]);
  expect((await run(["inbox"])).stdout).toBe("No unread messages.\n");
});

test("a message is answered by the end of its id, and a notice of the hub is not", async () => {
  const { json } = await ann.send("user", "by its end");
  const id = String(json["message_id"]);

  expect(await run(["reply", id.slice(-6), "yes"])).toMatchObject({ code: 0 });
  expect(await run(["send", "ann", "again", "--reply-to", id.slice(-6)])).toMatchObject({ code: 0 });

  expect((await ann.inbox()).slice(-2).map(({ content }) => content)).toEqual(["yes", "again"]);
  expect(await run(["reply", "zzzzzz", "yes"])).toMatchObject({
    code: 4,
    stderr: containing('No message that you sent or got is "zzzzzz"'),
  });
});

test("a dead agent is neither killed nor shut down, but removed", async () => {
  const bob = await deadAgent("bob");
  await ann.send("bob", "Stop it");

  expect(await run(["kill", "bob"])).toMatchObject({
    code: 1,
    stderr: "✗ bob is not run by this hub.\n  Take it off the list: huddle remove bob\n",
  });
  expect(await run(["shutdown", "bob"])).toMatchObject({
    code: 2,
    stderr: matching(
      /^✗ bob is dead \(last seen .*\): there is nothing to shut down\.\n {2}huddle remove bob takes it off the list\n$/,
    ),
  });
  expect((await run(["send", "bob", "hi"])).stdout).toContain("It waits there");
  expect(await run(["remove", "bob"])).toEqual({
    code: 0,
    stdout: "✓ bob is off the list; 2 unread messages to it failed\n",
    stderr: "",
  });

  expect((await bob.call("GET", "/api/inbox")).status).toBe(401);
  expect((await run(["inbox", "--ack"])).stdout).toContain('"hi" to bob was not read: bob has left.');
  expect((await ann.inbox()).at(-1)?.content).toMatch(
    /^Your message "Stop it" \([\w-]+\) to bob was not read/,
  );
  expect(await run(["remove", "bob"])).toMatchObject({ code: 4 });
});

test("--dead removes all that are gone, and nobody else", async () => {
  await deadAgent("eve");
  await spawnAgent(hub, { name: "hal", project: tempFolder() });

  const removed = await run(["rm", "--dead"]);

  expect(removed.stdout).toMatch(/^✓ Removed: .*eve/);
  expect((await run(["agents"])).stdout).toMatch(/hal/);
  expect(await run(["remove", "hal"])).toMatchObject({
    code: 2,
    stderr: matching(/hal runs here \(.*\)\.\n {2}End it first: huddle stop hal/),
  });
  expect(await run(["kill", "hal"])).toMatchObject({ code: 0 });
});

test("mail to one that is gone says that another of its name is here", async () => {
  await deadAgent("zed");
  const second = await registerAgent(hub.http, hub.join, { name: "zed" });
  expect(second.name).toBe("zed-2");
  await second.inbox();

  expect((await run(["send", "zed", "hi"])).stdout).toMatch(/\n {2}zed-2 is here: huddle send zed-2 TEXT\n$/);
});

test("agents tells what each is on, for whom, and what waits for it; those long gone are counted", async () => {
  await deadAgent("old");
  await spawnAgent(hub, { name: "worker", project: tempFolder(), message: "!permission" });
  await eventually(async () => {
    const { stdout } = await run(["agents"]);
    return stdout.includes("◔ waiting for you") ? true : undefined;
  }, "it asks");
  await run(["send", "worker", "and then this"]);

  const { stdout } = await run(["agents"]);
  expect(stdout).toMatch(/^NAME +STATUS +FOR +UNREAD +ON\n/);
  expect(stdout).toMatch(
    /worker +◔ waiting for you +\d+s +1 +"!permission" for user · .* · scripted \(acp\)/,
  );
  expect(stdout).toMatch(/old +✕ dead/);
  const later = await run(["agents"], { now: Date.now() + 11 * 60_000 });
  expect(later.stdout).not.toMatch(/^old /m);
  expect(later.stdout).toMatch(/\n\d+ more (is|are) gone: huddle agents --all\n/);
  expect((await run(["agents", "--all"], { now: Date.now() + 11 * 60_000 })).stdout).toMatch(/^old /m);

  expect(await run(["approve", "worker"])).toMatchObject({ code: 0, stdout: "✓ worker may (once)\n" });
  await run(["kill", "worker"]);
});

test("send --wait prints what an agent that the hub runs says in its turn", async () => {
  await spawnAgent(hub, { name: "pam", project: tempFolder() });

  const { code, stdout } = await run(["send", "pam", "!say", "two", "--wait", "300"]);

  expect({ code, stdout }).toEqual({ code: 0, stdout: "pam said, at the end of its turn:\n  two\n" });
  const told = await run(["transcript", "pam"]);
  expect(told.stdout).toMatch(/^── .*\nuser:\n {2}!say two\nit said:\n {2}two\n$/);
  expect((await run(["transcript", "ann"])).stdout).toContain("ann → user");
});

test("a broadcast that nobody takes in time is no success", async () => {
  await registerAgent(hub.http, hub.join, { name: "lone", team: "alone" });

  const asked = await run([
    "broadcast",
    "are",
    "you",
    "there?",
    "--team",
    "alone",
    "--confirm",
    "--timeout",
    "1s",
  ]);

  expect(asked).toMatchObject({ code: 7, stdout: "✗ Nobody has taken it\n  Not taken by: lone\n" });
  const [mail] = await registerAgent(hub.http, hub.join, { name: "late", team: "alone" }).then(
    async (late) => {
      await run(["broadcast", "hello all", "--team", "alone"]);
      return late.inbox();
    },
  );
  expect(mail).toMatchObject({ content: "hello all" });
});

test("a permission rings the bell, is never cut, and is answered by the agent's name", async () => {
  await ann.send("user", "something to begin with");
  const leave = new AbortController();
  let spawned: Promise<unknown> | undefined;
  const tailing = run(["tail", "--since", "1m"], {
    tty: true,
    columns: 40,
    signal: leave.signal,
    onPrint(text) {
      // It follows now.
      spawned ??= spawnAgent(hub, { name: "quill", project: hub.home, message: "!permission" });
      if (text.includes("\x07")) leave.abort();
    },
  });

  const { stdout } = await tailing;
  const asked = stdout.slice(stdout.indexOf("? quill wants"));
  expect(asked.replace(/\s+/g, " ")).toMatch(
    /^\? quill wants to run: .* huddle approve quill · huddle deny quill \(12h\)/,
  );
  await spawned;
  expect(await run(["deny", "quill"])).toMatchObject({ code: 0, stdout: "✓ quill may not\n" });
});

test("tail and what watches end when their time is up", async () => {
  const watches = [["tail"], ["agents", "-w"], ["inbox", "-w"], ["notify", "--bell"], ["network", "-w"]];
  // Together: each takes all of its time, in which the hub must have answered.
  const ended = await Promise.all(watches.map((argv) => run([...argv, "--timeout", "8s"])));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
});

test("notify shows what needs you on the desktop, and what an agent wrote is only an argument there", async () => {
  const folder = tempFolder();
  const seen = join(folder, "seen");
  const program = join(folder, "notify-send");
  writeFileSync(program, `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word" >> ${seen}; done\n`);
  chmodSync(program, 0o755);
  const leave = new AbortController();
  const env = { DISPLAY: ":0", PATH: `${folder}:${process.env["PATH"]}` };
  const watching = run(["notify"], { env, signal: leave.signal });

  await ann.send("user", `--help "$(touch ${folder}/bad)" <b>&`);

  const words = await eventually(
    async () =>
      existsSync(seen) && readFileSync(seen, "utf8").includes("&amp;")
        ? readFileSync(seen, "utf8")
        : undefined,
    "the note",
  );
  leave.abort();
  expect((await watching).stdout).toMatch(/\? ann wrote: --help .* huddle reply [0-9a-f]{6} TEXT\n/);
  expect(words).toContain(
    `--app-name=Huddle\n--\nann wrote\n--help "$(touch ${folder}/bad)" &lt;b&gt;&amp;\n`,
  );
  expect(existsSync(join(folder, "bad"))).toBe(false);
  await run(["inbox", "--all", "--ack"]);
});

test("inbox -w shows what comes, numbered on, with a bell", async () => {
  await ann.send("user", "before");
  const leave = new AbortController();
  let sent: Promise<unknown> | undefined;
  const watching = run(["inbox", "-w"], {
    tty: true,
    columns: 60,
    signal: leave.signal,
    onPrint(text) {
      if (text.includes("before")) sent ??= ann.send("user", "after");
      if (text.includes("\x07")) leave.abort();
    },
  });

  const { code, stdout } = await watching;
  await sent;

  expect(code).toBe(130);
  expect(stdout).toMatch(/^1 {2}ann .*before/);
  expect(stdout).toMatch(/\n2 {2}ann .*after/);
  expect(await run(["reply", "2", "got it"])).toMatchObject({ code: 0 });
  await run(["inbox", "--all", "--ack"]);
});

test("status --line is one short line, and nothing at all where no hub runs", async () => {
  const { code, stdout } = await run(["status", "--line"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+ agents?( · \d+ busy)?( · \d+ needs? you)?\n$/);
  expect(await cli(["status", "--line"])).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("prune says what it would delete, and asks on a terminal", async () => {
  const said = /messages? and turns? from before .* would be deleted/;
  expect((await run(["prune", "--before", "90d", "--dry-run"])).stdout).toMatch(said);
  const refused = await run(["prune", "--before", "90d"], { typed: "n\n" });
  expect(refused).toMatchObject({ code: 0, stdout: "", stderr: matching(/Nothing was deleted\.\n$/) });
  expect((await run(["prune", "--before", "90d"], { typed: "y\n" })).stdout).toMatch(/^✓/);
});

test("an unknown filter of log is refused with those that exist", async () => {
  expect(await run(["log", "form:ann"])).toMatchObject({
    code: 2,
    stderr: matching(/There is no filter "form:"\. Did you mean from:\?\n {2}Filters: from: to: /),
  });
  expect(await run(["log", "see http://x/"])).toMatchObject({ code: 0 });
});

test("every list fits a terminal of 60 columns", async () => {
  const long = "a-name-that-is-as-long-as-names-of-agents-can-be-and-then-some";
  const far = await registerAgent(hub.http, hub.join, { name: long, project: `/srv/${"deep/".repeat(20)}` });
  await spawnAgent(hub, { name: "scribe", project: tempFolder() });
  const asked = await far.call("POST", "/api/requests", { body: { description: "word ".repeat(60) } });
  await far.call("POST", "/api/claims", {
    body: { task: "the login page and all that is behind it", action: "claim" },
  });
  await far.send("user", `a long one: ${"word ".repeat(80)}\n${"x".repeat(200)}`);
  await far.send("ann", "word ".repeat(60));
  const posted = await hub.http.call("POST", "/api/tasks", {
    token: hub.operator,
    body: {
      agent: "ann",
      prompt: "Review the auth module, all of it, and say what you think of it at length",
    },
  });
  const task = String(posted.json["task_id"]);
  await reaches(
    hub,
    String(
      (
        await run(["send", "scribe", "!say done", "--json"]).then(
          ({ stdout }) => JSON.parse(stdout) as { message_id: string },
        )
      ).message_id,
    ),
    "finished",
  );

  const lists = [
    ["agents", "--all"],
    ["inbox", "--all"],
    ["requests"],
    ["requests", "--status", "open"],
    ["claims"],
    ["task"],
    ["task", "show", task.slice(-6)],
    ["workflow"],
    ["worktree"],
    ["checks"],
    ["log", "word"],
    ["status"],
    ["network"],
    ["conversations"],
    ["obligations"],
    ["usage"],
    ["memory"],
    ["peers"],
    ["backends"],
    ["transcript", "scribe"],
  ];
  for (const argv of lists) {
    const { stdout, stderr, code } = await run([...argv, "--timeout", "2m"], { tty: true, columns: 60 });
    expect({ argv, code, stderr: code === 0 ? "" : stderr }).toEqual({ argv, code: 0, stderr: "" });
    const wide = stdout.split("\n").filter((line) => stringWidth(line) > 60);
    expect({ argv, wide }).toEqual({ argv, wide: [] });
  }
  expect(asked.status).toBe(201);
  expect((await run(["agents", "--all"])).stdout).toContain(long);
});
