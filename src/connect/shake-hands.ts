import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { z } from "zod";
import { HubError } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";
import type { ServerCommand } from "../runtime/vendors/connection.js";

export type Handshake = { ms: number; tools: number };

type ShakeOptions = {
  env: Readonly<Record<string, string | undefined>>;
  withinMs: number;
  signal?: AbortSignal | undefined;
};

const answer = z.object({
  id: z.unknown(),
  result: z.object({ tools: z.array(z.unknown()).optional() }).optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Answer = z.infer<typeof answer>;

/** What the sparsest of the CLIs passes on to a server. */
const passed = ["PATH", "HOME", "LANG", "TERM", "USER", "SHELL", "TMPDIR"];

/**
 * Starts a server as a CLI would and asks for its tools. It only looks, and leaves at once: nobody is registered for it. Throws
 * when no tools come.
 */
export async function shakeHands(
  server: ServerCommand,
  { env, withinMs, signal }: ShakeOptions,
): Promise<Handshake> {
  const begun = performance.now();
  const kept = passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const child = spawn(server.command, [...server.args], {
    env: { ...Object.fromEntries(kept), ...server.env },
    stdio: ["pipe", "pipe", "pipe"],
    cwd: "/",
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said = (said + chunk).slice(-2000);
  });
  const end = () => void child.kill("SIGKILL");
  const timer = setTimeout(end, withinMs);
  signal?.addEventListener("abort", end, { once: true });
  try {
    const tools = await talk(child);
    if (tools.length === 0) throw new HubError("INTERNAL", "it answers, but offers no tools");
    return { ms: Math.round(performance.now() - begun), tools: tools.length };
  } catch (error) {
    const last = said.trim().split("\n").at(-1) ?? "";
    const reason = error instanceof Error ? error.message : String(error);
    throw new HubError("HUB_UNREACHABLE", last === "" ? reason : `${reason}: ${last}`, {}, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    child.stdin.end();
    await ended(child);
  }
}

async function talk(child: ChildProcess): Promise<readonly unknown[]> {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("it has no pipes");
  stdin.on("error", () => {}); // It ended before it read; that is said below.
  const waiting = new Map<unknown, (answer: Answer) => void>();
  createInterface({ input: stdout }).on("line", (line) => {
    const { data } = answer.safeParse(parseJson(line));
    if (data !== undefined) waiting.get(data.id)?.(data);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", (error) => reject(new Error(`it cannot be started (${error.message})`)));
    child.once("exit", (code, signal) =>
      reject(new Error(signal === null ? `it ended (exit ${code})` : "it did not answer in time")),
    );
  });
  failed.catch(() => {}); // Its end after the answer is no failure.

  async function ask(id: number, method: string, params: object): Promise<Answer> {
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const given = await Promise.race([answered, failed]);
    if (given.error !== undefined) throw new Error(given.error.message);
    return given;
  }

  await ask(1, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "huddle-connect", version: "1" },
  });
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return (await ask(2, "tools/list", {})).result?.tools ?? [];
}

const END_WITHIN_MS = 5000;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const late = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
  await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(late);
}
