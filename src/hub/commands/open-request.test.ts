import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { HUMAN_ID } from "../../model/agent.js";

async function openTeam() {
  const hub = openTestHub();
  const [codex, gemini, qwen] = [
    await hub.register("codex"),
    await hub.register("gemini"),
    await hub.register("qwen"),
  ];
  return { hub, codex, gemini, qwen };
}

const eventsOf = (hub: TestHub) => hub.events.pageAfter(0, 1000).map(({ type }) => type);

test("a request is a message to all other agents, stored once", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();

  const request = await hub.ask(codex, "Verify this fix", { context: "config.ts:42" });

  expect(request).toMatch(/^req-[0-9a-f-]{36}$/);
  for (const agent of [gemini, qwen]) {
    expect((await hub.read(agent)).messages).toMatchObject([
      {
        message: {
          id: request,
          requestId: request,
          type: "request",
          fromName: "codex",
          toName: "all",
          content: "Verify this fix",
          context: "config.ts:42",
        },
      },
    ]);
  }
  expect(await hub.inbox(codex)).toEqual([]);
  expect(eventsOf(hub).filter((type) => type === "MessageAccepted")).toHaveLength(1);
  expect(hub.views.requests.byId(request)).toMatchObject({ state: { kind: "open" }, timeoutMs: 30_000 });
});

test("the dead and the full are not asked; whoever comes later finds the request", async () => {
  const hub = openTestHub({ limits: { inboxCap: 1 } });
  const [codex, dead, full] = [
    await hub.register("codex"),
    await hub.register("dead"),
    await hub.register("full"),
  ];
  await hub.execute("recordPresence", { agent: dead, status: "dead", evidence: "no heartbeat" });
  await hub.send(codex, full, "first");

  const request = await hub.ask(codex);
  const late = await hub.register("late");

  expect(await hub.inbox(dead)).toEqual([]);
  expect(await hub.inbox(full)).toEqual(["first"]);
  expect(await hub.claim(late, request)).toMatchObject({ claimed: true });
});

test("the person asks too, and is not asked", async () => {
  const { hub, codex } = await openTeam();

  await hub.ask(HUMAN_ID, "from me");
  await hub.ask(codex, "from codex");

  expect((await hub.read(codex)).messages).toMatchObject([{ message: { trust: "human", source: "user" } }]);
  expect(await hub.inbox(HUMAN_ID)).toEqual([]);
});

test("the same id with the same body is the same request", async () => {
  const { hub, codex, gemini } = await openTeam();

  const first = await hub.ask(codex, "help", { id: "mine" });
  await hub.claim(gemini, first);
  const before = hub.events.lastSeq();
  const again = await hub.execute("openRequest", { from: codex, description: "help", id: "mine" });

  expect(again).toEqual({ requestId: "req-mine", status: "claimed" });
  expect(hub.events.lastSeq()).toBe(before);
  for (const other of [
    { from: codex, description: "other", id: "mine" },
    { from: codex, description: "help", id: "mine", timeoutMs: 1000 },
    { from: gemini, description: "help", id: "mine" },
  ]) {
    expect((await refusal(hub.execute("openRequest", other))).code).toBe("ID_REUSED");
  }
});

test("a time beyond the maximum is shortened to it", async () => {
  const { hub, codex } = await openTeam();
  const request = await hub.ask(codex, "help", { timeoutMs: 1e300 });
  expect(hub.views.requests.byId(request)?.timeoutMs).toBe(24 * 3_600_000);
});

test("past the cap nobody can ask until something is claimed", async () => {
  const hub = openTestHub({ limits: { requestOpenCap: 2 } });
  const [codex, gemini] = [await hub.register("codex"), await hub.register("gemini")];
  const first = await hub.ask(codex);
  await hub.ask(codex);

  expect(await refusal(hub.ask(codex))).toMatchObject({ code: "REQUESTS_FULL", details: { cap: 2 } });

  await hub.claim(gemini, first);
  await hub.ask(codex);
});

test("requests are listed newest first, by status, in pages", async () => {
  const { hub, codex, gemini } = await openTeam();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.unshift(await hub.ask(codex));
    hub.clock.advance(10);
  }
  await hub.claim(gemini, ids[1] ?? "");

  const { requests } = hub.views;
  const first = requests.list({ limit: 2 });
  const rest = requests.list({ limit: 10, before: first[1] });

  expect([...first, ...rest].map(({ id }) => id)).toEqual(ids);
  expect(requests.list({ status: "claimed", limit: 10 }).map(({ id }) => id)).toEqual([ids[1]]);
  expect(requests.list({ status: "open", limit: 10 })).toHaveLength(4);
});
