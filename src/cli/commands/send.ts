import { Option } from "commander";
import type { HubClient, Receipt } from "../../client/hub-client.js";
import type { TurnView } from "../../contract/http/turns.js";
import { fullAddress } from "../../model/address.js";
import { listAllAgents } from "../agent-names.js";
import { isAway } from "../agent-state.js";
import { parseDuration } from "../amounts.js";
import { awaitInjected, renderInjected } from "../await-injected.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { findAgent } from "../find-agent.js";
import { messageText } from "../message-text.js";
import { renderMessage } from "../render-inbox.js";
import { renderReceipt } from "../render-receipt.js";
import { usageError } from "../usage-error.js";
import { indentText } from "../wrap-text.js";

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

export const define: DefineCommand = (command, act) => {
  command
    .argument("<to>", "the agent: a name such as ana or ana-2, team/name, or the end of its id")
    .argument("[text...]", "the message; - or nothing reads it from stdin")
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
    .option(
      "--wait <time>",
      "wait this long for the answer, or the end of its turn, such as 60 or 5m",
      parseDuration,
    )
    .option("--confirm", "wait until the agent has received it, and print the evidence")
    .action((to: string, text: string[], options: SendOptions) => act((cli) => send(cli, to, text, options)));
};

async function send(
  cli: CliContext,
  to: string,
  given: readonly string[],
  options: SendOptions,
): Promise<void> {
  const message = await messageText(cli, given, "huddle send NAME");
  const client = await cli.client();
  const receipt = await client.send(addressIn(options.team, await findAgent(client, to)), {
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
    // It is sent: nothing that fails now may look as if it were not.
    const others = cli.output.json ? "" : await sayOthers(client, receipt).catch(() => "");
    cli.output.confirm(receipt, () => renderReceipt(receipt, cli.output) + others + link);
    return;
  }
  if (options.confirm !== true) cli.output.note(renderReceipt(receipt, cli.output));
  const { awaitAnswer } = await import("../await-answer.js");
  const answer = await awaitAnswer(cli, client, receipt, options.wait);
  if (answer.kind === "turn") {
    const { target } = receipt;
    cli.output.result({ receipt, answer: null, turn: answer.turn }, () =>
      renderTurnWords(target, answer.turn, cli),
    );
    return;
  }
  const look = { now: cli.io.now(), colors: cli.output.colors, width: cli.output.width };
  cli.output.result({ receipt, answer: answer.message }, () => renderMessage(answer.message, look));
  await client.ack([answer.message.id]);
}

function renderTurnWords(
  target: string,
  { text, error }: TurnView,
  { output: { width } }: CliContext,
): string {
  const name = escapeLine(target);
  if (error !== undefined)
    return `${name} ended its turn with an error:\n${indentText(escapeBlock(error), width)}`;
  if (text.trim() === "") return `${name} ended its turn without a word.`;
  return `${name} said, at the end of its turn:\n${indentText(escapeBlock(text.trim()), width)}`;
}

/** Of one that is away, whether another of its name is here: it may be the one that is meant. */
async function sayOthers(client: HubClient, { state, reason, target }: Receipt): Promise<string> {
  if (state !== "held" || reason === undefined) return "";
  const all = await listAllAgents(client);
  const meant = all.find(({ name }) => name === target);
  if (meant === undefined || !isAway(meant)) return "";
  const plain = target.replace(/-\d+$/, "");
  const others = all.filter(
    ({ name, state: now }) =>
      name !== target && name.replace(/-\d+$/, "") === plain && !isAway({ state: now }),
  );
  const [first] = others;
  return first === undefined
    ? ""
    : `\n  ${escapeLine(first.name)} is here: huddle send ${escapeLine(first.name)} TEXT`;
}

function addressIn(team: string | undefined, to: string): string {
  if (team === undefined) return to;
  if (!to.includes("/")) return fullAddress({ team, name: to });
  throw usageError(`"${escapeLine(to)}" names a team already: leave --team out`);
}
