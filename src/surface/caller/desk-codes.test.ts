import { expect, test } from "vitest";
import { refusalOf } from "../../../test/refusal-of.js";
import { createDeskCodes } from "./desk-codes.js";

const LIFE = 60_000;

function openCodes() {
  let now = 0;
  const codes = createDeskCodes(LIFE, () => now);
  return {
    codes,
    issue: () => codes.issue({ notAfter: undefined }),
    advance(ms: number) {
      now += ms;
    },
  };
}

const wrong = "A".repeat(43);

test("a code has 256 bits and works once", () => {
  const { codes, issue } = openCodes();
  const code = issue();

  expect(Buffer.from(code, "base64url")).toHaveLength(32);
  expect(codes.redeem(code)).toEqual({ notAfter: undefined });
  expect(refusalOf(() => codes.redeem(code))).toMatchObject({ code: "CODE_INVALID" });
});

test("a code is worth what it was made for", () => {
  const { codes } = openCodes();
  expect(codes.redeem(codes.issue({ notAfter: 5 }))).toEqual({ notAfter: 5 });
});

test("a code that is too old is refused, and the refusal says what to type", () => {
  const { codes, issue, advance } = openCodes();
  const code = issue();
  advance(LIFE);

  expect(refusalOf(() => codes.redeem(code))).toMatchObject({
    code: "CODE_INVALID",
    message: expect.stringContaining("`huddle ui`") as unknown,
  });
});

test("after many wrong codes each further one is told to wait, and a right one still works", () => {
  const { codes, issue, advance } = openCodes();
  const right = issue();
  for (let n = 0; n < 20; n++) {
    expect(refusalOf(() => codes.redeem(wrong))).toMatchObject({ code: "CODE_INVALID" });
    advance(100);
  }

  expect(refusalOf(() => codes.redeem(wrong))).toMatchObject({
    code: "RATE_LIMITED",
    details: { retry_after_ms: 58_000 },
  });
  expect(codes.redeem(right)).toEqual({ notAfter: undefined });
  advance(60_000);
  expect(refusalOf(() => codes.redeem(wrong))).toMatchObject({ code: "CODE_INVALID" });
});

test("whoever asks for codes in a loop loses the oldest", () => {
  const { codes, issue } = openCodes();
  const made = Array.from({ length: 33 }, issue);

  expect(refusalOf(() => codes.redeem(made[0] ?? ""))).toMatchObject({ code: "CODE_INVALID" });
  expect(codes.redeem(made[1] ?? "")).toEqual({ notAfter: undefined });
  expect(codes.redeem(made[32] ?? "")).toEqual({ notAfter: undefined });
});
