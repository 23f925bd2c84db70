import { askForMail, type Mail } from "./ask-for-mail.js";
import { Unreachable } from "./failures.js";
import { type Codex, findCodex } from "./find-codex.js";
import { findThread } from "./find-thread.js";
import type { HomeHub } from "./home-hub.js";
import type { Identity } from "./identity.js";
import { isObject, type Json } from "./json.js";

/*
 * Wakes a codex session on a person's screen when mail comes. codex names its thread in every call of a tool; before the
 * first, its open files may tell (`find-thread.ts`). Then `codex queue` puts a line into that thread: at once when it is idle, behind
 * its turn when it works. The line only says that mail waits: what others can see of a command is no place for mail. The
 * agent reads it with check_messages, which is what the receipts rest on.
 *
 * It waits for mail at the hub; after a line it waits for the next call of a tool, or a minute: one line is enough for
 * all that comes meanwhile.
 */

type CodexWaker = {
  /** The client calls a tool. */
  called(params: Json): void;
};

const WAIT_SECONDS = 100;
const SILENCE_MS = 110_000;
const RUNG_MS = 60_000;
const PAUSE_MS = 2_000;
const QUEUE_MS = 20_000;
/** After so many failures in a row this codex is taken not to have it. */
const MOST_FAILURES = 3;

export function createCodexWaker(hub: HomeHub, identity: Identity): CodexWaker {
  let thread: string | undefined;
  let onCall = () => {};

  async function watch(codex: Codex): Promise<void> {
    for (let failures = 0; failures < MOST_FAILURES; ) {
      thread ??= asThread(findThread(codex, process.cwd()));
      const mail = thread === undefined ? undefined : await nextMail();
      if (mail === undefined || mail.text === null) {
        await pause(PAUSE_MS);
        continue;
      }
      const text = mail.text.replace(/\s+/g, " ");
      const rung = new Promise<void>((resolve) => {
        onCall = resolve;
      });
      failures = (await queue(codex, thread ?? "", text)) ? 0 : failures + 1;
      await Promise.race([rung, pause(RUNG_MS)]);
    }
    process.stderr.write("huddle: codex queue does not work here; mail wakes nobody\n");
  }

  async function nextMail(): Promise<Mail | undefined> {
    const me = identity.current();
    try {
      if (me === undefined) return undefined;
      const asked = { moment: "idle" as const, pointer: true, wait: WAIT_SECONDS };
      return await askForMail({ url: hub.url(), token: me.token }, asked, SILENCE_MS);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      // The heartbeat looks for where the hub is.
      return undefined;
    }
  }

  const codex = findCodex();
  if (codex !== undefined) void watch(codex);
  return {
    called({ _meta: meta }) {
      onCall();
      thread = asThread(isObject(meta) ? meta["threadId"] : undefined) ?? thread;
    },
  };
}

function asThread(thread: unknown): string | undefined {
  return typeof thread === "string" && /^[0-9a-f][0-9a-f-]{7,63}$/i.test(thread) ? thread : undefined;
}

function queue({ program, env }: Codex, thread: string, message: string): Promise<boolean> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(program, ["queue", "--thread", thread, "--message", message], {
      env,
      stdio: "ignore",
      timeout: QUEUE_MS,
    });
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
