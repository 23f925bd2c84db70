import { ringBell } from "./announce.js";
import type { CliContext } from "./context.js";
import { deskLines } from "./desk/desk-line.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "./exit-codes.js";
import { followNeeds } from "./follow-needs.js";
import { readInbox } from "./read-inbox.js";
import { renderMessage, renderNeeds } from "./render-inbox.js";
import { openShownMail } from "./shown-mail.js";
import { stopAfter } from "./stop-after.js";

/** What `huddle inbox` has shown: the newest message by its seq, and what else waits by its id. */
type Shown = { seq: number; needs: ReadonlySet<string> };

/** Prints what comes after that, numbered on from it, with a bell on a terminal. */
export async function watchInbox(cli: CliContext, shown: Shown): Promise<number> {
  const { io, output } = cli;
  const { signal, isTimeUp, end } = stopAfter(cli);
  const mail = openShownMail(cli.paths, await cli.locate());
  const link = await deskLines(cli);
  let after = shown.seq;
  try {
    await followNeeds(cli, signal, async (fresh) => {
      const others = fresh.filter(
        ({ id, kind }) => kind !== "question" && kind !== "bounce" && !shown.needs.has(id),
      );
      // Not one client for all of it: the hub may be at another port by now.
      const { messages, more } = await readInbox(await cli.client(), { after });
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
      ringBell(cli);
    });
  } finally {
    end();
  }
  return isTimeUp() ? EXIT_OK : EXIT_INTERRUPTED;
}
