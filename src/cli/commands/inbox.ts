import type { HubClient, InboxPage, NeedsYou } from "../../client/hub-client.js";
import { HubError } from "../../model/errors.js";
import { counted, parseDuration } from "../amounts.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { findAgent } from "../find-agent.js";
import { findMessage } from "../find-message.js";
import { acknowledge, awaitInbox, readInbox, readNeeds } from "../read-inbox.js";
import { renderBriefly, renderMessage, renderNeeds } from "../render-inbox.js";
import { openShownMail } from "../shown-mail.js";
import { usageError } from "../usage-error.js";

type InboxOptions = { wait?: number; ack?: true | string[]; from?: string; all?: true; watch?: true };
type Messages = InboxPage["messages"];

/** Of what was seen before: more would push what is new off the screen. */
const BRIEFLY_MOST = 20;

export const define: DefineCommand = (command, act) => {
  command
    .option("--wait <time>", "wait this long for a message, such as 60 or 5m", parseDuration)
    .option("-w, --watch", "go on, with a bell for what comes, until Ctrl-C")
    .option(
      "--ack [messages...]",
      "mark as read: all that is shown, or those with these numbers or ends of ids",
    )
    .option("--from <name>", "only what this agent sent")
    .option("--all", "what you saw before and did not answer whole, not in a line each")
    .addHelpText("after", "\nThe numbers are for huddle reply and --ack, and stay until you look again.")
    .action((options: InboxOptions) =>
      act((cli) => (Array.isArray(options.ack) ? ackNumbers(cli, options.ack) : inbox(cli, options))),
    );
};

async function inbox(cli: CliContext, { from, ...given }: InboxOptions): Promise<number> {
  const { output } = cli;
  if (given.watch === true && given.wait !== undefined)
    throw usageError("Give either --wait or --watch", "--watch --timeout 10m watches for ten minutes");
  const client = await cli.client();
  const options = { ...given, ...(from === undefined ? {} : { from: await findAgent(client, from) }) };
  const page =
    options.wait === undefined
      ? await readInbox(client, options)
      : await awaitInbox(cli, client, options, options.wait);
  const needs =
    options.from === undefined && options.wait === undefined ? await readNeeds(client) : { items: [] };
  const shown = output.json ? page.messages : toShow(page.messages, options);
  if (page.messages.length > 0 || output.json || options.wait === undefined)
    await print(cli, page, needs, shown);
  if (options.wait !== undefined && page.messages.length === 0) {
    throw new HubError("TIMED_OUT", `No message came within ${options.wait / 1000} s`);
  }
  // Only now: what could not be shown must stay unread.
  if (options.ack === true)
    await acknowledge(
      client,
      shown.map(({ id }) => id),
    );
  if (page.more) {
    output.note(
      options.ack === true ? "There are more: run it again." : "There are more: --ack marks these as read.",
    );
  }
  if (options.watch !== true) return 0;
  const { watchInbox } = await import("../watch-inbox.js");
  const seen = { seq: page.messages.at(-1)?.seq ?? 0, needs: new Set(needs.items.map(({ id }) => id)) };
  return watchInbox(cli, seen);
}

/** What is shown whole: what is new, or, where nothing is, what was seen and is still unread. */
function toShow(messages: Messages, { all }: InboxOptions): Messages {
  const fresh = messages.filter(({ repeated }) => repeated !== true);
  return all === true || fresh.length === 0
    ? [...fresh, ...messages.filter(({ repeated }) => repeated === true)]
    : fresh;
}

async function print(cli: CliContext, page: InboxPage, needs: NeedsYou, shown: Messages): Promise<void> {
  const { output } = cli;
  const link = await deskLines(cli);
  const mail = openShownMail(cli.paths, await cli.locate());
  output.result({ ...page, ...needs }, () => {
    // The mail among them is shown as mail, and a paused conversation is not told of twice.
    const others = needs.items.filter(({ kind }) => kind !== "question" && kind !== "bounce");
    const isTold = others.some(({ kind }) => kind === "budget");
    const untold = ({ notice }: Messages[number]) => !(isTold && notice === "ask");
    const letters = shown.filter(untold);
    const before = page.messages.filter((message) => !shown.includes(message)).filter(untold);
    const look = { now: cli.io.now(), colors: output.colors, width: output.width };
    const asked = others.length === 0 ? [] : [renderNeeds(others, look, link)];
    const all = [...letters, ...before];
    if (all.length === 0) return asked[0] ?? "No unread messages.";
    const isNumbered = mail.keep(all.map(({ id }) => id));
    const numberOf = (message: Messages[number]) => (isNumbered ? all.indexOf(message) + 1 : undefined);
    const whole = letters.map(
      (message) =>
        renderMessage(message, look, numberOf(message)) + link({ page: "message", id: message.id }),
    );
    const seen = before
      .slice(0, BRIEFLY_MOST)
      .map((message) => renderBriefly(message, look, numberOf(message)));
    const list = seen.length === 0 ? [] : [["Seen before, and not answered:", ...seen].join("\n")];
    return [...asked, ...whole, ...list, hintLine(cli, all, before.length)].join("\n\n");
  });
}

/** What can be done with them. */
function hintLine({ output: { colors } }: CliContext, letters: Messages, before: number): string {
  const first = letters.findIndex(({ from }) => from !== "hub") + 1;
  const ways = [
    ...(first === 0 ? [] : [`huddle reply ${first} TEXT`]),
    "huddle inbox --ack 1",
    ...(before === 0 ? [] : [`${counted(before, "message")} that you saw before: --all`]),
  ];
  return colors.dim(ways.join(" · "));
}

async function ackNumbers(cli: CliContext, given: readonly string[]): Promise<number> {
  const client: HubClient = await cli.client();
  const ids: string[] = [];
  for (const word of given) ids.push((await findMessage(cli, client, word)).id);
  const acked = await client.ack(ids);
  cli.output.confirm(acked, () => {
    const read = acked.acknowledged.length;
    const tick = cli.output.colors.green("✓");
    return `${tick} ${counted(read, "message")} ${read === 1 ? "is" : "are"} marked as read`;
  });
  return 0;
}
