import { HubError } from "../model/errors.js";
import { type AnswerOf, type CallOp, callOps, type FieldsOf } from "./call-ops.js";
import { type FollowOptions, followEvents, type HubEvent } from "./follow-events.js";
import type { HubLink } from "./hub-link.js";
import type { Inbox, InHand } from "./inbox.js";
import { named } from "./named.js";
import { requestCalls } from "./request-calls.js";
import { taskCalls } from "./task-calls.js";

export type Receipt = AnswerOf<"send">;
export type SendFields = FieldsOf<"send">;
export type BroadcastFields = FieldsOf<"broadcast">;

/** A message from the inbox. */
export type Mail = InHand & {
  /** Answers it: the reply proves that it arrived, so that it need not be acknowledged. */
  reply(message: string | SendFields): Promise<Receipt>;
};

export type InboxOptions = {
  /** How many messages may be handed out and not acknowledged, 1 to 1000; default 64. */
  window?: number;
  /** Ends the reading. */
  signal?: AbortSignal;
};

/** An agent, or the person, on its one socket. Every call rejects with a HubError. */
export type HuddleAgent = ReturnType<typeof createAgent>;

type AgentOptions = {
  link: HubLink;
  inbox: Inbox;
  self: { id: string; name: string };
  timeoutMs: number;
};

const WINDOW = 64;
const CLOSE_MS = 5000;

export function createAgent({ link, inbox, self, timeoutMs }: AgentOptions) {
  const call = callOps(link, timeoutMs);

  async function* readInbox({
    window = WINDOW,
    signal,
  }: InboxOptions): AsyncGenerator<Mail, void, undefined> {
    for await (const mail of inbox.read({ window, signal })) {
      yield {
        reply: (message) => send(mail.fromSession ?? mail.from, { reply_to: mail.id, ...asFields(message) }),
        ...mail,
      };
    }
  }

  function send(to: string, message: string | SendFields): Promise<Receipt> {
    const fields = named(asFields(message));
    return call("send", { to, ...fields }).catch((error: unknown) => {
      throw withMessageId(error, fields.id);
    });
  }

  return {
    /** Its id for good. */
    id: self.id,
    /** Its name when it connected; `user` for the person. */
    name: self.name,

    /** Answered once the message is in the recipient's inbox, on disk. Repeated under its id if the connection breaks. */
    send,
    broadcast(message: string | BroadcastFields) {
      return call("broadcast", named(typeof message === "string" ? { message } : message));
    },
    /**
     * Messages as they come, oldest first. Asking for the next one acknowledges the one before; a loop that is left early does
     * not acknowledge the message that it was at, which then comes again, marked `repeated`.
     */
    inbox: (options: InboxOptions = {}) => readInbox(options),
    /** How far a message has come, with the evidence. */
    status: (id: string) => call("message_status", { message_id: id }),
    /** Everything that this agent may see, as it happens. */
    events: (options: FollowOptions = {}): AsyncGenerator<HubEvent, void, undefined> =>
      followEvents(link, timeoutMs, options),

    agents: (query: FieldsOf<"list_agents"> = {}) => call("list_agents", query),
    agent: (name: string) => call("get_agent", { name }),
    /** Only by the operator's connection. The token it answers with is shown once: `connect({ token })`. */
    register: (agent: FieldsOf<"register_agent">) => call("register_agent", agent),
    update: (change: FieldsOf<"update_agent">) => call("update_agent", { agent: self.id, ...change }),
    /** Leaves for good: the name is free, the token is dead, and the connection ends. */
    deregister: () => call("deregister_agent", { name: self.id }),

    requests: requestCalls(call),
    tasks: taskCalls(call),
    work: workCalls(call),
    memory: memoryCalls(call),
    /** Gives what this agent is on to another. */
    handOff: (handoff: FieldsOf<"hand_off">) => call("hand_off", { agent: self.id, ...named(handoff) }),

    /** Waits for what is unanswered, a few seconds at most, and ends every loop over mail and events. */
    async close(): Promise<void> {
      // So that an acknowledgement of this very turn still goes out.
      await new Promise((resolve) => setImmediate(resolve));
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), CLOSE_MS);
      await Promise.race([
        link.settled(),
        new Promise((resolve) => late.signal.addEventListener("abort", resolve)),
      ]);
      clearTimeout(timer);
      link.close();
    },
  };
}

function workCalls(call: CallOp) {
  return {
    /** Says that this agent is on something, so that others are not; `ok: false` says who is. */
    claim: (task: string, options: Pick<FieldsOf<"claim_work">, "lease_seconds"> = {}) =>
      call("claim_work", { task, action: "claim", ...options }),
    release: (task: string) => call("claim_work", { task, action: "release" }),
    list: (query: FieldsOf<"list_claims"> = {}) => call("list_claims", query),
  };
}

function memoryCalls(call: CallOp) {
  return {
    share: (memory: FieldsOf<"share_memory">) => call("share_memory", memory),
    get: (name: string, query: FieldsOf<"get_memory"> = {}) => call("get_memory", { name, ...query }),
    list: (query: FieldsOf<"list_memories"> = {}) => call("list_memories", query),
  };
}

function asFields(message: string | SendFields): SendFields {
  return typeof message === "string" ? { message } : message;
}

/** When nobody knows whether it was sent, the id is what makes sending it again safe. */
function withMessageId(error: unknown, id: string): unknown {
  if (!(error instanceof HubError)) return error;
  return new HubError(error.code, error.message, { ...error.details, message_id: id }, { cause: error });
}
