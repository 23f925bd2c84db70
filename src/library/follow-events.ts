import type { z } from "zod";
import { eventsAnswer, type eventsFields } from "../contract/socket/frames.js";
import { HubError } from "../model/errors.js";
import { type HubLink, wasClosed } from "./hub-link.js";

type Page = z.output<typeof eventsAnswer>;
export type HubEvent = Page["events"][number];

export type FollowOptions = {
  /** Begin after this `seq`; 0 is the beginning of the journal. Default: what happens from now on. */
  after?: number;
  /** Begin at this ISO 8601 time; `after` wins. */
  since?: string;
  signal?: AbortSignal;
};

type Fields = z.input<typeof eventsFields>;

/** Seconds that one question waits for something to happen. */
const WAIT = 30;

/** Every event that its agent may see, without a gap and without a repeat, across restarts of the hub. */
export function followEvents(
  link: Pick<HubLink, "ask">,
  timeoutMs: number,
  { after, since, signal }: FollowOptions,
): AsyncGenerator<HubEvent, void, undefined> {
  const ask = async (fields: Fields): Promise<Page> => {
    const waitMs = (fields.wait ?? 0) * 1000;
    const answer = await link.ask({ op: "events", fields, again: true, timeoutMs, waitMs });
    const { data } = eventsAnswer.safeParse(answer);
    if (data !== undefined) return data;
    throw new HubError("INTERNAL", "The answer to events is not what this program expects");
  };
  // Asked at once: "from now on" begins with the call, not with the first look.
  const beginning = after !== undefined ? ask({ after }) : ask(since === undefined ? {} : { since });
  beginning.catch(() => {});
  return read();

  async function* read(): AsyncGenerator<HubEvent, void, undefined> {
    let page = await unlessOver(beginning, signal);
    while (page !== undefined) {
      for (const event of page.events) {
        if (signal?.aborted === true) return;
        yield event;
      }
      page = await unlessOver(ask({ after: page.after, wait: WAIT }), signal);
    }
  }
}

/** Undefined once the signal is aborted, or the connection was closed on purpose. */
function unlessOver(page: Promise<Page>, signal: AbortSignal | undefined): Promise<Page | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(undefined);
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    page
      .finally(() => signal?.removeEventListener("abort", giveUp))
      .catch((error: unknown) => {
        if (!wasClosed(error)) throw error;
        return undefined;
      })
      .then(resolve, reject);
  });
}
