import type { HubClient } from "../client/hub-client.js";
import { ringBell } from "./announce.js";
import type { CliContext } from "./context.js";
import { deskLines } from "./desk/desk-line.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "./exit-codes.js";
import { followNeeds } from "./follow-needs.js";
import { readInbox } from "./read-inbox.js";
import { renderMessage, renderNeeds } from "./render-inbox.js";
import { openShownMail } from "./shown-mail.js";
import { stopAfter } from "./stop-after.js";

/** Prints what comes after `seen`, numbered on from what was shown, with a bell on a terminal. */
export async function watchInbox(cli: CliContext, client: HubClient, seen: number): Promise<number> {
  const { io, output } = cli;
  const { signal, isTimeUp, end } = stopAfter(cli);
  const mail = openShownMail(cli.paths, await cli.locate());
  const link = await deskLines(cli);
  let after = seen;
  let isFirst = true;
  try {
    await followNeeds(cli, signal, async (fresh, all) => {
      // What waited already has just been shown.
      const others = isFirst ? [] : fresh.filter(({ kind }) => kind !== "question" && kind !== "bounce");
      isFirst = false;
      const { messages, more } = await readInbox(client, { after });
      after = messages.at(-1)?.seq ?? after;
      if (others.length === 0 && messages.length === 0) return;
      const look = { now: io.now(), colors: output.colors, width: output.width };
      const numbered = [...mail.ids(), ...messages.map(({ id }) => id)];
      const first = numbered.length - messages.length + 1;
      output.result({ messages, more, items: others }, () => {
        const isKept = mail.keep(numbered);
        const letters = messages.map(
          (message, index) =>
            renderMessage(message, look, isKept ? first + index : undefined) +
            link({ page: "message", id: message.id }),
        );
        const asked = others.length === 0 ? [] : [renderNeeds(others, look, link)];
        return `\n${[...asked, ...letters].join("\n\n")}`;
      });
      if (all.length > 0) ringBell(cli);
    });
  } finally {
    end();
  }
  return isTimeUp() ? EXIT_OK : EXIT_INTERRUPTED;
}
