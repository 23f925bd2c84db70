import { execFile } from "node:child_process";
import type { Environment } from "../../client/connect.js";
import { HubError } from "../../model/errors.js";

export type ToolAnswer = { code: number; stdout: string; stderr: string };

/** Stopping a hub takes as long as its agents' turns. */
const WITHIN_MS = 120_000;

/** Runs a program of the system; rejects only if it cannot be run at all. */
export function runTool(program: string, args: readonly string[], env: Environment): Promise<ToolAnswer> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...env }, timeout: WITHIN_MS, encoding: "utf8" } as const;
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      if (typeof error.code === "number") return resolve({ code: error.code, stdout, stderr });
      reject(
        new HubError(
          "SERVICE_UNUSABLE",
          `${program} cannot be run here (${error.code ?? error.message})`,
          {},
          { cause: error },
        ),
      );
    });
  });
}

/** The same for what must succeed. */
export async function mustRun(program: string, args: readonly string[], env: Environment): Promise<string> {
  const { code, stdout, stderr } = await runTool(program, args, env);
  if (code === 0) return stdout;
  const said = stderr.trim().split("\n")[0] ?? "";
  throw new HubError("SERVICE_UNUSABLE", `${program} ${args.join(" ")} failed (${code}): ${said}`);
}
