import { HUB_NAME } from "../../model/agent.js";
import type { CliContext, DefineCommand } from "../context.js";
import { deskLines } from "../desk/desk-line.js";
import { findMessage } from "../find-message.js";
import { messageText } from "../message-text.js";
import { renderReceipt } from "../render-receipt.js";
import { usageError } from "../usage-error.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("<message>", "its number in huddle inbox, or the end of its id")
    .argument("[text...]", "the answer; - or nothing reads it from stdin")
    .option("--interrupt", "interrupt the agent's current turn")
    .action((message: string, text: string[], options: { interrupt?: true }) =>
      act((cli) => reply(cli, message, text, options)),
    );
};

async function reply(
  cli: CliContext,
  given: string,
  words: readonly string[],
  { interrupt }: { interrupt?: true },
): Promise<void> {
  const message = await messageText(cli, words, `huddle reply ${given}`);
  const client = await cli.client();
  const answered = await findMessage(cli, client, given);
  if (answered.from === HUB_NAME)
    throw usageError(
      "The hub itself wrote that: nobody would read an answer",
      `Mark it as read: huddle inbox --ack ${given}`,
    );
  const receipt = await client.send(answered.fromSession ?? answered.from, {
    message,
    reply_to: answered.id,
    ...(interrupt === true ? { attention: "interrupt" as const } : {}),
  });
  const link = (await deskLines(cli))({ page: "message", id: receipt.message_id });
  cli.output.confirm(receipt, () => renderReceipt(receipt, cli.output) + link);
}
