import { ownHooks, ownServer } from "../../connect/own-server.js";
import { configFileOf, entryPath } from "../../connect/plan-connection.js";
import { formats } from "../../connect/plan-file.js";
import type { Scope } from "../../runtime/vendors/connection.js";
import type { CliContext } from "../context.js";
import { escapeBlock, escapeLine } from "../escape-text.js";
import { quoteWord } from "../quote-word.js";
import { chooseClis } from "./choose-clis.js";
import { configWorld, homePath } from "./config-world.js";

type Printed = { cli: string; file: string; text: string; command: string | null };

/** What belongs into each file, for whoever would rather write it there by hand. */
export async function printEntries(
  cli: CliContext,
  names: readonly string[],
  { scope, hooks }: { scope: Scope; hooks: boolean | undefined },
): Promise<void> {
  const own = { self: cli.io.self, env: cli.io.env, data: cli.paths.data };
  const server = ownServer(own);
  const world = configWorld(cli);
  const groups = hooks === false ? undefined : await ownHooks(own);
  const printed = chooseClis(names, cli.io.env).flatMap(({ connection }): Printed[] => {
    if (connection.files[scope] === undefined) return [];
    const { set } = formats[connection.format];
    const text = set("", entryPath(connection), connection.entry(server));
    const hooksFile = groups === undefined ? undefined : connection.hooksFile?.(world, scope);
    const args = scope === "user" ? connection.register?.(server) : undefined;
    return [
      {
        cli: connection.cli,
        file: configFileOf(connection, scope, world),
        text,
        command: args === undefined ? null : [connection.program, ...args].map(quoteWord).join(" "),
      },
      ...(hooksFile === undefined
        ? []
        : [
            {
              cli: connection.cli,
              file: hooksFile,
              text: `${JSON.stringify({ hooks: groups }, null, 2)}\n`,
              command: null,
            },
          ]),
    ];
  });
  cli.output.result({ entries: printed }, () =>
    printed
      .map(({ cli: name, file, text, command }) => {
        const title = `${cli.output.colors.bold(name)}: ${homePath(file, cli)}`;
        const how = command === null ? "" : `\n# or run: ${escapeLine(command)}`;
        return `# ${title}${how}\n${escapeBlock(text.trimEnd())}`;
      })
      .join("\n\n"),
  );
}
