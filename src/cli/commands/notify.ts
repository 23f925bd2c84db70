import { clockTime } from "../amounts.js";
import { announce, ringBell } from "../announce.js";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "../exit-codes.js";
import { followNeeds, type Need } from "../follow-needs.js";
import { saysOf, shortCommand } from "../render-inbox.js";
import { stopAfter } from "../stop-after.js";
import { shorten } from "../table.js";

export const define: DefineCommand = (command, act) => {
  command
    .option("--bell", "only a bell and a line here, nothing on the desktop")
    .addHelpText(
      "after",
      "\nIt runs until Ctrl-C, and tells of permissions, dialogs, messages to you, paused conversations, budgets and agents that are stuck. On Linux it needs notify-send (package libnotify-bin); on macOS nothing.",
    )
    .action((options: { bell?: true }) => act((cli) => notify(cli, options)));
};

async function notify(cli: CliContext, { bell }: { bell?: true }): Promise<number> {
  const { output } = cli;
  const { signal, isTimeUp, end } = stopAfter(cli);
  let isTold = bell === true;
  try {
    await followNeeds(cli, signal, async (fresh, all) => {
      for (const need of fresh) {
        output.result(need, () => renderLine(need, all, cli));
        const title = titleOf(need);
        if (bell !== true && !(await announce(cli, { title, text: need.text })) && !isTold) {
          isTold = true;
          output.note("No desktop to notify here: the bell rings instead. --bell says so from the start.");
        }
      }
      ringBell(cli);
      await output.drained();
    });
  } finally {
    end();
  }
  return isTimeUp() ? EXIT_OK : EXIT_INTERRUPTED;
}

function titleOf(need: Need): string {
  return need.agent === null ? saysOf(need) : `${need.agent} ${saysOf(need)}`;
}

/** `12:35:01 ? hal asks permission: rm -rf build   huddle approve hal once`: the command is never cut. */
function renderLine(need: Need, all: readonly Need[], { output: { colors, width } }: CliContext): string {
  const [action] = need.actions;
  const way = action === undefined ? "" : `   ${escapeLine(shortCommand(action.command, need, all))}`;
  const head = `${clockTime(Date.parse(need.at))} ? ${escapeLine(titleOf(need))}: `;
  const text = escapeLine(need.text.replace(/\s+/g, " ").trim());
  const room = width === undefined ? text.length : Math.max(20, width - head.length - way.length);
  return `${head}${shorten(text, room)}${colors.dim(way)}`;
}
