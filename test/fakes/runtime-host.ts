import { existsSync, readFileSync } from "node:fs";
import { vi } from "vitest";
import type { TakenEvidence } from "../../src/model/delivery.js";
import type {
  AgentHost,
  ExitReport,
  OutputPart,
  PermissionAnswer,
  PermissionRequest,
  TurnListener,
} from "../../src/runtime/runtime.js";
import { PATIENCE_MS } from "./patience.js";

/** A host and a listener that keep all they are told, in order, and answer permissions as they are asked to. */
export type RecordingHost = AgentHost & {
  listener: TurnListener;
  /** One word per call, in order: `session`, `taken`, `responding`, `text`, `tool`, `permission`, `exited` … */
  log: string[];
  sessions: string[];
  parts: OutputPart[];
  taken: TakenEvidence[];
  requests: PermissionRequest[];
  exits: ExitReport[];
  /** What is said to permission requests; without it they stay open until they are withdrawn. */
  answer?: (request: PermissionRequest) => PermissionAnswer;
  text(): string;
};

export function createRecordingHost(): RecordingHost {
  const host: RecordingHost = {
    log: [],
    sessions: [],
    parts: [],
    taken: [],
    requests: [],
    exits: [],
    text: () => host.parts.map((part) => (part.kind === "text" ? part.text : "")).join(""),
    session(id) {
      host.log.push("session");
      host.sessions.push(id);
    },
    output(part) {
      host.log.push(part.kind);
      host.parts.push(part);
    },
    permission(request) {
      host.log.push("permission");
      host.requests.push(request);
      if (host.answer !== undefined) return Promise.resolve(host.answer(request));
      return new Promise((resolve) => {
        request.signal.addEventListener("abort", () => resolve("cancelled"), { once: true });
      });
    },
    exited(how) {
      host.log.push("exited");
      host.exits.push(how);
    },
    listener: {
      taken(evidence) {
        host.log.push("taken");
        host.taken.push(evidence);
      },
      responding: () => void host.log.push("responding"),
    },
  };
  return host;
}

export function until(condition: () => boolean): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: PATIENCE_MS, interval: 10 });
}

/** Of those given: which still run. A zombie does not. */
export function living(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    if (process.platform === "linux") {
      if (!existsSync(`/proc/${pid}/stat`)) return false;
      try {
        return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
      } catch {
        return false;
      }
    }
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
}
