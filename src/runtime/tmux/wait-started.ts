import { setTimeout as sleep } from "node:timers/promises";
import type { Launch } from "../runtime.js";
import { RuntimeError } from "../runtime.js";
import { vendorOf } from "../vendors/vendors.js";
import { type Look, lastWords, look, type Pane, readyTwiceMs } from "./pane.js";
import { dialogWords } from "./read-screen.js";
import { dialogFooter } from "./screen-rule.js";

/** A dialog that stands this long and asks for a choice waits for the person, not for its own program. */
const dialogMs = 3000;

/** Resolves when the CLI shows its input box. A dialog at the start (trust, login, an API key) is a reason why it cannot. */
export async function waitStarted(pane: Pane, launch: Launch, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + pane.times.readyTimeoutMs;
  let box = false;
  let dialog = { words: "", since: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const now = await look(pane);
    const { reading } = now;
    const hasBox = reading.state === "ready" || reading.state === "draft" || reading.state === "busy";
    if (hasBox && box) return;
    box = hasBox;
    if (reading.state === "exited") throw exitedAtStart(await lastWords(pane), now, launch);
    if (reading.state === "dialog") {
      if (reading.words !== dialog.words) dialog = { words: reading.words, since: performance.now() };
      if (asks(reading.words) && performance.now() - dialog.since >= dialogMs)
        throw dialogAtStart(reading.words, launch);
    }
    if (performance.now() >= deadline) throw late(now, launch, pane);
    await sleep(hasBox ? readyTwiceMs : pane.times.pollMs);
  }
}

function asks(words: string): boolean {
  return dialogFooter.test(words) || /^[❯›>●] \S/mu.test(words);
}

function dialogAtStart(words: string, { backend, cwd }: Launch): RuntimeError {
  return new RuntimeError(
    "BACKEND_FAILED",
    `${backend.name} asks something before it starts, and only you may answer it: run ${backend.command} once in ${cwd}. It says:\n${words}`,
    { state: "dialog", words },
  );
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
    `${backend.name} showed no input box within ${times.readyTimeoutMs / 1000} s (tmux.ready_timeout_secs). Its screen says:\n${words}`,
    { words },
  );
}
