import { expect, test } from "vitest";
import { createDeskTokens } from "./desk-tokens.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.parse("2026-01-01T00:00:00Z");

function desk({ operator = "hud_operator_one", at = start }: { operator?: string; at?: number } = {}) {
  return createDeskTokens({ operator, lifeMs: 30 * DAY, wall: () => at });
}

test("a token is good until its time is up, also for a hub that was started again", () => {
  const { token, expiresInSeconds } = desk().issue();

  expect(expiresInSeconds).toBe(30 * 24 * 3600);
  expect(desk().check(token)).toBe(start + 30 * DAY);
  expect(desk({ at: start + 30 * DAY - 1 }).check(token)).toBe(start + 30 * DAY);
  expect(desk({ at: start + 30 * DAY }).check(token)).toBeUndefined();
});

test("another operator's token ends all of them", () => {
  const { token } = desk().issue();

  expect(desk({ operator: "hud_operator_two" }).check(token)).toBeUndefined();
});

test("no two are alike, though they are made in the same moment", () => {
  const tokens = desk();
  expect(tokens.issue().token).not.toBe(tokens.issue().token);
});

test("one that another token was used for ends no later than that one", () => {
  const { token, expiresInSeconds } = desk().issue(start + HOUR);

  expect(expiresInSeconds).toBe(3600);
  expect(desk({ at: start + HOUR }).check(token)).toBeUndefined();
});

test("nothing of it can be changed", () => {
  const tokens = desk();
  const { token } = tokens.issue();
  const [head = "", id = "", signature = ""] = token.split(".");
  const later = `hud_desk_${Number(head.replace("hud_desk_", "")) + 1}`;
  const changed = [
    `${later}.${id}.${signature}`,
    `${head}.${"A".repeat(22)}.${signature}`,
    `${head}.${id}.${"A".repeat(43)}`,
    `${head}.${id}.${signature.slice(0, -2)}`,
    `${head}.${id}`,
    `${head}..${signature}`,
    `${token}A`,
    `x${token}`,
    "hud_desk_",
    "",
  ];

  expect(changed.map((one) => tokens.check(one))).toEqual(changed.map(() => undefined));
});
