// `huddle selftest` with an agent CLI that goes wrong.
import { describe, expect, test } from "vitest";
import { documentOf, memoryOf, selftest } from "../fakes/selftest-run.js";

/** What never happens is waited for as long as this; whatever has to start first gets its time, however busy the machine is. */
const waitedOut: Readonly<Record<string, string>> = {
  "--hang": "3s",
  "--garbage": "3s",
  "--mute": "45s",
  "--deaf": "45s",
};

describe("a CLI that goes wrong gives a cell with the reason, within its time", () => {
  test.each([
    ["hangs as it starts", "--hang", "spawn", "fails", /^Not within 3 s: it started/],
    ["prints what is no ACP", "--garbage", "spawn", "fails", /^Not within 3 s: it started/],
    [
      "crashes as it starts",
      "--crash",
      "spawn",
      "fails",
      /cannot start with sk-ant-scripted\S+ in \S+\/home/,
    ],
    ["wants a log-in", "--login", "spawn", "blocked", /is not signed in/],
    ["never asks its model", "--mute", "receive", "blocked", /It asked the scripted model nothing at all/],
    ["shows a message twice", "--double", "receive", "fails", /was shown the message 2 times/],
    ["has no tools of Huddle's", "--toolless", "tool", "fails", /was not offered Huddle's tools/],
    ["acts unasked", "--pushy", "permission", "fails", /It ran touch \S+ without asking/],
    ["acts in spite of a no", "--disobey", "permission", "fails", /may not run touch \S+, and did/],
    ["heeds no interrupt", "--deaf", "interrupt", "fails", /^Not within|cancel|interrupt/],
  ])("%s", async (_, flag, behaviour, result, reason) => {
    const time = waitedOut[flag] ?? "5m";
    const args = ["scripted", "--runtime", "acp", "--behaviour", behaviour, "--timeout", time, "--json"];
    const run = selftest(args, { flags: [flag] });
    const { code, document, row } = await documentOf(run);

    const cell = row.behaviours.find((one) => one.behaviour === behaviour);
    expect(cell).toMatchObject({ result, reason: expect.stringMatching(reason) as unknown });
    expect(cell?.fix).toContain(`huddle selftest scripted --runtime acp --behaviour ${behaviour} --verbose`);
    expect({ code, ok: document.ok, remembered: document.remembered }).toEqual({
      code: 8,
      ok: false,
      remembered: 0,
    });
    expect(memoryOf(run)).toEqual({});
  });

  test("fails at first and works at a second try, which counts as working", async () => {
    const args = ["scripted", "--runtime", "acp", "--behaviour", "tool", "--timeout", "5m", "--json"];
    const { code, row } = await documentOf(selftest(args, { flags: ["--once"] }));

    expect(row.behaviours).toMatchObject([
      { behaviour: "spawn", result: "works" },
      { behaviour: "tool", result: "retried", reason: "Its model was not offered Huddle's tools", fix: null },
    ]);
    expect({ code, verdict: row.verdict }).toEqual({ code: 0, verdict: "works" });
  });

  test("floods its output, and works all the same", async () => {
    const args = ["scripted", "--runtime", "acp", "--behaviour", "receive", "--timeout", "5m", "--json"];
    const { code, row } = await documentOf(selftest(args, { flags: ["--flood"] }));

    expect(row.behaviours.map(({ behaviour, result }) => [behaviour, result])).toEqual([
      ["spawn", "works"],
      ["receive", "works"],
    ]);
    expect(code).toBe(0);
  });
});
