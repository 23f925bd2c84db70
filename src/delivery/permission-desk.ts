import type { ExecuteCommand } from "../hub/deciders.js";
import type { AgentId } from "../model/agent.js";
import { dialogAct, type PermissionId, type PermissionReason } from "../model/permission.js";
import type { TurnId } from "../model/turn.js";
import { answeredOnScreen, type PermissionAnswer, type PermissionRequest } from "../runtime/runtime.js";

/** What is longer is not kept whole. A person decides only upon what can be shown whole, so then they can only deny it. */
const DETAILS_MOST = 1024 * 1024;
const BEGINNING = 16_384;

type PermissionDesk = {
  /** Resolves when it is answered, by whomever. */
  ask(request: PermissionRequest, turn: TurnId | null): Promise<PermissionAnswer>;
  /** An answer was journalled. */
  answered(id: PermissionId, option: string | undefined): void;
  cancelAll(): void;
};

type PermissionDeskPorts = {
  agent: AgentId;
  execute: ExecuteCommand;
  newId: () => string;
  /** Told whenever a question opens, with its words and whether it outlasted an interrupt, or the last one closes. */
  onOpen: (words: string, stands: boolean) => void;
  onAllAnswered: () => void;
  onError: (error: unknown) => void;
};

/** The questions that one agent has open. */
export function createPermissionDesk(ports: PermissionDeskPorts): PermissionDesk {
  const { agent, execute, newId, onError } = ports;
  const open = new Map<PermissionId, (answer: PermissionAnswer) => void>();

  function settle(id: PermissionId, answer: PermissionAnswer) {
    const resolve = open.get(id);
    if (resolve === undefined) return;
    open.delete(id);
    resolve(answer);
    if (open.size === 0) ports.onAllAnswered();
  }

  function withdraw(only: { permission?: PermissionId; reason?: PermissionReason } = {}) {
    execute("cancelPermissions", { agent, ...only }).catch(onError);
  }

  return {
    ask(request, turn) {
      const id = newId();
      return new Promise((resolve) => {
        open.set(id, resolve);
        const { tool, title, act, options, signal } = request;
        const kept = bounded(request.details);
        execute("requestPermission", { agent, turn, id, tool, title, act, options, ...kept }).then(
          (answer) => {
            if (answer !== null)
              settle(id, answer.option === undefined ? "cancelled" : { option: answer.option });
            else if (open.has(id)) ports.onOpen(wordsOf(request), request.stands === true);
            else withdraw({ permission: id });
          },
          (error: unknown) => {
            onError(error);
            settle(id, "cancelled");
          },
        );
        const abort = () => {
          if (!open.has(id)) return;
          settle(id, "cancelled");
          const isAnswered = signal.reason === answeredOnScreen;
          withdraw({ permission: id, ...(isAnswered ? { reason: answeredOnScreen } : {}) });
        };
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
      });
    },
    answered: (id, option) => settle(id, option === undefined ? "cancelled" : { option }),
    cancelAll() {
      if (open.size === 0) return;
      for (const id of open.keys()) settle(id, "cancelled");
      withdraw();
    },
  };
}

function wordsOf({ act, title }: PermissionRequest): string {
  return act === dialogAct ? `a dialog waits on its screen: ${title}` : `it asks: ${title}`;
}

/** Plain data, and not more of it than can be kept. */
function bounded(details: unknown): { details: unknown; isCut: boolean } {
  const json = JSON.stringify(details) ?? "null";
  if (json.length > DETAILS_MOST)
    return { details: { characters: json.length, begins: json.slice(0, BEGINNING) }, isCut: true };
  const plain: unknown = JSON.parse(json);
  return { details: plain, isCut: false };
}
