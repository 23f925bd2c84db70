import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Suite } from "./baseline.js";
import { installed, newerNode } from "./installed.js";

type Check = { id: string; status: string; errorMessage?: string };

const SUITE_MS = 300_000;

/** Runs a suite against a server and answers what differs from what is expected, in words. */
export async function runSuite(
  suite: Suite,
  url: string,
): Promise<{ passed: number; differences: string[] }> {
  const results = mkdtempSync(join(tmpdir(), "huddle-conformance-"));
  try {
    const program = join(installed("@modelcontextprotocol/conformance", suite.version), "dist", "index.js");
    await run(newerNode(), [program, "server", "--url", url, ...suite.args, "-o", results]);
    return compare(suite, readChecks(results));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** The suite's own exit code says whether anything failed, which something always does: the checks say what. */
export function run(command: string, args: readonly string[], timeout = SUITE_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], timeout, killSignal: "SIGKILL" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (_, signal) => {
      if (signal === null) resolve(output);
      else reject(new Error(`${args[0]} took too long: ${output.slice(-2000)}`));
    });
  });
}

function readChecks(results: string): Map<string, Check[]> {
  const scenarios = new Map<string, Check[]>();
  for (const folder of readdirSync(results)) {
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    scenarios.set(
      scenario,
      JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as Check[],
    );
  }
  return scenarios;
}

function compare({ version, required, expected }: Suite, scenarios: Map<string, Check[]>) {
  const failed = new Map<string, string>();
  let passed = 0;
  for (const [scenario, checks] of scenarios) {
    for (const { id, status, errorMessage = "" } of checks) {
      if (status === "FAILURE") failed.set(`${scenario}/${id}`, errorMessage);
      if (status === "SUCCESS") passed++;
    }
  }
  const known = new Set(Object.values(expected).flat());
  const differences = [
    ...[...failed].filter(([check]) => !known.has(check)).map(([check, why]) => `${check} fails: ${why}`),
    ...[...known].filter((check) => !failed.has(check)).map((check) => `${check} does not fail any more`),
    ...required
      .filter((scenario) => !scenarios.get(scenario)?.some(({ status }) => status === "SUCCESS"))
      .map((scenario) => `${scenario} is required and has no check that passed`),
  ];
  return { passed, differences: differences.map((difference) => `${version}: ${difference}`) };
}
