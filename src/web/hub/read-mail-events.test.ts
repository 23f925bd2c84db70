import { expect, test } from "vitest";
import { readEvent } from "../../contract/events/events.js";
import { readAccepted, readSteps } from "./read-mail-events.js";

const at = "2026-01-01T12:00:00.000Z";
const addresses = {
  addressThen: (id: string, name: string) => (id === "a1" ? `red/${name}` : name),
  absence: (id: string) => (id === "a3" ? '"cy" is offline: no call for 30 s' : undefined),
};

function accepted(to: { agent: string; name: string; hold?: { reason: string } }[]) {
  const event = readEvent({
    type: "MessageAccepted",
    data: {
      message: {
        id: "m1",
        type: "message",
        from: "a1",
        fromName: "ann",
        to,
        toName: to[0]?.name ?? "all",
        content: "hello",
        attention: "queue",
        source: "agent",
        trust: "local",
        conversation: "c1",
        hop: 1,
      },
    },
  });
  if (event?.type !== "MessageAccepted") throw new Error("not the event that was written");
  return readAccepted(event, { seq: 7, at }, addresses);
}

test("an accepted message is what the history's route would give", () => {
  expect(accepted([{ agent: "a2", name: "bob" }])).toMatchObject({
    from: "a1",
    to: ["a2"],
    message: {
      id: "m1",
      seq: 7,
      from: "red/ann",
      to: "bob",
      fromSession: "a1",
      timestamp: at,
      recipients: 1,
      deliveries: [
        {
          to: "bob",
          state: "accepted",
          at,
          evidence: null,
          reason: null,
          steps: [{ state: "accepted", at }],
        },
      ],
    },
  });
});

test("what is held says why, and what waits for somebody who is away says that", () => {
  const held = accepted([
    { agent: "a2", name: "bob", hold: { reason: "cooldown" } },
    { agent: "a3", name: "cy" },
  ]);
  expect(held?.message.deliveries).toMatchObject([
    {
      state: "held",
      reason: "cooldown",
      steps: [{ state: "accepted" }, { state: "held", reason: "cooldown" }],
    },
    { state: "held", reason: '"cy" is offline: no call for 30 s', steps: [{ state: "accepted" }] },
  ]);
});

test("each delivery of an event takes its own step", () => {
  const event = readEvent({
    type: "MessagesOffered",
    data: {
      agent: "a2",
      route: "runtime",
      turn: "t1",
      deliveries: [
        { seq: 7, id: "m1", from: "a1", attempt: 1 },
        { seq: 8, id: "m2", from: "a1", attempt: 2 },
      ],
    },
  });
  if (event === undefined) throw new Error("not read");
  expect(readSteps(event, at).map(({ seq, change }) => [seq, change.state, change.step.attempt])).toEqual([
    [7, "offered", 1],
    [8, "offered", 2],
  ]);
});

test("events that are not about mail tell of no step", () => {
  const event = readEvent({ type: "AllResumed", data: { by: "human" } });
  if (event === undefined) throw new Error("not read");
  expect(readSteps(event, at)).toEqual([]);
});
