import { expect, test } from "vitest";
import { createWorkLog } from "./turn-work.js";

test("thoughts are joined, tools are known by their newest state, and the newest plan stands", () => {
  const log = createWorkLog();
  log.add({ kind: "thought", text: "hm, " });
  log.add({ kind: "tool", id: "1", title: "Read a file", status: "running" });
  log.add({ kind: "thought", text: "so" });
  log.add({ kind: "tool", id: "2", title: "Run the tests", status: "failed" });
  log.add({ kind: "tool", id: "1", title: "Read a file", status: "done" });
  log.add({ kind: "plan", entries: [{ text: "Look", status: "pending" }] });
  log.add({ kind: "plan", entries: [{ text: "Look", status: "completed" }] });
  expect(log.read()).toEqual({
    thoughts: "hm, so",
    tools: [
      { title: "Read a file", status: "done" },
      { title: "Run the tests", status: "failed" },
    ],
    plan: [{ text: "Look", status: "completed" }],
  });
});

test("nothing done is nothing kept: words and costs are kept elsewhere", () => {
  const log = createWorkLog();
  log.add({ kind: "text", text: "hello" });
  log.add({ kind: "usage", usage: { costUsd: 1 } });
  expect(log.read()).toEqual({});
});

test("a long turn is bounded, and its end is what is kept", () => {
  const log = createWorkLog();
  for (let i = 0; i < 1000; i++) {
    log.add({ kind: "thought", text: `thought ${i} ${"x".repeat(100)}` });
    log.add({ kind: "tool", id: String(i), title: `${i} ${"t".repeat(1000)}`, status: "done" });
  }
  log.add({
    kind: "plan",
    entries: Array.from({ length: 500 }, () => ({ text: "p".repeat(999), status: "pending" })),
  });
  const { thoughts, tools } = log.read();
  expect(thoughts).toContain("thought 999");
  expect(tools?.at(-1)?.title).toMatch(/^999 /);
  expect(JSON.stringify(log.read()).length).toBeLessThan(60_000);
});
