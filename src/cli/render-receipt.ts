import type { Receipt } from "../client/hub-client.js";
import { escapeLine } from "./escape-text.js";
import type { Output } from "./output.js";
import { renderTmux } from "./render-tmux.js";
import { shortId } from "./short-id.js";
import { wrapText } from "./wrap-text.js";

/** `✓ bob has it in its inbox (24ac9f)`, and what it waits for. Another hub has not said yet whether it has such an agent. */
export function renderReceipt(receipt: Receipt, { colors, width }: Pick<Output, "colors" | "width">): string {
  const target = escapeLine(receipt.target);
  const id = shortId(receipt.message_id);
  const done = colors.green("✓");
  const lines = receipt.target.includes("@")
    ? [
        `${done} It is on its way to ${target} (${id})`,
        "If it cannot be delivered there, your inbox says so.",
      ]
    : [`${done} ${target} has it in its inbox (${id})`];
  if (receipt.delayed_ms > 0) lines.push(`It comes in ${Math.ceil(receipt.delayed_ms / 1000)} s.`);
  const pane = renderTmux(receipt.tmux);
  if (pane !== undefined) lines.push(`Its pane in tmux: ${pane}.`);
  if (receipt.reason !== undefined) lines.push(`It waits there: ${escapeLine(receipt.reason)}.`);
  return lines
    .flatMap((line) => wrapText(line, width === undefined ? undefined : width - 2).split("\n"))
    .join("\n  ");
}
