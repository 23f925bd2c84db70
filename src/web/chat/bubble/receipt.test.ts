import { expect, test } from "vitest";
import type { Delivery, Message, Step } from "./mail.js";
import { describeReceipt, introduceReceipt } from "./receipt.js";

const began = Date.parse("2026-03-03T14:31:00.000Z");
const at = (seconds: number) => new Date(began + seconds * 1000).toISOString();
const step = (state: Step["state"], seconds: number, more: Partial<Step> = {}): Step => ({
  state,
  at: at(seconds),
  ...more,
});

function delivery(steps: Step[], more: Partial<Delivery> = {}): Delivery {
  const last = steps.at(-1);
  return {
    to: "ann",
    state: last?.state ?? "accepted",
    at: last?.at ?? at(0),
    evidence: null,
    reason: null,
    steps,
    ...more,
  };
}

const look = (one: Delivery, pulls = false) => describeReceipt(one, { pulls, now: began });

const accepted = step("accepted", 0);
const offered = step("offered", 0.1, { route: "runtime", attempt: 1 });
const injected = step("injected", 0.2, { evidence: "acp_prompt" });
const seen = step("seen", 1.4, { evidence: "output" });

test.each<[string, Delivery, string, string]>([
  ["accepted", delivery([accepted]), "done off off off off", "accepted"],
  [
    "offered again",
    delivery([accepted, step("offered", 9, { attempt: 2, route: "runtime" })]),
    "done done off off off",
    "offered, attempt 2",
  ],
  ["injected", delivery([accepted, offered, injected]), "done done done off off", "injected"],
  ["seen", delivery([accepted, offered, injected, seen]), "done done done done off", "seen +1.4 s"],
  [
    "finished, which is no answer",
    delivery([accepted, offered, injected, seen, step("finished", 112, { stop: "end_turn" })]),
    "done done done done done",
    "seen +1.4 s · finished +1 m 52 s",
  ],
  [
    "answered",
    delivery([accepted, offered, injected, seen, step("answered", 38, { by: "m2" })]),
    "done done done done answered",
    "injected +0.2 s · seen +1.4 s · answered +38 s",
  ],
  [
    "died",
    delivery([accepted, offered, step("failed", 3, { reason: "died" })], { reason: "died" }),
    "done done failed off off",
    "failed: died",
  ],
  [
    "expired",
    delivery([accepted, step("expired", 60)], { reason: "not read in time" }),
    "done failed off off off",
    "expired: not read in time",
  ],
  [
    "given back",
    delivery([accepted, offered, injected, step("accepted", 4, { reason: "interrupted" })], {
      reason: "interrupted",
    }),
    "done off off off off",
    "accepted again: interrupted",
  ],
])("one that is %s", (_, one, rungs, words) => {
  const receipt = look(one);
  expect(receipt.rungs.join(" ")).toBe(rungs);
  expect(receipt.words.join(" · ")).toBe(words);
});

test("a held one says why and until when, in amber", () => {
  const held = delivery([accepted, step("held", 0, { reason: "cooldown" })], { reason: "cooldown" });
  const receipt = describeReceipt({ ...held, until: at(4) }, { now: began });
  expect(receipt).toMatchObject({ tone: "held", words: ["held: cooldown, due in 4 s"] });
  expect(receipt.rungs.join(" ")).toBe("done held off off off");
});

test("what was held for long says so afterwards, and counts from its release", () => {
  const steps = [
    accepted,
    step("held", 0, { reason: "budget" }),
    step("accepted", 900, { reason: "released" }),
    step("seen", 900.4),
  ];
  const receipt = look(delivery(steps));
  expect(receipt.words).toEqual(["was held 15 min: conversation paused, you let it go on", "seen +0.4 s"]);
  expect(receipt.rungs[1]).toBe("held");
});

test("an agent that fetches its mail has four rungs", () => {
  expect(look(delivery([accepted]), true).rungs).toHaveLength(4);
  const read = delivery([
    accepted,
    step("offered", 1, { route: "inbox", attempt: 1 }),
    step("seen", 2, { evidence: "ack" }),
  ]);
  expect(look(read).rungs.join(" ")).toBe("done done done off");
});

test("nothing but an answer is green", () => {
  const finished = delivery([accepted, offered, injected, seen, step("finished", 9, { stop: "end_turn" })]);
  expect(look(finished).rungs).not.toContain("answered");
});

test("a message that assigns a task is called one", () => {
  const message: Message = {
    id: "m-1",
    seq: 1,
    type: "message",
    from: "user",
    to: "ann",
    content: "Review both.",
    timestamp: at(0),
    source: "user",
    attention: "queue",
    conversation: "m-1",
    hop: 0,
    trust: "human",
    task_id: "task-1",
  };

  expect(introduceReceipt(message, undefined)).toEqual(["task"]);
});
