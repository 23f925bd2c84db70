import type { NatsConnection } from "@nats-io/transport-node";
import { z } from "zod";
import { answered, asked } from "../../contract/link/fabric.js";
import { rpcSubject } from "../../fabric/subjects.js";
import type { HubId } from "../../model/link.js";
import { TWIN_PATH } from "./fabric-listener.js";
import { newMark, readSaid, writeSaid } from "./said.js";
import type { Sealer } from "./seal.js";

type TwinOptions = { self: HubId; box: string; run: string; sealer: Sealer };

const ANSWER_MS = 1000;
/** `reads`: whether it takes the mail. One of an earlier version that answers does. */
const twinAnswer = z.object({ run: z.string(), reads: z.boolean().default(true) });

/**
 * Whether another hub with this one's key is on the fabric, as after a copy of its data: the two would share out the mail. A question to
 * oneself is heard by nobody else, since this connection does not hear its own. No answer says that there is none, or that it sleeps.
 */
export async function findTwin(connection: NatsConnection, options: TwinOptions): Promise<boolean> {
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
  const told = twinAnswer.safeParse(JSON.parse(said.body.toString("utf8")));
  return told.success && goesFirst(told.data, run);
}

/** Of two that found each other at once, as after a restart of the server, neither reads: one of them has to begin. */
export function goesFirst(other: { run: string; reads: boolean }, run: string): boolean {
  return other.run !== run && (other.reads || other.run < run);
}
