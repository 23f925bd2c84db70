import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedHeadlessLaunch } from "../../../test/fakes/scripted-launch.js";
import { permissionPolicies } from "../backend.js";
import type { Launch } from "../runtime.js";
import type { VendorName } from "../vendors/clients.js";
import { vendors } from "../vendors/vendors.js";
import { readJsonLine } from "./headless-turn.js";

/** What the CLIs printed for: think "pondering", say "hello there", run `echo hi`. */
function readFixture(vendor: VendorName) {
  const read = vendors[vendor].headless.createReader();
  const lines = readFileSync(join("test", "fixtures", "headless", `${vendor}.jsonl`), "utf8").split("\n");
  return lines.flatMap((line) => read(readJsonLine(line)));
}

const part = (kind: string, fields: object) => ({ kind: "output", part: { kind, ...fields } });
const thought = part("thought", { text: "pondering" });
const hello = part("text", { text: "hello there" });

test("claude's lines are read: partial messages once, tools with their end, the cost", () => {
  const again =
    "echo: [Your previous response had no visible output. Please continue and produce a user-visible response.]";
  const tool = { id: "call_e168543d59d44b62830379aa", title: "Bash: echo hi" };
  expect(readFixture("claude-code")).toEqual([
    { kind: "session", id: "1edc1110-d4b7-458f-810a-8c8950b8768f" },
    thought,
    hello,
    part("tool", { ...tool, status: "running" }),
    part("tool", { ...tool, status: "done" }),
    part("text", { text: `\n\n${again}` }),
    {
      kind: "end",
      stop: "end_turn",
      usage: { inputTokens: 300, outputTokens: 30 },
      sessionUsage: { costUsd: expect.closeTo(0.0018) as unknown },
    },
  ]);
});

test("codex's lines are read", () => {
  const tool = { id: "item_3", title: "command_execution: /bin/bash -lc 'echo hi'" };
  expect(readFixture("codex")).toEqual([
    { kind: "session", id: "01a1e290-6904-79f2-84de-6631c74b3d90" },
    { kind: "kept" },
    thought,
    hello,
    part("tool", { ...tool, status: "running" }),
    part("tool", { ...tool, status: "done" }),
    { kind: "end", stop: "end_turn", sessionUsage: { inputTokens: 200, outputTokens: 20 } },
  ]);
});

test("gemini's lines are read", () => {
  expect(readFixture("gemini")).toEqual([
    { kind: "session", id: "c971ff8b-9dde-4e0c-aecd-84118ca52922" },
    hello,
    part("text", { text: 'scripted model: no tool "shell" was offered' }),
    { kind: "end", stop: "end_turn", usage: { inputTokens: 200, outputTokens: 20 } },
  ]);
});

test("qwen's lines are read", () => {
  expect(readFixture("qwen")).toEqual([
    { kind: "session", id: "d4489f58-50c2-47a4-bd70-7765c08a4c57" },
    thought,
    hello,
    part("text", { text: 'scripted model: no tool "shell" was offered' }),
    { kind: "end", stop: "end_turn", sessionUsage: { inputTokens: 100, outputTokens: 10 } },
  ]);
});

test("droid's lines are read, and that it ended at what it may not do", () => {
  const tool = { id: "call_e630e80a5f9e4a52b034cf29", title: "Execute: echo hi" };
  const refusal = expect.stringContaining("insufficient permission to proceed") as unknown;
  expect(readFixture("droid")).toEqual([
    { kind: "session", id: "776a228a-b656-4b35-bf41-a6f16a9dd34b" },
    { kind: "kept" },
    thought,
    hello,
    part("tool", { ...tool, status: "running" }),
    part("tool", { ...tool, status: "failed" }),
    part("text", { text: refusal }),
    { kind: "end", stop: "error", error: refusal },
  ]);
});

test("opencode's lines are read", () => {
  const tool = { id: "call_6ff474ce3bb04ebaa75fe559", title: "bash: echo hi" };
  expect(readFixture("opencode")).toEqual([
    { kind: "session", id: "ses_e1709db4cffeocPZrSNSB0CWyN" },
    { kind: "kept" },
    thought,
    hello,
    part("tool", { ...tool, status: "running" }),
    part("tool", { ...tool, status: "done" }),
    part("text", { text: "\n\ndone" }),
    { kind: "end", stop: "end_turn", usage: { inputTokens: 200, outputTokens: 20, costUsd: 0 } },
  ]);
});

test("copilot's lines are read: what came in pieces once, the session at the end", () => {
  const tool = { id: "call_16b06691ec1f48d393cdb869", title: "bash: echo hi" };
  expect(readFixture("copilot")).toEqual([
    { kind: "kept" },
    thought,
    hello,
    part("tool", { ...tool, status: "running" }),
    part("tool", { ...tool, status: "done" }),
    part("text", { text: "\n\ndone" }),
    { kind: "session", id: "994dd4c6-c594-41a2-aa8c-4d91471a4bc0" },
    { kind: "end", stop: "end_turn" },
  ]);
});

test.each(Object.values(vendors))("$vendor drops lines of another shape", ({ headless: form }) => {
  const read = form.createReader();
  const odd = [
    undefined,
    null,
    7,
    "x",
    [],
    {},
    { type: 1 },
    { type: "result", usage: "many" },
    { type: "message" },
  ];
  expect(odd.flatMap((value) => read(value)).filter(({ kind }) => kind === "output")).toEqual([]);
});

test.each(Object.values(vendors))(
  "$vendor has no words of a prompt in its argv, and a session only to resume",
  ({ headless: form }) => {
    for (const permissions of permissionPolicies) {
      const launch = scriptedHeadlessLaunch();
      const backend = { ...launch.backend, permissions };
      expect(form.args({ ...launch, backend }, { wired: ["--wired"] })).toContain("--wired");
      const told = (model: Partial<Launch>, session?: string) => {
        const turn = session === undefined ? {} : { session };
        const talk = form.createTalk?.({ ...launch, backend, ...model }, { prompt: "secret words", ...turn });
        const args = form.args({ ...launch, backend, ...model }, { wired: [], ...turn });
        expect(args.join(" ")).not.toContain("secret words");
        return JSON.stringify([args, talk?.opening]);
      };
      expect(told({}, "s-1")).toContain("s-1");
      expect(told({ model: "m-1" })).toContain("m-1");
    }
  },
);

test("what copilot was not let do is told whole, what merely failed is not", () => {
  const read = vendors.copilot.headless.createReader();
  const command = `touch ${"x".repeat(300)}`;
  const begin = { toolCallId: "c", toolName: "bash", arguments: { command } };
  read({ type: "tool.execution_start", data: begin });
  const end = (code: string) =>
    read({
      type: "tool.execution_complete",
      data: { toolCallId: "c", success: false, error: { message: "no", code } },
    });
  expect(end("denied")).toContainEqual({ kind: "refused", what: `bash: ${command}` });
  expect(end("failure").map(({ kind }) => kind)).toEqual(["output"]);
});

test("what codex's sandbox did not allow is told with its command", () => {
  const read = vendors.codex.headless.createReader();
  const item = {
    id: "item_1",
    type: "command_execution",
    command: "/bin/bash -lc 'touch made1.txt'",
    aggregated_output: "touch: cannot touch 'made1.txt': Read-only file system\n",
    exit_code: 1,
    status: "failed",
  };
  const refused = { kind: "refused", what: item.command };
  expect(read({ type: "item.completed", item })).toContainEqual(refused);
  const failed = { ...item, id: "item_2", aggregated_output: "no such target: build\n" };
  expect(read({ type: "item.completed", item: failed })).not.toContainEqual(refused);
});

test("that codex could not leave its sandbox is told from standard error", () => {
  const stderr =
    "2026-11-17T10:35:08Z ERROR codex_core::tools::router: error=approval policy is Never; reject command — you cannot ask for escalated permissions if the approval policy is Never\n";
  expect(vendors.codex.headless.readRefusals?.(stderr)).toHaveLength(1);
  expect(vendors.codex.headless.readRefusals?.("")).toEqual([]);
});
