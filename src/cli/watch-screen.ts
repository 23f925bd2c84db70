import { setTimeout as sleep } from "node:timers/promises";
import type { CliContext } from "./context.js";
import { EXIT_INTERRUPTED, EXIT_OK } from "./exit-codes.js";
import { stopAfter } from "./stop-after.js";
import { shorten } from "./table.js";
import { createScreen } from "./workflow/screen.js";

const EVERY_MS = 1000;

/**
 * Looks every second, until Ctrl-C or the time is up: on a terminal what was looked at is drawn in place, for a program it is a
 * document each time.
 */
export async function watchScreen<T>(
  cli: CliContext,
  look: () => Promise<T>,
  render: (seen: T, width: number | undefined) => string,
): Promise<number> {
  const { io, output } = cli;
  const { signal, isTimeUp, end } = stopAfter(cli);
  const screen = output.width === undefined || output.json ? undefined : createScreen(io.stdout);
  try {
    while (!signal.aborted) {
      const seen = await look();
      if (screen === undefined) output.result(seen, () => render(seen, output.width));
      else {
        const { columns = 80, rows = 24 } = io.stdout;
        const lines = render(seen, columns).split("\n");
        screen.draw(lines.slice(0, rows - 1).map((line) => fit(line, columns)));
      }
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    end();
  }
  return isTimeUp() ? EXIT_OK : EXIT_INTERRUPTED;
}

/** A line with colours is left as it is unless it is too wide: then it goes without them. */
function fit(line: string, columns: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are our own colours
  const plain = line.replaceAll(/\x1b\[\d+m/g, "");
  return plain.length <= columns ? line : shorten(plain, columns);
}
