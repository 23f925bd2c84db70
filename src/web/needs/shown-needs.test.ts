import { expect, test } from "vitest";
import { newNeeds, noticeWords } from "./need-notice.js";
import { sayAnswer } from "./say-answer.js";
import { countGroups, mergeNeeds, type Need, sayLeft, shareLeft } from "./shown-needs.js";

const need = (id: string, more: Partial<Need> = {}): Need => ({
  id,
  kind: "permission",
  agent: "ann",
  text: "",
  at: "2026-01-01T10:00:00.000Z",
  expires: null,
  actions: [],
  ...more,
});
const states = (shown: ReturnType<typeof mergeNeeds>) =>
  shown.map(({ need: { id }, state }) => `${id} ${state.kind}`);

test("the oldest deadline comes first, then what has none, the oldest first", () => {
  const items = [
    need("later", { at: "2026-01-01T11:00:00.000Z" }),
    need("none"),
    need("soon", { expires: "2026-01-01T10:05:00.000Z" }),
    need("late", { expires: "2026-01-01T10:09:00.000Z" }),
  ];

  expect(states(mergeNeeds([], items, 0))).toEqual(["soon open", "late open", "none open", "later open"]);
});

test("what is settled stays in its place for five seconds, and then goes", () => {
  const both = mergeNeeds([], [need("a"), need("b")], 0);

  const settled = mergeNeeds(both, [need("b")], 1000);
  expect(states(settled)).toEqual(["a settled", "b open"]);
  expect(states(mergeNeeds(settled, [need("b")], 5900))).toEqual(["a settled", "b open"]);
  expect(states(mergeNeeds(settled, [need("b")], 6000))).toEqual(["b open"]);
});

test("what is there again is open again", () => {
  const settled = mergeNeeds(mergeNeeds([], [need("a")], 0), [], 1);

  expect(states(mergeNeeds(settled, [need("a")], 2))).toEqual(["a open"]);
});

test("needs are counted by group", () => {
  const items = [
    need("1"),
    need("2", { kind: "stalled" }),
    need("3", { kind: "budget" }),
    need("4", { kind: "question" }),
  ];

  expect(countGroups(items)).toEqual({ all: 4, permissions: 1, held: 1, trouble: 1, questions: 1 });
});

test("the ring empties with the time, and says what is left", () => {
  expect(shareLeft(0, 100, 25)).toBe(0.75);
  expect(shareLeft(0, 100, 200)).toBe(0);
  expect(sayLeft(432_000)).toBe("7:12");
  expect(sayLeft(12 * 3_600_000)).toBe("12 h 00");
  expect(sayLeft(-5)).toBe("0:00");
});

test.each([
  [{ outcome: "once", by: "user", via: "desk" }, "allowed once · by you, at a desk"],
  [{ outcome: "deny", by: "user" }, "denied · by you, in a terminal"],
  [{ outcome: "deny", by: "hub", reason: "timeout" }, "denied · nobody answered in time"],
  [{ outcome: "cancelled", by: "hub", reason: "answered_in_pane" }, "withdrawn · answered in the pane"],
  [{}, "settled · elsewhere"],
])("%j reads %s", (answer, words) => {
  expect(sayAnswer(answer)).toBe(words);
});

test("only what was not there before is told, and not in what words", () => {
  expect(newNeeds(undefined, [need("a")])).toEqual([]);
  expect(newNeeds(new Set(["a"]), [need("a"), need("b")])).toEqual([need("b")]);
  expect(noticeWords(need("a", { text: "rm -rf secret" }))).toBe("ann asks for a permission");
  expect(noticeWords(need("a", { kind: "approval" }))).toBe("A step of a workflow waits for your approval");
});
