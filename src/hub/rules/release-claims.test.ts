import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub, type TestHub } from "../../../test/fakes/test-hub.js";

async function openTeam() {
  const hub = openTestHub();
  const [codex, gemini, qwen] = [
    await hub.register("codex"),
    await hub.register("gemini"),
    await hub.register("qwen"),
  ];
  return { hub, codex, gemini, qwen };
}

const die = (hub: TestHub, agent: string) =>
  hub.execute("recordPresence", { agent, status: "dead", evidence: "no heartbeat for 30 s" });

test("what a claimer that died had claimed is open again, with its whole time, and everybody hears of it", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex, "help");
  await hub.claim(gemini, request);
  hub.clock.advance(60_000);
  await hub.ring();
  await hub.read(qwen);

  await die(hub, gemini);

  expect(hub.views.requests.byId(request)?.state).toEqual({ kind: "open" });
  expect((await hub.read(codex)).messages.map(({ message }) => message)).toMatchObject([
    { content: "claimed by gemini" },
    {
      type: "system",
      attention: "fyi",
      requestId: request,
      content: "gemini, who had claimed your request, died: it is open again.",
    },
  ]);
  expect((await hub.read(qwen)).messages.map(({ message }) => message.type)).toEqual(["request", "nudge"]);
  hub.clock.advance(29_000);
  await hub.ring();
  expect(await hub.claim(qwen, request)).toMatchObject({ claimed: true });
});

test("a reopened request keeps to its new times: the nudge and the expiry of before mean nothing", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);
  hub.clock.advance(10_000);
  await hub.deregister(gemini);

  const nudges = () => hub.views.requests.byId(request)?.nudges;
  expect(nudges()).toBe(1);
  hub.clock.advance(6000); // 16 s after it was asked, 6 s after it was reopened.
  await hub.ring();
  expect(nudges()).toBe(1);
  hub.clock.advance(10_000);
  await hub.ring();
  expect(nudges()).toBe(2);
  hub.clock.advance(5000); // 31 s after it was asked.
  await hub.ring();
  expect(hub.views.requests.byId(request)?.state.kind).toBe("open");
  hub.clock.advance(10_000);
  await hub.ring();
  expect(hub.views.requests.byId(request)?.state.kind).toBe("expired");
});

test("what the dead had asked for stays open: they may come back for the answer", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex, "help");

  await die(hub, codex);

  expect(hub.views.requests.byId(request)?.state).toEqual({ kind: "open" });
  expect(await hub.claim(gemini, request)).toMatchObject({ claimed: true });
});

test("a claimer that died and comes back has lost its claim", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);
  await die(hub, gemini);
  await hub.claim(qwen, request);

  await hub.execute("recordPresence", { agent: gemini, status: "idle", evidence: "it called the hub" });

  expect((await refusal(hub.answer(gemini, request))).code).toBe("NOT_CLAIMER");
});

test("being offline releases nothing", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);
  await hub.work(gemini, "claim", "chunking");

  await hub.execute("recordPresence", { agent: gemini, status: "offline", evidence: "no call for 30 s" });

  expect(hub.views.requests.byId(request)?.state.kind).toBe("claimed");
  expect(hub.views.work.get("chunking")?.owner).toBe(gemini);
});

test("what was answered stays answered", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.answer(gemini, request);

  await hub.deregister(gemini);

  expect(hub.views.requests.byId(request)?.state.kind).toBe("answered");
});

test("whoever leaves takes its open requests along, and those it had claimed of somebody who left before", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const [open, claimed] = [await hub.ask(codex), await hub.ask(codex)];
  await hub.claim(gemini, claimed);

  await hub.deregister(codex);

  expect((await refusal(hub.claim(qwen, open))).code).toBe("REQUEST_EXPIRED");
  expect(hub.views.requests.byId(claimed)?.state.kind).toBe("claimed");
  await hub.deregister(gemini);
  expect(hub.views.requests.byId(claimed)?.state.kind).toBe("expired");
  expect(await hub.inbox(qwen)).toEqual([]);
});

test("an agent that died or left frees its tasks", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  await hub.work(gemini, "claim", "a");
  await hub.work(qwen, "claim", "b");

  await die(hub, gemini);
  await hub.deregister(qwen);

  expect(await hub.work(codex, "claim", "a")).toEqual({ ok: true, owner: "codex" });
  expect(await hub.work(codex, "claim", "b")).toEqual({ ok: true, owner: "codex" });
  const reasons = hub.events
    .pageAfter(0, 1000)
    .flatMap((event) => (event.type === "WorkReleased" ? [event.data.reason] : []));
  expect(reasons).toEqual(["owner_gone", "owner_gone"]);
});
