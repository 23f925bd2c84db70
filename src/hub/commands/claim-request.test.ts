import { expect, test } from "vitest";
import { refusal } from "../../../test/fakes/refusal.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";

async function openTeam() {
  const hub = openTestHub();
  const [codex, gemini, qwen] = [
    await hub.register("codex"),
    await hub.register("gemini"),
    await hub.register("qwen"),
  ];
  return { hub, codex, gemini, qwen };
}

test("the first to claim has it; losing is an answer", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex);

  expect(await hub.claim(gemini, request)).toMatchObject({
    claimed: true,
    request: { id: request, state: { kind: "claimed", byName: "gemini" } },
  });
  expect(await hub.claim(qwen, request)).toMatchObject({
    claimed: false,
    request: { state: { kind: "claimed", byName: "gemini" } },
  });
});

test("of a hundred that claim in one batch one wins", async () => {
  const { hub, codex } = await openTeam();
  const agents = await Promise.all(Array.from({ length: 100 }, (_, i) => hub.register(`a${i}`)));
  const request = await hub.ask(codex);

  const answers = await Promise.all(agents.map((agent) => hub.claim(agent, request)));

  expect(answers.filter(({ claimed }) => claimed)).toHaveLength(1);
  const winner = agents[answers.findIndex(({ claimed }) => claimed)];
  for (const { request: seen } of answers) expect(seen.state).toMatchObject({ kind: "claimed", by: winner });
});

test("whoever asked is told by a response that says who", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);

  await hub.claim(gemini, request);

  expect((await hub.read(codex)).messages.map(({ message }) => message)).toMatchObject([
    { type: "response", fromName: "gemini", content: "claimed by gemini", requestId: request },
  ]);
});

test("claiming again what is one's own changes nothing and tells nobody", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);
  const before = hub.events.lastSeq();

  expect(await hub.claim(gemini, request)).toMatchObject({ claimed: true });
  expect(hub.events.lastSeq()).toBe(before);
});

test("the claimer has read the request: it leaves its inbox", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex, "help");

  await hub.claim(gemini, request);

  expect(await hub.inbox(gemini)).toEqual([]);
  expect(await hub.inbox(qwen)).toEqual(["help"]);
});

test("a missing, an expired and one's own request are refused, each in its way", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex, "help", { timeoutMs: 10_000 });

  expect(await refusal(hub.claim(gemini, "req-none"))).toMatchObject({
    code: "REQUEST_NOT_FOUND",
    details: { open: [request] },
  });
  expect((await refusal(hub.claim(codex, request))).code).toBe("OWN_REQUEST");
  hub.clock.advance(10_000);
  // Before its alarm, and after.
  expect((await refusal(hub.claim(gemini, request))).code).toBe("REQUEST_EXPIRED");
  await hub.ring();
  expect((await refusal(hub.claim(gemini, request))).code).toBe("REQUEST_EXPIRED");
});

test("a claim survives a restart", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);

  const again = await hub.restart();

  expect(await again.claim(qwen, request)).toMatchObject({ claimed: false });
  expect(await again.claim(gemini, request)).toMatchObject({ claimed: true });
});

test("a request remembers when it was claimed, when it was open again and who had left, and when it was answered", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex);
  const seen = () => hub.views.requests.byId(request);
  expect(seen()).toMatchObject({ claimedAt: null, answeredAt: null, reopened: null });

  await hub.claim(gemini, request);
  const claimedAt = seen()?.claimedAt ?? 0;
  expect(claimedAt).toBeGreaterThanOrEqual(seen()?.openedAt ?? 0);
  await hub.deregister(gemini);
  expect(seen()).toMatchObject({ claimedAt: null, reopened: { by: gemini, byName: "gemini" } });
  await hub.claim(qwen, request);
  await hub.execute("answerRequest", { agent: qwen, request, content: "done" });

  expect(seen()).toMatchObject({
    state: { kind: "answered", byName: "qwen" },
    reopened: { byName: "gemini" },
  });
  expect(seen()?.answeredAt).toBeGreaterThanOrEqual(seen()?.claimedAt ?? Number.POSITIVE_INFINITY);
});
