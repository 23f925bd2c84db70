import { expect, test } from "vitest";
import { HubError } from "../model/errors.js";
import { askAgain } from "./ask-again.js";

function answering(...codes: ("OUTCOME_UNKNOWN" | "HUB_UNREACHABLE" | "ok")[]) {
  const left = [...codes];
  return async () => {
    const next = left.shift() ?? codes.at(-1) ?? "ok";
    if (next === "ok") return "answer";
    throw new HubError(next, next);
  };
}

const options = { budgetMs: 60, firstDelayMs: 1 };

test("a hub that failed and does not come back leaves its own words, not that nobody answers", async () => {
  await expect(askAgain(answering("OUTCOME_UNKNOWN", "HUB_UNREACHABLE"), options)).rejects.toMatchObject({
    code: "OUTCOME_UNKNOWN",
  });
});

test("one that comes back answers", async () => {
  const patient = { ...options, budgetMs: 60_000 };
  expect(await askAgain(answering("OUTCOME_UNKNOWN", "HUB_UNREACHABLE", "ok"), patient)).toBe("answer");
});

test("one that was never there is not waited for", async () => {
  await expect(askAgain(answering("HUB_UNREACHABLE"), options)).rejects.toMatchObject({
    code: "HUB_UNREACHABLE",
  });
});
