import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";
import { HUB_ID, HUMAN_ID } from "../../model/agent.js";

async function openTeam() {
  const hub = openTestHub();
  const [codex, gemini] = [await hub.register("codex"), await hub.register("gemini")];
  return { hub, codex, gemini };
}

function nudgesIn(hub: TestHub) {
  return hub.events
    .pageAfter(0, 1000)
    .flatMap((event) => (event.type === "RequestNudged" ? [event.data] : []));
}

async function typesFor(hub: TestHub, agent: string) {
  return (await hub.read(agent)).messages.map(({ message }) => message.type);
}

test("at half of its time an unclaimed request is nudged, once", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex, "help", { timeoutMs: 30_000, context: "known" });

  hub.clock.advance(14_900);
  await hub.ring();
  expect(await typesFor(hub, gemini)).toEqual(["request"]);
  hub.clock.advance(200);
  await hub.ring();
  await hub.ring();

  expect((await hub.read(gemini)).messages.map(({ message }) => message)).toMatchObject([
    { type: "request" },
    { type: "nudge", fromName: "codex", content: "help", context: "known", requestId: request },
  ]);
  expect(nudgesIn(hub)).toEqual([{ request, from: codex, by: HUB_ID }]);
  expect(await hub.inbox(codex)).toEqual([]);
});

test("what was claimed is not nudged", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);

  hub.clock.advance(20_000);
  await hub.ring();

  expect(nudgesIn(hub)).toEqual([]);
  expect(await hub.execute("nudgeRequest", { agent: codex, request })).toMatchObject({ nudged: false });
});

test("whoever asked, an orchestrator and the person nudge; others may not", async () => {
  const { hub, codex, gemini } = await openTeam();
  const boss = await hub.register("boss", { role: "orchestrator" });
  const request = await hub.ask(codex);

  for (const agent of [codex, boss, HUMAN_ID]) {
    expect(await hub.execute("nudgeRequest", { agent, request })).toMatchObject({ nudged: true });
  }
  expect((await refusal(hub.execute("nudgeRequest", { agent: gemini, request }))).code).toBe("FORBIDDEN");
  expect(await typesFor(hub, gemini)).toEqual(["request", "nudge", "nudge", "nudge"]);
});

test("nudges of one request are bounded", async () => {
  const hub = openTestHub({ limits: { requestNudgeCap: 2 } });
  const codex = await hub.register("codex");
  const request = await hub.ask(codex);
  await hub.execute("nudgeRequest", { agent: codex, request });
  await hub.execute("nudgeRequest", { agent: codex, request });

  const error = await refusal(hub.execute("nudgeRequest", { agent: codex, request }));

  expect(error.code).toBe("RATE_LIMITED");
  hub.clock.advance(16_000);
  await hub.ring();
  expect(nudgesIn(hub)).toHaveLength(2);
});

test("an unclaimed request expires: whoever asked is told, and its unread mail is withdrawn", async () => {
  const { hub, codex, gemini } = await openTeam();
  const reader = await hub.register("reader");
  const request = await hub.ask(codex, "help");
  await hub.read(reader);

  hub.clock.advance(15_000);
  await hub.ring();
  hub.clock.advance(15_000);
  await hub.ring();

  expect(hub.views.requests.byId(request)?.state).toEqual({ kind: "expired" });
  expect((await hub.read(codex)).messages.map(({ message }) => message)).toMatchObject([
    { type: "system", fromName: "hub", attention: "fyi", requestId: request },
  ]);
  expect(await hub.inbox(gemini)).toEqual([]);
  // What was handed out cannot be taken back.
  expect(await typesFor(hub, reader)).toEqual(["request"]);
});

test("a hub that was down nudges and expires late, not never", async () => {
  const { hub, codex } = await openTeam();
  const request = await hub.ask(codex);

  const again = await hub.restart();
  again.clock.advance(31_000);
  await again.ring();

  expect(again.views.requests.byId(request)?.state).toEqual({ kind: "expired" });
  expect(nudgesIn(again)).toEqual([]);
});
