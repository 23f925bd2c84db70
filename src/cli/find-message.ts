import type { HubClient, InboxPage } from "../client/hub-client.js";
import { HUMAN_NAME } from "../model/agent.js";
import { HubError } from "../model/errors.js";
import type { CliContext } from "./context.js";
import { readInbox } from "./read-inbox.js";
import { findId, matchId } from "./short-id.js";
import { openShownMail } from "./shown-mail.js";
import { usageError } from "./usage-error.js";

export type FoundMessage = InboxPage["messages"][number];

const MOST_NUMBER = 999;
const OLDER = 200;

/** A message of one's own mail: by its number in the inbox as it was shown, or by the end of its id. */
export async function findMessage(cli: CliContext, client: HubClient, given: string): Promise<FoundMessage> {
  const id = /^\d{1,3}$/.test(given) ? await numbered(cli, given) : await byEnd(client, given);
  try {
    return (await client.messageStatus(id)).message;
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== "MESSAGE_NOT_FOUND") throw error;
    throw new HubError("MESSAGE_NOT_FOUND", `No message that you sent or got is "${given}"`, {
      hint: "huddle inbox and huddle log show their numbers and ids",
    });
  }
}

async function numbered(cli: CliContext, given: string): Promise<string> {
  const ids = openShownMail(cli.paths, await cli.locate()).ids();
  const id = ids[Number(given) - 1];
  if (id !== undefined) return id;
  throw usageError(
    `No message has the number ${given}`,
    ids.length === 0
      ? "huddle inbox shows your messages with their numbers"
      : `huddle inbox showed ${Math.min(ids.length, MOST_NUMBER)}; look again for what is new`,
  );
}

/** Unread ones first: what somebody answers is mostly among them. */
async function byEnd(client: HubClient, given: string): Promise<string> {
  return findId(given, "messages", async () => {
    const unread = (await readInbox(client, {})).messages.map(({ id }) => id);
    if (matchId(given, unread, "messages") !== given || unread.includes(given)) return unread;
    const self = (await client.listAgents({ limit: 1 })).self ?? HUMAN_NAME;
    const { messages } = await client.history(self, { limit: OLDER });
    return [...unread, ...messages.map(({ id }) => id)];
  });
}
