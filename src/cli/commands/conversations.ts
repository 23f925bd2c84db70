import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { renderTable } from "../table.js";
import { usageError } from "../usage-error.js";

export const define: DefineCommand = (command, act) => {
  command
    .argument("[decision]", "continue or freeze")
    .argument("[id]", "the conversation")
    .addHelpText("after", "\nWithout arguments it lists the conversations that wait for you.")
    .action((decision: string | undefined, id: string | undefined) =>
      act((cli) => (decision === undefined ? list(cli) : decide(cli, decision, id))),
    );
};

async function list(cli: CliContext): Promise<void> {
  const client = await cli.client();
  const { conversations } = await client.conversations();
  cli.output.result({ conversations }, () => {
    if (conversations.length === 0) return "No conversation waits for you.";
    const rows = conversations.map(({ id, messages, hop }) => [
      escapeLine(id),
      String(messages),
      String(hop),
    ]);
    return renderTable(["CONVERSATION", "MESSAGES", "HOPS"], rows);
  });
}

async function decide(cli: CliContext, decision: string, id: string | undefined): Promise<void> {
  if ((decision !== "continue" && decision !== "freeze") || id === undefined) {
    throw usageError("Say what to do with which conversation", "huddle conversations continue|freeze ID");
  }
  const client = await cli.client();
  const decided = await client.decideConversation(id, decision);
  cli.output.confirm(decided, () => {
    const what = decision === "continue" ? "goes on" : "is ended";
    const held = decided.messages === 1 ? "1 held message" : `${decided.messages} held messages`;
    const mail = decision === "continue" ? "can be read now" : "failed, which the sender is told";
    return `${cli.output.colors.green("✓")} The conversation ${what}; ${held} ${mail}`;
  });
}
