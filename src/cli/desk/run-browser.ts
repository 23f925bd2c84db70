import { spawn } from "node:child_process";
import type { Environment } from "../../client/connect.js";

/** One that has not failed by then runs. */
const RUNS_AFTER_MS = 3000;

/** Starts what opens the browser, and leaves it running. Answers why that failed, or nothing. */
export function runBrowser(
  [program, ...args]: readonly [string, ...string[]],
  env: Environment,
): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(program, args, { detached: true, stdio: "ignore", env: withoutSecrets(env) });
    const timer = setTimeout(done, RUNS_AFTER_MS, undefined);
    child.once("error", (error) => settle(error.message));
    child.once("exit", (code) => settle(code === 0 ? undefined : `${program} failed (${code ?? "killed"})`));
    child.unref();

    function settle(problem: string | undefined) {
      clearTimeout(timer);
      done(problem);
    }
  });
}

/** A browser and its extensions need no token of the hub. */
function withoutSecrets(env: Environment): NodeJS.ProcessEnv {
  const { HUDDLE_TOKEN: _, ...rest } = env;
  return rest;
}
