import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readSettings } from "../../backends/read-settings.js";
import type { Launch } from "../../runtime.js";
import { approvalMode } from "../approval-mode.js";
import { createLimitReader } from "../read-limit.js";
import { bridgeOf, serverName, type Vendor, type Wiring } from "../vendor.js";
import { ageSession } from "./age-session.js";
import { connection } from "./connection.js";
import { headlessForm } from "./headless.js";
import { screenRule } from "./screen.js";

export const gemini: Vendor = {
  vendor: "gemini",
  headless: headlessForm,
  screen: screenRule,
  command: "gemini",
  acp: { args: ["--acp"] },
  install: `Install it with: ${connection.install}`,
  passEnv: ["GEMINI_*", "GOOGLE_*"],
  newSession: "--session-id",
  lostSession: /Invalid session identifier|No previous sessions found|Error resuming session/i,
  readLimit: createLimitReader(
    /exhausted your (?:daily quota|capacity)|quota will reset after/i,
    /exceeded your current quota|Suggested retry after \d{3,}|^Usage limit reached for /i,
  ),
  readySession: (session, launch) => ageSession(session, join(ownFolder(launch), "tmp"), Date.now()),
  wire,
  // A server in `session/new` is one without trust: it would ask about every call.
  // It takes "no such file" for a failure, so that it could make no new file through us.
  acpWire: (launch) => ({ ...wire(launch), servers: [], ownFiles: true, forgetsCancelled: true }),
  tui: ({ model, resume, policy }) => [
    ...(model === undefined ? [] : ["--model", model]),
    ...(resume === undefined ? [] : ["--resume", resume]),
    "--approval-mode",
    approvalMode(policy),
  ],
};

/**
 * It takes servers from its home folder alone: there is no flag, and files that stand for the system's have to be root's.
 * So it gets a home that is the person's but for the settings.
 */
function wire(launch: Launch): Wiring {
  const home = join(launch.folder, "gemini-home");
  const { command, args } = bridgeOf(launch);
  const server = { command, args, trust: true };
  return {
    env: { GEMINI_CLI_HOME: home },
    overlay: {
      from: ownFolder(launch),
      to: join(home, ".gemini"),
      shared: ["tmp", "history"],
      files: { "settings.json": (text) => JSON.stringify(addServer(text, server)) },
    },
  };
}

/** The person's. */
function ownFolder({ env }: Launch): string {
  return join(env["GEMINI_CLI_HOME"] ?? env["HOME"] ?? homedir(), ".gemini");
}

const group = z.record(z.string(), z.unknown()).catch({});

function addServer(text: string | undefined, server: unknown): Record<string, unknown> {
  const settings = readSettings(text, "~/.gemini/settings.json");
  return {
    ...settings,
    mcpServers: { ...group.parse(settings["mcpServers"]), [serverName]: server },
    // Tidying up as it starts, it deletes a session that was taken up again once before.
    general: { ...group.parse(settings["general"]), sessionRetention: { enabled: false } },
  };
}
