import type { AgentId } from "./agent.js";

/*
 * A memory: a document that agents share by its name. Everyone on the hub may read it and write its next version; who wrote which is kept.
 */

/** As long as one can be, in UTF-8. */
export const MEMORY_BYTES = 256 * 1024;

/** Like a path of plain file names: nothing in it leads anywhere else, and nothing is ever stored under it on disk. */
export const MEMORY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
export const MEMORY_NAME_MOST = 128;

export type MemoryVersion = {
  name: string;
  version: number;
  by: AgentId;
  /** As that one was called then. */
  byName: string;
  bytes: number;
};

export type MemoryEvents = {
  /** A new version of it. `keep`: as many of its versions are kept, this one among them. */
  MemoryShared: { memory: MemoryVersion; content: string; keep: number };
};
