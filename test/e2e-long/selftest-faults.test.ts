// `huddle selftest` with agent CLIs that go wrong. Those that are tried for the same share a run.
import { describe, expect, test } from "vitest";
import { documentOf, memoryOf, selftest } from "../fakes/selftest-run.js";

type Fault = { name: string; result: "fails" | "blocked"; reason: RegExp };
const fault = (name: string, result: Fault["result"], reason: RegExp): Fault => ({ name, result, reason });

const argsOf = (names: readonly string[], behaviour: string, time: string) => [
  ...names,
  "--runtime",
  "acp",
  "--behaviour",
  behaviour,
  "--timeout",
  time,
  "--json",
];

/** Each of them has the flag of its name. */
const backendsOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `--${name}`] as const));

describe("a CLI that goes wrong gives a cell with the reason, within its time", () => {
  // What never happens is waited for as long as this; whatever has to start first gets its time, however busy the machine is.
  test.each<[string, string, string, Fault[]]>([
    [
      "hangs as it starts, or prints what is no ACP",
      "spawn",
      "3s",
      [
        fault("hang", "fails", /^Not within 3 s: it started/),
        fault("garbage", "fails", /^Not within 3 s: it started/),
      ],
    ],
    [
      "crashes as it starts, or wants a log-in",
      "spawn",
      "5m",
      [
        fault("crash", "fails", /cannot start with sk-ant-scripted\S+ in \S+\/home/),
        fault("login", "blocked", /is not signed in/),
      ],
    ],
    [
      "never asks its model",
      "receive",
      "45s",
      [fault("mute", "blocked", /It asked the scripted model nothing at all/)],
    ],
    [
      "acts unasked, or in spite of a no",
      "permission",
      "5m",
      [
        fault("pushy", "fails", /It ran touch \S+ without asking/),
        fault("disobey", "fails", /may not run touch \S+, and did/),
      ],
    ],
    ["heeds no interrupt", "interrupt", "45s", [fault("deaf", "fails", /^Not within|cancel|interrupt/)]],
  ])("%s", async (_, behaviour, time, faults) => {
    const names = faults.map(({ name }) => name);
    const run = selftest(argsOf(names, behaviour, time), { backends: backendsOf(names) });
    const { code, document } = await documentOf(run);

    for (const { name, result, reason } of faults) {
      const cell = cellOf(document, name, behaviour);
      expect(cell, name).toMatchObject({ result, reason: expect.stringMatching(reason) as unknown });
      expect(cell?.fix).toContain(`huddle selftest ${name} --runtime acp --behaviour ${behaviour} --verbose`);
    }
    expect({ code, ok: document.ok, remembered: document.remembered }).toEqual({
      code: 8,
      ok: false,
      remembered: 0,
    });
    expect(memoryOf(run)).toEqual({});
  });

  test("is shown a message twice, or floods its output, and works then all the same", async () => {
    const names = ["double", "flood"];
    const { code, document } = await documentOf(
      selftest(argsOf(names, "receive", "5m"), { backends: backendsOf(names) }),
    );

    expect(cellOf(document, "double", "receive")).toMatchObject({
      result: "fails",
      reason: expect.stringMatching(/was shown the message 2 times/) as unknown,
    });
    expect(cellOf(document, "flood", "spawn")).toMatchObject({ result: "works" });
    expect(cellOf(document, "flood", "receive")).toMatchObject({ result: "works" });
    expect(code).toBe(8);
  });

  test("has no tools of Huddle's, or only at a second try, which counts as working", async () => {
    // It goes wrong before any of them has a session in the home that they share.
    const names = ["once", "toolless"];
    const { code, document } = await documentOf(
      selftest(argsOf(names, "tool", "5m"), { backends: backendsOf(names) }),
    );

    expect(cellOf(document, "toolless", "tool")).toMatchObject({
      result: "fails",
      reason: expect.stringMatching(/was not offered Huddle's tools/) as unknown,
    });
    expect(cellOf(document, "once", "spawn")).toMatchObject({ result: "works" });
    expect(cellOf(document, "once", "tool")).toMatchObject({
      result: "retried",
      reason: "Its model was not offered Huddle's tools",
      fix: null,
    });
    const [row] = document.backends.find(({ backend }) => backend === "once")?.runtimes ?? [];
    expect({ code, verdict: row?.verdict }).toEqual({ code: 8, verdict: "works" });
  });
});

function cellOf(
  { backends }: Awaited<ReturnType<typeof documentOf>>["document"],
  name: string,
  behaviour: string,
) {
  const [row] = backends.find(({ backend }) => backend === name)?.runtimes ?? [];
  return row?.behaviours.find((cell) => cell.behaviour === behaviour);
}
