import { Argument } from "commander";
import type { CliContext, DefineCommand } from "../context.js";
import { escapeLine } from "../escape-text.js";
import { collect } from "../globals.js";
import { renderNotedTable } from "../table.js";

const HEADER = ["KEY", "VALUE", "FROM", "WHAT IT IS"];

export const define: DefineCommand = (command, act) => {
  command
    .addArgument(
      new Argument("[what]", "the file, what is in effect, or whether it is right")
        .choices(["path", "show", "check"])
        .default("show"),
    )
    .option("--set <key=value>", "as if the hub were started with it", collect, [])
    .action((what: string, options: { set: string[] }) => act((cli) => config(cli, what, options.set)));
};

async function config(
  { io, output, paths }: CliContext,
  what: string,
  set: readonly string[],
): Promise<void> {
  // The way out of a broken file is to find it: `path` must not need to read it.
  if (what === "path") {
    output.result({ file: paths.configFile }, () => paths.configFile);
    return;
  }
  const { file, exists, rows } = (await io.loadDaemon()).config(set);
  if (what === "check") {
    output.confirm({ ok: true, file, exists }, () => {
      const tick = output.colors.green("✓");
      return exists
        ? `${tick} ${escapeLine(file)} is right`
        : `${tick} There is no ${escapeLine(file)}: the defaults are in effect`;
    });
    return;
  }
  output.result({ file, exists, settings: rows }, () =>
    renderNotedTable(
      HEADER.map((text) => ({ text, paint: output.colors.dim })),
      rows.map((row) => [
        { text: escapeLine(row.key), paint: output.colors.bold },
        escapeLine(row.value),
        escapeLine(row.origin),
        { text: escapeLine(row.description), paint: output.colors.dim },
      ]),
      output.width,
    ),
  );
}
