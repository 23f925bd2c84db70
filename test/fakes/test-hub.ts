import { createInboxReader } from "../../src/delivery/inbox-reader.js";
import type { AnsweredRequest } from "../../src/hub/commands/answer-request.js";
import type { AssignTask } from "../../src/hub/commands/assign-task.js";
import type { ClaimedRequest } from "../../src/hub/commands/claim-request.js";
import type { ClaimedWork } from "../../src/hub/commands/claim-work.js";
import type { Offered } from "../../src/hub/commands/offer-messages.js";
import type { OpenRequest } from "../../src/hub/commands/open-request.js";
import type { RegisterAgent } from "../../src/hub/commands/register-agent.js";
import type { Receipt, SendMessage } from "../../src/hub/commands/send-message.js";
import { deciders, type ExecuteCommand } from "../../src/hub/deciders.js";
import type { InboxReader } from "../../src/hub/inbox-port.js";
import { type AgentId, HUMAN_ID } from "../../src/model/agent.js";
import type { MessageId } from "../../src/model/message.js";
import type { RequestId } from "../../src/model/request.js";
import type { TaskId } from "../../src/model/task.js";
import type { Delivery } from "../../src/views/delivery-row.js";
import type { Task } from "../../src/views/tasks.js";
import { openTestJournal, type TestJournal, type TestJournalOptions, testHubLimits } from "./test-journal.js";

/**
 * A hub without its surfaces: the real deciders on a real journal, and verbs that read as the tests do. Agents are
 * named by their ids. To test a new command, add its verb here.
 */
export type TestHub = TestJournal<typeof deciders> & {
  register(name?: string, options?: Partial<RegisterAgent>): Promise<AgentId>;
  rename(agent: AgentId, name: string): Promise<string>;
  deregister(agent: AgentId): Promise<void>;
  /** Sends to the agent's present name. */
  send(from: AgentId, to: AgentId, content?: string, options?: SendOptions): Promise<Receipt>;
  sendTo(from: AgentId, name: string, content?: string, options?: SendOptions): Promise<Receipt>;
  read(agent: AgentId, from?: AgentId): Promise<Offered>;
  /** Reads that may wait. */
  reader(): InboxReader;
  /** What a read hands out, as its contents. */
  inbox(agent: AgentId): Promise<string[]>;
  ack(agent: AgentId, ...ids: MessageId[]): Promise<{ acknowledged: MessageId[]; unknown: MessageId[] }>;
  /** Opens a request and answers its id. */
  ask(from: AgentId, description?: string, options?: Partial<OpenRequest>): Promise<RequestId>;
  claim(agent: AgentId, request: RequestId): Promise<ClaimedRequest>;
  answer(agent: AgentId, request: RequestId, content?: string, id?: MessageId): Promise<AnsweredRequest>;
  work(agent: AgentId, action: "claim" | "release", task: string, leaseMs?: number): Promise<ClaimedWork>;
  /** Assigns a task, by the person unless said otherwise, and answers its id. */
  assign(agent: AgentId, prompt?: string, options?: Partial<AssignTask>): Promise<TaskId>;
  task(id: TaskId): Task;
  /** The one delivery of a message to one agent. */
  receipt(id: MessageId): Delivery;
  nameOf(agent: AgentId): string;
  /** Fires what is due, as the ticker does. */
  ring(): Promise<void>;
  /** Everything submitted so far is decided. */
  settled(): Promise<void>;
  /** Closes the hub and opens another on the same file and clock. */
  restart(): Promise<TestHub>;
};

export type SendOptions = Partial<Omit<SendMessage, "from" | "to" | "content">>;

let tokens = 0;

export function openTestHub(options: TestJournalOptions = {}): TestHub {
  const journal = openTestJournal(deciders, options);
  const { views } = journal;
  const execute = asData(journal.execute);

  const sendTo = (from: AgentId, to: string, content = "hello", more: SendOptions = {}) =>
    execute("sendMessage", { from, to, content, ...more });
  const read = (agent: AgentId, from?: AgentId) =>
    execute("offerMessages", { agent, from, route: "inbox" as const });

  function nameOf(agent: AgentId): string {
    const found = views.roster.byId(agent);
    if (found === undefined) throw new Error(`no agent has the id ${agent}`);
    return found.name;
  }

  return {
    ...journal,
    execute,
    nameOf,
    sendTo,
    read,
    async register(name, more = {}) {
      return (await execute("registerAgent", { name, credential: `hash-${++tokens}`, ...more })).id;
    },
    rename: async (agent, name) => (await execute("updateAgent", { agent, name })).newName,
    deregister: (agent) => execute("deregisterAgent", { agent, by: "itself" }),
    send: (from, to, content, more) => sendTo(from, nameOf(to), content, more),
    reader: () =>
      createInboxReader({
        views,
        execute,
        onApplied: journal.onApplied,
        now: journal.now,
        wall: journal.clock.wall,
        reofferAfterMs: options.limits?.reofferAfterMs ?? testHubLimits.reofferAfterMs,
      }),
    inbox: async (agent) => (await read(agent)).messages.map(({ message }) => message.content),
    ack: (agent, ...ids) => execute("acknowledge", { agent, ids }),
    ask: async (from, description = "help", more = {}) =>
      (await execute("openRequest", { from, description, ...more })).requestId,
    claim: (agent, request) => execute("claimRequest", { agent, request }),
    answer: (agent, request, content = "done", id) =>
      execute("answerRequest", { agent, request, content, id }),
    work: (agent, action, task, leaseMs) => execute("claimWork", { agent, action, task, leaseMs }),
    assign: async (agent, prompt = "do it", more = {}) =>
      (await execute("assignTask", { by: HUMAN_ID, agent: nameOf(agent), prompt, ...more })).taskId,
    task(id) {
      const found = views.tasks.byId(id);
      if (found === undefined) throw new Error(`no task has the id ${id}`);
      return found;
    },
    receipt(id) {
      const [delivery, ...others] = views.messages
        .byId(id)
        .flatMap(({ seq, data }) =>
          data.message.to.flatMap(({ agent }) => views.inbox.get(seq, agent) ?? []),
        );
      if (delivery === undefined || others.length > 0) {
        throw new Error(`${id} has ${others.length + (delivery ? 1 : 0)} deliveries, not one`);
      }
      return delivery;
    },
    async ring() {
      const due = views.alarms.due(journal.now(), 10_000);
      await Promise.all(due.map((alarm) => execute("fireAlarm", alarm)));
    },
    settled: () => execute("recordPresence", { agent: "nobody", status: "idle", evidence: "" }),
    async restart() {
      await journal.close();
      return openTestHub({ ...options, file: journal.file, clock: journal.clock });
    },
  };
}

/** Commands and answers are data: what could not cross to another thread fails here. */
function asData(execute: ExecuteCommand): ExecuteCommand {
  return async (kind, input) => structuredClone(await execute(kind, structuredClone(input)));
}
