import type { HubClient, InboxPage, NeedsYou } from "../../client/hub-client.js";
import type { DeskPlace } from "../../model/desk-link.js";
import { HubError } from "../../model/errors.js";
import { parseDuration } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import type { Colors } from "../output.js";
import { renderMessage, renderNeeds } from "../render-inbox.js";

type InboxOptions = { wait?: number; ack?: true; from?: string };

/** Below the hub's own limit of 120 s: a longer wait is several. */
const WAIT_SLICE_MS = 110_000;
/** A full inbox, as the hub has them by default. */
const MOST_PAGES = 10;
const ACKED_AT_ONCE = 1000;

export const define: DefineCommand = (command, act) => {
  command
    .option("--wait <time>", "wait this long for a message, such as 60 or 5m", parseDuration)
    .option("--ack", "mark what is shown as read")
    .option("--from <name>", "only what this agent sent")
    .action((options: InboxOptions) => act((cli) => inbox(cli, options)));
};

async function inbox(cli: CliContext, options: InboxOptions): Promise<void> {
  const { output } = cli;
  const client = await cli.client();
  const page = await readOn(client, await read(cli, client, options), options);
  const { messages } = page;
  const needs = options.from === undefined && options.wait === undefined ? await needsYou(client) : none;
  const link = await deskLines(cli);
  if (messages.length > 0 || output.json || options.wait === undefined) {
    output.result({ ...page, ...needs }, () => {
      // The mail among them is shown as mail, and a paused conversation is not told of twice.
      const others = needs.items.filter(({ kind }) => kind !== "question" && kind !== "bounce");
      const isTold = others.some(({ kind }) => kind === "budget");
      const shown = messages.filter(({ notice }) => !(isTold && notice === "ask"));
      if (others.length === 0) return render(shown, output.colors, link);
      const asked = renderNeeds(others, cli.io.now(), output.colors, link);
      return shown.length === 0 ? asked : `${asked}\n\n${render(shown, output.colors, link)}`;
    });
  }
  if (options.wait !== undefined && messages.length === 0) {
    throw new HubError("TIMED_OUT", `No message came within ${options.wait / 1000} s`);
  }
  // Only now: what could not be shown must stay unread.
  for (let i = 0; i < messages.length && options.ack === true; i += ACKED_AT_ONCE) {
    await client.ack(messages.slice(i, i + ACKED_AT_ONCE).map(({ id }) => id));
  }
  if (page.more) {
    output.note(
      options.ack === true ? "There are more: run it again." : "There are more: --ack marks these as read.",
    );
  }
}

/** The pages after the first: what is not acknowledged would otherwise hide all that is newer. */
async function readOn(client: HubClient, first: InboxPage, { from }: InboxOptions): Promise<InboxPage> {
  const messages = [...first.messages];
  let { more } = first;
  for (let pages = 1; more && pages < MOST_PAGES; pages++) {
    const after = messages.at(-1)?.seq ?? 0;
    const next = await client.inbox({ after, ...(from === undefined ? {} : { from }) });
    messages.push(...next.messages);
    more = next.more;
  }
  return { messages, more };
}

const none: NeedsYou = { items: [] };

/** What waits for the person: an agent that reads its inbox has none of it. */
async function needsYou(client: HubClient): Promise<NeedsYou> {
  try {
    return await client.needsYou();
  } catch (error) {
    if (error instanceof HubError && (error.code === "FORBIDDEN" || error.code === "ROUTE_NOT_FOUND"))
      return none;
    throw error;
  }
}

function render(messages: InboxPage["messages"], colors: Colors, link: (place: DeskPlace) => string): string {
  if (messages.length === 0) return "No unread messages.";
  return messages
    .map((message) => renderMessage(message, colors) + link({ page: "message", id: message.id }))
    .join("\n\n");
}

async function read(cli: CliContext, client: HubClient, options: InboxOptions): Promise<InboxPage> {
  const from = options.from === undefined ? {} : { from: options.from };
  if (options.wait === undefined) return client.inbox(from);
  const signal = cli.io.interruption();
  const deadline = performance.now() + options.wait;
  for (;;) {
    const leftMs = Math.max(1, deadline - performance.now());
    const wait = Math.ceil(Math.min(leftMs, WAIT_SLICE_MS)) / 1000;
    const page = await client.inbox({ ...from, wait }, { signal });
    if (page.messages.length > 0 || performance.now() >= deadline) return page;
  }
}
