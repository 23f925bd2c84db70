import * as contract from "../../../contract/mcp/wait-for-message.js";
import { HubError } from "../../../model/errors.js";
import { isBridged } from "../../../model/hosting.js";
import { ackCursor, acknowledgeCursor } from "../../shown/ack-cursor.js";
import { findSender } from "../find-sender.js";
import { viewMail } from "../mail-view.js";
import { defineTool, type ToolCall } from "../tool.js";

const DEFAULT_SECONDS = 30;
const PROGRESS_MS = 10_000;

export const waitForMessage = defineTool(contract.waitForMessage, {
  async run({ ack, ...wanted }, call) {
    await acknowledgeCursor(ack, call);
    const { seq, ...answer } = await wait(wanted, call);
    return { ...answer, ...(seq === undefined ? {} : { ack: ackCursor([seq]) }) };
  },
});

/** As the agents' document has it. */
export const waitForMessageOfAgents = defineTool(contract.waitForMessageOfAgents, {
  async run(wanted, call) {
    const { seq: _, ...answer } = await wait(wanted, call);
    return answer;
  },
});

type Wanted = {
  from?: string | undefined;
  request_id?: string | undefined;
  timeout_seconds?: number | undefined;
};

type Waited = {
  message: ReturnType<typeof viewMail> | null;
  timed_out: boolean;
  next?: string;
  more?: true;
  seq?: number;
};

/** Nobody waited long enough to call it a time-out: the hub stops, the agent is gone, or it is to end. */
function cut({ ports: { inbox, views }, me }: ToolCall): Waited {
  if (inbox.isClosed()) {
    throw new HubError("SHUTTING_DOWN", "The hub is stopping; wait again once it is back");
  }
  if (views.roster.byId(me)?.goneAt !== null) {
    throw new HubError(
      "AGENT_GONE",
      "You were removed from the hub while you waited; nothing comes any more",
    );
  }
  const next =
    "you are asked to end: check_messages says why; finish what you are at, and wait for nothing more";
  return { message: null, timed_out: false, next };
}

/** A bridge makes the call again at the next hub; what the hub itself runs ends with it. */
function isAskedAgain({ id, caller }: ToolCall): boolean {
  if (id === undefined || caller.kind !== "agent") return false;
  return caller.agent.runtime === null || isBridged(caller.agent);
}

async function wait(wanted: Wanted, call: ToolCall): Promise<Waited> {
  const { ports, me, caller, signal } = call;
  const { inbox, limits, presence, views } = ports;
  const from = findSender(wanted.from, call);
  const requestId = wanted.request_id;
  if (requestId !== undefined && views.requests.byId(requestId) === undefined) {
    throw new HubError("REQUEST_NOT_FOUND", `No request has the id "${requestId}"`);
  }
  const giveUp = ports.waits.take(me);
  const asked = (wanted.timeout_seconds ?? DEFAULT_SECONDS) * 1000;
  const granted = Math.min(asked, limits.waitMaxMs, call.longestMs);
  const waitMs = Math.max(0, granted - call.waitedMs);
  const leave = caller.kind === "agent" ? presence.enter(caller.agent) : () => {};
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const ticking = setInterval(
    () => call.progress(Math.round(elapsed() / 1000), Math.ceil(waitMs / 1000)),
    PROGRESS_MS,
  );
  try {
    const again = call.rereads ? "at once" : "when due";
    const overRestarts = isAskedAgain(call);
    const read = { agent: me, from, requestId, waitMs, signal, limit: 1, again, overRestarts } as const;
    const offered = await inbox.read(read);
    const [mail] = offered.messages;
    if (mail !== undefined) {
      call.handedOut([mail.seq]);
      const more = offered.more ? { more: true as const } : {};
      return { message: viewMail(mail, call), timed_out: false, ...more, seq: mail.seq };
    }
  } finally {
    clearInterval(ticking);
    leave();
    giveUp();
  }
  if (elapsed() < waitMs - 50) return cut(call);
  const next =
    granted < asked
      ? `waited ${granted / 1000} s, the most that one call may; call again to go on`
      : "go on without it, or call again";
  return { message: null, timed_out: true, next };
}
