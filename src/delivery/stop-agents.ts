import type { ExecuteCommand } from "../hub/deciders.js";
import type { Listen } from "../journal/signal.js";
import { type AgentId, HUMAN_ID } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { HubEvent } from "../model/events.js";
import type { MessageId } from "../model/message.js";
import type { StopAgents } from "../model/stop-agents.js";
import type { AgentDriver } from "./driver.js";
import type { After } from "./timers.js";

type StopPorts = {
  execute: ExecuteCommand;
  onCommitted: Listen<readonly HubEvent[]>;
  after: After;
  driver: (agent: AgentId) => AgentDriver | undefined;
};

/** Asks for an end, and waits until it is seen in the journal. */
export function createStopAgents({ execute, onCommitted, after, driver }: StopPorts): StopAgents {
  function watch(isIt: (event: HubEvent) => boolean, waitMs: number) {
    let settle: (seen: boolean) => void = () => {};
    const seen = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    const stop = onCommitted((events) => {
      if (events.some(isIt)) end(true);
    });
    const callOff = after(waitMs, () => end(false));
    function end(outcome: boolean) {
      stop();
      callOff();
      settle(outcome);
    }
    return { seen, end };
  }

  return {
    async shutdown({ agent, by, reason, waitMs }) {
      let messageId = "";
      // To an agent inside a wait it is offered before we are told what its id is.
      const offered = new Set<MessageId>();
      const read = watch((event) => {
        if (event.type !== "MessagesOffered" || event.data.agent !== agent) return false;
        for (const { id } of event.data.deliveries) offered.add(id);
        return offered.has(messageId);
      }, waitMs);
      try {
        const asked = await execute("shutdownAgent", { agent, by, reason });
        messageId = asked.messageId;
        return { acknowledged: asked.hosted || offered.has(messageId) || (await read.seen) };
      } finally {
        read.end(false);
      }
    },
    async kill({ agent, by, waitMs }) {
      let isLetGo = false;
      const gone = watch((event) => {
        if (event.subject !== agent) return false;
        isLetGo ||= event.type === "PaneLetGo";
        return isLetGo || event.type === "AgentDeregistered";
      }, waitMs);
      try {
        await execute("killAgent", { agent, by });
        const killed = await gone.seen;
        return { killed, ...(isLetGo ? { let_go: true as const } : {}) };
      } catch (error) {
        if (by !== HUMAN_ID || !isFull(error)) throw error;
        return { killed: await killUnrecorded(agent, waitMs) };
      } finally {
        gone.end(false);
      }
    },
  };

  /** It may be the agent itself that fills the disk: the person can end it all the same, and it is journalled later. */
  async function killUnrecorded(agent: AgentId, waitMs: number): Promise<boolean> {
    const driving = driver(agent);
    if (driving === undefined) return false;
    driving.kill();
    const late = new Promise<false>((resolve) => after(waitMs, () => resolve(false)));
    return Promise.race([driving.reaches("gone").then(() => true), late]);
  }
}

function isFull(error: unknown): boolean {
  return error instanceof HubError && error.code === "STORAGE_FULL";
}
