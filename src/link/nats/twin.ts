import type { NatsConnection } from "@nats-io/transport-node";
import { z } from "zod";
import { answered, asked } from "../../contract/link/fabric.js";
import { rpcSubject } from "../../fabric/subjects.js";
import type { HubId } from "../../model/link.js";
import { newMark, readSaid, writeSaid } from "./said.js";
import type { Sealer } from "./seal.js";

/** The question whether another hub has this one's key. */
const TWIN_PATH = "/twin";

/** What a hub says of itself to another with its key. `checks`: it has asked, found none, takes part, and asks once more. */
export type Standing = "asks" | "checks" | "serves" | "waits";

type TwinOptions = { self: HubId; box: string; run: string; sealer: Sealer };

const ANSWER_MS = 1000;
/** `reads`: whether it takes the mail. Earlier versions say nothing else, and the first ones not even that. */
const twinAnswer = z.object({
  run: z.string(),
  reads: z.boolean().default(true),
  is: z.enum(["asks", "checks", "serves", "waits"]).exactOptional(),
});

export type TwinAnswer = z.output<typeof twinAnswer>;

/**
 * Whether another hub with this one's key goes first, as after a copy of its data: the two would share out the mail. A question to
 * oneself is heard by nobody else, since this connection does not hear its own. No answer says that there is none, or that it sleeps.
 */
export async function findTwin(
  connection: NatsConnection,
  options: TwinOptions,
  is: "asks" | "checks",
): Promise<boolean> {
  const { self, box, run, sealer } = options;
  const re = newMark();
  const payload = sealer.seal("ask", { id: self, box }, writeSaid(asked, { re, path: TWIN_PATH }, ""));
  const answer = await connection
    .request(rpcSubject(self, self), payload, { timeout: ANSWER_MS })
    .catch(() => undefined);
  if (answer === undefined) return false;
  const opened = sealer.open("answer", self, answer.data);
  const said = opened.kind === "opened" ? readSaid(answered, opened.content) : undefined;
  if (said?.head.re !== re) return false;
  const told = twinAnswer.safeParse(parse(said.body)).data;
  return told !== undefined && goesFirst(told, { run, is });
}

/**
 * Whoever serves goes first. Of two that ask at once, as after a restart of the server, neither does: then the smaller run goes first, and the
 * other finds that out when it checks, at the latest. Of those that wait it needs to be heard only by who has not begun.
 */
export function goesFirst(other: TwinAnswer, own: { run: string; is: "asks" | "checks" }): boolean {
  const { run, is = other.reads ? "serves" : "waits" } = other;
  if (run === own.run) return false;
  switch (is) {
    case "serves":
      return true;
    case "checks":
      return own.is === "asks" || run < own.run;
    case "asks":
      return run < own.run;
    case "waits":
      return own.is === "asks" && run < own.run;
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
