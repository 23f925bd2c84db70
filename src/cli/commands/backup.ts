import { resolve } from "node:path";
import { formatSize } from "../../model/format-size.js";
import type { DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";

/** Copying and reading all of a large database takes its time. */
const BACKUP_MS = 3_600_000;

export const define: DefineCommand = (command, act) => {
  command
    .argument("<file>", "a new file; on the hub's machine, if that is another")
    .addHelpText(
      "after",
      "\nTo restore it: stop the hub and put the file in place of huddle.db (docs/operating.md).",
    )
    .action((file: string) =>
      act(async (cli) => {
        const client = await cli.client();
        const done = await client.backUp(resolve(file), { timeoutMs: cli.timeoutMs(BACKUP_MS) });
        cli.output.confirm(done, () => {
          const what = `${done.events} events up to ${done.seq}, ${formatSize(done.bytes)}`;
          return `${cli.output.colors.green("✓")} ${escapeLine(done.file)} is written and sound (${what})`;
        });
      }),
    );
};
