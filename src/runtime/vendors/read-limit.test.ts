import { expect, test } from "vitest";
import type { VendorName } from "./clients.js";
import { readResetTime } from "./reset-time.js";
import { vendors } from "./vendors.js";

const now = new Date("2026-11-17T09:34:35Z");
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
/** As a CLI on this computer would show it. */
const local = (text: string) => new Date(text).toISOString();

/** What the CLIs said when their vendor's service refused them, and until when. */
const said: [VendorName, string, string | undefined][] = [
  ["claude-code", "You've hit your limit · resets 12:46pm (UTC)", "2026-11-17T12:46:00.000Z"],
  ["claude-code", "Internal error: You've hit your limit · resets 1pm (UTC)", "2026-11-17T13:00:00.000Z"],
  ["claude-code", "You've hit your weekly limit · resets Nov 20, 3am (UTC)", "2026-11-20T03:00:00.000Z"],
  ["claude-code", "You've hit your limit · resets 9am (Europe/Berlin)", "2026-11-18T08:00:00.000Z"],
  ["claude-code", "Claude AI usage limit reached|1794919595", "2026-11-17T12:46:35.000Z"],
  [
    "codex",
    "You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at 11:46 PM.",
    local("2026-11-17T23:46:00"),
  ],
  [
    "codex",
    "Internal error: You've hit your usage limit. Try again at Nov 19th, 2026 3:05 PM.",
    local("2026-11-19T15:05:00"),
  ],
  [
    "codex",
    "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 2 hours 5 minutes.",
    "2026-11-17T11:39:35.000Z",
  ],
  ["gemini", "You have exhausted your daily quota on this model.", undefined],
  [
    "gemini",
    "[API Error: You have exhausted your daily quota on this model.]\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method",
    undefined,
  ],
  [
    "gemini",
    "[API Error: You have exhausted your capacity on this model. Your quota will reset after 3h12m5s.]",
    "2026-11-17T12:46:40.000Z",
  ],
  [
    "gemini",
    "You exceeded your current quota, please check your plan.\nSuggested retry after 11520s.",
    "2026-11-17T12:46:35.000Z",
  ],
  [
    "qwen",
    "Quota exhausted: You have exceeded the 5-hour usage quota. It will reset at 2026-11-17 13:01:39 +0000 UTC.\n\nPlease retry after the reset time, or switch to another API key / auth method.",
    "2026-11-17T13:01:39.000Z",
  ],
  [
    "droid",
    "429 You have exceeded the 5-hour usage quota. It will reset at 2026-11-17 21:02:04 +0800 CST.",
    "2026-11-17T13:02:04.000Z",
  ],
];

test.each(said)("%s: %s", (vendor, words, until) => {
  const limit = vendors[vendor].readLimit(words, now);
  expect(limit).toBeDefined();
  expect(iso(limit?.until)).toBe(until);
  expect(words).toContain(limit?.words);
});

/** Errors that pass, or that the CLI waits out by itself. */
const others = [
  "API Error: Request rejected (429) · This request would exceed your account's rate limit.",
  "API Error: 529 overloaded_error",
  "429 Too Many Requests",
  "stream disconnected before completion: Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM)",
  "the model is overloaded",
  "context limit reached",
  "",
];

test.each(Object.values(vendors))("$vendor takes no other error for a usage limit", ({ readLimit }) => {
  expect(others.map((words) => readLimit(words, now))).toEqual(others.map(() => undefined));
});

test.each([
  ["resets 3pm (Mars/Olympus)", undefined],
  ["resets soon", undefined],
  ["try again at 12", undefined],
  ["retry in 0s", undefined],
  ["try again in 3 days 1 hour", "2026-11-20T10:34:35.000Z"],
  ["resets Jan 2, 9am (UTC)", "2027-01-02T09:00:00.000Z"],
  ["resets 12am (UTC)", "2026-11-18T00:00:00.000Z"],
  ["resets 9:34am (UTC)", undefined],
  ["resets 8:40am (UTC)", undefined],
  ["resets 8:30am (UTC)", "2026-11-18T08:30:00.000Z"],
  ["Your limit will reset at 2026-11-04T21:37:03Z", "2026-11-04T21:37:03.000Z"],
])("%s is %s", (words, until) => {
  expect(iso(readResetTime(words, now))).toBe(until);
});

test("a time of day that has just passed is none, over midnight too", () => {
  const after = new Date("2026-11-17T00:01:00Z");
  expect(readResetTime("resets 11:59pm (UTC)", after)).toBeUndefined();
  expect(iso(readResetTime("resets 10pm (UTC)", after))).toBe("2026-11-17T22:00:00.000Z");
});
