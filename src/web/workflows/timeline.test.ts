import { expect, test } from "vitest";
import { STARTED, second, shownStep } from "../../../test/fakes/shown-workflow.js";
import { timelineRow } from "./timeline-rows.js";
import { scaleTime } from "./timeline-scale.js";

const at = (seconds: number) => STARTED + seconds * 1000;
const spans = (row: ReturnType<typeof timelineRow>) =>
  row.segments.map(({ kind, from, to }) => `${kind} ${(from - STARTED) / 1000}–${(to - STARTED) / 1000}`);

test("a step that waited for its agent shows that apart from its work", () => {
  const step = shownStep("a", "done", { began: second(20), ended: second(110) });

  const row = timelineRow(step, at(300));

  expect(spans(row)).toEqual(["queued 0–20", "done 20–110"]);
  expect(row.label).toBe("1:50");
});

test("one that asks for a permission runs until then, and waits for the person since", () => {
  const step = shownStep("a", "waiting", { waiting_since: second(60) });

  const row = timelineRow(step, at(100));

  expect(spans(row)).toEqual(["running 0–60", "waiting 60–100"]);
  expect(row.label).toBe("waits for you 0:40");
});

test("an approval is the person's time, and the work behind it the agent's", () => {
  const asked = { asked: second(0), started: second(0), approve: true as const };
  const open = shownStep("a", "waiting", {
    ...asked,
    assigned: null,
    began: null,
    task_id: null,
    waiting_since: second(0),
  });
  const let_through = shownStep("a", "failed", {
    ...asked,
    assigned: second(30),
    began: second(40),
    ended: second(70),
  });

  expect(spans(timelineRow(open, at(15)))).toEqual(["asked 0–15"]);
  expect(spans(timelineRow(let_through, at(99)))).toEqual(["asked 0–30", "queued 30–40", "failed 40–70"]);
});

test("a step that never began has a word and no bar", () => {
  const row = timelineRow(shownStep("a", "blocked", { started: null, assigned: null, began: null }), at(9));

  expect(row).toMatchObject({ segments: [], label: "blocked" });
});

test.each([
  ["a minute", 60],
  ["twenty minutes", 1200],
  ["a day", 86_400],
  ["nothing", 0],
])("the scale of %s has a few marks at times that a clock shows", (_, seconds) => {
  const scale = scaleTime(STARTED, at(seconds), 7);

  expect(scale.ticks.length).toBeGreaterThan(1);
  expect(scale.ticks.length).toBeLessThanOrEqual(9);
  expect(scale.from).toBeLessThanOrEqual(STARTED);
  expect(scale.place(at(seconds))).toBeLessThan(1);
  const [first, next] = scale.ticks;
  expect(((next?.at ?? 0) - (first?.at ?? 0)) % 1000).toBe(0);
});
