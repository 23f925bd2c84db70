import { setTimeout as delay } from "node:timers/promises";
import { Option } from "commander";
import type { HubClient, InboxPage, Receipt } from "../../client/hub-client.js";
import { fullAddress } from "../../model/address.js";
import { HubError } from "../../model/errors.js";
import { parseDuration } from "../amounts.js";
import { awaitInjected, renderInjected } from "../await-injected.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { escapeLine } from "../escape-text.js";
import { messageText } from "../message-text.js";
import type { Colors } from "../output.js";
import { renderMessage } from "../render-inbox.js";
import { renderTmux } from "../render-tmux.js";
import { usageError } from "../usage-error.js";

type SendOptions = {
  team?: string;
  replyTo?: string;
  id?: string;
  expires?: number;
  interrupt?: true;
  queue?: true;
  fyi?: true;
  wait?: number;
  confirm?: true;
};

/** Below the hub's own limit of 120 s: a longer wait is several. */
const WAIT_SLICE_MS = 110_000;

export const define: DefineCommand = (command, act) => {
  command
    .argument("<to>", "the agent: a name such as ana or ana-2, team/name, or an id")
    .argument("[text]", "the message; - or nothing reads it from stdin")
    .option("--team <team>", "the agent of that name in this team")
    .option("--reply-to <id>", "the message that this one answers: its id, the end of it, or its tag")
    .option("--id <id>", "send under this id: the same id and text arrive only once")
    .option("--expires <time>", "discard it if it is not read within this time, such as 10m", parseDuration)
    .option("--interrupt", "interrupt the agent's current turn")
    .addOption(
      new Option(
        "--queue",
        "let the agent finish its current turn first (the default, unless attention.http is interrupt)",
      ).conflicts("interrupt"),
    )
    .addOption(
      new Option("--fyi", "let the agent read it with its next turn, without starting one").conflicts([
        "interrupt",
        "queue",
      ]),
    )
    .option("--wait <time>", "wait this long for the answer, such as 60 or 5m", parseDuration)
    .option("--confirm", "wait until the agent has received it, and print the evidence")
    .addHelpText(
      "after",
      "\nExamples:\n  huddle send puppet-dev 'Is --auth ready?'\n  huddle send alpha/ana 'You too?'\n  git diff | huddle send puppet-dev",
    )
    .action((to: string, text: string | undefined, options: SendOptions) =>
      act((cli) => send(cli, to, text, options)),
    );
};

async function send(
  cli: CliContext,
  to: string,
  given: string | undefined,
  options: SendOptions,
): Promise<void> {
  const message = await messageText(cli, given, "huddle send NAME");
  const client = await cli.client();
  const receipt = await client.send(addressIn(options.team, to), {
    message,
    ...(options.id === undefined ? {} : { id: options.id }),
    ...(options.replyTo === undefined ? {} : { reply_to: options.replyTo }),
    ...(options.interrupt === true ? { attention: "interrupt" as const } : {}),
    ...(options.queue === true ? { attention: "queue" as const } : {}),
    ...(options.fyi === true ? { attention: "fyi" as const } : {}),
    ...(options.expires === undefined ? {} : { expires_in_seconds: options.expires / 1000 }),
  });
  const link = (await deskLines(cli))({ page: "message", id: receipt.message_id });
  if (options.confirm === true) {
    const delivery = await awaitInjected(cli, client, receipt);
    cli.output.confirm(
      { ...receipt, delivery },
      () => renderInjected(receipt, delivery, cli.output.colors) + link,
    );
    if (options.wait === undefined) return;
  } else if (options.wait === undefined) {
    cli.output.confirm(receipt, () => renderReceipt(receipt, cli.output.colors) + link);
    return;
  }
  if (options.confirm !== true) cli.output.note(renderReceipt(receipt, cli.output.colors));
  const answer = await awaitAnswer(cli, client, receipt, options.wait);
  cli.output.result({ receipt, answer }, () => renderMessage(answer, cli.output.colors));
  await client.ack([answer.id]);
}

/**
 * The first message of that agent that replies to ours, or that ours caused: one that the hub runs is given the words of a
 * message and not its id. Others of it stay unread.
 */
async function awaitAnswer(
  cli: CliContext,
  client: HubClient,
  receipt: Receipt,
  waitMs: number,
): Promise<InboxPage["messages"][number]> {
  const signal = cli.io.interruption();
  const deadline = performance.now() + waitMs;
  const passed = new Set<string>();
  for (;;) {
    const leftMs = deadline - performance.now();
    const status = await client.messageStatus(receipt.message_id);
    const by = status.deliveries[0]?.steps.find((step) => step.by !== undefined)?.by;
    if (by !== undefined) return (await client.messageStatus(by)).message;
    if (leftMs <= 0) {
      throw new HubError("TIMED_OUT", `${receipt.target} did not answer within ${waitMs / 1000} s`, {
        message_id: receipt.message_id,
      });
    }
    const wait = Math.ceil(Math.min(leftMs, WAIT_SLICE_MS)) / 1000;
    const page = await client.inbox({ from: receipt.target, wait }, { signal });
    const { conversation } = status.message;
    const caused = page.messages.find((one) => one.seq > receipt.seq && one.conversation === conversation);
    if (caused !== undefined) return caused;
    // Unread mail of it that is no answer would be handed out again at once.
    if (page.messages.every(({ id }) => passed.has(id))) await delay(Math.min(250, Math.max(1, leftMs)));
    for (const { id } of page.messages) passed.add(id);
  }
}

function addressIn(team: string | undefined, to: string): string {
  if (team === undefined) return to;
  if (!to.includes("/")) return fullAddress({ team, name: to });
  throw usageError(`"${escapeLine(to)}" names a team already: leave --team out`);
}

function renderReceipt(receipt: Receipt, colors: Colors): string {
  const what = `(message ${escapeLine(receipt.message_id)}, seq ${receipt.seq})`;
  const lines = [`${colors.green("✓")} ${escapeLine(receipt.target)} has it in its inbox ${what}`];
  if (receipt.delayed_ms > 0) lines.push(`It is held for ${Math.ceil(receipt.delayed_ms / 1000)} s.`);
  const pane = renderTmux(receipt.tmux);
  if (pane !== undefined) lines.push(`Its pane in tmux: ${pane}.`);
  if (receipt.reason !== undefined) lines.push(`It waits there: ${escapeLine(receipt.reason)}.`);
  return lines.join("\n  ");
}
