import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, readJson } from "../bridge/json.js";
import { startOf } from "../bridge/process-start.js";
import type { EventName, HookEvent } from "./hook-event.js";

/*
 * What hooks of a session handed over, until a later hook shows that the session went on with it. A file each, written once
 * the program has been given the text, in a folder of the CLI's process; hooks may run at the same time.
 *
 * What proves it: a tool was used, or the turn came to its end, after the hook that handed it over had ended; for what was
 * handed over at the session's start, also its first prompt. A prompt proves nothing else: the one before may have been
 * interrupted, and then its context is gone. What woke a session is first queued by it: only once the prompt that it
 * became was submitted, it counts as handed over.
 */

type Handover = {
  file: string;
  session: string;
  by: EventName | "wake";
  ack: string;
  /** Stands in the text that was handed over. */
  marker: string;
  /** When the program had been given it. */
  at: number;
};

export type Handovers = {
  /** Words that this event proves, with what is left behind of the session's earlier ones. */
  provenBy(event: HookEvent, startedAt: number): Handover[];
  record(handover: Omit<Handover, "file" | "at">): void;
  forget(handovers: readonly Handover[]): void;
  list(): Handover[];
};

export function openHandovers(data: string, cli: number): Handovers {
  const all = join(data, "hooks");
  const folder = join(all, `${cli}-${startOf(cli) ?? "0"}`);

  function write({ file, session, by, ack, marker, at }: Handover): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify({ session, by, ack, marker, at }), { mode: 0o600 });
  }

  function forget(handovers: readonly Handover[]): void {
    for (const { file } of handovers) rmSync(file, { force: true });
  }

  const list = () => names(folder).flatMap((name) => read(join(folder, name)));

  return {
    list,
    forget,
    provenBy(event, startedAt) {
      if (event.name === "SessionStart") sweep(all);
      const known = list();
      const earlier = known.filter(({ session, at }) => session === event.session && at < startedAt);
      // Of a conversation that was cleared: its mail comes again.
      forget(known.filter(({ session }) => session !== event.session));
      if (event.name === "UserPromptSubmit") {
        for (const handover of earlier) {
          if (handover.by === "wake" && event.prompt.includes(handover.marker)) {
            write({ ...handover, by: "UserPromptSubmit", at: Date.now() });
          }
        }
      }
      return earlier.filter(({ by }) => isProvenBy(event.name, by));
    },
    record(handover) {
      const at = Date.now();
      write({ ...handover, file: join(folder, `${at}-${process.pid}.json`), at });
    },
  };
}

function isProvenBy(event: EventName, by: Handover["by"]): boolean {
  if (event === "UserPromptSubmit") return by === "SessionStart";
  return event !== "SessionStart" && by !== "wake";
}

/** Folders of CLIs that have ended. */
function sweep(all: string): void {
  for (const name of names(all)) {
    const [, pid, start] = /^(\d+)-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && startOf(Number(pid)) !== start) {
      rmSync(join(all, name), { recursive: true, force: true });
    }
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // None yet.
  }
}

function read(file: string): Handover[] {
  const value: unknown = readJson(file);
  if (!isObject(value)) return [];
  const { session, by, ack, marker, at } = value;
  const from = byNames.find((name) => name === by);
  if (from === undefined || typeof session !== "string" || typeof ack !== "string") return [];
  if (typeof marker !== "string" || typeof at !== "number") return [];
  return [{ file, session, by: from, ack, marker, at }];
}

const byNames = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "wake"] as const;
