import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { z } from "zod";
import { tempFolder } from "../../../test/fakes/temp-folder.js";
import { openTestHub } from "../../../test/fakes/test-hub.js";
import { type EventData, eventTypes } from "../../model/events.js";
import { type eventContracts, readEvent, type ShownType, shownTypes } from "./events.js";

/** The events whose data the contract would not take as the model has it. */
type Mismatch = {
  [T in ShownType]: EventData[T] extends z.input<(typeof eventContracts)[T]> ? never : T;
}[ShownType];

test("what the model says of an event is what the contract takes", () => {
  const fits: [Mismatch] extends [never] ? true : Mismatch = true;
  expect(fits).toBe(true); // Otherwise it does not compile.
  expect(eventTypes.filter((type) => !shownTypes.some((shown) => shown === type))).toEqual([
    "CredentialIssued",
    "AlarmFired",
    "FramesNumbered",
    "FramesAcknowledged",
    "FramesReceived",
  ]);
});

test("a journal with every type of event is read whole: the contract leaves out no field", () => {
  const file = join(tempFolder(), "huddle.db");
  copyFileSync(join("test", "guard", "journal-8.db"), file);
  const events = openTestHub({ file }).events.pageAfter(0, 10_000);

  for (const { type, data } of events) {
    if (!shownTypes.some((shown) => shown === type)) continue;
    expect(readEvent({ type, data })).toEqual({ type, data });
  }
  const told = new Set(events.map(({ type }) => type));
  expect(eventTypes.filter((type) => !told.has(type))).toEqual([]);
});

test.each([
  ["a type that a newer hub has", "AgentTeleported", { agent: "a" }],
  ["an event without what it must have", "AgentRenamed", { agent: "a" }],
])("%s is not read", (_, type, data) => {
  expect(readEvent({ type, data })).toBeUndefined();
});

test("fields and words that a newer hub has do no harm", () => {
  const data = { agent: "a", status: "levitating", evidence: "seen", height: 3 };
  expect(readEvent({ type: "PresenceChanged", data })).toEqual({
    type: "PresenceChanged",
    data: { agent: "a", status: "levitating", evidence: "seen" },
  });
});
