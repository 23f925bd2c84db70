import { expect, test } from "vitest";
import { type HostedHub, type HostedHubOptions, openHostedHub } from "../../test/fakes/hosted-hub.js";
import { createScriptedRuntime } from "../../test/fakes/scripted-runtime.js";
import { RuntimeError } from "../runtime/runtime.js";

const UNLOAD_MS = 15 * 60_000;

/** Bob, whom ann spawned, has claimed a request of hers, and has ended his first turn. */
async function owing(options: HostedHubOptions = {}) {
  const hub = await openHostedHub(options);
  const ann = await hub.register("ann");
  const { id: bob } = await hub.spawn({ name: "bob", by: ann });
  await hub.send(ann, bob, "hello");
  await hub.until(() => hub.runtime.agents.length === 1 && hub.runtime.agent().turns.length === 1);
  const first = hub.runtime.turn().prompt;
  // While he is busy, so that it starts no turn of its own.
  const request = await hub.ask(ann, "verify this");
  await hub.claim(bob, request);
  end(hub);
  await hub.until(() => hub.state(bob) === "idle");
  const note = `(Huddle: you are bob, team main, started by ann. You still owe:\n- an answer to the request ${request} of ann, which you claimed: "verify this")`;
  return { hub, ann, bob, first, request, note };
}

function end(hub: HostedHub, how: Parameters<ReturnType<HostedHub["runtime"]["turn"]>["end"]>[0] = {}) {
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  hub.runtime.turn().end(how);
}

/** The prompt that a new process is given. */
async function nextPrompt(hub: HostedHub, processes: number, turns = 1) {
  await hub.until(
    () => hub.runtime.agents.length === processes && hub.runtime.agent().turns.length === turns,
  );
  return hub.runtime.turn().prompt;
}

async function unload(hub: HostedHub, agent: string) {
  hub.timers.advance(UNLOAD_MS);
  await hub.until(() => hub.state(agent) === "dormant");
}

test("the first prompt after an unload begins with who it is and what it owes, and no other does", async () => {
  const { hub, ann, bob, first, note } = await owing();
  expect(first.text).not.toContain("you are bob");
  await unload(hub, bob);
  await hub.send(ann, bob, "and now?");

  expect((await nextPrompt(hub, 2)).text.startsWith(`${note}\n\n`)).toBe(true);
  end(hub);
  await hub.until(() => hub.state(bob) === "idle");
  await hub.send(ann, bob, "and then?");
  expect((await nextPrompt(hub, 2, 2)).text).not.toContain("you are bob");
});

test("so does the first after its process died, and after the hub did", async () => {
  const { hub, ann, bob, note } = await owing();
  hub.runtime.agent().exit();
  await hub.until(() => hub.state(bob) === "backoff");
  hub.timers.advance(1000);
  await hub.send(ann, bob, "once");
  expect((await nextPrompt(hub, 2)).text).toContain(note);
  end(hub);
  await hub.until(() => hub.state(bob) === "idle");

  const next = await hub.crash();
  await next.send(ann, bob, "twice");
  expect((await nextPrompt(next, 3)).text).toContain(note);
});

test("who owes nothing is told nothing, unless its session is lost", async () => {
  const { hub, ann, bob, request } = await owing();
  await hub.answer(bob, request);
  await unload(hub, bob);
  await hub.send(ann, bob, "one");
  expect((await nextPrompt(hub, 2)).text).not.toContain("you are bob");
  end(hub);
  await hub.until(() => hub.state(bob) === "idle");

  await unload(hub, bob);
  hub.runtime.resumes = false;
  await hub.send(ann, bob, "two");
  expect((await nextPrompt(hub, 3)).text).toContain(
    "(Huddle: you are bob, team main, started by ann. Your earlier session could not be resumed: you know nothing of it.)\n\n",
  );
});

test("whose session turns out to be lost only at the prompt reads that instead", async () => {
  const { hub, ann, bob, request } = await owing();
  await hub.answer(bob, request);
  await unload(hub, bob);
  await hub.send(ann, bob, "one");
  const { text, anew } = await nextPrompt(hub, 2);
  expect(text).not.toContain("you are bob");
  expect(anew).toContain("(Huddle: you are bob, team main, started by ann. Your earlier session");
});

test("a prompt that was not taken does not use it up, nor one that the agent's history has lost", async () => {
  const { hub, ann, bob, note } = await owing();
  await unload(hub, bob);
  await hub.send(ann, bob, "one");
  expect((await nextPrompt(hub, 2)).text).toContain(note);
  hub.runtime.turn().refuse(new RuntimeError("NOT_TAKEN", "it does not listen"));
  await hub.until(() => hub.state(bob) === "backoff");
  hub.timers.advance(1000);
  expect((await nextPrompt(hub, 3)).text).toContain(note);

  end(hub, { stop: "cancelled", text: "", kept: false });
  await hub.until(() => hub.state(bob) === "idle");
  await hub.send(ann, bob, "two");
  expect((await nextPrompt(hub, 3, 2)).text).toContain(note);
});

test("what the prompt carries is not told twice: it goes on with a request that it was cut at", async () => {
  const { hub, ann, bob, note } = await owing();
  const request = await hub.ask(ann, "count the herons");
  await hub.until(() => hub.runtime.agent().turns.length === 2);
  hub.runtime.turn().take();
  hub.runtime.turn().respond();
  await hub.until(() => hub.state(bob) === "busy");
  await hub.claim(bob, request);

  const next = await hub.crash();
  const { text } = await nextPrompt(next, 2);
  expect(text.startsWith(`${note}\n\n`)).toBe(true);
  expect(text.split("count the herons")).toHaveLength(2);
});

test("a pane is pointed at it where its line has room, and only if it has the tool", async () => {
  const { hub, ann, bob } = await owing({ runtime: createScriptedRuntime("tmux") });
  const restarted = async (from: HostedHub) => {
    const next = await from.crash();
    await next.until(() => next.state(bob) === "idle");
    await next.send(ann, bob, "long ".repeat(60));
    return next;
  };
  const next = await restarted(hub);
  const { line } = await nextPrompt(next, 2);
  expect(line).toMatch(
    /^MSG_ANN_\w+: a message waits for you; call check_messages to read it\. You owe 1 thing: call get_obligations\.$/,
  );
  expect(line.length).toBeLessThan(150);
});

test("a set without the tool is not told of it", async () => {
  const { hub, ann, bob } = await owing({ runtime: createScriptedRuntime("tmux"), tools: "tabs" });
  const next = await hub.crash();
  await next.until(() => next.state(bob) === "idle");
  await next.send(ann, bob, "long ".repeat(60));
  expect((await nextPrompt(next, 2)).line).toMatch(/call check_messages to read it\.$/);
});

test("ten lines are told, and that there are more", async () => {
  const { hub, ann, bob } = await owing();
  for (let i = 0; i < 12; i++) await hub.work(bob, "claim", `part ${i}`, 3_600_000);
  await unload(hub, bob);
  await hub.send(ann, bob, "go");
  const { text } = await nextPrompt(hub, 2);
  expect(text.match(/^- /gmu)).toHaveLength(11);
  expect(text).toContain("- and 3 more; get_obligations shows them)");
});
