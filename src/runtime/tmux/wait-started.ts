import { setTimeout as sleep } from "node:timers/promises";
import type { AgentHost, Launch } from "../runtime.js";
import { RuntimeError } from "../runtime.js";
import { vendorOf } from "../vendors/vendors.js";
import { createDialogDesk, type DialogDesk } from "./dialog-desk.js";
import { type Look, lastWords, look, type Pane, readyTwiceMs, type SeenReady, shownOn } from "./pane.js";
import { dialogWords } from "./read-screen.js";

/** A start is what people wait for, and soon over. */
const pollMs = 25;

/**
 * Resolves when the CLI shows its input box. A dialog at the start (trust, login, an API key) is the person's: it is asked about
 * like any other. From then on the time that it stands does not count; neither is a CLI that goes on drawing ended, however slow it is.
 * Resolves to how it looks, if it is ready. One that begins a session is not looked at twice here: whoever puts the first line in does
 * that, and what comes between need not wait for it.
 */
export async function waitStarted(
  pane: Pane,
  launch: Launch,
  host: Pick<AgentHost, "permission">,
  signal?: AbortSignal,
): Promise<SeenReady | undefined> {
  const dialogs = createDialogDesk({ pane, permission: (request) => host.permission(request) });
  try {
    return await untilBox(pane, launch, dialogs, signal);
  } finally {
    dialogs.close();
  }
}

async function untilBox(
  pane: Pane,
  launch: Launch,
  dialogs: DialogDesk,
  signal: AbortSignal | undefined,
): Promise<SeenReady | undefined> {
  let deadline = 0;
  let drawn: string | undefined;
  let boxSince: number | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const now = await look(pane);
    const { reading } = now;
    const hasBox = reading.state === "ready" || reading.state === "draft" || reading.state === "busy";
    dialogs.seen(now);
    const isReady = reading.state === "ready";
    if (hasBox && (boxSince !== undefined || (isReady && launch.resume === undefined)))
      return isReady ? { shown: shownOn(now), since: boxSince ?? performance.now() } : undefined;
    boxSince = hasBox ? performance.now() : undefined;
    if (reading.state === "exited") throw exitedAtStart(await lastWords(pane), now, launch);
    if (dialogs.isAsked() || shownOn(now) !== drawn) {
      deadline = performance.now() + pane.times.startTimeoutMs;
      drawn = shownOn(now);
    }
    if (performance.now() >= deadline) throw late(now, launch, pane);
    await sleep(hasBox ? readyTwiceMs : Math.min(pollMs, pane.times.pollMs));
  }
}

function exitedAtStart(words: string, { info }: Look, { backend, resume }: Launch): RuntimeError {
  const code = info?.exitStatus ?? null;
  if (resume !== undefined && vendorOf(backend)?.lostSession.test(words))
    return new RuntimeError("SESSION_NOT_FOUND", `${backend.name} does not have its session ${resume}`);
  if (code === 127)
    return new RuntimeError("BACKEND_MISSING", `"${backend.command}" is not installed. ${backend.install}`);
  return new RuntimeError("BACKEND_FAILED", `${backend.name} ended as it started. It said:\n${words}`, {
    code,
    signal: info?.exitSignal ?? null,
    stderr: words,
  });
}

function late({ screen }: Look, { backend }: Launch, { times }: Pane): RuntimeError {
  const words = dialogWords(screen);
  return new RuntimeError(
    "START_TIMEOUT",
    `${backend.name} shows no input box, and drew nothing new for ${times.startTimeoutMs / 1000} s (hosting.start_within). Its screen says:\n${words}`,
    { words },
  );
}
