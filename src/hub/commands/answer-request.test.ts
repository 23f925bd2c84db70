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

test("the claimer's answer is a response to whoever asked", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);

  const { messageId } = await hub.answer(gemini, request, "Verified.");

  expect((await hub.read(codex)).messages.map(({ message }) => message)).toMatchObject([
    { content: "claimed by gemini" },
    { id: messageId, type: "response", content: "Verified.", requestId: request, replyTo: request },
  ]);
  expect(hub.views.requests.byId(request)?.state).toEqual({
    kind: "answered",
    by: gemini,
    byName: "gemini",
    message: messageId,
  });
});

test("what nobody has claimed is claimed and answered at once, without a claim notice", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex);

  await hub.answer(gemini, request, "done");

  expect(await hub.inbox(codex)).toEqual(["done"]);
  expect(await hub.claim(qwen, request)).toMatchObject({ claimed: false });
});

test("the request's message is answered, for its sender to see", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  const { messageId } = await hub.answer(gemini, request);
  const [stored] = hub.views.messages.byId(request);

  expect(hub.views.inbox.get(stored?.seq ?? 0, gemini)).toMatchObject({
    state: "seen",
    answeredBy: messageId,
  });
});

test("only the claimer answers, and may add to its answer", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex);
  expect((await refusal(hub.answer(codex, request))).code).toBe("OWN_REQUEST");
  await hub.claim(gemini, request);
  expect(await refusal(hub.answer(qwen, request))).toMatchObject({
    code: "NOT_CLAIMER",
    details: { claimed_by: "gemini" },
  });
  const { messageId } = await hub.answer(gemini, request, "first");
  expect((await refusal(hub.answer(qwen, request))).code).toBe("REQUEST_ANSWERED");

  await hub.answer(gemini, request, "more");

  expect(await hub.inbox(codex)).toEqual(["claimed by gemini", "first", "more"]);
  expect(hub.views.requests.byId(request)?.state).toMatchObject({ kind: "answered", message: messageId });
});

test("the same id with the same body is the same answer", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  const first = await hub.answer(gemini, request, "done", "a-1");
  const before = hub.events.lastSeq();

  expect(await hub.answer(gemini, request, "done", "a-1")).toEqual(first);
  expect(hub.events.lastSeq()).toBe(before);
  expect((await refusal(hub.answer(gemini, request, "other", "a-1"))).code).toBe("ID_REUSED");
});

test("the id of one answer cannot be used for another request, nor for one that is not there", async () => {
  const { hub, codex, gemini } = await openTeam();
  const [first, second] = [await hub.ask(codex), await hub.ask(codex)];
  await hub.answer(gemini, first, "done", "one");

  for (const other of [second, "nothing"])
    expect((await refusal(hub.answer(gemini, other, "done", "one"))).code).toBe("ID_REUSED");
});

test("a missing and an expired request cannot be answered; a claimed one does not expire", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const [open, claimed] = [await hub.ask(codex), await hub.ask(codex)];
  await hub.claim(gemini, claimed);
  hub.clock.advance(60_000);
  await hub.ring();

  expect((await refusal(hub.answer(qwen, "req-none"))).code).toBe("REQUEST_NOT_FOUND");
  expect((await refusal(hub.answer(qwen, open))).code).toBe("REQUEST_EXPIRED");
  await hub.answer(gemini, claimed);
});

test("an answer to somebody who left, or whose inbox is full, is refused", async () => {
  const hub = openTestHub({ limits: { inboxCap: 1 } });
  const [codex, gemini] = [await hub.register("codex"), await hub.register("gemini")];
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);

  expect((await refusal(hub.answer(gemini, request))).code).toBe("INBOX_FULL");
  expect(hub.views.requests.byId(request)?.state.kind).toBe("claimed");
  await hub.deregister(codex);
  expect((await refusal(hub.answer(gemini, request))).code).toBe("AGENT_GONE");
});

test("a message to whoever asked that replies to the request answers it", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);

  const sent = await hub.send(gemini, codex, "Verified.", { replyTo: request, id: "m-1" });

  expect(hub.views.requests.byId(request)?.state).toMatchObject({ kind: "answered", message: "m-1" });
  expect((await hub.read(codex)).messages.at(-1)?.message).toMatchObject({
    type: "response",
    requestId: request,
  });
  expect(await hub.send(gemini, codex, "Verified.", { replyTo: request, id: "m-1" })).toEqual(sent);
});

test("so does one that replies to its nudge", async () => {
  const { hub, codex, gemini } = await openTeam();
  const request = await hub.ask(codex);
  await hub.execute("nudgeRequest", { agent: codex, request });
  const nudge = (await hub.read(gemini)).messages.find(({ message }) => message.type === "nudge");

  await hub.send(gemini, codex, "done", { replyTo: nudge?.message.id });

  expect(hub.views.requests.byId(request)?.state).toMatchObject({ kind: "answered", by: gemini });
});

test("a reply that is not the claimer's is refused; one to a third agent, or by who asked, only goes on about it", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const request = await hub.ask(codex);
  await hub.claim(gemini, request);

  expect((await refusal(hub.send(qwen, codex, "me too", { replyTo: request }))).code).toBe("NOT_CLAIMER");
  await hub.send(gemini, qwen, "do you know?", { replyTo: request });
  await hub.send(codex, gemini, "any news?", { replyTo: request });

  expect(hub.views.requests.byId(request)?.state.kind).toBe("claimed");
  expect((await hub.read(gemini)).messages.at(-1)?.message).toMatchObject({
    type: "message",
    requestId: request,
  });
});

test("a wait for a request sleeps through its claim and other mail, and ends with the answer", async () => {
  const { hub, codex, gemini, qwen } = await openTeam();
  const reader = hub.reader();
  const [request, other] = [await hub.ask(codex), await hub.ask(codex)];
  const waiting = reader.read({ agent: codex, requestId: request, waitMs: 60_000 });

  await hub.claim(gemini, request);
  await hub.send(qwen, codex, "unrelated");
  await hub.answer(qwen, other, "of the other");
  expect(reader.waiting()).toBe(1);
  await hub.answer(gemini, request, "the answer");

  expect((await waiting).messages.map(({ message }) => message.content)).toEqual(["the answer"]);
  const again = await reader.read({ agent: codex, requestId: request, waitMs: 0 });
  expect(again.messages).toMatchObject([{ message: { content: "the answer" }, repeated: true }]);
});

test("a wait for a request ends when it expires: no answer will come", async () => {
  const { hub, codex } = await openTeam();
  const reader = hub.reader();
  const request = await hub.ask(codex);
  const waiting = reader.read({ agent: codex, requestId: request, waitMs: 120_000 });

  hub.clock.advance(30_000);
  await hub.ring();

  expect((await waiting).messages.map(({ message }) => message)).toMatchObject([
    { type: "system", requestId: request, content: 'Nobody claimed your request within 30 s: "help"' },
  ]);
});
