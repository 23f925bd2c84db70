import type { z } from "zod";

/** What a tool does to the world, for clients that ask the person before some calls. */
export type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  /** Left out where it is not so: that is what the protocol takes a tool for. */
  idempotentHint?: true;
  openWorldHint: boolean;
};

/** A tool as a client sees it. */
export type ToolContract = {
  name: string;
  /** `{session}` stands for the caller's own session id. */
  description: string;
  /**
   * Described sparingly, so not by the words of the routes: each byte is paid for in the context of every agent.
   * `{work.lease}` and the like stand for the seconds that the hub is configured with.
   */
  input: z.ZodObject;
  annotations: Annotations;
};

/** It looks and changes nothing, but the record of what was handed out. */
export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It adds something, each time that it is called. */
export const adds: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  openWorldHint: false,
};

/** It changes something; calling it again changes nothing more. */
export const sets: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** It ends something. */
export const ends: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};
