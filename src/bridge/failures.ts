import type { Json } from "./json.js";

/** The hub is not there, or went away before it answered: to be tried again. */
export class Unreachable extends Error {}

/** It says that it is stopping. It may be back in a moment; if not, somebody wanted it to stop. */
export class Stopping extends Unreachable {}

/** The hub, or the bridge, says no; the body is an error document (PROTOCOL.md, 4). */
export class Refused extends Error {
  readonly body: Json;

  constructor(body: Json & { error: string; code: string }) {
    super(body.error);
    this.body = body;
  }
}

/** A refusal as the hub wrote it. */
export function refusalIn(body: Json, status: number): Refused {
  const { error, code } = body;
  return new Refused({
    ...body,
    error: typeof error === "string" ? error : `The hub answered with HTTP ${status}`,
    code: typeof code === "string" ? code : "INTERNAL",
  });
}
