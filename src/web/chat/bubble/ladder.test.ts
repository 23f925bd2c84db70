import { expect, test } from "vitest";
import { listLadder } from "./ladder.js";

const at = (ms: number) => new Date(Date.parse("2026-03-03T14:19:07.204Z") + ms).toISOString();

test("each step has its state, the time since the first, and what it rests on", () => {
  const rows = listLadder(
    {
      to: "ann",
      state: "answered",
      at: at(9000),
      evidence: "output",
      reason: null,
      steps: [
        { state: "accepted", at: at(0) },
        { state: "held", at: at(0), reason: "cooldown" },
        { state: "accepted", at: at(4000), reason: "released" },
        { state: "offered", at: at(4006), route: "runtime", attempt: 1, turn: "t-8" },
        { state: "seen", at: at(5426), evidence: "output" },
        { state: "answered", at: at(123_798), by: "m2" },
      ],
    },
    48_102,
  );
  expect(rows.map(({ state, offset, evidence, tone }) => [state, offset, evidence, tone])).toEqual([
    ["accepted", "", "commit #48 102", "done"],
    ["held", "4.0 s", "cooldown", "held"],
    ["accepted", "+4.0 s", "released", "done"],
    ["offered", "+4.0 s", "runtime, attempt 1, turn t-8", "done"],
    ["seen", "+5.4 s", "output", "done"],
    ["answered", "+2 m 04 s", "reply_to of m2", "answered"],
  ]);
});

test("that it waits for somebody who is away is a row, though no step", () => {
  const held = { to: "ann", state: "held" as const, at: at(0), evidence: null, reason: '"ann" is offline' };
  const rows = listLadder({ ...held, steps: [{ state: "accepted", at: at(0) }] }, 1);
  expect(rows.at(-1)).toMatchObject({ state: "held", evidence: '"ann" is offline', tone: "held" });
});
