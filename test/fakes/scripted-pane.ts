import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Launch } from "../../src/runtime/runtime.js";
import { look, type Pane, type PaneTimes } from "../../src/runtime/tmux/pane.js";
import { createTmuxClient } from "../../src/runtime/tmux/tmux-client.js";
import type { CliName } from "../../src/runtime/vendors/clients.js";
import { vendorOfCli } from "../../src/runtime/vendors/vendors.js";
import { PATIENCE_MS } from "./patience.js";
import { scriptedLaunch } from "./scripted-launch.js";
import { tempFolder } from "./temp-folder.js";

const agents = resolve("test", "fakes", "scripted-agent");
export const screenProgram = join(agents, "screen.mjs");
/** Draws a screen like droid's, whose dialogs have no keys of their own. */
export const choiceProgram = join(agents, "choice.mjs");

export type Guise = "claude" | "codex";

/** Draws a screen like gemini's at its vendor's usage limit. */
export const quotaProgram = join(agents, "quota.mjs");

/** A launch of the scripted agent that has a screen. */
export function scriptedPaneLaunch(
  guise: Guise,
  overrides: Partial<Launch> = {},
  ...flags: string[]
): Launch {
  return scriptedLaunch(
    {
      vendor: guise === "claude" ? "claude-code" : "codex",
      command: screenProgram,
      args: ["--guise", guise, ...flags],
      runtime: "tmux",
    },
    overrides,
  );
}

/** On a machine that is busy with other tests nothing but the outcome counts: a test that waits for a time to pass sets that one itself. */
export const patientTimes: PaneTimes = {
  timeoutMs: 30_000,
  retryCount: 2,
  pollMs: 50,
  readyTimeoutMs: 60_000,
  startTimeoutMs: 60_000,
  lostAfterMs: 180_000,
};

let sockets = 0;

/** A socket of this test's own; its server is gone when the test is over. */
export function testSocket(): string {
  sockets += 1;
  const socket = `huddle-test-${process.pid}-${sockets}`;
  onTestFinished(() => {
    tmux(socket, "kill-server");
    // tmux leaves the file behind.
    rmSync(join(process.env["TMUX_TMPDIR"] ?? "/tmp", `tmux-${process.getuid?.() ?? 0}`, socket), {
      force: true,
    });
  });
  return socket;
}

/** The socket of the tmux server on which the hub of a folder has its panes. */
export function hubSocket(home: string): string {
  return `huddle-${createHash("sha256").update(realpathSync(home)).digest("hex").slice(0, 16)}`;
}

export function tmux(socket: string, ...args: string[]): string {
  try {
    const env = { ...process.env, TMUX: undefined, LC_ALL: "C.UTF-8" };
    return execFileSync("tmux", ["-u", "-L", socket, "-f", "/dev/null", ...args], {
      env,
      stdio: "pipe",
    }).toString();
  } catch {
    return "";
  }
}

/** The prompts that the scripted agent was sent, in order. */
export function sentTo(folder: string): string[] {
  return linesOf(join(folder, "sent"));
}

/** The keys that a dialog of the scripted agent got. */
export function answeredIn(folder: string): string[] {
  return linesOf(join(folder, "answered"));
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => String(JSON.parse(line)));
}

export type TestPane = {
  pane: Pane;
  folder: string;
  sent(): string[];
  answered(): string[];
  /** How many pastes arrived, shown or not. */
  pasted(): number;
  /** To a CLI with `--held-box`: what was pasted may show now. */
  showPaste(): void;
  files(): string[];
  screen(): string;
  type(text: string): void;
  keys(...keys: string[]): void;
  copyMode(): void;
  tmux(...args: string[]): string;
};

/** The scripted agent in a pane of its own server, without the runtime around it; resolves when it drew its box. */
export function openPane(guise: Guise, ...flags: string[]): Promise<TestPane> {
  return openScreen(guise, screenProgram, "--guise", guise, ...flags);
}

export function openChoicePane(): Promise<TestPane> {
  return openScreen("droid", choiceProgram);
}

async function openScreen(cli: CliName, program: string, ...flags: string[]): Promise<TestPane> {
  const folder = tempFolder();
  const socket = testSocket();
  const client = createTmuxClient({ socket });
  const info = await client.newSession({
    name: "agent-main-test",
    argv: ["/usr/bin/env", `SCRIPTED_HOME=${folder}`, process.execPath, program, ...flags],
    width: 100,
    height: 30,
    owner: "test",
  });
  const pane = {
    tmux: client,
    id: info.id,
    pid: info.pid,
    hosted: true,
    rule: vendorOfCli(cli).screen,
    times: patientTimes,
  };
  const own = (...args: string[]) => tmux(socket, ...args);
  const at = ["-t", info.id];
  await vi.waitUntil(async () => (await look(pane)).reading.state === "ready", {
    timeout: PATIENCE_MS,
    interval: 20,
  });
  return {
    pane,
    folder,
    sent: () => sentTo(folder),
    answered: () => answeredIn(folder),
    pasted: () => linesOf(join(folder, "pasted")).length,
    showPaste: () => writeFileSync(join(folder, "show"), ""),
    files: () => readdirSync(folder),
    screen: () => own("capture-pane", "-p", ...at),
    type: (text) => void own("send-keys", ...at, "-l", text),
    keys: (...keys) => void own("send-keys", ...at, ...keys),
    copyMode: () => void own("copy-mode", ...at),
    tmux: own,
  };
}
