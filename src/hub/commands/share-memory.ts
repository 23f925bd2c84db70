import { type Agent, type AgentId, HUMAN_ID } from "../../model/agent.js";
import { decided } from "../../model/decision.js";
import { HubError } from "../../model/errors.js";
import { type NewEvent, newEvent } from "../../model/events.js";
import { MEMORY_BYTES, type MemoryVersion } from "../../model/memory.js";
import type { MessageId } from "../../model/message.js";
import type { HubContext, HubDecider } from "../context.js";
import { addressNow } from "../rules/address-of.js";
import { findAgent } from "../rules/find-agent.js";
import { presentSender } from "../rules/present-agent.js";
import { sendMessage } from "./send-message.js";

export type ShareMemory = {
  by: AgentId;
  name: string;
  content: string;
  /** Who is told of it, by address. */
  to?: readonly string[] | undefined;
  /** The same for a call that is made again: nobody is told twice. */
  id?: MessageId | undefined;
};

/** `isNew`: false where the newest version says the same already. */
export type SharedMemory = { version: number; bytes: number; isNew: boolean; told: string[] };

/**
 * Writes the next version of a memory, and tells those who are named, by a message that starts no turn. What the newest version says
 * already is no new one; the named are told all the same.
 */
export const shareMemory: HubDecider<ShareMemory, SharedMemory> = (input, context) => {
  const { views, limits } = context;
  const { name, content } = input;
  const by = presentSender(input.by, views);
  const bytes = Buffer.byteLength(content);
  if (bytes > MEMORY_BYTES) {
    throw new HubError(
      "INVALID_INPUT",
      `content: has ${bytes} bytes, and a memory holds ${MEMORY_BYTES}; share it in parts`,
    );
  }
  const newest = views.memories.newest(name);
  const isNew = newest === undefined || views.memories.content(name, newest.version) !== content;
  const version = (newest?.version ?? 0) + (isNew ? 1 : 0);
  const memory: MemoryVersion = { name, version, by: by.id, byName: by.name, bytes };
  if (isNew) checkRoom(by, memory, context);
  const told = [...new Set((input.to ?? []).map((to) => findAgent(views, to, by.id)))];
  const events: NewEvent[] = isNew
    ? [newEvent("MemoryShared", null, { memory, content, keep: limits.memoryVersions })]
    : [];
  told.forEach((target, n) => {
    const id = input.id === undefined ? undefined : `${input.id}.${n}`;
    events.push(...tell(by, target, { memory, id }, context));
  });
  return decided(events, {
    version,
    bytes,
    isNew,
    told: told.map((target) => addressNow(views, target.id, target.name, by.id)),
  });
};

function tell(
  by: Agent,
  target: Agent,
  { memory: { name, version, bytes }, id }: { memory: MemoryVersion; id: MessageId | undefined },
  context: HubContext,
): readonly NewEvent[] {
  return sendMessage(
    {
      from: by.id,
      to: { id: target.id },
      type: "memory",
      typed: { kind: "memory", name, version },
      content: `Shared the memory ${name}, version ${version}, ${bytes} bytes. get_memory reads it.`,
      attention: "fyi",
      id,
    },
    context,
  ).events;
}

/** What is kept has its bounds, each writer a part of it; the person is not refused. */
function checkRoom(by: Agent, { name, version, bytes }: MemoryVersion, { views, limits }: HubContext): void {
  if (by.id === HUMAN_ID) return;
  const given = views.memories.versions(name).filter((one) => one.version <= version - limits.memoryVersions);
  const room = (most: number, kept: number, key: string, freed: readonly { bytes: number }[]) => {
    const left = most - kept + freed.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes <= left) return;
    throw new HubError(
      "MEMORY_FULL",
      `${bytes} bytes more do not fit into ${most} bytes of memories (${key}): share less, or ask the person to raise it`,
      { cap: most },
    );
  };
  const own = given.filter((one) => one.by === by.id);
  room(limits.memoryAgentBytes, views.memories.bytesOf(by.id), "memory.agent_cap", own);
  room(limits.memoryBytes, views.memories.bytesOf(undefined), "memory.cap", given);
}
