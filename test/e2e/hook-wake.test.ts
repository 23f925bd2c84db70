// PROTOCOL.md, 21.3: the hook that waits while a session is idle, and wakes it.
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type HookSession, type SessionOptions, startHookSession } from "../fakes/hook-session.js";
import { createHubYard, type HubProcess } from "../fakes/hub-process.js";
import { type Member, registerAgent } from "../fakes/member.js";
import { patiently } from "../fakes/patiently.js";

const yard = createHubYard();
afterEach(yard.clear);

const WAKE = { args: ["--wake"] };
const stop = { hook_event_name: "Stop" };
const silent = { code: 0, stdout: "", stderr: "" };

async function place(options: Partial<SessionOptions> = {}) {
  const hub = await yard.start();
  const ann = await registerAgent(hub.http, hub.join, { name: "ann" });
  const session = await startHookSession({ home: hub.home, cwd: join(hub.home, "shop"), ...options });
  return { hub, ann, session };
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
  const { hub, ann, session } = await place();
  const { ended } = await idle(hub, session);
  await ann.send("claude-shop", "fyi only", { attention: "fyi" });
  const { json } = await ann.send("claude-shop", "Wake up.");
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
  async (name) => {
    const { hub, ann, session } = await place();
    const { ended } = await idle(hub, session);
    await session.told(name);
    expect(await ended).toMatchObject(silent);
    await waiting(hub, 0);
    await ann.send("claude-shop", "still here");
    expect(await session.told("UserPromptSubmit")).toContain("still here");
  },
);

test("there is one for each session", async () => {
  const { hub, ann, session } = await place();
  const first = await idle(hub, session);
  const second = await session.start(stop, WAKE);
  expect(await first.ended).toMatchObject(silent);
  await waiting(hub, 1);
  await ann.send("claude-shop", "hello");
  expect((await second.ended).code).toBe(2);
});

test("it does not wait when the stop beside it is blocked", async () => {
  const { ann, session } = await place();
  await ann.send("claude-shop", "not yet");
  const beside = await session.start(stop, WAKE);
  expect(await session.told("Stop")).toContain("not yet");
  expect(await beside.ended).toMatchObject(silent);
});

test("a session is woken before its first prompt, also when its bridge comes later", async () => {
  const { hub, ann, session } = await place();
  const { ended } = await session.start({ hook_event_name: "SessionStart", source: "startup" }, WAKE);
  await waiting(hub, 1);
  await ann.send("claude-shop", "Begin.");
  expect((await ended).stderr).toContain("Begin.");
});

test("a request wakes one idle session, its nudge the others", async () => {
  const { hub, ann, session } = await place();
  const first = await idle(hub, session);
  const other = await startHookSession({ home: hub.home, cwd: join(hub.home, "yard") });
  const second = await other.start(stop, WAKE);
  await waiting(hub, 2);
  const asked = await ann.call("POST", "/api/requests", { body: { description: "Who verifies this?" } });
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
  const { hub, ann, session } = await place();
  const first = await idle(hub, session);
  await hub.kill();
  const second = await yard.start({ home: hub.home });
  await waiting(second, 1);
  await second.http.call("POST", "/api/agents/claude-shop/messages", {
    token: ann.token,
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
