import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";
import type { Environment } from "../client/connect.js";
import type { BackendList, HubClient } from "../client/hub-client.js";
import type { CliContext } from "./context.js";
import { escapeLine } from "./escape-text.js";

/** For a person at a terminal whose hub is up: which CLIs were found here and, while nobody has joined, what to do now. */
export async function sayNext(
  cli: CliContext,
  client: HubClient,
  where: "here" | "another terminal",
): Promise<void> {
  const { io, output } = cli;
  if (output.width === undefined || output.json) return;
  const [{ backends }, { agents }] = await Promise.all([client.backends(), client.health()]);
  output.note(`  ${sayFound(backends)}`);
  if (agents > 0) return;
  const steps = [
    ...(isOnPath("huddle", io.env) ? [] : [["npm install -g .", "puts huddle on your path"]]),
    ["huddle connect", "lets the agents that you run find each other"],
    ["huddle demo", "shows scripted agents at work, in 30 seconds"],
  ];
  const lines = steps.map(
    ([command = "", does = ""]) => `    ${command.padEnd(18)} ${output.colors.dim(does)}`,
  );
  output.note([where === "here" ? "  Next:" : `  Next, in ${where}:`, ...lines].join("\n"));
}

function sayFound(backends: BackendList["backends"]): string {
  const found = backends.flatMap(({ path, version }) =>
    path === null ? [] : [escapeLine([basename(path), version ?? ""].join(" ").trim())],
  );
  if (found.length > 0) return `Found: ${found.join(", ")}`;
  return "No agent CLI was found. Huddle works with claude, codex, gemini, qwen, droid, opencode and copilot.";
}

function isOnPath(program: string, env: Environment): boolean {
  return (env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
