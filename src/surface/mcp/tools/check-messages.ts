import * as contract from "../../../contract/mcp/check-messages.js";
import { ackCursor, acknowledgeCursor } from "../../shown/ack-cursor.js";
import { findSender } from "../find-sender.js";
import { viewMail } from "../mail-view.js";
import { owesOf } from "../owes.js";
import { defineTool, type ToolCall } from "../tool.js";

/** Clients cut off answers that would fill their model's context; what is left comes with the next call. */
const PAGE_BYTES = 64 * 1024;

export const checkMessages = defineTool(contract.checkMessages, {
  async run({ from, ack }, call) {
    await acknowledgeCursor(ack, call);
    const { messages, more, seqs } = await check(from, call);
    return {
      messages,
      ...(seqs.length === 0 ? {} : { ack: ackCursor(seqs) }),
      ...(more ? { more, next: "call check_messages again with ack for the rest" } : {}),
      ...owesOf(call, seqs),
    };
  },
});

/** As the agents' document has it. */
export const checkMessagesOfAgents = defineTool(contract.checkMessagesOfAgents, {
  async run({ agent_id }, call) {
    const { messages, more, seqs } = await check(agent_id, call);
    const rest = more ? { more, next: "call check_messages again for the rest" } : {};
    return { messages, ...rest, ...owesOf(call, seqs) };
  },
});

async function check(from: string | undefined, call: ToolCall) {
  const { ports, me, rereads } = call;
  const offered = await ports.inbox.read({
    agent: me,
    from: findSender(from, call),
    waitMs: 0,
    bytes: PAGE_BYTES,
    again: rereads ? "at once" : "when due",
  });
  const seqs = offered.messages.map(({ seq }) => seq);
  call.handedOut(seqs);
  return { messages: offered.messages.map((mail) => viewMail(mail, call)), more: offered.more, seqs };
}
