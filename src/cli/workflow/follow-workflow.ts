import { setTimeout as sleep } from "node:timers/promises";
import { locateHub } from "../../client/connect.js";
import { type EventFrame, followEvents } from "../../client/event-stream.js";
import type { HubClient, Workflow } from "../../client/hub-client.js";
import { nodeSocket } from "../../client/node-socket.js";
import { HubError } from "../../model/errors.js";
import type { CliContext } from "../context.js";
import { isOver } from "./workflow-result.js";

type FollowOptions = {
  /** Each time that it may have changed; without outputs until it is over. */
  onChange: (workflow: Workflow) => void;
  /** What is wrong with the connection; undefined once it is back. */
  onTrouble: (text: string | undefined) => void;
  signal: AbortSignal;
};

/** A workflow of a thousand steps that end at once is read ten times a second, not a thousand times. */
const PAUSE_MS = 100;

/** What lets a step wait, or go on, without naming its workflow. */
const asksThePerson: ReadonlySet<string> = new Set(["PermissionRequested", "PermissionAnswered"]);

/**
 * Reads a workflow whenever the hub's events say that something of it happened, until it is over or the signal comes; answers
 * with it as it was then. A hub that restarts is waited for.
 */
export async function followWorkflow(
  cli: CliContext,
  id: string,
  { onChange, onTrouble, signal }: FollowOptions,
): Promise<Workflow> {
  const { io, globals } = cli;
  let client = await cli.client();
  let latest = await client.workflow(id, { outputs: false });
  onChange(latest);
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal]);
  let failure: Error | undefined;
  const fail = (error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error));
    enough.abort();
  };
  let isStale = false;
  let reading: Promise<void> | undefined;

  const read = () => {
    isStale = true;
    reading ??= readWhileStale()
      .catch(fail)
      .finally(() => {
        reading = undefined;
        // Something happened after the last look, while this ended.
        if (isStale && !until.aborted) read();
      });
  };
  async function readWhileStale() {
    while (isStale && !until.aborted) {
      isStale = false;
      const now = await readOnce(client, id, until);
      if (now === undefined) return;
      latest = now;
      onChange(latest);
      if (isOver(latest)) return enough.abort();
      if (isStale) await sleep(PAUSE_MS, undefined, { signal: until }).catch(() => {});
    }
  }

  let wasAway = false;
  const stream = followEvents({
    open: nodeSocket(() => locateHub({ env: io.env, home: io.home, hub: globals.hub })),
    onState: (state) => {
      if (state.kind === "reconnecting") {
        if (!wasAway) onTrouble("The hub is away; waiting for it…");
        wasAway = true;
        return;
      }
      if (wasAway) onTrouble(undefined);
      const renewed = wasAway ? cli.client() : Promise.resolve(client);
      wasAway = false;
      // What happened until now did not come as an event.
      void renewed.then((found) => {
        client = found;
        read();
      }, fail);
    },
    signal: until,
  });
  if (!isOver(latest)) for await (const frame of stream) if (concerns(frame, latest)) read();
  await reading;
  if (failure !== undefined) throw failure;
  return isOver(latest) ? client.workflow(id) : latest;
}

/** Undefined while there is no hub: it is read again when there is. */
async function readOnce(client: HubClient, id: string, signal: AbortSignal): Promise<Workflow | undefined> {
  try {
    return await client.workflow(id, { outputs: false }, { signal });
  } catch (error) {
    if (signal.aborted || (error instanceof HubError && passes(error))) return undefined;
    throw error;
  }
}

function passes({ code }: HubError): boolean {
  return code === "HUB_UNREACHABLE" || code === "SHUTTING_DOWN";
}

function concerns(frame: EventFrame, { workflow_id, steps }: Workflow): boolean {
  if (asksThePerson.has(frame.type)) return true;
  const text = JSON.stringify(frame.data);
  return (
    text.includes(workflow_id) || steps.some(({ task_id }) => task_id !== null && text.includes(task_id))
  );
}
