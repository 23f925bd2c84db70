// Every command that README and docs print, run as printed, in the order of the document, in a home of its own or one that some share. Scripted agents
// stand in for the vendors' CLIs; test/doc-commands/doc-worlds.ts lists what is not run, each with its reason.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { together, worldOf } from "../doc-commands/doc-worlds.js";
import { documents, readBlocks, readScripts } from "../doc-commands/read-commands.js";
import { tempFolder } from "../fakes/temp-folder.js";

const standIn = [process.execPath, resolve("test/fakes/scripted-agent/acp.mjs"), "--mirror"];
const vendors = ["claude-code", "codex", "gemini", "qwen", "droid", "opencode", "copilot", "my-agent"];

/** A person's home: a project in git, `huddle` on the path, and stand-ins for the CLIs. */
function openHome(documents: readonly string[]): { home: string; env: Record<string, string> } {
  const home = tempFolder();
  const [bin, project, config] = [join(home, "bin"), join(home, "shop"), join(home, ".config", "huddle")];
  for (const folder of [bin, project, config]) mkdirSync(folder, { recursive: true });
  chmodSync(config, 0o700);
  writeFileSync(
    join(bin, "huddle"),
    `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/main.js")}" "$@"\n`,
  );
  chmodSync(join(bin, "huddle"), 0o755);
  const settings = {
    port: 0,
    "agent-comms": { host: "127.0.0.1", port: 0 },
    backends: Object.fromEntries(
      vendors.map((name) => [name, { acp: standIn, env: { SCRIPTED_HOME: home } }]),
    ),
  };
  writeFileSync(join(config, "huddle.yaml"), JSON.stringify(settings));
  const [first] = readBlocks("docs/workflows.md").filter(({ language }) => language === "yaml");
  if (documents.includes("docs/workflows.md"))
    writeFileSync(join(project, "hello.yaml"), (first?.lines ?? []).join("\n"));
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  const { TMPDIR = "/tmp" } = process.env;
  return { home, env: { HOME: home, PATH: path, TMPDIR, BROWSER: "none", REPOSITORY: resolve(".") } };
}

/** What follows until it is told to stop is told so after a moment. */
const follows = /^huddle (tail|attach|(network|agents|inbox) -w)/;

/** What it prints, one command for each line. */
function linesOf(document: string): string[] {
  const { before, instead, left } = worldOf(document);
  const begins = (line: string) => (row: string) => line === row || line.startsWith(row);
  const lines = readScripts(document).flatMap((block) =>
    block.lines.flatMap((line) => {
      const other = Object.keys(instead).find(begins(line));
      if (other !== undefined) return [instead[other] ?? ""];
      if (Object.keys(left).some(begins(line))) return [];
      if (!follows.test(line)) return [line];
      return [`timeout -s INT 3 ${line.replace(/\s+# .*$/, "")} || [ $? -eq 124 -o $? -eq 130 ]`];
    }),
  );
  return lines.length === 0 ? [] : [...(before === "" ? [] : [before]), ...lines];
}

function scriptOf(documents: readonly string[]): string {
  return [
    "set -eE",
    "trap 'echo \"THIS FAILED: $BASH_COMMAND\" >&2' ERR",
    "trap 'wait; huddle down --now >/dev/null 2>&1' EXIT",
    'cd "$HOME/shop"',
    "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m begin",
    ...documents.flatMap((document) => [`echo "of ${document}:"`, ...linesOf(document)]),
  ].join("\n");
}

function bash(script: string, env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn("bash", ["-c", script], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  return new Promise((done) => {
    child.once("close", (code) => done({ code, said }));
  });
}

const run = documents.filter((document) => linesOf(document).length > 0);
const homes = [
  ...run.filter((document) => !together.flat().includes(document)).map((document) => [document]),
  ...together,
];

test.each(homes.map((home) => ({ home, names: home.join(", ") })))(
  "what $names prints works as printed",
  async ({ home }) => {
    const { env } = openHome(home);

    const { code, said } = await bash(scriptOf(home), env);

    expect({ code, said }).toEqual({ code: 0, said: expect.not.stringContaining("THIS FAILED") as string });
  },
);
