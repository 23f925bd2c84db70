import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { HubError } from "../model/errors.js";
import { parseJson } from "../model/parse-json.js";

/** An agent as somebody's CLI would be one: it starts the bridge and calls tools through it. */
export type McpAgent = {
  name: string;
  call<T extends z.ZodType>(tool: string, input: Record<string, unknown>, answer: T): Promise<z.output<T>>;
  /** Ends the bridge. */
  end(): Promise<void>;
  /** Ends it without waiting, when the program itself is ending. */
  kill(): void;
};

type McpAgentOptions = {
  name: string;
  /** The command that starts the bridge. */
  bridge: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
  cwd: string;
  signal: AbortSignal;
};

/** Longer than a tool may take, waits included. */
const ANSWER_MS = 40_000;
const END_MS = 2_000;

const reply = z.object({
  id: z.number(),
  result: z
    .looseObject({ content: z.array(z.looseObject({ text: z.string().optional() })).optional() })
    .optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Reply = z.output<typeof reply>;

export function startMcpAgent({ name, bridge, env, cwd, signal }: McpAgentOptions): McpAgent {
  const [program, ...args] = bridge;
  // A group of its own: Ctrl-C is for the demo, which ends everything in order.
  const child = spawn(program, [...args, "--name", name], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
    env,
    cwd,
  });
  const ended = once(child, "close").catch(() => {});
  const waiting = new Map<number, (answer: Reply) => void>();
  let asked = 0;
  child.stdin.on("error", () => {}); // The bridge has ended: `ended` says so.
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { data } = reply.safeParse(parseJson(line));
    if (data !== undefined) waiting.get(data.id)?.(data);
  });

  function write(message: Record<string, unknown>): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async function request(method: string, params: Record<string, unknown>): Promise<Reply> {
    const id = ++asked;
    const answered = new Promise<Reply>((done) => waiting.set(id, done));
    write({ id, method, params });
    const gone = ended.then(() => fail(`the bridge of ${name} ended`));
    gone.catch(() => {}); // Where the answer came first.
    const late = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const cut = once(late, "abort").then(() => fail(`${name} had no answer to ${method}`));
    cut.catch(() => {});
    try {
      return await Promise.race([answered, gone, cut]);
    } finally {
      waiting.delete(id);
    }
  }

  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "scripted", version: "1" },
  };
  const greeted = request("initialize", params).then(() => write({ method: "notifications/initialized" }));
  greeted.catch(() => {}); // Whoever calls is told.

  return {
    name,
    async call(tool, input, answer) {
      await greeted;
      const { result, error } = await request("tools/call", { name: tool, arguments: input });
      const text = result?.content?.[0]?.text ?? "";
      const decoded = answer.safeParse(parseJson(text));
      if (decoded.success) return decoded.data;
      return fail(`${tool} of ${name} answered: ${error?.message ?? text}`);
    },
    async end() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
      await ended;
      clearTimeout(timer);
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function fail(what: string): never {
  throw new HubError("INTERNAL", what);
}
