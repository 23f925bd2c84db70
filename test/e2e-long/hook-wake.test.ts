// PROTOCOL.md, 21.3: the hook that waits while a session is idle, and wakes it.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HookSession, type SessionOptions, startHookSession } from "../fakes/hook-session.js";
import { createHubYard, type HubProcess, signalProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
/** Shared: each test has sessions in folders of its own. */
let shared: HubProcess;
let ann: Member;
beforeAll(async () => {
  shared = await yard.start();
  ann = await registerAgent(shared.http, shared.join, { name: "ann" });
});
afterAll(() => yard.clear());

/** Without a shell, so that its number is the hook's own. */
const WAKE = { args: ["--wake"], shell: false };
const stop = { hook_event_name: "Stop" };
const silent = { code: 0, stdout: "", stderr: "" };

let shops = 0;

/** A session, and the name that it has. Hooks of earlier sessions have ended. */
async function place({ hub = shared, ...options }: Partial<SessionOptions> & { hub?: HubProcess } = {}) {
  await waiting(hub, 0);
  const shop = `shop${++shops}`;
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, shop), ...options });
  return { hub, session, name: `claude-${shop}` };
}

/** Until so many hooks wait at the hub. */
async function waiting(hub: HubProcess, count: number): Promise<void> {
  await patiently(async () => {
    const { json } = await hub.http.call("GET", "/api/health", { token: hub.operator });
    expect(json["readers"]).toBe(count);
  });
}

/** Waits as an idle session does. */
async function idle(hub: HubProcess, session: HookSession) {
  const waits = await session.start(stop, WAKE);
  await waiting(hub, 1);
  return waits;
}

async function seenBy(sender: Member, id: unknown): Promise<unknown> {
  const { json } = await sender.receipt(String(id));
  const [{ state, evidence } = {}] = json["deliveries"] as { state?: string; evidence?: string }[];
  return { state, evidence };
}

test("mail wakes an idle session; that it went on with it proves it", async () => {
  const { hub, session, name } = await place();
  const { ended } = await idle(hub, session);
  await ann.send(name, "fyi only", { attention: "fyi" });
  const { json } = await ann.send(name, "Wake up.");
  const { code, stdout, stderr } = await ended;
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain('[From agent "ann"]:\nfyi only');
  expect(stderr).toContain('[From agent "ann"]:\nWake up.');
  const { message_id: id } = json;
  // The end of a turn that was under way proves nothing: what woke the session waits in its queue.
  expect(await session.told("Stop", { stop_hook_active: true })).toBeUndefined();
  expect(await seenBy(ann, id)).toEqual({ state: "offered", evidence: "hook" });
  await session.told("UserPromptSubmit", { prompt: `<task-notification>${stderr}</task-notification>` });
  expect(await session.told("Stop", { stop_hook_active: true })).toBeUndefined();
  expect(await seenBy(ann, id)).toEqual({ state: "seen", evidence: "hook" });
});

test.each(["UserPromptSubmit", "PostToolUse", "SessionStart", "Stop"])(
  "it ends when the session goes on: %s",
  async (event) => {
    const { hub, session, name } = await place();
    const { ended } = await idle(hub, session);
    await session.told(event);
    expect(await ended).toMatchObject(silent);
    await waiting(hub, 0);
    await ann.send(name, "still here");
    expect(await session.told("UserPromptSubmit")).toContain("still here");
  },
);

test("there is one for each session", async () => {
  const { hub, session, name } = await place();
  const first = await idle(hub, session);
  const second = await session.start(stop, WAKE);
  expect(await first.ended).toMatchObject(silent);
  await waiting(hub, 1);
  await ann.send(name, "hello");
  expect((await second.ended).code).toBe(2);
});

test("it does not wait when the stop beside it is blocked", async () => {
  const { session, name } = await place();
  const beside = await session.start(stop, WAKE);
  // It lets the other go first, for a second; that may be too short for this machine.
  signalProcess(beside.pid, "SIGSTOP");
  await ann.send(name, "not yet");
  expect(await session.told("Stop")).toContain("not yet");
  signalProcess(beside.pid, "SIGCONT");
  expect(await beside.ended).toMatchObject(silent);
});

test("a session is woken before its first prompt, also when its bridge comes later", async () => {
  const { hub, session, name } = await place();
  const { ended } = await session.start({ hook_event_name: "SessionStart", source: "startup" }, WAKE);
  await waiting(hub, 1);
  await ann.send(name, "Begin.");
  expect((await ended).stderr).toContain("Begin.");
});

test("a request wakes one idle session, its nudge the others", async () => {
  // Nobody else is there to be asked.
  const { hub, session } = await place({ hub: await yard.start() });
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const first = await idle(hub, session);
  const other = await startHookSession({ home: hub.home, cwd: join(hub.home, "yard") });
  const second = await other.start(stop, WAKE);
  await waiting(hub, 2);
  const asked = await ann.call("POST", "/api/requests", {
    body: { description: "Who verifies this?", timeout_seconds: 3600 },
  });
  const { code, stderr } = await Promise.race([first.ended, second.ended]);
  expect(code).toBe(2);
  expect(stderr).toContain("Who verifies this?");
  await waiting(hub, 1);
  await ann.call("POST", `/api/requests/${String(asked.json["request_id"])}/nudge`);
  expect((await Promise.all([first.ended, second.ended])).map((run) => run.code)).toEqual([2, 2]);
});

test("it ends with the CLI", async () => {
  const { hub, session } = await place();
  const { pid } = await idle(hub, session);
  session.child.kill("SIGKILL");
  await patiently(() => expect(() => process.kill(pid, 0)).toThrow());
  await waiting(hub, 0);
});

test("it outlives a restart of the hub, and ends when the hub stays away", async () => {
  const { hub, session, name } = await place({ hub: await yard.start() });
  const first = await idle(hub, session);
  // It waits ten seconds for a hub, from when it sees that there is none.
  signalProcess(first.pid, "SIGSTOP");
  await hub.kill();
  const second = await yard.start({ home: hub.home });
  signalProcess(first.pid, "SIGCONT");
  await waiting(second, 1);
  await second.http.call("POST", `/api/agents/${name}/messages`, {
    token: second.operator,
    body: { message: "back again" },
  });
  expect((await first.ended).stderr).toContain("back again");
  const next = await session.start(stop, WAKE);
  await waiting(second, 1);
  await second.stop();
  expect(await next.ended).toMatchObject(silent);
});

test.each([
  ["without a terminal", { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }],
  ["in a session that the hub hosts", { HUDDLE_HOSTED: "x" }],
])("it does not wait %s", async (_, env) => {
  const { session } = await place();
  expect(await session.hook(stop, { ...WAKE, env })).toMatchObject(silent);
});
