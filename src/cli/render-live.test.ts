import pc from "picocolors";
import { expect, test } from "vitest";
import type { LiveOutputFrame, LivePart } from "../contract/http/live.js";
import { liveWriter } from "./render-live.js";

const of = { agent: "bob", id: "1", turn: "t1" };
const part = (one: LivePart, agent = "bob"): LiveOutputFrame => ({
  ...of,
  agent,
  turn: `t-${agent}`,
  part: one,
});
const tool = (status: "pending" | "running" | "done" | "failed", title = "Read a file") =>
  part({ kind: "tool", id: "c1", title, status, offset: 0, ms: 20 });

function write(frames: LiveOutputFrame[], options: { colors?: boolean; showsAgent?: boolean } = {}): string {
  const writer = liveWriter(pc.createColors(options.colors ?? false), options.showsAgent ?? false);
  return frames.map(writer).join("");
}

test("text goes on where it was, thoughts and tools stand on lines of their own", () => {
  const at = "2026-01-01T12:00:00.000Z";
  expect(
    write([
      { ...of, turn: "t-bob", state: "began", at, messages: ["m1"] },
      part({ kind: "thought", offset: 0, text: "hm" }),
      part({ kind: "text", offset: 0, text: "Let me " }),
      part({ kind: "text", offset: 7, text: "look." }),
      tool("pending"),
      tool("running"),
      tool("done"),
      part({ kind: "plan", entries: [{ text: "Look", status: "pending" }] }),
      part({ kind: "text", offset: 12, text: "Done.\n" }),
      { ...of, turn: "t-bob", state: "ended", at, stop: "end_turn" },
    ]),
  ).toBe(
    [
      "── bob begins at 12:00:00 UTC, with 1 message ──",
      "hm",
      "Let me look.",
      "▸ Read a file",
      "✓ Read a file (20 ms)",
      "plan: Look (pending)",
      "Done.",
      "── bob: end_turn at 12:00:00 UTC ──",
      "",
    ].join("\n"),
  );
});

test("what was left out shows, and no character is torn in two", () => {
  const [half, other] = ["😀".slice(0, 1), "😀".slice(1)];
  expect(
    write([
      part({ kind: "text", offset: 100, text: `late ${half}` }),
      part({ kind: "text", offset: 106, text: `${other}!` }),
    ]),
  ).toBe("…late 😀!");
});

test("nothing that an agent writes is obeyed by the terminal", () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\u202e\r";
  const shown = write([
    part({ kind: "text", offset: 0, text: evil }),
    part({ kind: "thought", offset: 0, text: evil }),
    tool("failed", evil),
    part({ kind: "plan", entries: [{ text: evil, status: evil }] }),
    { ...of, state: "ended", at: "2026-01-01T12:00:00.000Z", stop: evil },
  ]);
  for (const bad of ["\u001b", "\u0007", "\u202e", "\r"]) expect(shown).not.toContain(bad);
});

test("thoughts are dim, and of several agents each line says whose it is", () => {
  expect(write([part({ kind: "thought", offset: 0, text: "a\nb" })], { colors: true })).toBe(
    "\u001b[2ma\u001b[22m\n\u001b[2mb\u001b[22m",
  );
  expect(
    write(
      [part({ kind: "text", offset: 0, text: "one" }), part({ kind: "text", offset: 0, text: "two" }, "eve")],
      {
        showsAgent: true,
      },
    ),
  ).toBe("bob one\neve two");
});
